package search

import "math"

// Version tells judgements of different engines apart: whoever keeps one makes
// it anew when it has grown. It grows when search, evaluation or the table of terms judge otherwise.
const Version = 3

// perLogit is by how many hundredths of a pawn the odds grow e-fold, as games of
// the engine against itself end (docs/engine.md).
const perLogit = 270

// Expected is the share of a point that a score promises to the side to move,
// as games end that are scored so.
func Expected(score int) float64 {
	switch {
	case score > decided:
		return 1
	case score < -decided:
		return 0
	}
	return 1 / (1 + math.Exp(-float64(score)/perLogit))
}
