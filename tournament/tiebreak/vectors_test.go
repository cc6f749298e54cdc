package tiebreak_test

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"strconv"
	"testing"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/tiebreak"
	"chpok.org/chpok/tournament/trf"
)

func field(t testing.TB, name string) tournament.Field {
	t.Helper()
	raw, err := os.ReadFile("testdata/trf/" + name + ".trf")
	if err != nil {
		t.Fatal(err)
	}
	r, err := trf.Read(string(raw))
	if err != nil {
		t.Fatal(err)
	}
	return r.Field()
}

func codes(t testing.TB, text string) []tiebreak.Code {
	t.Helper()
	list, err := tiebreak.ParseList(text)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestPublishedValues(t *testing.T) {
	t.Parallel()
	in, err := os.Open("testdata/values.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	values := 0
	fields := map[string]tournament.Field{}
	scanner := bufio.NewScanner(in)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		var want struct {
			Tournament, Tiebreak string
			RoundRobin           bool `json:"round_robin"`
			Values               map[string]float64
		}
		if err := json.Unmarshal(scanner.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		f, known := fields[want.Tournament]
		if !known {
			f = field(t, want.Tournament)
			fields[want.Tournament] = f
		}
		if f.RoundRobin != want.RoundRobin {
			t.Errorf("%s: round robin %v", want.Tournament, f.RoundRobin)
		}
		table, err := tiebreak.Standings(f, codes(t, want.Tiebreak))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range table {
			w, given := want.Values[strconv.Itoa(s.Number)]
			if !given {
				continue
			}
			values++
			if got := s.Values[0]; !got.Defined || got.Hundredths != int64(math.Round(100*w)) {
				t.Errorf("%s, %s of %d: %v, want %v", want.Tournament, want.Tiebreak, s.Number, got, w)
			}
		}
	}
	if values < 18000 {
		t.Errorf("only %d values", values)
	}
}
