package board_test

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"chpok.org/chpok/engine/board"
)

// perftCase is a line of testdata/perft.json: counts confirmed by two
// independent implementations of the rules.
type perftCase struct {
	Row      board.Row      `json:"row"`
	Features board.Features `json:"features"`
	CFEN     *string        `json:"cfen"`
	Depth    int            `json:"depth"`
	Nodes    uint64         `json:"nodes"`
}

func (c perftCase) position(t testing.TB) board.Position {
	t.Helper()
	p, err := board.Start(c.Features, c.Row)
	if c.CFEN != nil {
		p, err = board.ParseCFEN(c.Features, *c.CFEN)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func perftCases(t testing.TB) []perftCase {
	t.Helper()
	raw, err := os.ReadFile("testdata/perft.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []perftCase
	if err := json.Unmarshal(raw, &cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

// TestPerftTables counts every entry, 275 million leaves in all; under the race
// detector those up to 200 thousand.
func TestPerftTables(t *testing.T) {
	t.Parallel()
	for i, c := range perftCases(t) {
		if raceEnabled && c.Nodes > 200_000 {
			continue
		}
		t.Run(fmt.Sprintf("%d %s depth %d", i, c.Row, c.Depth), func(t *testing.T) {
			t.Parallel()
			if got := board.Perft(c.position(t), c.Depth); got != c.Nodes {
				t.Errorf("counted %d leaves, expected %d", got, c.Nodes)
			}
		})
	}
}
