package analysis_test

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"chpok.org/chpok/engine/analysis"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/search"
)

// White may take a queen for nothing, or not: every action is weighed, each once, the capture first, and nothing of what was
// looked at before changes what comes out.
func TestEveryActionOfAPositionIsWeighed(t *testing.T) {
	t.Parallel()
	g := game(t, `{}`, "c2c3 d7d5 c3c4 d8d6 c4d5 d6d5 b1c3 a7a6")
	roots, _ := analysis.Roots(g)
	root := roots[len(roots)-1]
	e := search.NewEngine(14)
	c, err := analysis.Weigh(t.Context(), e, root, 20_000)
	if err != nil {
		t.Fatal(err)
	}
	legal := root.Position.Moves(nil)
	sorted := func(list []board.Action) []string {
		var texts []string
		for _, a := range list {
			texts = append(texts, a.String())
		}
		slices.Sort(texts)
		return texts
	}
	if diff := cmp.Diff(sorted(legal), sorted(c.Actions)); diff != "" {
		t.Error(diff)
	}
	if !c.IsWhole || c.Actions[0].String() != "c3d5" || c.Losses[0] != 0 || c.Losses[1] < 0.05 || !slices.IsSorted(c.Losses) || c.Best < 0.8 {
		t.Errorf("best %s with %.4f; losses %v", c.Actions[0], c.Best, c.Losses)
	}
	if _, err := analysis.Weigh(t.Context(), e, roots[0], 5_000); err != nil {
		t.Fatal(err)
	}
	again, err := analysis.Weigh(t.Context(), e, root, 20_000)
	if diff := cmp.Diff(c, again, cmp.Comparer(func(a, b board.Action) bool { return a == b })); err != nil || diff != "" {
		t.Error(err, diff)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := analysis.Weigh(over, e, root, 20_000); err == nil {
		t.Error("a search that was broken off is believed")
	}
}
