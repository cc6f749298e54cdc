package scene

import (
	"testing"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/templates/lang"
)

// By Rules 7.6 White's king wins on the fifth rank, Black's on the fourth.
func TestTheHillTellsMySquaresFromTheirs(t *testing.T) {
	t.Parallel()
	f := board.DefaultFeatures()
	f.KingOfTheHill = true
	for asBlack, mine := range map[bool]string{false: "d5 e5 ", true: "d4 e4 "} {
		got := ""
		for _, s := range ViewBoard(lang.Printer{Lang: lang.English}, startPosition(f, board.StandardRow(f.Width)), 0, asBlack).Squares {
			if s.Goal && !s.TheirGoal {
				got += s.Name + " "
			}
		}
		if got != mine {
			t.Errorf("as Black %v: %q, want %q", asBlack, got, mine)
		}
	}
}
