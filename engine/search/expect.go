package search

import "math"

// Version identifies how the engine judges. Whoever stores a judgment replaces it when
// Version rises, which it does whenever the search, the evaluation or the table of terms
// come to judge differently (TestTheEngineThinksAsItsVersionDoes).
const Version = 5

// perLogit is the lead, in hundredths of a pawn, that makes the odds of winning e times as
// high in games of the engine against itself (docs/engine.md).
const perLogit = 270

// Expected returns the share of a point a score promises the side to move, judging by how
// games with that score end.
func Expected(score int) float64 {
	switch {
	case score > decided:
		return 1
	case score < -decided:
		return 0
	}
	return 1 / (1 + math.Exp(-float64(score)/perLogit))
}
