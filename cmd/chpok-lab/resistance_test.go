package main

import (
	"math/rand/v2"
	"testing"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/search"
)

// Who asks our engine about every move wins nearly everything of somebody who does not, with either color; who never asks
// wins about half. The same seed plays the same games.
func TestWhoAsksWins(t *testing.T) {
	t.Parallel()
	f := board.DefaultFeatures()
	f.Castlings, f.Width, f.MoveLimit = 0, 6, 12
	play := func(share float64, games int) float64 {
		m := meeting{e: search.NewEngine(12), asked: search.NewEngine(12), share: share, nodes: 600, lots: rand.New(rand.NewPCG(1, 2)), features: f}
		got, err := m.play(t.Context(), games)
		if err != nil {
			t.Fatal(err)
		}
		return got.Share
	}
	asked := play(1, 12)
	if asked < 0.8 || asked != play(1, 12) {
		t.Errorf("who asks wins %.2f", asked)
	}
	if alone := play(0, 100); alone < 0.35 || alone > 0.65 {
		t.Errorf("who does not ask wins %.2f", alone)
	}
}
