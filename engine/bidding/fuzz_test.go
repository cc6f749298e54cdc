package bidding_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chpok.org/chpok/engine/bidding"
)

// FuzzEnvelopeRoundTrip: what is read can be written, and reads back equal.
func FuzzEnvelopeRoundTrip(f *testing.F) {
	for _, seed := range []string{`{}`,
		`{"chips":8,"minutes":[3,15],"increment":[0,10],"widths":[6,8,10],"moveLimit":[10,60],"defaults":{"moveLimit":40},"presets":[{"minutes":5,"increment":3}]}`,
		`{"undos":[1,2],"castlings":[2,3],"movePoints":[0,3],"forbidden":["skipMoves"],"rows":["RNBQKBNK"]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		e, err := bidding.ParseEnvelope(raw)
		if err != nil {
			return
		}
		text, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		again, err := bidding.ParseEnvelope(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		other, err := json.Marshal(again)
		if err != nil || cmp.Diff(string(text), string(other)) != "" {
			t.Fatalf("%s became %s, %v", text, other, err)
		}
		if e.WorstCase(5*time.Second) <= 0 {
			t.Errorf("a worst case of %v", e.WorstCase(5*time.Second))
		}
		bid := bidding.Bid{Target: bidding.Features, HasOutcome: true, Features: e.Defaults}
		if err := e.Check(bid); err != nil {
			t.Errorf("its own defaults are refused: %v", err)
		}
	})
}
