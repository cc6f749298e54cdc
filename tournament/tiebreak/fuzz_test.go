package tiebreak_test

import (
	"os"
	"path/filepath"
	"testing"

	"chpok.org/chpok/tournament/tiebreak"
	"chpok.org/chpok/tournament/trf"
)

// FuzzReadableReportsHaveStandings: whatever the reader accepts can be ordered,
// every player stands in the table once, ranks and scores go down.
func FuzzReadableReportsHaveStandings(f *testing.F) {
	files, err := filepath.Glob("testdata/trf/*.trf")
	if err != nil || len(files) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		if len(data) < 3000 {
			f.Add(string(data), "BH/C1,SB/M1,DE,AOB/F,FB,KS/L-1,PS/C1,STD,REP")
			f.Add(string(data), "DE/P,APRO,APPO,ARO/C2,TPR/U1500,CPD,TPN/R")
		}
	}
	four, err := os.ReadFile("../trf/testdata/teams/four.trf")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(four), "EMGSB/C1,MPvGP,BH:MP/C1,EDEBB,SSSC/F,PS:GP")
	f.Add(string(four), "EDEBT,BC,TBR,BBE,EGMSB/M1,SSSC/K7,DE:GP,KS:GP/L-1,FB:GP")
	f.Fuzz(func(t *testing.T, text, list string) {
		r, err := trf.ReadAny(text)
		if err != nil {
			return
		}
		field, parse := r.Field(), tiebreak.ParseList
		if r.Teams != nil {
			field, parse = r.TeamField(), tiebreak.ParseListForTeams
		}
		codes, err := parse(list)
		if err != nil {
			return
		}
		table, err := tiebreak.Standings(field, codes)
		if err != nil {
			t.Fatal(err)
		}
		if len(table) != len(field.Players) {
			t.Fatalf("%d players, %d lines", len(field.Players), len(table))
		}
		for i, s := range table {
			if s.Rank < 1 || s.Rank > i+1 || len(s.Values) != len(codes) || len(s.Why) != len(codes) {
				t.Fatalf("line %d: %+v", i+1, s)
			}
			if i > 0 && (s.Score > table[i-1].Score || s.Rank < table[i-1].Rank) {
				t.Fatalf("line %d stands below %+v: %+v", i+1, table[i-1], s)
			}
		}
	})
}
