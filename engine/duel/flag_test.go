package duel

import (
	"testing"

	"chpok.org/chpok/engine/board"
)

// A fallen flag costs 5000 points, and then the points decide (Rules 2, 3).
func TestWhoLeadsByMoreThanAFlagStillWins(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		side       board.Color
		lead, want int
	}{
		{board.White, 0, -1}, {board.White, 4999, -1}, {board.White, 5000, 0}, {board.White, 6000, 1}, {board.White, -6000, -1},
		{board.Black, 0, 1}, {board.Black, -4999, 1}, {board.Black, -5000, 0}, {board.Black, -6000, -1}, {board.Black, 6000, 1},
	} {
		if got := Flagged(c.side, c.lead); got != c.want {
			t.Errorf("color %v, White leads by %d: %d, want %d", c.side, c.lead, got, c.want)
		}
	}
}
