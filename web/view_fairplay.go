package web

import (
	"strings"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
)

// levelText is a level as people call it.
func levelText(p lang.Printer, level fairplay.Assurance) string {
	if level == 0 {
		return ""
	}
	return p.T("fairplay.level." + level.String())
}

// levelShown is the level of a match in a list: what was achieved, or what is
// demanded; empty where that is nothing.
func levelShown(p lang.Printer, h store.Head) string {
	level := h.Level
	if h.Status == match.Over {
		level = h.Achieved
	}
	if level <= fairplay.Open {
		return ""
	}
	return levelText(p, level)
}

// fairPlayBox is what a match page says of fair play; nil for a match from
// before there were levels.
func (s *Server) fairPlayBox(tx *store.Tx, p lang.Printer, view live.View) (*templates.FairPlayBox, error) {
	with, known, err := arbiter.AssuranceOf(tx, view.Head)
	if err != nil || !known {
		return nil, err
	}
	policy := with.Policy
	box := &templates.FairPlayBox{
		Level: levelText(p, policy.Level), Word: policy.Level.String(), Says: p.T("fairplay.says." + policy.Level.String()),
		URL: "/fair-play#" + policy.Level.String(), Hash: policy.Hash(),
	}
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
	box.Achieved, box.Lower = levelText(p, with.Achieved.Level), with.Achieved.Level < policy.Level
	box.Says = p.T("fairplay.says." + with.Achieved.Level.String())
	for _, r := range with.Achieved.Reasons {
		box.Reasons = append(box.Reasons, reasonText(p, r, names[view.Head.Players[r.Seat.Index()]]))
	}
	if with.Statement != nil && policy.Level > fairplay.Open {
		box.Signed = matchURL(view.Head.ID) + "/record.json"
	}
	return box, nil
}

// reasonText is why a match achieved less, in words.
func reasonText(p lang.Printer, r fairplay.Reason, who player.Player) string {
	args := []any{"Name", string(who.Handle)}
	key := "fairplay.reason." + r.Key
	if r.Demand != "" {
		args = append(args, "Demand", p.T("fairplay.demand."+string(r.Demand)))
	}
	text := p.T(key, args...)
	if r.Move > 0 {
		text = strings.TrimSuffix(text, ".") + " " + p.T("fairplay.at-move", "Move", p.Int(r.Move))
	}
	return text
}
