package scene

import (
	"cmp"
	"errors"
	"slices"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/templates/lang"
	matchview "chpok.org/chpok/templates/match"
	"chpok.org/chpok/web/words"
)

// Steps returns the steps of the bidding up to the one shown.
func (m MatchViewer) Steps() []match.BidStep {
	steps := m.State.BidSteps()
	if m.Bid > 0 {
		steps = steps[:m.Bid]
	}
	return steps
}

// bids returns the bidding after Steps.
func (m MatchViewer) bids() bidding.State {
	if m.Bid > 0 {
		steps := m.Steps()
		return steps[len(steps)-1].After
	}
	return m.Game.Bids()
}

// called returns a player's name, or "you" for the viewer.
func (m MatchViewer) called(by match.Seat) string {
	if by == m.you {
		return m.T("match.you")
	}
	return m.name(by)
}

// Bidding returns the view of the bidding.
func (m MatchViewer) Bidding() *matchview.BiddingView {
	bids := m.bids()
	v := &matchview.BiddingView{
		Action: m.commands(),
		UsName: m.called(m.Us), ThemName: m.called(m.Us.Other()),
		Row: string(bids.Row()), Preview: m.T("match.preview") + ": " + string(bids.Row()),
		Left: m.N("match.chips-to-go", bids.Purse(match.First)+bids.Purse(match.Second)),
		Now:  m.nowText(), Rules: FeaturesText(m.Printer, bids.Features()), AsBlack: m.getsBlack(),
	}
	if due, ok := m.Game.PendingDraw(); ok && m.Bid == 0 {
		v.Pending = m.T("match.draw.pending." + TargetWord(due))
	}
	for t := bidding.White; t <= bidding.Features; t++ {
		v.Targets = append(v.Targets, m.target(t))
	}
	return v
}

// nowText returns the white player, time and row if the bidding ended now.
func (m MatchViewer) nowText() string {
	bids := m.bids()
	white, control, row := m.T("match.now.toss"), m.T("match.now.draw"), string(bids.Row())
	if by, ok := bids.White(); ok {
		white = m.whiteText(by)
	}
	if c, ok := bids.Time(); ok {
		control = c.String()
	}
	if bids.Row().IsStandard() {
		row = m.T("match.outcome.standard-row")
	}
	return white + " · " + control + " · " + row
}

// whiteText tells who plays White, addressing the viewer as "you".
func (m MatchViewer) whiteText(white match.Seat) string {
	switch {
	case white == m.you:
		return m.T("match.now.you-white")
	case m.you.Valid():
		return m.T("match.now.you-black")
	}
	return m.T("match.outcome.white", "Name", m.name(white))
}

func (m MatchViewer) target(t bidding.Target) matchview.TargetView {
	bids, them := m.bids(), m.Us.Other()
	v := matchview.TargetView{
		Key: t.String(), Title: TargetName(m.Printer, t),
		Us: bids.Stake(t, m.Us), Them: bids.Stake(t, them),
	}
	m.outcome(&v, t)
	switch gap := bids.Gap(t, m.Us); {
	case gap > 0:
		v.Lead, v.Gap = "them", m.leads(them, gap)
	case gap < 0:
		v.Lead, v.Gap = "us", m.leads(m.Us, -gap)
	case v.Us > 0:
		v.Gap = m.T("match.gap.even")
	}
	if turn, live := m.State.ToAct(); live && turn == m.you && m.State.Status() == match.Bidding && m.Bid == 0 {
		v.Bid = m.offers(t)
	}
	return v
}

func (m MatchViewer) leads(by match.Seat, gap int) string {
	if by == m.you {
		return m.T("match.gap.you-lead", "N", m.Int(gap))
	}
	return m.T("match.gap.leads", "Name", m.name(by), "N", m.Int(gap))
}

// outcome fills in the present outcome of a target.
func (m MatchViewer) outcome(v *matchview.TargetView, t bidding.Target) {
	bids := m.bids()
	switch t {
	case bidding.White:
		v.Outcome, v.Note = m.T("match.outcome.open"), m.T("match.outcome.open.white")
		if white, ok := bids.White(); ok {
			v.Outcome, v.Note = m.called(white), m.T("match.outcome.by-bid")
			if m.isDrawn(t) {
				v.Note = m.T("match.outcome.by-toss")
			}
		}
	case bidding.Time:
		v.Outcome, v.Note = m.T("match.outcome.open"), m.T("match.outcome.open.time")
		if control, ok := bids.Time(); ok {
			v.Outcome, v.Note = control.String(), m.T("match.time.long", "Minutes", m.Int(control.Minutes), "Increment", m.Int(control.Increment))
			v.Note = cmp.Or(m.timeNote(), v.Note)
		}
	case bidding.HomeRow:
		row := bids.Row()
		v.Outcome, v.Row = string(row), string(row)
		if row.IsStandard() {
			v.Note = m.T("match.outcome.standard-row")
		}
	case bidding.Features:
		v.List = FeatureTexts(m.Printer, bids.Features())
		v.Outcome = FeaturesText(m.Printer, bids.Features())
	}
}

// isDrawn reports whether the outcome of a target came from a draw.
func (m MatchViewer) isDrawn(t bidding.Target) bool {
	for _, step := range slices.Backward(m.Steps()) {
		switch {
		case !step.Seat.Valid() && step.Draw.Target == t:
			return true
		case step.Seat.Valid() && step.Bid.Target == t:
			return false
		}
	}
	return false
}

// offers returns the call and the raise that the viewer may make, or why they may not.
func (m MatchViewer) offers(t bidding.Target) *matchview.BidView {
	bids := m.bids()
	gap, purse := bids.Gap(t, m.you), bids.Purse(m.you)
	v := &matchview.BidView{
		Min: bids.LeastRaise(t), Max: purse, Purse: purse, Clock: m.SideClock(m.you),
		CallEffect: m.T("match.call.effect." + TargetWord(t)),
		Keep:       m.T("match.foot.keep", "N", "{n}", "Purse", m.Int(purse)),
		Few:        m.T("match.foot.too-few", "N", m.Int(bids.LeastRaise(t))),
		Many:       m.N("match.foot.too-many", purse),
	}
	if call, err := bids.CallOf(t); err == nil {
		v.Call = call.Chips
	} else {
		v.CallWhy = m.whyNot(err)
	}
	switch err := bids.MayRaise(t); {
	case err != nil:
		v.Say = m.N("match.foot.cannot", purse, "Min", m.Int(v.Min))
		return v
	case gap > 0:
		v.Say = m.T("match.foot.beats", "N", "{n}", "Gap", m.Int(gap), "Name", m.name(m.you.Other()))
		v.Few = m.T("match.foot.beat-lead", "Gap", m.Int(gap), "N", m.Int(v.Min))
	case gap < 0:
		v.Say = m.T("match.foot.lead", "Gap", m.Int(-gap))
	default:
		v.Say = m.T("match.foot.even")
	}
	v.MayRaise = true
	switch t {
	case bidding.White:
		v.Effect = m.T("match.raise.white")
		v.Changed = v.Effect
	case bidding.Time:
		v.Time = editor{m.Printer, m.State.Options().Envelope, bids}.timeEditor()
		v.Effect, v.Changed = m.T("match.raise.same"), "{n}"
	case bidding.HomeRow:
		v.Row = editor{m.Printer, m.State.Options().Envelope, bids}.rowEditor()
		v.Effect, v.Changed = m.T("match.raise.same"), m.T("match.raise.row")
	case bidding.Features:
		v.Features = editor{m.Printer, m.State.Options().Envelope, bids}.featuresEditor()
		v.Effect, v.Changed = m.T("match.raise.same"), m.T("match.raise.changes", "N", "{n}")
	}
	return v
}

// whyNot returns in a few words why a call is refused.
func (m MatchViewer) whyNot(err error) string {
	var r *bidding.Refusal
	switch {
	case !errors.As(err, &r):
		return err.Error()
	case r.Code == bidding.BelowGap:
		return m.T("match.why.no-gap")
	case r.Code == bidding.NotEnoughChips:
		return m.N("match.why.chips", m.bids().Purse(m.you))
	}
	return words.Told(m.Printer, words.RefusalOf(r))
}

// LastAct returns the last bid or draw of Steps.
func (m MatchViewer) LastAct() *matchview.LastActView {
	steps := m.Steps()
	if len(steps) == 0 {
		return firstAct(m)
	}
	step := steps[len(steps)-1]
	if !step.Seat.Valid() {
		return &matchview.LastActView{Text: m.drawText(step.Draw)}
	}
	v := &matchview.LastActView{Who: "them", Chips: m.N("match.chips", step.Bid.Chips)}
	if step.Seat == m.Us {
		v.Who = "us"
	}
	if step.Bid.Target == bidding.HomeRow && !step.IsCall {
		v.Row = string(step.Bid.Row)
	}
	v.Text = m.told(step, bidAct(m.Printer, step, true))
	return v
}

// firstAct tells, in place of the last act, who is to begin.
func firstAct(m MatchViewer) *matchview.LastActView {
	switch turn, live := m.State.ToAct(); {
	case !live:
		return nil
	case turn == m.you:
		return &matchview.LastActView{Text: m.T("match.bids.first.you"), Who: "none"}
	default:
		return &matchview.LastActView{Text: m.T("match.bids.first", "Name", m.name(turn)), Who: "none"}
	}
}

// told returns the act of a step with the name of its player.
func (m MatchViewer) told(step match.BidStep, act string) string {
	name := m.name(step.Seat)
	if step.Seat == m.you {
		name = ""
	}
	return BidTold(m.Printer, name, act)
}

// moments returns the latest draws, those without a bid or move after them, or where none led to the board, what is to be
// played.
func (m MatchViewer) moments() []matchview.DrawMoment {
	steps := m.Steps()
	if m.Game.OnBoard() && m.Game.PlyCount() > 0 || m.State.Status() == match.Over {
		return nil
	}
	var list []matchview.DrawMoment
	for i, step := range slices.Backward(steps) {
		if step.Seat.Valid() {
			break
		}
		list = append(list, m.moment(steps, i))
	}
	slices.Reverse(list)
	if n := len(steps); len(list) == 0 && n > 0 && m.State.Status() == match.Playing {
		bids := m.bids()
		list = append(list, matchview.DrawMoment{
			Seq: steps[n-1].Seq, Why: m.T("match.moment.terms"), Row: string(bids.Row()), Result: m.nowText(), AsBlack: m.getsBlack(),
			Next: FeaturesText(m.Printer, bids.Features()),
		})
	}
	return list
}

// getsBlack reports whether the viewer would play Black if the bidding ended now.
func (m MatchViewer) getsBlack() bool {
	white, ok := m.bids().White()
	return ok && m.you.Valid() && white != m.you
}

func (m MatchViewer) moment(steps []match.BidStep, i int) matchview.DrawMoment {
	step, t := steps[i], steps[i].Draw.Target
	v := matchview.DrawMoment{
		Seq: step.Seq, UsName: m.called(m.Us), ThemName: m.called(m.Us.Other()),
		Us: step.After.Stake(t, m.Us), Them: step.After.Stake(t, m.Us.Other()),
		Why: m.T("match.moment.nobody." + TargetWord(t)),
	}
	if i > 0 && steps[i-1].IsCall && steps[i-1].Bid.Target == t {
		v.Why = m.T("match.moment.called", "Act", m.told(steps[i-1], BidAct(m.Printer, steps[i-1].Bid, true, false, step.After.Features())))
	}
	if t == bidding.White {
		v.Result, v.Piece = m.whiteText(step.Draw.White), "wK"
		if m.you.Valid() && step.Draw.White != m.you {
			v.Piece = "bK"
		}
	} else {
		v.Result = step.Draw.Time.String()
		for _, preset := range m.State.Options().Envelope.Presets {
			v.Reel = append(v.Reel, preset.String())
		}
		v.Reel = append(v.Reel, v.Result)
	}
	switch turn, live := m.State.ToAct(); {
	case m.State.Status() == match.Playing:
		v.Next = m.T("match.moment.board")
	case live && turn == m.you:
		v.Next = m.T("match.status.your-bid")
	case live:
		v.Next = m.T("match.status.bids", "Name", m.name(turn))
	}
	return v
}

// editor makes the forms for the outcomes of raises.
type editor struct {
	lang.Printer
	limits bidding.Envelope
	bids   bidding.State
}

func (m editor) span(b [2]int) string { return words.SpanText(m.Printer, b) }

func (m editor) list(ns []int) string { return joined(ns, m.Int) }

func (m editor) boundsWhy(have, widest [2]int) string {
	if have == widest {
		return m.span(have)
	}
	return m.T("match.bounds.event", "Bounds", m.span(have))
}

func (m editor) timeEditor() *matchview.TimeEditor {
	e, widest := m.limits, bidding.DefaultEnvelope()
	now := e.Presets[0]
	if control, ok := m.bids.Time(); ok {
		now = control
	}
	v := &matchview.TimeEditor{
		Bounds: m.T("match.time.bounds", "Minutes", m.span(e.Minutes), "Increment", m.span(e.Increment)),
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

func (m editor) rowEditor() *matchview.RowEditor {
	e, bids := m.limits, m.bids
	width := bids.Features().Width
	v := &matchview.RowEditor{
		Width: width, Row: string(bids.Row()), Standard: string(board.StandardRow(width)), Free: e.AnyRow,
		Back: m.T("match.row.now"), Preview: m.T("match.preview.yours"), Why: m.N("match.bounds.row", width),
	}
	for _, kind := range words.Kinds {
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

func (m editor) featuresEditor() *matchview.FeaturesEditor {
	e, widest, bids := m.limits, bidding.DefaultEnvelope(), m.bids
	f := bids.Features()
	v := &matchview.FeaturesEditor{}
	if len(e.Widths) < len(widest.Widths) {
		v.Why = m.T("match.bounds.event", "Bounds", m.list(e.Widths))
	}
	for w := board.MinWidth; w <= board.MaxWidth; w++ {
		choice := matchview.WidthChoice{Width: w, Row: string(bids.RowAt(w)), Checked: w == f.Width, Allowed: slices.Contains(e.Widths, w)}
		if !choice.Allowed {
			choice.Why = m.T("match.bounds.event", "Bounds", m.list(e.Widths))
		}
		v.Widths = append(v.Widths, choice)
	}
	for _, b := range bidding.Bounds {
		if b.Features == nil || b.Span == nil || b.Feature == "movePoints" {
			continue
		}
		have := *b.Span(&e)
		v.Numbers = append(v.Numbers, matchview.NumberField{
			Key: b.Feature, Label: m.T("match.feature." + b.Feature),
			Value: *b.Features(&f)[0], Min: have[0], Max: have[1], Why: m.boundsWhy(have, b.Widest),
		})
	}
	for _, kind := range slices.Backward(words.Kinds[:]) {
		v.Points = append(v.Points, matchview.NumberField{
			Key: "movePoints." + kind.String(), Label: m.T("match.kind." + kind.String()), Piece: "w" + kind.String(),
			Value: f.MovePoints[kind], Min: e.MovePoints[0], Max: e.MovePoints[1], Why: m.boundsWhy(e.MovePoints, widest.MovePoints),
		})
	}
	for _, key := range bidding.Switches {
		field := matchview.SwitchField{
			Key: key, Label: m.T("match.feature." + key), Short: m.T("match.short." + key), Help: m.T("match.help." + key),
			On: bidding.SwitchOn(f, key), Allowed: !slices.Contains(e.Forbidden, key),
		}
		if !field.Allowed {
			field.Why = m.T("match.bounds.forbidden")
		}
		v.Switches = append(v.Switches, field)
	}
	return v
}
