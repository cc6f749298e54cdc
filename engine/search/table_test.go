package search

import (
	"context"
	"testing"

	"chpok.org/chpok/engine/board"
)

func middlegame(t *testing.T) Root {
	t.Helper()
	p, err := board.Start(board.DefaultFeatures(), "RNBQKBNR")
	if err != nil {
		t.Fatal(err)
	}
	root := Root{Position: p}
	for _, text := range []string{"e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "d2d3", "f8c5"} {
		a, err := board.ParseAction(text)
		if err != nil {
			t.Fatal(err)
		}
		root = root.Play(a)
	}
	return root
}

// A node thinks for hundreds of bots: a search leaves next to nothing to be collected.
func TestASearchAllocatesLittle(t *testing.T) {
	root, e := middlegame(t), NewEngine(16)
	search := func() { e.Search(context.Background(), root, Limits{Nodes: 20_000, Seed: 7}, nil) }
	search() // its lists grow once
	if n := testing.AllocsPerRun(5, search); n > 64 {
		t.Errorf("%.0f allocations a search", n)
	}
}
