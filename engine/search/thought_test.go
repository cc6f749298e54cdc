package search_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"testing"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/search"
)

// thought is what the engine of this version thinks of the positions below. A change
// that only makes it faster leaves it alone; any other one raises search.Version.
const (
	thoughtVersion = 5
	thought        = "51f212b84784ffb8"
)

// Every line of thought on a hundred positions of any width and features is the one
// this version is known by: best lines, scores, depths and positions counted.
func TestTheEngineThinksAsItsVersionDoes(t *testing.T) {
	t.Parallel()
	h := fnv.New64a()
	lots := rand.New(rand.NewPCG(3, 1))
	e := search.NewEngine(12)
	roots := rootsInCheck(t)
	for range 100 {
		roots = append(roots, anyRoot(t, lots))
	}
	for i, root := range roots {
		limits := search.Limits{Nodes: 1500, Lines: 1 + i%7/6, Seed: uint64(i % 3), Error: i % 2 * 40}
		if i%5 == 0 {
			limits.Avoid = root.Position.Moves(nil)[:1]
		}
		lines := e.Search(context.Background(), root, limits, func(lines []search.Line) { fmt.Fprintln(h, lines) })
		fmt.Fprintln(h, root.Position, lines)
	}
	if got := fmt.Sprintf("%016x", h.Sum64()); search.Version != thoughtVersion || got != thought {
		t.Errorf("version %d thinks %s, and not what version %d did", search.Version, got, thoughtVersion)
	}
}

// rootsInCheck are positions in which a king hangs, and taking it need not decide: there
// is another one to be taken, or enough of a lead.
func rootsInCheck(t *testing.T) (roots []search.Root) {
	t.Helper()
	f := board.DefaultFeatures()
	f.Castlings = 0
	for _, cfen := range []string{
		"k3r2k/8/8/8/8/8/PPPP4/4K2R w - 0/0 0/0 0/0 9",
		"4r2k/7P/8/3R4/8/8/PPPP4/4K3 w - 0/0 0/0 996/0 9",
	} {
		p, err := board.ParseCFEN(f, cfen)
		if err != nil {
			t.Fatal(err)
		}
		roots = append(roots, search.Root{Position: p})
	}
	return roots
}

// anyRoot is a position with a choice, reached by lot on features by lot.
func anyRoot(t *testing.T, lots *rand.Rand) search.Root {
	t.Helper()
	f := board.DefaultFeatures()
	f.Width = board.MinWidth + lots.IntN(board.MaxWidth-board.MinWidth+1)
	f.Castlings = lots.IntN(3)
	for _, key := range bidding.Switches {
		*f.Switch(key) = lots.IntN(5) == 0
	}
	if lots.IntN(3) == 0 {
		f.MoveLimit = 10 + lots.IntN(25)
		f.MovePoints[board.Pawn+board.Kind(lots.IntN(7))] = lots.IntN(10)
	}
	row := []byte(board.StandardRow(f.Width))
	for range lots.IntN(2) * f.Width {
		row[lots.IntN(f.Width)] = "KQRBNDP"[lots.IntN(7)]
	}
	row[f.Width/2] = 'K'
	p, err := board.Start(f, board.Row(row))
	if err != nil {
		t.Fatal(err)
	}
	root := search.Root{Position: p}
	for range 2 + lots.IntN(60) {
		moves := root.Position.Moves(nil)
		next := root.Play(moves[lots.IntN(len(moves))])
		if _, over := next.Over(); over || len(next.Position.Moves(nil)) < 2 {
			break
		}
		root = next
	}
	return root
}

// However a search for several lines is broken off, no two of them begin with the same action, and the best stands first.
func TestLinesOfABrokenOffSearchDiffer(t *testing.T) {
	t.Parallel()
	lots := rand.New(rand.NewPCG(7, 1))
	e := search.NewEngine(12)
	for i := range 60 {
		root := anyRoot(t, lots)
		wanted := 2 + i%9
		lines := e.Search(context.Background(), root, search.Limits{Nodes: 100 + 37*i, Lines: wanted}, nil)
		if len(lines) == 0 || len(lines) > wanted {
			t.Errorf("%d lines, wanted were %d", len(lines), wanted)
		}
		seen := map[board.Action]bool{}
		for k, l := range lines {
			if seen[l.Actions[0]] || k > 0 && l.Score > lines[k-1].Score {
				t.Errorf("after %d positions, line %d of %d begins with %s at %d: %v", 100+37*i, k, wanted, l.Actions[0], l.Score, lines)
			}
			seen[l.Actions[0]] = true
		}
	}
}
