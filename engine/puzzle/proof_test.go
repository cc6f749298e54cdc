package puzzle_test

import (
	"context"
	"encoding/json"
	"testing"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/puzzle"
)

// plenty is more than any proof here takes.
const plenty = 20_000_000

// Whoever adds a puzzle of the house proves it here: every action of both sides is tried up to where
// the outcome is decided.
func TestEveryPuzzleOfTheHouseIsProved(t *testing.T) {
	t.Parallel()
	for _, p := range puzzle.House() {
		if p.Table != nil {
			continue // a bidding is judged by what terms are worth, not proved
		}
		t.Run(p.Theme.String()+"/"+p.ID(), func(t *testing.T) {
			t.Parallel()
			if !p.Prove(t.Context(), plenty) {
				t.Errorf("%s %v: not proved", p.Position, p.Answer)
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

func TestWhatCannotBeProvedIsNoPuzzle(t *testing.T) {
	t.Parallel()
	with := func(text string, change func(p *puzzle.Puzzle)) puzzle.Puzzle {
		p := read(t, text)
		if change != nil {
			change(&p)
		}
		return p
	}
	for _, test := range []struct {
		name   string
		puzzle puzzle.Puzzle
		proved bool
	}{
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
		if p.Table == nil && p.Prove(t.Context(), 20) {
			t.Errorf("%s: proved by 20 plays", p.Position)
		}
		if p.Theme == puzzle.Save && p.Prove(over, plenty) {
			t.Errorf("%s: proved after the end of the context", p.Position)
		}
	}
}
