package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"chpok.org/chpok/engine/analysis"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/search"
	"chpok.org/chpok/fairplay"
)

// Who asks our engine about every move wins nearly everything of somebody who does not, with either color; who never asks
// wins about half. The same seed plays the same games.
func TestWhoAsksWins(t *testing.T) {
	t.Parallel()
	f := board.DefaultFeatures()
	f.Castlings, f.Width, f.MoveLimit = 0, 6, 12
	play := func(share float64, games int) float64 {
		m := meeting{e: search.NewEngine(12), asked: search.NewEngine(12), share: share, nodes: 600, lots: rand.New(rand.NewPCG(1, 2))}
		got, err := m.play(t.Context(), f, board.StandardRow(6), games)
		if err != nil {
			t.Fatal(err)
		}
		return measured(got).Share
	}
	asked := play(1, 12)
	if asked < 0.8 || asked != play(1, 12) {
		t.Errorf("who asks wins %.2f", asked)
	}
	if alone := play(0, 100); alone < 0.35 || alone > 0.65 {
		t.Errorf("who does not ask wins %.2f", alone)
	}
}

// Whoever chose by themselves takes back what cost a fifth of the point or more against the next best action, chooses
// something else then, and has as many undos as the terms allow. Worked by hand: of what promises 0.9, 0.6 and 0.1, another
// than the first promises 0.6, another than the second 0.9; without the first the second promises most, and another 0.1.
func TestATurnKnowsWhatAnotherActionPromised(t *testing.T) {
	t.Parallel()
	c := analysis.Choice{Best: 0.9, Actions: []board.Action{1, 2, 3}, Losses: []float64{0, 0.3, 0.8}}
	for n := range uint64(200) {
		var all, back choosing
		all.choose(c, rand.New(rand.NewPCG(n, 1)))
		if want := map[board.Action]float64{1: 0.6, 2: 0.9, 3: 0.9}[all.action]; math.Abs(all.other-want) > 1e-9 {
			t.Fatalf("another than %d promised %.2f, want %.2f", all.action, all.other, want)
		}
		back.tried = []board.Action{1}
		back.choose(c, rand.New(rand.NewPCG(n, 1)))
		if want := map[board.Action]float64{2: 0.1, 3: 0.6}[back.action]; back.action == 1 || math.Abs(back.other-want) > 1e-9 {
			t.Fatalf("another than %d promised %.2f, want %.2f", back.action, back.other, want)
		}
	}
	only := choosing{tried: []board.Action{1, 2}}
	if only.choose(c, rand.New(rand.NewPCG(1, 1))); only.action != 3 || only.other != 0 {
		t.Errorf("the only action left is %d, another promised %.2f", only.action, only.other)
	}
}

// What bidders make of an envelope can be played.
func TestTermsOfABiddingArePlayed(t *testing.T) {
	t.Parallel()
	m := meeting{e: search.NewEngine(12), asked: search.NewEngine(12), share: 1, nodes: 100, lots: rand.New(rand.NewPCG(1, 2))}
	got, err := m.measure(t.Context(), fairplay.Subject{Terms: "{}", Bids: "sprint"}, 4)
	if err != nil || got.Share < 0 || got.Share > 1 {
		t.Errorf("%+v: %v", got, err)
	}
}
