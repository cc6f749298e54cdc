package fairplay_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
)

// game is a match of one chip each on the usual terms, First with White, after plies.
func game(t testing.TB, plies ...string) match.Game {
	t.Helper()
	o := match.DefaultOptions()
	o.Envelope.Chips, o.Lateness = 1, 0
	at := time.Date(2026, 11, 22, 18, 0, 0, 0, time.UTC)
	var s match.State
	add := func(events []match.Event, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			s = s.Apply(match.Recorded{Seq: s.Seq() + 1, At: at, Event: e})
		}
	}
	add(match.Open(o, match.Seed{}), nil)
	white := bidding.Bid{Target: bidding.White, Chips: 1}
	five := bidding.Bid{Target: bidding.Time, Chips: 1, HasOutcome: true, Time: bidding.TimeControl{Minutes: 5, Increment: 3}}
	add(match.Decide(s, match.PlaceBid{Seat: match.First, Bid: white}, at))
	add(match.Decide(s, match.PlaceBid{Seat: match.Second, Bid: five}, at))
	for i, ply := range plies {
		c, err := match.ParseCommand(match.Seat(i%2+1), []byte(fmt.Sprintf(`{"act":%q}`, ply)))
		if err != nil {
			t.Fatal(ply, err)
		}
		add(match.Decide(s, c, at))
	}
	return s.Game()
}

// locked asks for one position.
func locked(g match.Game, asked board.Position) (fairplay.PositionKey, bool) {
	keys := fairplay.LockedOf(g, fairplay.PlacementsOf([]board.Position{asked}))
	return append(keys, "")[0], len(keys) > 0
}

// TestTheLockIsThePositionTwoBackAndOneAhead of a match from ply 6 on.
func TestTheLockIsThePositionTwoBackAndOneAhead(t *testing.T) {
	t.Parallel()
	line := []string{"a2a4", "h7h5", "b1c3", "b8c6", "g1f3", "g8f6", "a1a3", "h8h6"}
	locks := func(g match.Game, p board.Position) bool {
		key, is := locked(g, p)
		if is && key != fairplay.KeyOf(p) {
			t.Errorf("the key of %s is %s", fairplay.KeyOf(p), key)
		}
		return is
	}
	if g := game(t, line[:5]...); locks(g, g.Position()) {
		t.Error("locked at ply 5")
	}
	g := game(t, line[:7]...)
	at := game(t, line...).Positions()
	for ply, want := range []bool{false, false, false, false, false, true, true, true, true} {
		if got := locks(g, at[ply]); got != want {
			t.Errorf("at ply 7, the position of ply %d: locked %v, want %v", ply, got, want)
		}
	}
	far := game(t, append(slices.Clone(line), "b2b4")...)
	if locks(g, far.Position()) {
		t.Error("two actions ahead is locked")
	}
	other := g.Position().Features()
	other.KingOfTheHill = !other.KingOfTheHill
	asked, err := board.ParseCFEN(other, g.Position().CFEN())
	if err != nil {
		t.Fatal(err)
	}
	if key, is := locked(g, asked); !is || key != fairplay.KeyOf(g.Position()) {
		t.Errorf("asked for with other features: locked %v, as %s", is, key)
	}
}

// TestMarksAreOfPlies4To60, each once. They are stored: with another value every
// known position would be forgotten.
func TestMarksAreOfPlies4To60(t *testing.T) {
	t.Parallel()
	var plies []string
	source := rand.New(rand.NewPCG(1, 2))
	for len(plies) < 65 {
		position := game(t, plies...).Position()
		moves := position.Moves(nil)
		plies = append(plies, moves[source.IntN(len(moves))].String())
	}
	if got := fairplay.Marks(game(t, plies[:3]...)); len(got) != 0 {
		t.Errorf("after three plies: %v", got)
	}
	distinct := map[fairplay.PositionKey]bool{}
	for _, p := range game(t, plies...).Positions()[4:61] {
		distinct[fairplay.KeyOf(p)] = true
	}
	got := fairplay.Marks(game(t, plies...))
	if len(got) != len(distinct) {
		t.Errorf("%d marks, want %d", len(got), len(distinct))
	}
	for key := range distinct {
		if !slices.Contains(got, key.Mark()) {
			t.Errorf("no mark of %s", key)
		}
	}
	start := fairplay.KeyOf(game(t).Position())
	if start != "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR {}" || start.Mark() != -2858799564560006964 {
		t.Errorf("%q is %d", start, start.Mark())
	}
}

// TestTheLockHoldsForEveryImage: colors swapped, files mirrored, both, and either side
// to move, each written by hand.
func TestTheLockHoldsForEveryImage(t *testing.T) {
	t.Parallel()
	g := game(t, "a2a4", "h7h5", "b1c3", "b8c6", "g1f3", "g8f6", "a1a3")
	features := g.Position().Features()
	const stands = "r1bqkb1r/ppppppp1/2n2n2/7p/P7/R1N2N2/1PPPPPPP/2BQKB1R"
	if placement, _, _ := strings.Cut(g.Position().CFEN(), " "); placement != stands {
		t.Fatalf("it stands %s", placement)
	}
	for what, placement := range map[string]string{
		"as it stands":                      stands,
		"colors swapped":                    "2bqkb1r/1ppppppp/r1n2n2/p7/7P/2N2N2/PPPPPPP1/R1BQKB1R",
		"files mirrored":                    "r1bkqb1r/1ppppppp/2n2n2/p7/7P/2N2N1R/PPPPPPP1/R1BKQB2",
		"colors swapped and files mirrored": "r1bkqb2/ppppppp1/2n2n1r/7p/P7/2N2N2/1PPPPPPP/R1BKQB1R",
	} {
		for _, turn := range []string{"w", "b"} {
			asked, err := board.ParseCFEN(features, placement+" "+turn+" - 0/0 0/0 0/0 9")
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			key, is := locked(g, asked)
			if !is || key != fairplay.KeyOf(g.Position()) || key != fairplay.KeyOf(asked) {
				t.Errorf("%s, %s to move: locked %v as %s", what, turn, is, key)
			}
		}
	}
	other, err := board.ParseCFEN(features, "r1bqkb1r/ppppppp1/2n2n2/7p/P7/2N2N1R/1PPPPPPP/2BQKB1R w - 0/0 0/0 0/0 9")
	if err != nil {
		t.Fatal(err)
	}
	if _, is := locked(g, other); is {
		t.Error("one rook alone in the mirror is locked")
	}
}
