package scene

import (
	"slices"
	"strings"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/templates/lang"
)

// Wherever a bid is told it is told in these words: on the match page, in its
// log, in miniature, in a replay and in the example of the rules.

// TargetWord is a target's part of the text keys.
func TargetWord(t bidding.Target) string {
	if t == bidding.HomeRow {
		return "home-row"
	}
	return t.String()
}

// TargetName is a target as people call it: White, Time, Home row, Features.
func TargetName(p lang.Printer, t bidding.Target) string { return p.T("match.target." + TargetWord(t)) }

// BidAct is what a bid does, without who and how many chips: raised Time to 15+5. Of features it tells what
// became different from those before. Beside a picture it is short: a home row is drawn there, and many features are counted.
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
		case n == 0: // something was taken away
			outcome = FeaturesText(p, bid.Features)
		case pictured && n > 2:
			outcome = p.N("match.features.some", n)
		default:
			outcome = strings.Join(changed, ", ")
		}
	}
	return strings.TrimSpace(p.T("match.bid.raise."+word, "Outcome", outcome))
}

// BidTold is a bid with who made it; an empty name is the reader's own.
func BidTold(p lang.Printer, name, act string) string {
	if name == "" {
		return p.T("match.bid.by-you", "Act", act)
	}
	return p.T("match.bid.by", "Name", name, "Act", act)
}
