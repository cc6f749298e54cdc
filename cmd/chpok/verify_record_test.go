package main

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/engine/notation"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/bundle"
	"chpok.org/chpok/tournament/ledger"
)

func TestTheBundleOfATournamentIsVerified(t *testing.T) {
	t.Parallel()
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{1}, ed25519.SeedSize))
	other := fairplay.KeyText(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{2}, ed25519.SeedSize)).Public().(ed25519.PublicKey))
	at := time.Date(2026, 9, 4, 18, 0, 0, 0, time.UTC)
	s := tournament.DefaultSettings(tournament.Swiss)
	s.Name = "Friday"
	tour, err := tournament.New("t", player.ID("host@club.example"), s, at)
	if err != nil {
		t.Fatal(err)
	}
	b := bundle.Bundle{
		Site: "https://club.example", ExportedAt: at,
		Deeds: []ledger.Deed{{Seq: 1, At: at, Act: tournament.ActCreate, Changes: ledger.Diff(&tournament.Tournament{}, tour)}},
	}
	file := func(k ed25519.PrivateKey) string {
		var out bytes.Buffer
		if err := bundle.Write(&out, b, k); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	for name, test := range map[string]struct {
		in     string
		args   []string
		status int
		says   string
	}{
		"signed":              {file(key), nil, 0, "tournament Friday, draft: 0 entries, 0 rounds, 1 lines of the log"},
		"with the site's key": {file(key), []string{"--key", fairplay.KeyText(key.Public().(ed25519.PublicKey))}, 0, "holds"},
		"with another key":    {file(key), []string{"--key", other}, 1, "another key"},
		"not signed":          {file(nil), nil, 1, "nobody has signed it"},
		"cut in the middle":   {file(key)[:200], nil, 2, "not a bundle"},
		"with records that do not": {func() string {
			b := b
			b.Records = map[bundle.Board][]byte{
				{Round: 1, Board: 1}: []byte(`{"chips":1}`), {Round: 2, Board: 1}: []byte(`{"assurance":{"statement":{}}}`), {Round: 2, Board: 2}: []byte(`{"chips":2}`),
			}
			var out bytes.Buffer
			if err := bundle.Write(&out, b, key); err != nil {
				t.Fatal(err)
			}
			return out.String()
		}(), nil, 1, "round 1, board 1: nothing signed\nround 2, board 1: DOES NOT HOLD: fairplay: the signature does not hold: a site's key is 32 bytes in Base64\nround 2, board 2: nothing signed\n"},
		"a key that is no key":  {file(key), []string{"--key", "abc"}, 2, "32 bytes"},
		"neither record nor so": {"{}", nil, 2, ""},
		"a review's data":       {`{"format":"chpok-review/1","matches":[]}`, nil, 2, "nobody signs"},
		"no file of ours":       {"a letter", nil, 2, ""},
	} {
		status, out, errs := runOn(t, test.in, append([]string{"verify"}, test.args...)...)
		if status != test.status || !strings.Contains(out+errs, test.says) {
			t.Errorf("%s: status %d, want %d; it says %q %q", name, status, test.status, out, errs)
		}
	}
}

// A record is verified as JSON and as text alike; a changed move is found in both.
func TestARecordIsVerifiedInBothItsForms(t *testing.T) {
	t.Parallel()
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{1}, ed25519.SeedSize))
	record, err := notation.ParseRecord([]byte(resigned))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := json.Marshal(record)
	if err != nil {
		t.Fatal(err)
	}
	hash, err := fairplay.RecordHash(plain)
	if err != nil {
		t.Fatal(err)
	}
	p := fairplay.Preset(fairplay.Declared)
	signed, err := fairplay.Sign(key, fairplay.Statement{Match: "m", Players: [2]string{"anna", "borys"}, Achieved: fairplay.Achieved(p, [2]fairplay.Seat{}), Record: hash}, p)
	if err != nil {
		t.Fatal(err)
	}
	if err := record.Add("assurance", signed); err != nil {
		t.Fatal(err)
	}
	asJSON, err := json.Marshal(record)
	if err != nil {
		t.Fatal(err)
	}
	asText, err := notation.Text(record)
	if err != nil {
		t.Fatal(err)
	}
	site := fairplay.KeyText(key.Public().(ed25519.PublicKey))
	for form, raw := range map[string]string{"JSON": string(asJSON), "text": string(asText)} {
		status, out, errs := runOn(t, raw, "verify", "--key", site)
		if status != 0 || !strings.Contains(out, "holds") || !strings.Contains(out, "achieved: open") {
			t.Errorf("%s: status %d, %q %q", form, status, out, errs)
		}
	}
	changed := strings.Replace(string(asJSON), `"chips":`, `"chips":1`, 1)
	if changed == string(asJSON) {
		changed = strings.Replace(string(asJSON), `"first":"A"`, `"first":"B"`, 1)
	}
	if status, out, errs := runOn(t, changed, "verify"); status != 1 {
		t.Errorf("another record under the same signature: status %d, %q %q", status, out, errs)
	}
}
