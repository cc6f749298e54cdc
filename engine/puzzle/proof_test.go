package puzzle_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/puzzle"
)

// plenty is more than any proof here takes.
const plenty = 20_000_000

// Whoever adds a puzzle of the house proves it here: every action of both sides is tried up to where
// the outcome is decided, and every bid up to the end of the bidding.
func TestEveryPuzzleOfTheHouseIsProved(t *testing.T) {
	t.Parallel()
	for _, p := range puzzle.House() {
		t.Run(p.Theme.String()+"/"+p.ID(), func(t *testing.T) {
			t.Parallel()
			if !p.Prove(t.Context(), plenty) {
				t.Errorf("%s %v %+v: not proved", p.Position, p.Answer, p.Table)
			}
		})
	}
}

func read(t *testing.T, text string) (p puzzle.Puzzle) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// Two moves before the limit White needs only go on scoring nine points with a knight: the engine
// believed in a way to hold, and there is none.
const lostAnyway = `{"features":{"width":9,"moveLimit":10,"movePoints":{"N":9}},"theme":"save","answer":["i6h4"],
	"position":"r1bqkdb1r/ppppp1pp1/6p1n/1N7/9/2P6/PPP2PPPP/R1BQKDB1R b - 1/1 0/0 61/51 7","streak":[0,4,3],"rating":900}`

// The last move of a game that White leads by 9: the knight alone keeps the rook off the king, and
// the rook then scores 2.
const stepsBetween = `{"features":{"castlings":0,"moveLimit":20},"theme":"save","answer":["b1a3"],
	"position":"r5k1/8/8/8/8/8/1P6/KN5R w - 0/0 0/0 9/0 20","streak":[9,0,0],"rating":900}`

// With a chip left to each, another row than the one that was said to be best leaves more after every reply.
const nearlyBest = `{"features":{},"table":{"chips":15,"extra":[0,0],"defaults":{},"bids":[{"target":"features","chips":1,"features":{"width":6,"moveLimit":10,"skipMoves":true}},{"target":"time","chips":1,"minutes":5,"increment":3},{"target":"features","chips":1,"features":{"width":6,"moveLimit":10,"skipMoves":true}},{"target":"time","chips":1,"minutes":5,"increment":3},{"target":"homeRow","chips":1,"row":"RNQKNR"},{"target":"time","chips":1,"minutes":5,"increment":3},{"target":"features","chips":1,"features":{"width":6,"moveLimit":10,"skipMoves":true}},{"target":"time","chips":1,"minutes":5,"increment":3},{"target":"features","chips":1,"features":{"width":6,"moveLimit":10,"skipMoves":true}},{"target":"homeRow","chips":1},{"target":"features","chips":3,"features":{"width":6,"moveLimit":10,"skipMoves":true}},{"target":"time","chips":1,"minutes":5,"increment":3},{"target":"homeRow","chips":1,"row":"RNQKNR"},{"target":"homeRow","chips":4,"row":"RNQKNR"},{"target":"features","chips":1,"features":{"width":6,"moveLimit":10,"skipMoves":true}},{"target":"time","chips":1,"minutes":5,"increment":3},{"target":"features","chips":1,"features":{"width":6,"moveLimit":10,"skipMoves":true}},{"target":"homeRow","chips":1,"row":"RNQKNR"},{"target":"features","chips":1,"features":{"width":6,"moveLimit":10,"skipMoves":true}},{"target":"homeRow","chips":1,"row":"QQQKQQ"},{"target":"white","chips":1},{"target":"time","chips":1,"minutes":5,"increment":3},{"target":"white","chips":1}],"choices":[{"bid":{"target":"homeRow","chips":1,"row":"KKKKKK"},"worth":53},{"bid":{"target":"time","chips":1,"minutes":3,"increment":2},"worth":59},{"bid":{"target":"homeRow","chips":1,"row":"RNQKNR"},"worth":66}],"right":2},"position":"","streak":[0,0,0],"theme":"raise","answer":null,"rating":1650}`

// The last chip is on the features. Pawns that move back lead by four hundredths among what bidders consider; features that
// nobody considers are worth as much by their traits.
const asGoodElsewhere = `{"features":{},"table":{"chips":15,"extra":[0,0],"defaults":{},"bids":[{"target":"features","chips":1,"features":{}},{"target":"homeRow","chips":1,"row":"RRRRKRRR"},{"target":"features","chips":1,"features":{}},{"target":"time","chips":1,"minutes":5,"increment":3},{"target":"features","chips":1,"features":{}},{"target":"time","chips":1,"minutes":5,"increment":3},{"target":"homeRow","chips":1},{"target":"homeRow","chips":1,"row":"RRRRKRRR"},{"target":"features","chips":1,"features":{}},{"target":"time","chips":1,"minutes":5,"increment":3},{"target":"features","chips":3,"features":{"width":7,"moveLimit":10,"movePoints":{"R":9}}},{"target":"time","chips":1,"minutes":5,"increment":3},{"target":"homeRow","chips":1},{"target":"homeRow","chips":7,"row":"RNBQKNR"},{"target":"features","chips":1,"features":{"width":6,"moveLimit":10,"movePoints":{"R":9}}},{"target":"time","chips":1,"minutes":5,"increment":3},{"target":"features","chips":2,"features":{}},{"target":"homeRow","chips":1,"row":"RRRRKRRR"},{"target":"white","chips":1},{"target":"white","chips":1}],"choices":[{"bid":{"target":"features","chips":1,"features":{"pawnsBack":true}},"worth":60},{"bid":{"target":"features","chips":1,"features":{"width":10,"kingOfTheHill":true,"fierceKings":true}},"worth":56},{"bid":{"target":"features","chips":1,"features":{"width":9,"kingOfTheHill":true,"fierceKings":true}},"worth":56}],"right":0},"position":"","streak":[0,0,0],"theme":"raise","answer":null,"rating":1500}`

func TestWhatCannotBeProvedIsNoPuzzle(t *testing.T) {
	t.Parallel()
	with := func(text string, change func(p *puzzle.Puzzle)) puzzle.Puzzle {
		p := read(t, text)
		if change != nil {
			change(&p)
		}
		return p
	}
	table := func(change func(t *puzzle.Table)) puzzle.Puzzle {
		p := raised(t)
		x := *p.Table
		x.Choices = slices.Clone(x.Choices)
		p.Table = &x
		change(p.Table)
		return p
	}
	for _, test := range []struct {
		name   string
		puzzle puzzle.Puzzle
		proved bool
	}{
		{"the raise that pays", raised(t), true},
		{"another choice", table(func(x *puzzle.Table) { x.Right = (x.Right + 1) % len(x.Choices) }), false},
		{"no choice", table(func(x *puzzle.Table) { x.Right = len(x.Choices) }), false},
		{"a choice of which too much is said", table(func(x *puzzle.Table) { x.Choices[0].Worth++ }), false},
		{"a choice twice", table(func(x *puzzle.Table) { x.Choices[1] = x.Choices[0] }), false},
		{"a bidding that is not so far yet", table(func(x *puzzle.Table) { x.Bids = x.Bids[:len(x.Bids)-1] }), false},
		{"a raise that is best among what bidders consider alone", read(t, asGoodElsewhere), false},
		{"a raise that looks best two bids ahead", read(t, nearlyBest), false},
		{"the knight alone saves the king, and with it the lead", with(stepsBetween, nil), true},
		{"with too small a lead the rook's points win for Black",
			with(stepsBetween, func(p *puzzle.Puzzle) { p.Position = "r5k1/8/8/8/8/8/1P6/KN5R w - 0/0 0/0 1/0 20" }), false},
		{"without the pawn the king can step aside",
			with(stepsBetween, func(p *puzzle.Puzzle) { p.Position = "r5k1/8/8/8/8/8/8/KN5R w - 0/0 0/0 9/0 20" }), false},
		{"the end of the game is too far to be seen",
			with(stepsBetween, func(p *puzzle.Puzzle) { p.Features.MoveLimit = 888 }), false},
		{"nothing saves Black", with(lostAnyway, nil), false},
		{"another answer than the right one",
			with(stepsBetween, func(p *puzzle.Puzzle) { p.Answer = []board.Action{p.Answer[0] ^ 1} }), false},
		{"a position that is none", with(stepsBetween, func(p *puzzle.Puzzle) { p.Position = "8/8 w" }), false},
		{"no answer", with(stepsBetween, func(p *puzzle.Puzzle) { p.Answer = nil }), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := test.puzzle.Prove(t.Context(), plenty); got != test.proved {
				t.Errorf("proved: %v", got)
			}
		})
	}
}

// A proof that is broken off proves nothing, by budget or by context.
func TestAProofThatIsBrokenOffProvesNothing(t *testing.T) {
	t.Parallel()
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for _, p := range puzzle.House() {
		if p.Prove(t.Context(), 10) {
			t.Errorf("%s: proved by ten plays", p.Position)
		}
		if p.Theme == puzzle.Save && p.Prove(over, plenty) {
			t.Errorf("%s: proved after the end of the context", p.Position)
		}
	}
}
