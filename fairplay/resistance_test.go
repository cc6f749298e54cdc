package fairplay_test

import (
	"testing"

	"chpok.org/chpok/fairplay"
)

// What the site tells organizers about terms has been measured, and still says what it is told to say: an ordinary engine
// wins over the usual limit whatever the width or points, and short limits with uneven points make it useless, while a Chpok
// engine wins almost anywhere.
func TestTheMeasuredResistanceSaysWhatTheSiteSays(t *testing.T) {
	table := fairplay.MeasuredResistance()
	if len(table.Rows) != len(fairplay.MeasuredTerms) || table.Engine == "" || table.Nodes == 0 || table.Games < 200 {
		t.Fatalf("%d rows of %q, %d games", len(table.Rows), table.Engine, table.Games)
	}
	r := map[string]int{}
	for i, row := range table.Rows {
		if row.Terms != fairplay.MeasuredTerms[i] || row.At == "" {
			t.Errorf("row %d is of %s", i, row.Terms)
		}
		r[row.Terms] = row.R()
		for _, s := range row.Scores {
			if s.Margin <= 0 && s.Share > 0 && s.Share < 1 || s.Margin > 0.07 {
				t.Errorf("%s: %+v", row.Terms, s)
			}
		}
		if row.Scores[2].Share < 0.7 {
			t.Errorf("%s protects against a Chpok engine: %+v", row.Terms, row.Scores[2])
		}
	}
	const points = `"movePoints":{"P":1,"N":6,"B":5,"R":2,"Q":3,"K":4}}`
	for terms, least := range map[string]int{
		`{"castlings":0,"moveLimit":20,` + points: 50, `{"castlings":0,"moveLimit":10,` + points: 60,
	} {
		if r[terms] < least {
			t.Errorf("%s: R %d, not %d", terms, r[terms], least)
		}
	}
	for _, terms := range []string{`{"castlings":0}`, `{"castlings":0,"width":6}`, `{"castlings":0,"width":10}`, `{"castlings":0,` + points} {
		if r[terms] > 15 {
			t.Errorf("%s: R %d", terms, r[terms])
		}
	}
}
