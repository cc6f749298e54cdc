package event

import (
	"testing"

	"chpok.org/chpok/templates"
	boardview "chpok.org/chpok/templates/board"
	eventview "chpok.org/chpok/templates/event"
)

// TestPointsStandWithTheirPlayerWhateverTheyAreCalled: two namesakes, of whom the one
// named second has White and stands below.
func TestPointsStandWithTheirPlayerWhateverTheyAreCalled(t *testing.T) {
	t.Parallel()
	ivan := templates.EntryRef{Name: "Ivan"}
	watch := func(url string, isTurned bool) boardview.LiveView {
		return boardview.LiveView{URL: url, IsTurned: isTurned,
			Us: boardview.LiveSide{Name: "Ivan", Points: "12"}, Them: boardview.LiveSide{Name: "Ivan", Points: "3"}}
	}
	boards := LiveBoards(eventview.RoundBody{
		Boards: []templates.BoardLine{{URL: "/matches/a", First: ivan, Second: ivan}, {URL: "/matches/b", First: ivan, Second: ivan}},
		Watch:  []boardview.LiveView{watch("/matches/a", true), watch("/matches/b", false)},
	})
	for i, want := range []string{"3 : 12", "12 : 3"} {
		if boards[i].Live != want {
			t.Errorf("board %d: %q, want %q", i+1, boards[i].Live, want)
		}
	}
}
