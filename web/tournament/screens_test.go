package tournament

import (
	"testing"

	"chpok.org/chpok/tournament"
)

// TestTheWallOfAnArenaShowsTheBoardsInPlay and only as many of those that are over as fill a picture, the latest.
func TestTheWallOfAnArenaShowsTheBoardsInPlay(t *testing.T) {
	t.Parallel()
	var boards []tournament.Pairing
	for i := range 40 { // of forty all but the 3rd and the last are over
		b := tournament.Pairing{Board: i + 1, Result: tournament.Result{Kind: tournament.FirstWins}}
		if i == 2 || i == 39 {
			b.Result = tournament.Result{}
		}
		boards = append(boards, b)
	}
	var got []int
	for _, b := range latest(boards) {
		got = append(got, b.Board)
	}
	want := []int{40, 3, 39, 38, 37, 36, 35, 34}
	if len(got) != len(want) {
		t.Fatalf("boards %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("boards %v, want %v", got, want)
		}
	}
}
