package search_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/search"
)

// sharp are positions with a choice, of which some decide the game.
var sharp = []string{
	"r3kbnr/1pp2p2/2n1pqp1/p6p/Q1pP1P1P/P1N1P3/1P3PB1/R1B1K2R b - 0/0 0/0 0/4 11",
	"rn2kb1r/p5p1/1pp2p2/3p3p/3P1P2/PQP3Pb/1P3K1P/R1B1R3 b - 0/0 0/0 0/8 17",
	"r3kbnr/ppNqp1pp/2p1N3/3P1p2/4p1n1/P7/1PP2PPP/R1BQK2R b - 0/0 0/0 7/3 12",
}

func rootOf(t testing.TB, cfen string) search.Root {
	t.Helper()
	f := board.DefaultFeatures()
	f.Castlings = 0
	p, err := board.ParseCFEN(f, cfen)
	if err != nil {
		t.Fatal(err)
	}
	return search.Root{Position: p}
}

func firsts(lines []search.Line) (list []board.Action) {
	for _, l := range lines {
		list = append(list, l.Actions[0])
	}
	slices.Sort(list)
	return list
}

// Asked for every action, they name each once, whatever their number: the parts are all there is.
func TestEnginesShareEveryActionOnce(t *testing.T) {
	t.Parallel()
	for _, cfen := range sharp {
		root := rootOf(t, cfen)
		all := root.Position.Moves(nil)
		slices.Sort(all)
		for n := 1; n <= 7; n += 2 {
			got := search.NewEngines(n, 12).Search(t.Context(), root, search.Limits{Depth: 2, Lines: len(all)}, nil)
			if !slices.Equal(firsts(got), all) {
				t.Errorf("%s: %d engines name %v of %v", cfen, n, firsts(got), all)
			}
			if !slices.IsSortedFunc(got, func(a, b search.Line) int { return b.Score - a.Score }) {
				t.Errorf("%s: the lines of %d engines are not in order", cfen, n)
			}
		}
	}
}

// Each depth is reported once, when the slowest has completed it, and a search to a depth always ends alike.
func TestEnginesTogetherGoDepthByDepthAndAlwaysAlike(t *testing.T) {
	t.Parallel()
	for _, cfen := range sharp {
		root := rootOf(t, cfen)
		var was []search.Line
		for range 3 {
			var depths []int
			got := search.NewEngines(3, 12).Search(t.Context(), root, search.Limits{Depth: 5, Lines: 2}, func(lines []search.Line) {
				depths = append(depths, max(lines[0].Depth, lines[1].Depth))
			})
			if !slices.Equal(depths, []int{1, 2, 3, 4, 5}) {
				t.Errorf("%s: depths %v", cfen, depths)
			}
			if was != nil && (got[0].Score != was[0].Score || !slices.Equal(got[0].Actions, was[0].Actions) || got[0].Nodes != was[0].Nodes) {
				t.Errorf("%s: %v, then %v", cfen, was[0], got[0])
			}
			was = got
		}
	}
}

func TestEnginesTogetherObey(t *testing.T) {
	t.Parallel()
	win := rootOf(t, "4k3/8/8/8/8/8/8/K3R3 w - 0/0 0/0 0/0 1")
	got := search.NewEngines(2, 12).Search(t.Context(), win, search.Limits{}, nil) // without a limit: a win ends it
	if len(got) != 1 || got[0].Actions[0].String() != "e1e8" {
		t.Errorf("the last king is not taken: %v", got)
	}
	calm := rootOf(t, "4k3/8/8/8/8/8/4P3/4K3 w - 0/0 0/0 0/0 1")
	avoided := calm.Position.Moves(nil)[1:]
	if got := search.NewEngines(2, 12).Search(t.Context(), calm, search.Limits{Depth: 3, Lines: 3, Avoid: avoided}, nil); len(got) != 1 ||
		slices.Contains(avoided, got[0].Actions[0]) {
		t.Errorf("it plays what it should avoid: %v", got)
	}
	avoided = calm.Position.Moves(nil)
	if got := search.NewEngines(2, 12).Search(t.Context(), calm, search.Limits{Depth: 3, Avoid: avoided}, nil); len(got) != 1 {
		t.Errorf("with nothing else to play: %v", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := search.NewEngines(2, 12).Search(ctx, calm, search.Limits{Lines: 3}, nil); len(got) == 0 {
		t.Error("stopped at once, it names nothing")
	}
	if got := search.NewEngines(2, 12).Search(t.Context(), calm, search.Limits{Nodes: 20_000, Lines: 2}, nil); got[0].Nodes > 21_000 {
		t.Errorf("%d positions, more than allowed", got[0].Nodes)
	}
}

// Three lines to a depth, by one engine and by two in turns.
func BenchmarkTogether(b *testing.B) {
	engines := [...]search.Engines{search.NewEngines(1, 16), search.NewEngines(2, 16)}
	var took [2]time.Duration
	for b.Loop() {
		for _, cfen := range sharp {
			root := rootOf(b, cfen)
			for i, es := range engines {
				es.Forget()
				start := time.Now()
				es.Search(b.Context(), root, search.Limits{Depth: 9, Lines: 3}, nil)
				took[i] += time.Since(start)
			}
		}
	}
	b.ReportMetric(took[0].Seconds()/took[1].Seconds(), "one/two")
}
