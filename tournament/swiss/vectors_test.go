package swiss_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/swiss"
	"chpok.org/chpok/tournament/trf"
)

func readField(t testing.TB, path string) tournament.Field {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	report, err := trf.Read(string(raw))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return report.Field()
}

// lines is a pairing as the expected files write it.
func lines(p tournament.RoundPairing) []string {
	var out []string
	for _, b := range p.Boards {
		out = append(out, fmt.Sprintf("%d %d", b.First, b.Second))
	}
	if p.Bye != 0 {
		out = append(out, fmt.Sprintf("%d 0", p.Bye))
	}
	return out
}

type vector struct {
	ID, Family, Result string
	Players            int
	Features           []string
}

func vectors(t testing.TB) (list []vector) {
	t.Helper()
	file, err := os.Open("testdata/index.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for s := bufio.NewScanner(file); s.Scan(); {
		var v vector
		if err := json.Unmarshal(s.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		list = append(list, v)
	}
	return list
}

// The cases of two independent programs, all equal but for the order of boards
// under acceleration, on which sources disagree.
func TestPairsEveryCaseAsExpected(t *testing.T) {
	t.Parallel()
	for _, v := range vectors(t) {
		if v.Result != "pairing" {
			continue
		}
		t.Run(v.ID, func(t *testing.T) {
			t.Parallel()
			got, err := swiss.Dutch{}.Pair(readField(t, filepath.Join("testdata/pairing", v.ID+".trf")))
			if err != nil {
				t.Fatal(err)
			}
			raw, err := os.ReadFile(filepath.Join("testdata/pairing", v.ID+".pairs"))
			if err != nil {
				t.Fatal(err)
			}
			want := strings.Split(strings.TrimSpace(string(raw)), "\n")[1:]
			if v.Family == "accel" {
				compareSets(t, lines(got), want)
				return
			}
			if g, w := strings.Join(lines(got), "\n"), strings.Join(want, "\n"); g != w {
				compareSets(t, lines(got), want)
				t.Errorf("order of boards:\n%s\nwant\n%s", g, w)
			}
		})
	}
}

func compareSets(t *testing.T, got, want []string) {
	t.Helper()
	in := map[string]bool{}
	for _, w := range want {
		in[w] = true
	}
	for _, g := range got {
		if !in[g] {
			t.Errorf("%s is not expected", g)
		}
		delete(in, g)
	}
	for w := range in {
		t.Errorf("%s is missing", w)
	}
}

func TestSaysWhenNoPairingIsLegal(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/nopairing/*.trf")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, path := range files {
		if got, err := (swiss.Dutch{}).Pair(readField(t, path)); !errors.Is(err, tournament.ErrNoPairing) {
			t.Errorf("%s: %v, %v", path, got, err)
		}
	}
}
