package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/trf"
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
		table, err := readStandings(file, tables.FinalTable{})
		if err != nil || !slices.Equal(table.Codes, []string{"DE", "SB"}) || len(table.Lines) != 1 || !slices.Equal(table.Lines[0].Values, []string{"-", "2"}) || table.Lines[0].Score != 15 {
			t.Errorf("%s: %+v, %v", name, table, err)
		}
	}
}

// TestRoundsThatStaffEditedAreNoDifferences: four meet 1-2 and 3-4 in round 1, where
// the system pairs 1-3 and 2-4.
func TestRoundsThatStaffEditedAreNoDifferences(t *testing.T) {
	t.Parallel()
	f := tournament.Field{Rounds: 3, Played: 1, Points: tournament.StandardPoints(), Opening: match.First}
	for i, x := range []tournament.RoundResult{
		{Opponent: 2, Seat: match.First, Outcome: tournament.Win}, {Opponent: 1, Seat: match.Second, Outcome: tournament.Loss},
		{Opponent: 4, Seat: match.First, Outcome: tournament.Win}, {Opponent: 3, Seat: match.Second, Outcome: tournament.Loss},
	} {
		f.Players = append(f.Players, tournament.FieldPlayer{Number: i + 1, Name: "p" + strconv.Itoa(i+1), Rating: 2000 - i, Rounds: []tournament.RoundResult{x}})
	}
	var report strings.Builder
	if err := trf.FromField(f).Write(&report, trf.TRF2026); err != nil {
		t.Fatal(err)
	}
	for comment, want := range map[string]struct {
		status int
		says   []string
	}{
		"":                        {1, []string{"round 1, ", "0 edited by staff, 1 differ"}},
		"### edited round 1\n":    {0, []string{"edited by staff: round 1, ", "1 edited by staff, 0 differ"}},
		"### overtaken round 1\n": {0, []string{"paired before a correction: round 1, ", "0 differ"}},
		"### edited round 2\n":    {1, []string{"0 edited by staff, 1 differ"}},
	} {
		status, out, errOut := runWith(report.String()+comment, "check")
		if status != want.status {
			t.Errorf("%q: status %d, %s", comment, status, errOut)
		}
		for _, says := range want.says {
			if !strings.Contains(out, says) {
				t.Errorf("%q: no %q in\n%s", comment, says, out)
			}
		}
	}
}
