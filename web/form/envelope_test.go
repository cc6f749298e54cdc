package form_test

import (
	"encoding/json"
	"testing"
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/words"
)

// TestEveryBoundOfAnEnvelopeIsInAllThatFollowsFromIt: the JSON, the form, the facts, the texts of both
// languages and the description for programs are made from one table.
func TestEveryBoundOfAnEnvelopeIsInAllThatFollowsFromIt(t *testing.T) {
	t.Parallel()
	s := tournament.DefaultSettings(tournament.RoundRobin)
	s.Name = "Evening"
	s.Envelope = form.EnvelopeNamed("quick")
	raw, err := json.Marshal(s.Envelope)
	if err != nil {
		t.Fatal(err)
	}
	var written map[string]any
	if err := json.Unmarshal(raw, &written); err != nil {
		t.Fatal(err)
	}
	p := lang.Printer{Lang: lang.English, Zone: time.UTC}
	v := form.ValuesOf(p, s)
	r := form.FormReader{Printer: p, Values: v}
	read := r.Envelope()
	facts := words.EnvelopeFacts(p, s.Envelope)
	for i, b := range bidding.Bounds {
		if written[b.Key] == nil || form.EnvelopeSchema()[b.Key] == nil {
			t.Errorf("%s is in the JSON as %v and described as %v", b.Key, written[b.Key], form.EnvelopeSchema()[b.Key])
		}
		if !v.Has(b.Key) && !v.Has(b.Key+"_low") {
			t.Errorf("%s is not in the form", b.Key)
		}
		if have, want := words.BoundText(p, b, read), words.BoundText(p, b, s.Envelope); have != want || facts[i].Value != want {
			t.Errorf("%s is read from the form as %s and told as %s, want %s", b.Key, have, facts[i].Value, want)
		}
		for _, l := range []lang.Lang{lang.English, lang.Ukrainian} {
			if !(lang.Printer{Lang: l}).Has("tournament.envelope." + b.Key) {
				t.Errorf("%s has no text in %s", b.Key, l)
			}
		}
	}
	if len(r.Problems) > 0 {
		t.Errorf("the form has problems: %v", r.Problems)
	}
}
