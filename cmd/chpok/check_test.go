package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"chpok.org/chpok/arbiter"
)

func TestATableIsReadWithAndWithoutItsMarks(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"plain":  "rank,number,player,club,rating,score,DE,SB\n1,2,anna,,1500,1.5,-,2\n",
		"marked": "rank,number,player,club,rating,score,DE,SB,bot\n1,2,anna,,1500,1.5,-,2,bot\n",
	} {
		file := filepath.Join(t.TempDir(), "standings.csv")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		table, err := readStandings(file, arbiter.FinalTable{})
		if err != nil || !slices.Equal(table.Codes, []string{"DE", "SB"}) || len(table.Lines) != 1 || !slices.Equal(table.Lines[0].Values, []string{"-", "2"}) || table.Lines[0].Score != 15 {
			t.Errorf("%s: %+v, %v", name, table, err)
		}
	}
}
