package lesson

import (
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
)

// plain returns the features of a lesson on the board: the defaults without castling, and changes.
func plain(change func(*board.Features)) board.Features {
	f := board.DefaultFeatures()
	f.Castlings = 0
	if change != nil {
		change(&f)
	}
	return f
}

var lessons = [...]Lesson{
	{Key: "call", Bids: &Bids{
		Chips: 6, Me: bidding.First, Target: bidding.White, Coin: bidding.Second,
		Before: []bidding.Bid{{Target: bidding.White, Chips: 1}, {Target: bidding.White, Chips: 3}},
	}},
	{Key: "row", Bids: &Bids{
		Chips: 6, Me: bidding.Second, Target: bidding.HomeRow,
		Before: []bidding.Bid{{Target: bidding.HomeRow, Chips: 1, HasOutcome: true, Row: "PPPPKPPP"}},
	}},
	{Key: "ranks", Board: &Board{
		Position: "k7/8/8/2N5/8/8/8/K7 w - 0/0 0/0 0/0 1", Features: plain(nil), Points: 5, Moves: 2, Replies: []string{"a8a7", "a7a8"},
	}},
	{Key: "king", Board: &Board{
		Position: "k6k/8/8/8/8/8/8/K2R4 w - 0/0 0/0 0/0 1", Features: plain(nil), Points: 1000, Moves: 2,
		Replies: []string{"a8a7", "a8b7", "h8h7"},
	}},
	{Key: "dragon", Board: &Board{
		Position: "7k/8/4p3/3ppp2/3pDp2/3ppp2/8/K7 w - 0/0 0/0 0/0 1", Features: plain(nil), Moves: 1,
		Acts: []string{"e4c4", "e4e2", "e4g4", "e4e6"}, Almost: map[string]string{"e4d3": "step", "e4f3": "step", "e4d5": "step", "e4f5": "step"},
	}},
	{Key: "claim", Board: &Board{
		Position: "7k/8/8/3n4/4P3/8/8/K7 w - 0/0 0/0 9/7 20", Features: plain(nil), Moves: 1,
		Acts: []string{"e4d5"}, Almost: map[string]string{"e4e5": "shrunk"}, Replies: []string{"d5c3"},
	}},
	{Key: "twist", Board: &Board{
		Position: "7k/8/1p1n4/1P6/8/8/8/K7 w - 0/0 0/0 0/0 1", Features: plain(func(f *board.Features) { f.PawnsBack = true }), Moves: 1,
		Acts: []string{"b5b4"}, Replies: []string{"d6b5"},
	}},
}
