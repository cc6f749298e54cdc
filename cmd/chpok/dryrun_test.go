package main

import (
	"bytes"
	"strings"
	"testing"

	"chpok.org/chpok/cmd/internal/cli"
)

func TestADryRunOnTheCommandLine(t *testing.T) {
	t.Parallel()
	call := func(args ...string) (int, string, string) {
		var out, errs bytes.Buffer
		code := app.Run(t.Context(), append([]string{"dry-run"}, args...), cli.IO{In: strings.NewReader(""), Out: &out, Err: &errs})
		return code, out.String(), errs.String()
	}
	code, out, errs := call("--runs", "20", "--players", "9", "--rounds", "4", "--until", "23:00")
	if code != 0 || !strings.Contains(out, "runs           20, seeds 1 to 20") || !strings.Contains(out, "byes           4.0 a tournament") ||
		!strings.Contains(out, "at once        4 matches") || !strings.Contains(out, "after the end") {
		t.Errorf("status %d\n%s%s", code, out, errs)
	}
	if _, again, _ := call("--runs", "20", "--players", "9", "--rounds", "4", "--until", "23:00"); again != out {
		t.Errorf("again:\n%s", again)
	}
	if code, out, _ := call("--runs", "3", "--json"); code != 0 || strings.Count(out, "\n") != 3 || !strings.HasPrefix(out, `{"end":`) {
		t.Errorf("status %d\n%s", code, out)
	}
	for _, args := range [][]string{{"--runs", "0"}, {"--start", "evening"}, {"--rounds", "0"}, {"--envelope", "{"}, {"no-such-file"}} {
		if code, _, errs := call(args...); code != 2 || errs == "" {
			t.Errorf("%v: status %d, %q", args, code, errs)
		}
	}
}
