package event

import (
	"testing"

	"chpok.org/chpok/templates"
	eventview "chpok.org/chpok/templates/event"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/tournament/tiebreak"
)

// Of two tables with wins, direct encounter and Buchholz the first tells two apart by direct encounter, the other nobody.
func TestDirectEncounterIsShownWhereItTellsSomebodyApart(t *testing.T) {
	t.Parallel()
	codes, err := tiebreak.ParseList("WIN,DE,BH")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		second string
		want   int
	}{{"2", 3}, {"1", 2}} {
		b := eventview.StandingsBody{Codes: make([]templates.TournamentFact, 3), Lines: []eventview.StandingLine{
			{Values: []string{"1", "1", "3"}}, {Values: []string{"1", x.second, "4"}}}}
		dropLevel(&b, format.Table{Codes: codes})
		if len(b.Codes) != x.want || len(b.Lines[0].Values) != x.want || b.Lines[1].Values[x.want-1] != "4" {
			t.Errorf("%s: %+v", x.second, b)
		}
	}
}
