package search_test

import (
	"testing"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/search"
)

// A king two steps from the hill is kept away before it is too late: of all moves of
// the rook only the one to the rank in between bars its way. Nothing is looked ahead
// but that move.
func TestAKingsWayToTheHillIsBarred(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ cfen, want string }{
		{"8/8/4k3/8/8/8/8/R6K w - 0/0 0/0 0/0 20", "a1a5"},
		{"r6k/8/8/8/8/4K3/8/8 b - 0/0 0/0 0/0 20", "a8a4"},
	} {
		f := board.DefaultFeatures()
		f.Castlings, f.KingOfTheHill = 0, true
		p, err := board.ParseCFEN(f, c.cfen)
		if err != nil {
			t.Fatal(err)
		}
		lines := search.NewEngine(10).Search(t.Context(), search.Root{Position: p}, search.Limits{Depth: 1}, nil)
		if got := lines[0].Actions[0].String(); got != c.want {
			t.Errorf("%s: %s, not %s (%d)", c.cfen, got, c.want, lines[0].Score)
		}
	}
}
