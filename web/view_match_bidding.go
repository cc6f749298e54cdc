package web

import (
	"errors"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	matchview "chpok.org/chpok/templates/match"
)

// targetWord is a target's part of the text keys.
func targetWord(t bidding.Target) string {
	if t == bidding.HomeRow {
		return "home-row"
	}
	return t.String()
}

func (m matchViewer) bidding() *matchview.BiddingView {
	bids := m.game.Bids()
	v := &matchview.BiddingView{
		Action:  "/matches/" + m.frame.ID + "/commands",
		Preview: startBoard(m.Printer, bids.Features(), bids.Row(), false),
		Caption: m.T("match.preview.caption", "Width", m.Int(bids.Features().Width), "Row", string(bids.Row())),
	}
	if due, ok := m.game.PendingDraw(); ok {
		v.Pending = m.T("match.draw.pending." + targetWord(due))
	}
	for t := bidding.White; t <= bidding.Features; t++ {
		v.Targets = append(v.Targets, m.target(t))
	}
	return v
}

func (m matchViewer) target(t bidding.Target) matchview.TargetView {
	bids, them := m.game.Bids(), m.us.Other()
	v := matchview.TargetView{
		Key: t.String(), Title: m.T("match.target." + targetWord(t)), Ask: m.T("match.ask." + targetWord(t)),
		Us: bids.Stake(t, m.us), Them: bids.Stake(t, them),
		UsName: m.name(m.us), ThemName: m.name(them),
	}
	m.outcome(&v, t)
	switch gap := bids.Gap(t, m.us); {
	case gap > 0:
		v.Lead, v.Gap = "them", m.N("match.gap.leads", gap, "Name", m.name(them))
	case gap < 0:
		v.Lead, v.Gap = "us", m.N("match.gap.leads", -gap, "Name", m.name(m.us))
	default:
		v.Gap = m.T("match.gap.level")
	}
	if turn, live := m.state.ToAct(); live && turn == m.you && m.state.Status() == match.Bidding {
		m.offers(&v, t)
	}
	return v
}

// outcome is what a target stands at now.
func (m matchViewer) outcome(v *matchview.TargetView, t bidding.Target) {
	bids := m.game.Bids()
	switch t {
	case bidding.White:
		if white, ok := bids.White(); ok {
			v.Outcome = m.T("match.outcome.white", "Name", m.name(white))
			return
		}
		v.Outcome, v.Note = m.T("match.outcome.open"), m.T("match.outcome.open.white")
	case bidding.Time:
		if control, ok := bids.Time(); ok {
			v.Outcome = m.timeText(control)
			return
		}
		v.Outcome, v.Note = m.T("match.outcome.open"), m.T("match.outcome.open.time")
	case bidding.HomeRow:
		row := bids.Row()
		v.Outcome = string(row)
		if row.IsStandard() {
			v.Note = m.T("match.outcome.standard-row")
		}
		for _, letter := range row {
			v.Row = append(v.Row, "w"+string(letter))
		}
	case bidding.Features:
		v.List = m.featureTexts(bids.Features())
		v.Outcome = m.N("match.features.some", len(v.List))
		if len(v.List) == 0 {
			v.Outcome = m.T("match.features.none")
		}
	}
}

// offers are the call and the raise the viewer may make, or why not.
func (m matchViewer) offers(v *matchview.TargetView, t bidding.Target) {
	bids := m.game.Bids()
	if call, err := bids.CallOf(t); err == nil {
		v.Call = &matchview.CallView{Chips: call.Chips, Effect: m.T("match.call.effect." + targetWord(t))}
	} else {
		v.CallWhy = m.whyNot(err, t)
	}
	if err := bids.MayRaise(t); err != nil {
		v.RaiseWhy = m.whyNot(err, t)
		return
	}
	least := bids.LeastRaise(t)
	v.Raise = &matchview.RaiseView{
		Min: least, Max: bids.Purse(m.you),
		Effect: m.T("match.raise.effect", "Min", m.Int(least), "Max", m.Int(bids.Purse(m.you))),
	}
	switch t {
	case bidding.Time:
		v.Raise.Time = m.timeEditor()
	case bidding.HomeRow:
		v.Raise.Row = m.rowEditor()
	case bidding.Features:
		v.Raise.Features = m.featuresEditor()
	}
}

// whyNot is a refusal in words.
func (m matchViewer) whyNot(err error, t bidding.Target) string {
	var r *bidding.Refusal
	if !errors.As(err, &r) {
		return err.Error()
	}
	bids := m.game.Bids()
	switch r.Code {
	case bidding.BelowGap:
		return m.T("match.why.no-gap")
	case bidding.NotEnoughChips:
		return m.N("match.why.chips", bids.Purse(m.you), "Gap", m.Int(max(0, bids.Gap(t, m.you))))
	}
	return m.refusal(r)
}

// refusal is the text of a refusal's code, with the bound of an envelope.
func (m matchViewer) refusal(r *bidding.Refusal) string { return refusalText(m.Printer, r) }

func (m matchViewer) boundsWhy(have, widest [2]int) string {
	if have == widest {
		return m.T("match.bounds.rules", "Bounds", m.span(have))
	}
	return m.T("match.bounds.event", "Bounds", m.span(have))
}

func (m matchViewer) timeEditor() *matchview.TimeEditor {
	e, widest := m.state.Options().Envelope, bidding.DefaultEnvelope()
	now := e.Presets[0]
	if control, ok := m.game.Bids().Time(); ok {
		now = control
	}
	v := &matchview.TimeEditor{
		Minutes: matchview.NumberField{
			Key: "minutes", Label: m.T("match.minutes"), Value: now.Minutes,
			Min: e.Minutes[0], Max: e.Minutes[1], Why: m.boundsWhy(e.Minutes, widest.Minutes),
		},
		Increment: matchview.NumberField{
			Key: "increment", Label: m.T("match.increment"), Value: now.Increment,
			Min: e.Increment[0], Max: e.Increment[1], Why: m.boundsWhy(e.Increment, widest.Increment),
		},
	}
	for _, preset := range e.Presets {
		v.Presets = append(v.Presets, matchview.PresetView{Text: preset.String(), Minutes: preset.Minutes, Increment: preset.Increment})
	}
	return v
}

func (m matchViewer) rowEditor() *matchview.RowEditor {
	e, bids := m.state.Options().Envelope, m.game.Bids()
	width := bids.Features().Width
	v := &matchview.RowEditor{
		Width: width, Row: string(bids.Row()), Standard: string(board.StandardRow(width)), Free: e.AnyRow,
		Why:     m.N("match.bounds.row", width),
		Preview: startBoard(m.Printer, bids.Features(), bids.Row(), false),
	}
	for _, kind := range kinds {
		v.Kinds = append(v.Kinds, matchview.KindView{Letter: kind.String(), Name: m.T("match.kind." + kind.String())})
	}
	if !e.AnyRow {
		v.Why = m.T("match.bounds.rows")
		v.Rows = append(v.Rows, v.Standard)
		for _, row := range e.Rows {
			if len(row) == width && row != board.StandardRow(width) {
				v.Rows = append(v.Rows, string(row))
			}
		}
	}
	return v
}

func (m matchViewer) featuresEditor() *matchview.FeaturesEditor {
	e, widest, bids := m.state.Options().Envelope, bidding.DefaultEnvelope(), m.game.Bids()
	f := bids.Features()
	v := &matchview.FeaturesEditor{
		Section: m.T("match.feature.width.help"),
		Preview: startBoard(m.Printer, f, bids.Row(), false),
	}
	if len(e.Widths) < len(widest.Widths) {
		v.Section = m.T("match.bounds.event", "Bounds", m.list(e.Widths)) + ". " + v.Section
	}
	allowed := map[int]bool{}
	for _, w := range e.Widths {
		allowed[w] = true
	}
	for w := board.MinWidth; w <= board.MaxWidth; w++ {
		choice := matchview.WidthChoice{Width: w, Row: string(bids.RowAt(w)), Checked: w == f.Width, Allowed: allowed[w]}
		if !choice.Allowed {
			choice.Why = m.T("match.bounds.event", "Bounds", m.list(e.Widths))
		}
		v.Widths = append(v.Widths, choice)
	}
	for _, n := range []struct {
		key          string
		value        int
		have, widest [2]int
	}{
		{"moveLimit", f.MoveLimit, e.MoveLimit, widest.MoveLimit},
		{"undos", f.Undos, e.Undos, widest.Undos},
		{"castlings", f.Castlings, e.Castlings, widest.Castlings},
	} {
		v.Numbers = append(v.Numbers, matchview.NumberField{
			Key: n.key, Label: m.T("match.feature." + n.key), Help: m.T("match.help." + n.key),
			Value: n.value, Min: n.have[0], Max: n.have[1], Why: m.boundsWhy(n.have, n.widest),
		})
	}
	for _, kind := range kinds {
		v.Points = append(v.Points, matchview.NumberField{
			Key: "movePoints." + kind.String(), Label: m.T("match.kind." + kind.String()), Piece: "w" + kind.String(),
			Value: f.MovePoints[kind], Min: e.MovePoints[0], Max: e.MovePoints[1],
		})
	}
	if e.MovePoints != widest.MovePoints {
		v.Points[0].Why = m.boundsWhy(e.MovePoints, widest.MovePoints)
	}
	forbidden := map[string]bool{}
	for _, key := range e.Forbidden {
		forbidden[key] = true
	}
	for _, key := range bidding.Switches {
		field := matchview.SwitchField{
			Key: key, Label: m.T("match.feature." + key), Help: m.T("match.help." + key),
			On: bidding.SwitchOn(f, key), Allowed: !forbidden[key],
		}
		if !field.Allowed {
			field.Why = m.T("match.bounds.forbidden")
		}
		v.Switches = append(v.Switches, field)
	}
	return v
}
