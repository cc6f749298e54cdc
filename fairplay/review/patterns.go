package review

import (
	"math"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
)

// Limits for patterns of results (docs/fair-play.md, "Results that point at something").
// Only the last results are looked at, so the end of a match costs a few rows.
const (
	PatternWindow  = 7  // results looked at
	PatternNotice  = 3  // quick ones among them that raise a signal
	PatternConcern = 4  // quick ones that raise a signal which opens a review
	QuickLoss      = 8  // most plies, of both players, of a quick loss
	QuickWin       = 10 // most plies of a quick win
	PairMatches    = 4  // fewest rated matches of a pair for its surprise
)

// RatedResult is one rated match of a player.
type RatedResult struct {
	Match   match.ID
	Against player.ID
	Halves  int  // their half points: 0, 1, 2
	Plies   int  // of both players in the board phase, undone ones included
	Ruled   bool // an arbiter ended it, not the players
}

func (r RatedResult) isQuick(halves, plies int) bool {
	return r.Halves == halves && r.Plies <= plies && !r.Ruled
}

// Sandbagging counts the losses within QuickLoss plies among the last PatternWindow rated
// results of a player, latest first, and returns the signal they raise. Call it after a
// loss that gave the winner rating.
func Sandbagging(last []RatedResult) (quick int, leads SignalKind) {
	return pattern(last, 0, QuickLoss, SignalQuickLosses, SignalQuickLossesMore)
}

// ShortWins counts the wins within QuickWin plies among the last PatternWindow rated
// results of a pair, latest first, as the winner sees them, and returns the signal they
// raise. Call it after a win.
func ShortWins(between []RatedResult) (quick int, leads SignalKind) {
	return pattern(between, 2, QuickWin, SignalShortWins, SignalShortWinsMore)
}

// pattern counts the quick results; none if the latest is not quick.
func pattern(last []RatedResult, halves, plies int, notice, concern SignalKind) (quick int, leads SignalKind) {
	if len(last) == 0 || !last[0].isQuick(halves, plies) {
		return 0, ""
	}
	for _, r := range last[:min(len(last), PatternWindow)] {
		if r.isQuick(halves, plies) {
			quick++
		}
	}
	switch {
	case quick >= PatternConcern:
		return quick, concern
	case quick >= PatternNotice:
		return quick, notice
	}
	return quick, ""
}

// Expectation is one rated match of a pair as one side sees it: the score expected by the
// ratings of that time, in hundredths, and the half points scored.
type Expectation struct{ Expected, Halves int }

// Surprise is how far the results of a pair differ from what their ratings expected.
// Expected is in hundredths of a point; Z is the sum of score minus expectation, in
// standard deviations if every match were won or lost. It is context, never a concern by
// itself: styles, outdated ratings, teachers and their pupils surprise, too.
type Surprise struct {
	Matches, Halves, Expected int
	Z                         float64
}

// PairSurprise returns Z = Σ(score−E)/√ΣE(1−E); false for fewer than PairMatches matches
// or for no variance.
func PairSurprise(matches []Expectation) (s Surprise, ok bool) {
	variance := 0.0
	for _, m := range matches {
		e := float64(m.Expected) / 100
		variance += e * (1 - e)
		s.Matches, s.Halves, s.Expected = s.Matches+1, s.Halves+m.Halves, s.Expected+m.Expected
	}
	if s.Matches < PairMatches || variance == 0 {
		return s, false
	}
	s.Z = (float64(s.Halves)/2 - float64(s.Expected)/100) / math.Sqrt(variance)
	return s, true
}
