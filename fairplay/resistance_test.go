package fairplay_test

import (
	"testing"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/fairplay"
)

// What the site tells organizers about terms has been measured, and still says what it is told to say: an ordinary engine
// wins over the usual limit whatever the width or points, and short limits with uneven points make it useless, while a Chpok
// engine wins almost anywhere.
func TestTheMeasuredResistanceSaysWhatTheSiteSays(t *testing.T) {
	table := fairplay.MeasuredResistance()
	if len(table.Rows) != len(fairplay.MeasuredTerms) || len(table.Bids) != len(fairplay.MeasuredBids) || table.Engine == "" || table.Nodes == 0 {
		t.Fatalf("%d and %d rows of %q", len(table.Rows), len(table.Bids), table.Engine)
	}
	for i, row := range table.Bids {
		if row.Subject != fairplay.MeasuredBids[i] || row.At == "" || row.Games < 100 || len(row.Scores) != 1 || row.Scores[0].Margin > 0.1 {
			t.Errorf("of bids, row %d is %+v", i, row)
		}
	}
	r := map[string]int{}
	for i, row := range table.Rows {
		if row.Terms != fairplay.MeasuredTerms[i] || row.At == "" || row.Games < 200 {
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

// What a bid may add lowers R to what was measured of it, where the envelope allows it and its limit is no shorter. By hand,
// of a table where the limit 10 resists with 80, takebacks leave 90 of that, the hill 40 and many kings 20:
func TestTheLeastResistanceOfAnEnvelopeIsThatOfWhatMayBeBid(t *testing.T) {
	t.Parallel()
	table, err := fairplay.ReadResistance([]byte(`{"rows":[
		{"terms":"{}","scores":[{"share":0.9}]}, {"terms":"{\"moveLimit\":20}","scores":[{"share":0.5}]},
		{"terms":"{\"moveLimit\":10}","scores":[{"share":0.2}]}, {"terms":"{\"moveLimit\":10,\"movePoints\":{\"P\":9}}","scores":[{"share":0}]}
	],"bids":[
		{"terms":"{\"moveLimit\":10,\"undos\":5}","scores":[{"share":0.1}]},
		{"terms":"{\"moveLimit\":10,\"kingOfTheHill\":true}","scores":[{"share":0.6}]},
		{"terms":"{\"moveLimit\":10}","row":"KKKKKKKK","scores":[{"share":0.8}]},
		{"terms":"{}","bids":"free","scores":[{"share":1}]}
	]}`))
	if err != nil {
		t.Fatal(err)
	}
	ten := board.DefaultFeatures()
	ten.MoveLimit = 10
	hill, points := ten, ten
	hill.KingOfTheHill, points.MovePoints = true, [8]int{board.Pawn: 9}
	longHill := hill
	longHill.MoveLimit = 20
	for want, f := range map[int]board.Features{10: board.DefaultFeatures(), 80: ten, 40: hill, 100: points} {
		if got := table.Of(f); got != want {
			t.Errorf("%+v: R %d, want %d", f, got, want)
		}
	}
	if got := table.Of(longHill); got != 40 { // 50 without the hill, and at most 40 with it
		t.Errorf("the hill over twenty moves: R %d", got)
	}
	envelope := func(limit int, rows bool, forbidden ...string) bidding.Envelope {
		e := bidding.DefaultEnvelope()
		e.MoveLimit, e.AnyRow, e.Forbidden, e.Defaults = [2]int{10, limit}, rows, forbidden, points
		return e
	}
	for _, c := range []struct {
		name string
		e    bidding.Envelope
		want int
	}{
		{"any row and feature", envelope(10, true), 20},
		{"any feature", envelope(10, false), 40},
		{"no hill", envelope(10, false, "kingOfTheHill"), 80},
		{"no hill, any row", envelope(10, true, "kingOfTheHill"), 20},
		{"no hill over twenty moves", envelope(20, false, "kingOfTheHill"), 50},
		{"the widest", envelope(999, true), 0},
	} {
		if got := table.Least(c.e); got != c.want {
			t.Errorf("%s: R at least %d, want %d", c.name, got, c.want)
		}
	}
}
