package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chpok.org/chpok/engine/search"
	"chpok.org/chpok/fairplay/review"
)

// A program that reviews the same records prints the same bytes, refuses what it cannot stand for, and says why nothing is
// said of twelve moves.
func TestMovesAreReviewedFromRecords(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	record := filepath.Join(dir, "match.json")
	actions := []string{`{"by":"A","bid":{"target":"white","chips":1}}`, `{"by":"B","bid":{"target":"time","chips":1,"minutes":5,"increment":0}}`}
	for i, act := range strings.Fields("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5 c2c3 d7d6 b1d2 a7a6 h2h3 h7h6 a2a3 b7b6") {
		actions = append(actions, fmt.Sprintf(`{"by":%q,"act":%q,"clock":200000}`, string("AB"[i%2]), act))
	}
	text := `{"chpok":1,"first":"A","chips":1,"players":{"A":"Olena","B":"Taras"},"actions":[` + strings.Join(actions, ",") + "]}"
	calibration := filepath.Join(dir, "calibration.json")
	for file, body := range map[string]string{record: text, calibration: "{}"} {
		if err := os.WriteFile(file, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) (status int, out, errs string) {
		return command(t, "", append([]string{"review"}, args...)...)
	}
	usual := []string{"--player", "Olena", "--rating", "1400", "--nodes", "2000", "--engine-version", fmt.Sprint(search.Version)}
	status, out, errs := run(append(usual, record, record)...)
	var d review.Dossier
	if err := json.Unmarshal([]byte(out), &d); status != 0 || err != nil || !strings.Contains(errs, "2 of 2") {
		t.Fatal(status, err, errs)
	}
	if d.Silence != review.SilenceFewMoves || len(d.Records) != 2 || d.Records[0].Moves != 8 || d.Records[0] != d.Records[1] || d.Engine != search.Version {
		t.Errorf("%+v", d)
	}
	if _, again, _ := run(append(usual, record, record)...); again != out {
		t.Error("the same records print other bytes")
	}
	for says, args := range map[string][]string{
		"has version": {"--player", "Olena", "--rating", "1400", "--engine-version", "1", record},
		"names Olena": {"--player", "Sofia", "--rating", "1400", record},
		"calibration": {"--player", "Olena", "--rating", "1400", "--calibration", calibration, record},
		"nowhere":     {"--player", "Olena", "--rating", "1400", filepath.Join(dir, "nowhere")},
	} {
		if status, out, errs := run(args...); status != 2 || out != "" || !strings.Contains(errs, says) {
			t.Errorf("%v: status %d, %q, %q", args, status, out, errs)
		}
	}
}
