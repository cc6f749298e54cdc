package scene

import (
	"slices"
	"strings"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/templates/lang"
)

// TargetWord returns a target's part of the keys of texts.
func TargetWord(t bidding.Target) string {
	if t == bidding.HomeRow {
		return "home-row"
	}
	return t.String()
}

// TargetName returns the name of a target: White, Time, Home row, Features.
func TargetName(p lang.Printer, t bidding.Target) string { return p.T("match.target." + TargetWord(t)) }

// BidAct returns what a bid does, without its player and chips: "raised Time to 15+5". For features it tells what
// differs from before. Beside a picture, which shows the home row, it is shorter and only counts many features.
func BidAct(p lang.Printer, bid bidding.Bid, isCall, pictured bool, before board.Features) string {
	word := TargetWord(bid.Target)
	if isCall {
		return p.T("match.bid.call." + word)
	}
	outcome := ""
	switch bid.Target {
	case bidding.Time:
		outcome = bid.Time.String()
	case bidding.HomeRow:
		if !pictured {
			outcome = string(bid.Row)
		}
	case bidding.Features:
		if bid.Features == before {
			return p.T("match.bid.raise.features.same")
		}
		stood := FeatureTexts(p, before)
		changed := slices.DeleteFunc(FeatureTexts(p, bid.Features), func(text string) bool { return slices.Contains(stood, text) })
		switch n := len(changed); {
		case n == 0: // only returns to defaults
			outcome = FeaturesText(p, bid.Features)
		case pictured && n > 2:
			outcome = p.N("match.features.some", n)
		default:
			outcome = strings.Join(changed, ", ")
		}
	}
	return strings.TrimSpace(p.T("match.bid.raise."+word, "Outcome", outcome))
}

// bidAct is BidAct for a step of a match.
func bidAct(p lang.Printer, step match.BidStep, pictured bool) string {
	return BidAct(p, step.Bid, step.IsCall, pictured, step.Before.Features())
}

// BidTold returns a bid with its player's name; empty for the reader.
func BidTold(p lang.Printer, name, act string) string {
	if name == "" {
		return p.T("match.bid.by-you", "Act", act)
	}
	return p.T("match.bid.by", "Name", name, "Act", act)
}

// BidAsks returns what a bid would make of its target; gap is that of its player.
func BidAsks(p lang.Printer, bid bidding.Bid, gap int) string {
	if bid.Chips == gap {
		return p.T("match.call.plain")
	}
	switch bid.Target {
	case bidding.Time:
		return bid.Time.String()
	case bidding.HomeRow:
		return string(bid.Row)
	case bidding.Features:
		return FeaturesText(p, bid.Features)
	}
	return p.T("match.raise.white")
}
