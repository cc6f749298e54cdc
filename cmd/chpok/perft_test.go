package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"chpok.org/chpok/cmd/internal/cli"
)

// runPerft is the status and what was written.
func runPerft(args ...string) (status int, out, errOut string) {
	var stdout, stderr bytes.Buffer
	status = app.Run(context.Background(), append([]string{"perft"}, args...), cli.IO{In: strings.NewReader(""), Out: &stdout, Err: &stderr})
	return status, stdout.String(), stderr.String()
}

func TestPerftCountsThePublishedTables(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../engine/board/testdata/perft.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Row      string          `json:"row"`
		Features json.RawMessage `json:"features"`
		CFEN     *string         `json:"cfen"`
		Depth    int             `json:"depth"`
		Nodes    uint64          `json:"nodes"`
	}
	if err := json.Unmarshal(raw, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if c.Nodes > 300_000 {
			continue
		}
		args := []string{"--row", c.Row, "--features", string(c.Features), strconv.Itoa(c.Depth)}
		if c.CFEN != nil {
			args = append(args, "--cfen", *c.CFEN)
		}
		status, out, errOut := runPerft(args...)
		if want := strconv.FormatUint(c.Nodes, 10) + "\n"; status != 0 || out != want || errOut != "" {
			t.Errorf("%s: status %d, %q, %q; expected %q", args, status, out, errOut, want)
		}
	}
}

func TestPerftDivides(t *testing.T) {
	t.Parallel()
	// White's king may step to two squares, then Black's has its eight, or take
	// the black one, which ends the game.
	status, out, errOut := runPerft("--divide", "--features", `{"castlings":0,"width":6}`,
		"--cfen", "6/6/6/6/6/6/1k4/K5 w - 0/0 0/0 0/0 1", "2")
	const want = "a1a2 8\na1b1 8\na1b2 0\n16\n"
	if status != 0 || out != want || errOut != "" {
		t.Errorf("status %d, %q, %q; expected %q", status, out, errOut, want)
	}
	if _, out, _ := runPerft("--divide", "0"); out != "1\n" {
		t.Errorf("the root itself counted %q", out)
	}
}

func TestPerftNamesEveryFault(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args []string
		want []string
	}{
		"a row too short, and no king":  {[]string{"--row", "RNBQ", "1"}, []string{"4 pieces", "no king"}},
		"a row for another width":       {[]string{"--features", `{"width":9}`, "--row", "RNBQKBNR", "1"}, []string{"8 pieces"}},
		"an empty row":                  {[]string{"--row=", "1"}, []string{"0 pieces", "no king"}},
		"a CFEN of another width":       {[]string{"--cfen", "k5/6/6/6/6/6/6/K5 w - 1/1 0/0 0/0 1", "1"}, []string{"6 files", "width 8"}},
		"features and row":              {[]string{"--features", `{"width":5,"flying":true,"castlings":null}`, "--row", "XK", "1"}, []string{"width", "flying", "castlings", "'X'"}},
		"row and CFEN":                  {[]string{"--row", "KK", "--cfen", "8/8/8/8/8/8/8/K7 w - 1/1 0/0 0/0 1", "1"}, []string{"2 pieces", "black has no king"}},
		"features that are not JSON":    {[]string{"--features", `{"width"`, "1"}, []string{"features"}},
		"an impossible CFEN":            {[]string{"--cfen", "P7/8/8/8/8/8/8/K7 b e3 1/1 1/0 0/0 1", "1"}, []string{"a8", "black has no king", "e3", "newborn"}},
		"a depth below 0":               {[]string{"--", "-1"}, []string{"depth"}},
		"a depth that is not a number":  {[]string{"deep"}, []string{"deep"}},
		"no depth":                      {nil, []string{"depth"}},
		"en passant where it cannot be": {[]string{"--features", `{"noEnPassant":true}`, "--cfen", "k7/8/8/8/4P3/8/8/K7 b e3 1/1 0/0 0/0 1", "1"}, []string{"e3"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, out, errOut := runPerft(c.args...)
			if status != 2 || out != "" || strings.Count(errOut, "\n") != 1 {
				t.Errorf("status %d, output %q, message %q", status, out, errOut)
			}
			for _, want := range c.want {
				if !strings.Contains(errOut, want) {
					t.Errorf("%q does not mention %q", errOut, want)
				}
			}
		})
	}
}
