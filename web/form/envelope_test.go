package form_test

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/fairplay"
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

// TestEveryTermOfAPolicyIsInAllThatFollowsFromIt: the JSON, the form, the texts of both languages and the description
// for programs are made from one table.
func TestEveryTermOfAPolicyIsInAllThatFollowsFromIt(t *testing.T) {
	t.Parallel()
	policy := fairplay.Preset(fairplay.Verified).ForPrizes()
	raw, err := json.Marshal(policy)
	if err != nil {
		t.Fatal(err)
	}
	written := map[string]any{}
	if err := json.Unmarshal(raw, &written); err != nil {
		t.Fatal(err)
	}
	at := func(in map[string]any, path string) any {
		group, key, nested := strings.Cut(path, ".")
		if !nested {
			return in[path]
		}
		in, _ = in[group].(map[string]any)
		if properties, described := in["properties"].(map[string]any); described {
			in = properties
		}
		return in[key]
	}
	inputs := map[string]bool{}
	for _, f := range form.PolicyFields(lang.Printer{Lang: lang.English}, policy, url.Values{}, "").Numbers {
		inputs[f.Name] = true
	}
	asked := 0
	for _, x := range fairplay.Terms {
		if at(written, x.Path) == nil || at(form.PolicySchema(), x.Path) == nil {
			t.Errorf("%s is in the JSON as %v and described as %v", x.Path, at(written, x.Path), at(form.PolicySchema(), x.Path))
		}
		for _, l := range []lang.Lang{lang.English, lang.Ukrainian} {
			p := lang.Printer{Lang: l}
			if !p.Has("fairplay.field."+x.Key) || x.Asked && !p.Has("fairplay.form.policy_"+x.Key) {
				t.Errorf("%s has no text in %s", x.Key, l)
			}
		}
		if x.Asked {
			asked++
			read, err := form.ReadPolicy(url.Values{"policy": {"verified"}, "policy_" + x.Key: {strconv.Itoa(x.Most)}}, fairplay.Policy{})
			if n := *x.More(&read); err != nil || n != x.Most || !inputs["policy_"+x.Key] {
				t.Errorf("%s is read from the form as %d: %v", x.Key, n, err)
			}
			if _, err := form.ReadPolicy(url.Values{"policy": {"verified"}, "policy_" + x.Key: {strconv.Itoa(x.Most + 1)}}, fairplay.Policy{}); err == nil {
				t.Errorf("more than the most of %s", x.Key)
			}
		}
	}
	if asked != len(inputs) {
		t.Errorf("the form asks for %v, the table for %d numbers", inputs, asked)
	}
}
