package scene_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/engine/analysis"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/scene"
)

// The match is on ten files by default, and the first raise lets pawns go back: a better bid names neither again.
func TestABetterBidNamesOnlyWhatItChanges(t *testing.T) {
	t.Parallel()
	o := match.DefaultOptions()
	o.Envelope.Defaults.Width = 10
	raise := func(chips int, hill bool) bidding.Bid {
		f := o.Envelope.Defaults
		f.PawnsBack, f.KingOfTheHill = true, hill
		return bidding.Bid{Target: bidding.Features, Chips: chips, HasOutcome: true, Features: f}
	}
	better, err := json.Marshal(raise(3, true))
	if err != nil {
		t.Fatal(err)
	}
	var state match.State
	for i, e := range append(match.Open(o, match.Seed{}), match.BidPlaced{Seat: match.First, Bid: raise(1, false)},
		match.BidPlaced{Seat: match.Second, Bid: raise(2, false)}) {
		state = state.Apply(match.Recorded{Seq: int64(i + 1), At: time.Date(2026, 11, 21, 12, 0, i, 0, time.UTC), Event: e})
	}
	report := analysis.Report{Bids: []analysis.Bid{{Loss: 0.1, Better: better}, {Loss: 0.1, Better: better}}}
	j := scene.NewJudge(lang.Printer{Lang: lang.English, Zone: time.UTC}, state, report, match.First, [2]string{"Anna", "Borys"})
	for step, want := range map[int]string{1: "King of the hill, Pawns back", 2: "King of the hill"} {
		if got := j.Bid(step); !strings.Contains(got, ": "+want+",") {
			t.Errorf("step %d: %q does not name just %q", step, got, want)
		}
	}
}
