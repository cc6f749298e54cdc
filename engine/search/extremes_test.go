package search_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/search"
)

// anyFeatures are features of a width by lot.
func anyFeatures(lots *rand.Rand, width int) board.Features {
	f := board.DefaultFeatures()
	f.Width = width
	for _, key := range bidding.Switches {
		*f.Switch(key) = lots.IntN(2) == 0
	}
	for kind := board.Pawn; kind <= board.Dragon; kind++ {
		f.MovePoints[kind] = lots.IntN(10)
	}
	if lots.IntN(2) == 0 {
		f.MoveLimit = 10 + lots.IntN(40)
	}
	return f
}

func TestNoRowIsWorthMoreThanTheArmies(t *testing.T) {
	t.Parallel()
	lots := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		width := board.MinWidth + lots.IntN(board.MaxWidth-board.MinWidth+1)
		f := anyFeatures(lots, width)
		row := make([]byte, width)
		for i := range row {
			row[i] = "KQRBNDP"[lots.IntN(7)]
		}
		row[lots.IntN(width)] = 'K'
		var worths []float64
		for _, army := range search.Armies(width) {
			worths = append(worths, search.ByTraits(f, army))
		}
		if got := search.ByTraits(f, board.Row(row)); got > slices.Max(worths)+1e-9 || got < slices.Min(worths)-1e-9 {
			t.Fatalf("%+v %s: %.3f, but the rows that are considered %.3f to %.3f", f, row, got, slices.Min(worths), slices.Max(worths))
		}
	}
}

func TestNoFeaturesAreWorthMoreThanTheExtremes(t *testing.T) {
	t.Parallel()
	lots := rand.New(rand.NewPCG(3, 4))
	for width := board.MinWidth; width <= board.MaxWidth; width++ {
		extremes := search.Extremes(board.DefaultFeatures(), width)
		for _, army := range search.Armies(width) {
			var worths []float64
			for _, f := range extremes {
				worths = append(worths, search.ByTraits(f, army))
			}
			for range 2000 {
				if got := search.ByTraits(anyFeatures(lots, width), army); got > slices.Max(worths)+1e-6 || got < slices.Min(worths)-1e-6 {
					t.Fatalf("%d %s: %.3f, but the extremes %.3f to %.3f", width, army, got, slices.Min(worths), slices.Max(worths))
				}
			}
		}
	}
}
