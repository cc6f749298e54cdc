package web

import (
	"strings"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/store"
	fairplayview "chpok.org/chpok/templates/fairplay"
	"chpok.org/chpok/templates/lang"
	matchview "chpok.org/chpok/templates/match"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/words"
)

// fairPlayBox is what a match page says of fair play; nil for a match from
// before there were levels.
func (s *Server) fairPlayBox(tx *store.Tx, p lang.Printer, view live.View) (*matchview.FairPlayBox, error) {
	with, known, err := arbiter.AssuranceOf(tx, view.Head)
	if err != nil || !known {
		return nil, err
	}
	policy := with.Policy
	box := &matchview.FairPlayBox{
		Level: form.LevelText(p, policy.Level), Word: policy.Level.String(), Says: p.T("fairplay.says." + policy.Level.String()),
		URL: "/fair-play#" + policy.Level.String(), Hash: policy.Hash(),
	}
	box.NotSays = form.NotSays(p, policy.Level)
	if view.Delayed {
		box.Later = p.T("fairplay.later", "Plies", p.Int(policy.Feed.Plies), "Seconds", p.Int(policy.Feed.Seconds))
		if !view.Until.IsZero() {
			box.Rest = p.T("fairplay.rest", "Time", p.DateTime(view.Until))
		}
	}
	if !with.IsOver {
		return box, nil
	}
	names, err := tx.Players(view.Head.Players[:]...)
	if err != nil {
		return nil, err
	}
	box.Achieved, box.Lower = form.LevelText(p, with.Achieved.Level), with.Achieved.Level < policy.Level
	box.Says, box.NotSays = p.T("fairplay.says."+with.Achieved.Level.String()), form.NotSays(p, with.Achieved.Level)
	for _, r := range with.Achieved.Reasons {
		box.Reasons = append(box.Reasons, form.ReasonText(p, r, names[view.Head.Players[r.Seat.Index()]]))
	}
	if policy.Attestations > 0 {
		later, err := arbiter.TakenBack(tx, view.Head, s.Now())
		if err != nil {
			return nil, err
		}
		for i, words := range later {
			box.Reasons = append(box.Reasons, form.TakenBackTexts(p, words, names[view.Head.Players[i]])...)
		}
	}
	if with.Statement != nil && policy.Level > fairplay.Open {
		box.Signed = words.MatchURL(view.Head.ID) + "/record.json"
	}
	return box, nil
}

// resistanceRows is the table of engines against terms, as it was measured.
func resistanceRows(p lang.Printer) []fairplayview.ResistanceRow {
	points := "P1 N6 B5 R2 Q3 K4"
	share := func(of ...float64) string {
		texts := []string{"–"}
		for i, f := range of {
			texts = append(texts[:i], p.Decimal(f, 2))
		}
		return strings.Join(texts, " / ")
	}
	row := func(terms, club, chpok, chpokClub string) fairplayview.ResistanceRow {
		return fairplayview.ResistanceRow{Terms: terms, Club: club, Chpok: chpok, ChpokClub: chpokClub}
	}
	limit := func(n int) string { return p.T("fairplay.page.limit", "N", p.Int(n)) }
	usual := p.T("fairplay.page.default")
	return []fairplayview.ResistanceRow{
		row(usual, share(1.00), share(0.61), share()),
		row(usual+", "+points, share(1.00), share(0.73), share()),
		row(limit(20), share(0.81), share(0.15), share()),
		row(limit(20)+", N9", share(0.61), share(), share(0.86)),
		row(limit(20)+", "+points, share(0.29), share(0.04), share()),
		row(limit(10), share(0.32), share(), share(0.98)),
		row(limit(10)+", "+points, share(0.18), share(), share(0.91)),
		row(limit(10)+", P9 / K9", share(0.06, 0.02), share(), share(0.61, 0.83)),
	}
}
