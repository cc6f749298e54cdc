package match_test

import (
	"slices"
	"testing"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
)

func TestFeatsOfAGame(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, features, moves string
		want                  [2][]match.Feat
	}{
		{"a king is taken by Black, who wins", `{"skipMoves":true,"moveLimit":10}`,
			"e2e4 e7e5 " + skips(5) + "-- d8g5 -- g5g3 -- g3f2 -- f2e1", [2][]match.Feat{nil, {match.KingTaken}}},
		{"a king of one's own, removed, is nobody's feat", `{"removeOwn":true}`, "-e1", [2][]match.Feat{}},
		{"an undone capture is none", `{"undos":1,"skipMoves":true,"fierceKings":true}`, "e2e4 e7e5 d1g4 -- g4g7 -- undo g4h3 A:resign",
			[2][]match.Feat{}},
		{"a claim of who always led", `{"skipMoves":true,"movePoints":{"P":1}}`, "e2e4 -- " + skips(19), [2][]match.Feat{}},
		// After Black's first move White leads by 1; Black's knight makes it 1 : 2, and so it stays.
		{"a claim of who was behind", `{"skipMoves":true,"movePoints":{"P":1,"N":2}}`, "e2e4 -- -- b8c6 " + skips(19),
			[2][]match.Feat{nil, {match.ClaimFromBehind}}},
		// White leads after their own move only, which is no sample of a claim.
		{"behind within a move only", `{"skipMoves":true,"movePoints":{"P":1,"N":2}}`, "e2e4 b8c6 " + skips(19), [2][]match.Feat{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			g := moves(t, boardGame(t, match.Automatic, "RNBQKBNR", tt.features), tt.moves)
			for _, seat := range match.Seats {
				if have := g.FeatsOf(seat); !slices.Equal(have, tt.want[seat.Index()]) {
					t.Errorf("seat %d: have %v, want %v", seat, have, tt.want[seat.Index()])
				}
			}
		})
	}
}

// TestARaiseThatPaid has First raise White and, by 2, the features; Second bids on the row.
func TestARaiseThatPaid(t *testing.T) {
	t.Parallel()
	raised := func(row, features string, call bool) match.Game {
		g, err := match.NewGame(match.Rules{Chips: 3, Claims: match.Automatic, Defaults: board.DefaultFeatures()})
		if err != nil {
			t.Fatal(err)
		}
		f, err := board.ParseFeatures([]byte(features))
		if err != nil {
			t.Fatal(err)
		}
		bids := []match.Event{
			match.BidPlaced{Seat: first, Bid: bidding.Bid{Target: bidding.Features, Chips: 2, HasOutcome: true, Features: f}},
			match.BidPlaced{Seat: second, Bid: bidding.Bid{Target: bidding.HomeRow, Chips: 1, HasOutcome: true, Row: board.Row(row)}},
			match.BidPlaced{Seat: first, Bid: bidding.Bid{Target: bidding.White, Chips: 1}},
			match.BidPlaced{Seat: second, Bid: bidding.Bid{Target: bidding.Time, Chips: 2, HasOutcome: true, Time: bidding.TimeControl{Minutes: 5}}},
		}
		if call {
			bids[3] = match.BidPlaced{Seat: second, Bid: bidding.Bid{Target: bidding.Features, Chips: 2}}
			bids = append(bids, match.Drawn{Draw: bidding.Draw{Target: bidding.Time, Time: bidding.TimeControl{Minutes: 5}}})
		}
		for _, e := range bids {
			if g, err = g.Do(e); err != nil {
				t.Fatal(err)
			}
		}
		return g
	}
	for _, tt := range []struct {
		name, row, features, moves string
		call                       bool
		want                       []match.Feat
	}{
		{"the hill that it set", "RNBQKBKR", `{"skipMoves":true,"kingOfTheHill":true}`, "e2e3 -- e1e2 -- e2d3 -- d3d4 -- d4d5", false,
			[]match.Feat{match.RaisePaid}},
		{"points by type that decided", "RNBQKBNR", `{"skipMoves":true,"movePoints":{"P":1}}`, "e2e4 -- " + skips(19), false,
			[]match.Feat{match.RaisePaid}},
		// White wins by 1: the pawn reached rank 5 (+1), and both made two moves by pawns.
		{"points by type that did not", "RNBQKBNR", `{"skipMoves":true,"movePoints":{"P":1}}`, "e2e4 a7a6 e4e5 h7h6 " + skips(18), false, nil},
		{"the pawn's rank alone", "RNBQKBNR", `{"skipMoves":true,"cornerBishops":true}`, "e2e4 -- e4e5 -- " + skips(18), false, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			g := moves(t, raised(tt.row, tt.features, tt.call), tt.moves)
			if winner, _ := g.Result().Outcome.Winner(); winner != first {
				t.Fatalf("have %+v", g.Result())
			}
			if have := g.FeatsOf(first); !slices.Equal(have, tt.want) {
				t.Errorf("have %v, want %v", have, tt.want)
			}
			if have := g.FeatsOf(second); have != nil {
				t.Errorf("the loser has %v", have)
			}
		})
	}
	// A call brings the defaults back: nothing of the raise is left to pay.
	g := raised("RNBQKBNR", `{"skipMoves":true,"movePoints":{"P":1}}`, true)
	if g = moves(t, g, "A:resign"); g.FeatsOf(second) != nil {
		t.Errorf("after a call: %v", g.FeatsOf(second))
	}
}
