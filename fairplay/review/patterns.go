package review

import (
	"math"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
)

// What results alone can point at (docs/fair-play.md, "Results that point at
// something"). Everything here is looked for among the last results only, so an
// end of a match costs a glance at a few rows.
const (
	PatternWindow  = 7  // results that are looked at
	PatternNotice  = 3  // of them: a signal
	PatternConcern = 4  // of them: a signal that opens a review
	QuickLoss      = 8  // plies, both players': at most, to lose a match that hardly began
	QuickWin       = 10 // plies: at most, to win one so
	PairMatches    = 4  // rated matches of a pair, at least, for its surprise
)

// RatedResult is a rated match of a player as its end shows it.
type RatedResult struct {
	Match   match.ID
	Against player.ID
	Halves  int  // their half points: 0, 1, 2
	Plies   int  // of the board phase, both players'; what was taken back counts
	Ruled   bool // an arbiter ended it, not the players
}

func (r RatedResult) isQuick(halves, plies int) bool {
	return r.Halves == halves && r.Plies <= plies && !r.Ruled
}

// Sandbagging is what a player's last rated results, the latest first, say after
// a loss: how many of the last PatternWindow were lost within QuickLoss plies, and
// what that leads to. It is to be asked where the loss gave the winner rating.
func Sandbagging(last []RatedResult) (quick int, leads SignalKind) {
	return pattern(last, 0, QuickLoss, SignalQuickLosses, SignalQuickLossesMore)
}

// ShortWins is what the last rated results of a pair say after a win, the latest
// first, from the side of the one who won: how many of the last PatternWindow they
// won within QuickWin plies, and what that leads to.
func ShortWins(between []RatedResult) (quick int, leads SignalKind) {
	return pattern(between, 2, QuickWin, SignalShortWins, SignalShortWinsMore)
}

// pattern counts the quick ones; nothing follows where the latest is none of them.
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

// Expectation is one rated match of a pair, from one side: the score that the
// ratings of that time expected, in hundredths, and the half points there were.
type Expectation struct{ Expected, Halves int }

// Surprise is how far the results of a pair are from what the ratings expected:
// Matches, Halves scored, Expected in hundredths of a point, and Z, the sum of
// score minus expectation in units of its standard deviation if each match were
// won or lost. It is a number to think about, never a concern: styles, old
// ratings, teachers and pupils surprise, too.
type Surprise struct {
	Matches, Halves, Expected int
	Z                         float64
}

// PairSurprise is Σ(score−E)/√ΣE(1−E); false for fewer than PairMatches matches,
// or where nothing could surprise.
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
