package match

import (
	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	matchview "chpok.org/chpok/templates/match"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/words"
)

// fairPlayBox returns what a match page says about fair play; nil for a match without a policy.
func (s pages) fairPlayBox(tx *store.Tx, p lang.Printer, view live.View) (*matchview.FairPlayBox, error) {
	with, known, err := assurance.Of(tx, view.Head)
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
			box.Rest = p.T("fairplay.rest", "Time", p.When(view.Until))
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
		later, err := assurance.TakenBack(tx, view.Head, s.Now())
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
