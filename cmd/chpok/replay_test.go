package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/notation"
)

func command(t *testing.T, in string, args ...string) (status int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status = app.Run(context.Background(), args, cli.IO{In: strings.NewReader(in), Out: &stdout, Err: &stderr})
	return status, stdout.String(), stderr.String()
}

const resigned = `{"chpok":1,"first":"A","chips":1,"actions":[{"by":"B","act":"resign"}]}`

func TestReplay(t *testing.T) {
	t.Parallel()
	want := `{"n":-1,"ok":true,"state":{"phase":"bidding","turn":"A","chips":{"A":1,"B":1},` +
		`"stakes":{"white":[0,0],"time":[0,0],"homeRow":[0,0],"features":[0,0]},` +
		`"white":null,"time":null,"row":"RNBQKBNR","features":{},"pending":[]}}` + "\n" +
		`{"n":0,"ok":true,"state":{"phase":"finished","result":"A","reason":"resignation","points":{"A":0,"B":0}}}` + "\n"
	file := filepath.Join(t.TempDir(), "record.json")
	if err := os.WriteFile(file, []byte(resigned), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, in string
		args     []string
	}{
		{"from standard input", resigned, []string{"replay"}},
		{"from a file", "", []string{"replay", "--legal", file}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if status, out, errs := command(t, tt.in, tt.args...); status != 0 || out != want || errs != "" {
				t.Errorf("status %d, printed %s, errors %s", status, out, errs)
			}
		})
	}
}

func TestReplayOfWhatIsNoRecordIsOneErrorAndStatus2(t *testing.T) {
	t.Parallel()
	for _, in := range []string{"", "[]", "hello", `{"chpok":3}`, resigned + "}"} {
		status, out, errs := command(t, in, "replay")
		if status != 2 || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "not a game record") {
			t.Errorf("%q: status %d, printed %q, errors %q", in, status, out, errs)
		}
	}
	if status, out, errs := command(t, "", "replay", filepath.Join(t.TempDir(), "missing")); status != 2 || out != "" || errs == "" {
		t.Errorf("a missing file: status %d, printed %q, errors %q", status, out, errs)
	}
}

// exported is a finished match with two draws as its record.
func exported(t *testing.T) string {
	t.Helper()
	o := match.DefaultOptions()
	o.Envelope.Chips = 1
	return recordOf(t, o)
}

// recordOf is a match whose first player asks for a time and then resigns.
func recordOf(t *testing.T, o match.Options, before ...match.Command) string {
	t.Helper()
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	var s match.State
	record := func(events []match.Event) {
		for _, e := range events {
			s = s.Apply(match.Recorded{Seq: s.Seq() + 1, At: now, Event: e})
		}
	}
	record(match.Open(o, match.Seed{9}))
	for _, c := range append(before,
		match.PlaceBid{Seat: match.First, Bid: bidding.Bid{Target: bidding.Time, Chips: 1, HasOutcome: true, Time: bidding.TimeControl{Minutes: 5}}},
		match.PlaceBid{Seat: match.Second, Bid: bidding.Bid{Target: bidding.Time, Chips: 1}},
		match.Resign{Seat: match.First},
	) {
		events, err := match.Decide(s, c, now)
		if err != nil {
			t.Fatal(err)
		}
		record(events)
	}
	r, err := notation.Export(s, notation.Event{First: "olena", Second: "taras"})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := r.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestDrawsOfAnExportedMatch(t *testing.T) {
	t.Parallel()
	record := exported(t)
	status, out, errs := command(t, record, "draws")
	if status != 0 || strings.Count(out, ": holds\n") != 3 || errs != "" {
		t.Errorf("status %d, printed %s, errors %s", status, out, errs)
	}
	forged := strings.NewReplacer(`"white":"A"`, `"white":"B"`, `"white":"B"`, `"white":"A"`).Replace(record)
	if status, out, _ := command(t, forged, "draws"); status != 1 || !strings.Contains(out, "draw 2, white") || strings.Count(out, "DOES NOT HOLD") != 1 {
		t.Errorf("forged: status %d, printed %s", status, out)
	}
	if status, _, errs := command(t, resigned, "draws"); status != 2 || errs == "" {
		t.Errorf("without seed: status %d, errors %s", status, errs)
	}
}

// Sealed bids of two and one of three chips: the seals everybody saw are theirs, and the
// higher one has the draw odds.
func TestSealedBidsOfAnExportedMatch(t *testing.T) {
	t.Parallel()
	o := match.DefaultOptions()
	o.Envelope.Chips, o.Odds, o.Lateness = 3, true, time.Minute
	record := recordOf(t, o, match.Ready{Seat: match.First, Sealed: 2}, match.Ready{Seat: match.Second, Sealed: 1})
	if status, out, errs := command(t, record, "draws"); status != 0 || !strings.Contains(out, "sealed bids: holds\n") || errs != "" {
		t.Errorf("status %d, printed %s, errors %s", status, out, errs)
	}
	for _, forged := range []string{`"bids":[1,1]`, `"bids":[2,0]`} {
		forged := strings.Replace(record, `"bids":[2,1]`, forged, 1)
		if status, out, _ := command(t, forged, "draws"); status != 1 || !strings.Contains(out, "sealed bids: DOES NOT HOLD") {
			t.Errorf("forged: status %d, printed %s", status, out)
		}
	}
	if other := strings.Replace(record, `"has":"A"`, `"has":"B"`, 1); other == record {
		t.Error("the record does not say who has the odds")
	} else if status, _, _ := command(t, other, "draws"); status != 1 {
		t.Errorf("odds of the other: status %d", status)
	}
}
