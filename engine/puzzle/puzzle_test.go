package puzzle_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/puzzle"
	"chpok.org/chpok/engine/search"
)

func rootOf(t *testing.T, cfen string, streak [3]int, moveLimit int) search.Root {
	t.Helper()
	f := board.DefaultFeatures()
	f.Castlings = 0
	if moveLimit > 0 {
		f.MoveLimit = moveLimit
	}
	p, err := board.ParseCFEN(f, cfen)
	if err != nil {
		t.Fatal(err)
	}
	return search.RootAt(p, streak)
}

func TestWhatIsAPuzzleAndWhatIsNone(t *testing.T) {
	t.Parallel()
	all := puzzle.Hint{IsWon: true, IsLost: true, IsMissed: true}
	for _, test := range []struct {
		name, cfen string
		streak     [3]int
		moveLimit  int          // 0: the usual one
		theme      puzzle.Theme // zero: none
		first      string
		moves      int
	}{
		{"the rook on rank 7 holds the king, the other takes rank 8",
			"7k/R7/8/4p3/8/8/8/KR6 w - 0/0 0/0 0/0 20", [3]int{}, 0, puzzle.King, "b1b8", 2},
		{"without a pawn to move, g1 wins as well: the king must move",
			"7k/R7/8/8/8/8/8/KR6 w - 0/0 0/0 0/0 20", [3]int{}, 0, 0, "", 0},
		{"a king that hangs is just taken",
			"7k/8/8/4p3/8/8/8/K6R w - 0/0 0/0 0/0 20", [3]int{}, 0, 0, "", 0},
		{"only without the knight does the lead hold for the last step",
			"7k/8/8/3n4/4P3/8/8/K7 w - 0/0 0/0 9/7 20", [3]int{2, 19, 5}, 0, puzzle.Claim, "e4d5", 1},
		{"only the rook's way up and down the board earns as much as the queen takes, four moves before the claim",
			"5k2/R5p1/4pp1p/2p5/6B1/2PK2PP/5q2/8 w - 0/0 0/0 99/29 55", [3]int{70, 16, 0}, 0, puzzle.Claim, "a7a8", 4},
		{"without the queen anything holds the lead",
			"5k2/R5p1/4pp1p/2p5/6B1/2PK2PP/8/8 w - 0/0 0/0 99/29 55", [3]int{70, 16, 0}, 0, 0, "", 0},
		{"the knight alone can step between the rook and the king on the last move",
			"r5k1/8/8/8/8/8/1P6/KN5R w - 0/0 0/0 9/0 20", [3]int{9, 0, 0}, 20, puzzle.Save, "b1a3", 1},
		{"whether that saves the game cannot be proved while it goes on",
			"r5k1/8/8/8/8/8/1P6/KN5R w - 0/0 0/0 9/0 20", [3]int{9, 0, 0}, 0, 0, "", 0},
		{"the king can also step aside",
			"r5k1/8/8/8/8/8/8/KN5R w - 0/0 0/0 9/0 20", [3]int{9, 0, 0}, 20, 0, "", 0},
		{"a fork of king and rook",
			"r3k3/5ppp/8/3N4/8/8/4PPPP/6K1 w - 0/0 0/0 0/0 20", [3]int{}, 0, puzzle.Piece, "d5c7", 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p, ok := puzzle.Check(t.Context(), search.NewEngine(14), rootOf(t, test.cfen, test.streak, test.moveLimit), all)
			if ok != (test.theme != 0) {
				t.Fatalf("%v: %s %v", ok, p.Theme, p.Answer)
			}
			if ok && (p.Theme != test.theme || p.Answer[0].String() != test.first || p.Moves() != test.moves) {
				t.Errorf("%s %v", p.Theme, p.Answer)
			}
		})
	}
}

// Fool's mate, three moves late: Black captures the king in two moves.
func TestAGameIsMinedFromItsSeventhPlyOn(t *testing.T) {
	t.Parallel()
	p, err := board.Start(board.DefaultFeatures(), board.StandardRow(8))
	if err != nil {
		t.Fatal(err)
	}
	g := puzzle.Game{Roots: []search.Root{search.RootAt(p, [3]int{})}, White: []float64{0.5}}
	for i, text := range []string{"a2a3", "a7a6", "b2b3", "b7b6", "f2f3", "e7e5", "g2g4", "d8h4", "h2h3", "h4e1"} {
		a, err := board.ParseAction(text)
		if err != nil {
			t.Fatal(err)
		}
		g.Moves, g.Roots = append(g.Moves, a), append(g.Roots, g.Roots[i].Play(a))
		white := 0.5
		if i >= 6 {
			white = 0
		}
		g.White = append(g.White, white)
	}
	found, err := puzzle.Mine(t.Context(), search.NewEngine(14), g)
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	if p := found[0]; p.Theme != puzzle.King || p.Answer[0].String() != "d8h4" || p.Last.String() != "g2g4" {
		t.Errorf("%+v", p)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := puzzle.Mine(over, search.NewEngine(14), g); !errors.Is(err, context.Canceled) {
		t.Errorf("who is told to stop says %v", err)
	}
}

func TestTriesAreJudged(t *testing.T) {
	t.Parallel()
	root := rootOf(t, "7k/R7/8/4p3/8/8/8/KR6 w - 0/0 0/0 0/0 20", [3]int{}, 0)
	p, ok := puzzle.Check(t.Context(), search.NewEngine(14), root, puzzle.Hint{IsWon: true})
	if !ok {
		t.Fatal("it is none")
	}
	try := func(texts ...string) (puzzle.Step, error) {
		var acts []board.Action
		for _, text := range texts {
			a, err := board.ParseAction(text)
			if err != nil {
				t.Fatal(err)
			}
			acts = append(acts, a)
		}
		return p.Try(acts)
	}
	if s, err := try(); err != nil || s.Status != puzzle.Asked || s.Played != 0 {
		t.Errorf("at first: %+v, %v", s, err)
	}
	if s, err := try("a1a2"); err != nil || s.Status != puzzle.Wrong {
		t.Errorf("another move: %+v, %v", s, err)
	}
	if s, err := try("b1c2"); !errors.Is(err, puzzle.ErrAct) || s.Status != puzzle.Asked {
		t.Errorf("a rook does not go there: %+v, %v", s, err)
	}
	right, err := try("b1b8")
	if err != nil || right.Status != puzzle.Asked || right.Played != 1 || right.Last != p.Answer[1] {
		t.Fatalf("the answer: %+v, %v", right, err)
	}
	takes := func(rook string) bool { // either rook may capture the king
		for _, a := range right.Root.Position.Moves(nil) {
			if _, effect := right.Root.Position.PlayUnchecked(a); effect.KingPoints > 0 && a.String()[:2] == rook {
				s, err := try("b1b8", a.String())
				return err == nil && s.Status == puzzle.Solved
			}
		}
		return false
	}
	if !takes("a7") && !takes("b8") {
		t.Error("nobody takes the king")
	}
	for _, more := range []string{"b1b8", "h1h8"} { // legal or not
		if s, err := try("a1a2", more); err != nil || s.Status != puzzle.Wrong || s.Last.String() != "a1a2" {
			t.Errorf("%s after a wrong one: %+v, %v", more, s, err)
		}
	}
}

// Puzzles survive storage. Each house puzzle has one answer to the end, and no two share a
// position.
func TestTheHouseHasPuzzlesThatCanBeSolved(t *testing.T) {
	t.Parallel()
	seen, themes := map[string]bool{}, map[puzzle.Theme]int{}
	for _, p := range puzzle.House() {
		raw, err := json.Marshal(p)
		var again puzzle.Puzzle
		if err != nil || json.Unmarshal(raw, &again) != nil || again.ID() != p.ID() {
			t.Errorf("%s: %v", raw, err)
		}
		var acts []board.Action
		for i := 0; i < len(p.Answer); i += 2 {
			acts = append(acts, p.Answer[i])
		}
		if p.Table != nil {
			canBePicked(t, p)
		} else if s, err := p.Try(acts); err != nil || s.Status != puzzle.Solved {
			t.Errorf("%s: %+v, %v", p.Position, s, err)
		}
		if seen[p.ID()] {
			t.Errorf("%s twice", p.Position)
		}
		seen[p.ID()] = true
		themes[p.Theme]++
	}
	for theme := puzzle.King; theme <= puzzle.Pays; theme++ {
		if themes[theme] < 2 {
			t.Errorf("%s: only %d", theme, themes[theme])
		}
	}
}

// canBePicked reports whether it is the solver's turn, and one choice, not a call, is worth three
// hundredths more than any other.
func canBePicked(t *testing.T, p puzzle.Puzzle) {
	t.Helper()
	s, by, err := p.Table.State()
	if err != nil || len(p.Table.Choices) < 3 {
		t.Fatalf("%s: %v, %d choices", p.ID(), err, len(p.Table.Choices))
	}
	right := p.Table.Choices[p.Table.Right]
	for i, c := range p.Table.Choices {
		if _, err := s.Place(by, c.Bid.Bid); err != nil {
			t.Errorf("%s: choice %d: %v", p.ID(), i, err)
		}
		want := puzzle.Wrong
		if i == p.Table.Right {
			want = puzzle.Solved
		} else if c.Worth > right.Worth-2 { // three less, and both are rounded
			t.Errorf("%s: choice %d is worth %d, the right one %d", p.ID(), i, c.Worth, right.Worth)
		}
		if got, err := p.Table.Pick(i); got != want || err != nil {
			t.Errorf("%s: choice %d: %v, %v", p.ID(), i, got, err)
		}
	}
	if right.Bid.Chips <= s.Gap(right.Bid.Target, by) {
		t.Errorf("%s: the answer is a call", p.ID())
	}
	for _, n := range []int{-1, len(p.Table.Choices)} {
		if _, err := p.Table.Pick(n); !errors.Is(err, puzzle.ErrAct) {
			t.Errorf("choice %d: %v", n, err)
		}
	}
}

// raised returns a house puzzle about a raise.
func raised(t *testing.T) puzzle.Puzzle {
	t.Helper()
	for _, p := range puzzle.House() {
		if p.Table != nil {
			return p
		}
	}
	t.Fatal("none")
	return puzzle.Puzzle{}
}

// The raise that pays is found among the bids of a game, but not too early, nor after the context
// is done.
func TestTheRaiseThatPaysIsFoundInABidding(t *testing.T) {
	t.Parallel()
	want := raised(t)
	var bids []bidding.Bid
	for _, b := range want.Table.Bids {
		bids = append(bids, b.Bid)
	}
	e := bidding.DefaultEnvelope()
	if _, ok := puzzle.Raise(t.Context(), e, [2]int{}, bids[:2]); ok {
		t.Error("found before it was there")
	}
	bids = append(bids, want.Table.Choices[want.Table.Right].Bid.Bid)
	got, ok := puzzle.Raise(t.Context(), e, [2]int{}, bids)
	if !ok || got.ID() != want.ID() || got.Table.Choices[got.Table.Right] != want.Table.Choices[want.Table.Right] || got.Theme != puzzle.Pays {
		t.Errorf("%v: %+v", ok, got)
	}
	narrow := e
	narrow.Forbidden, narrow.AnyRow = bidding.Switches, false // who solves the puzzle does not see that, and may ask for anything
	if p, ok := puzzle.Raise(t.Context(), narrow, [2]int{}, bids); !ok || p.ID() != got.ID() || !p.Prove(t.Context(), plenty) {
		t.Errorf("under limits of the event: %v, %+v", ok, p)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, ok := puzzle.Raise(over, e, [2]int{}, bids); ok {
		t.Error("who is told to stop goes on")
	}
}

// asked counts how often the context is asked.
type asked struct {
	context.Context
	often *int
}

func (a asked) Err() error {
	*a.often++
	return a.Context.Err()
}

// The search for a raise asks the context often: not once for each bid that was made, but for each
// bid it looks at ahead.
func TestARaiseIsLookedForPolitely(t *testing.T) {
	t.Parallel()
	want := raised(t)
	var bids []bidding.Bid
	for _, b := range want.Table.Bids {
		bids = append(bids, b.Bid)
	}
	bids = append(bids, want.Table.Choices[want.Table.Right].Bid.Bid)
	var often int
	if _, ok := puzzle.Raise(asked{t.Context(), &often}, bidding.DefaultEnvelope(), [2]int{}, bids); !ok || often < 50*len(bids) {
		t.Errorf("%v: asked %d times over %d bids", ok, often, len(bids))
	}
}
