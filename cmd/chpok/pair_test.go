package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament/swiss"
	"chpok.org/chpok/tournament/teamswiss"
)

const pairingCases = "../../tournament/swiss/testdata/"

func runWith(in string, args ...string) (status int, out, errOut string) {
	var stdout, stderr bytes.Buffer
	status = app.Run(context.Background(), args, cli.IO{In: strings.NewReader(in), Out: &stdout, Err: &stderr})
	return status, stdout.String(), stderr.String()
}

func TestPairPrintsTheExpectedFile(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"tiny-0008", "small-0013", "mixed-0014", "absent-0022"} {
		want, err := os.ReadFile(pairingCases + "pairing/" + id + ".pairs")
		if err != nil {
			t.Fatal(err)
		}
		status, out, errOut := runWith("", "pair", pairingCases+"pairing/"+id+".trf")
		if status != 0 || out != string(want) || errOut != "" {
			t.Errorf("%s: status %d, %q, %s", id, status, errOut, out)
		}
	}
}

func TestPairExitsWithThreeWithoutALegalPairing(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(pairingCases + "nopairing/*.trf")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, file := range files {
		if status, out, errOut := runWith("", "pair", file); status != 3 || out != "" || !strings.Contains(errOut, "no legal pairing") {
			t.Errorf("%s: status %d, %q, %q", file, status, out, errOut)
		}
	}
}

func TestPairExplainsEveryBoard(t *testing.T) {
	t.Parallel()
	status, out, errOut := runWith("", "pair", "--explain", pairingCases+"pairing/mixed-0014.trf")
	if status != 0 || errOut != "" || strings.Contains(out, lang.Missing) || strings.Contains(out, "<no value>") {
		t.Errorf("status %d, %q, %s", status, errOut, out)
	}
	for _, want := range []string{"opens the bidding", "moved down to meet", ": bye\n    The number of players is odd"} {
		if !strings.Contains(out, want) {
			t.Errorf("no board says %q:\n%s", want, out)
		}
	}
}

func TestEveryReasonHasATextInBothLanguages(t *testing.T) {
	t.Parallel()
	for _, l := range lang.All {
		for _, key := range append(swiss.Keys(), teamswiss.Keys()...) {
			text := lang.Printer{Lang: l}.T(key, "Player", "P", "Other", "O", "Score", "1", "OtherScore", "0", "Round", 1)
			if strings.HasPrefix(text, lang.Missing) || strings.Contains(text, "<no value>") {
				t.Errorf("%s %s: %s", l, key, text)
			}
		}
	}
}

func TestPairNamesEveryMalformedLine(t *testing.T) {
	t.Parallel()
	status, out, errOut := runWith("XXR nine\n001    x      Player\n", "pair")
	if status != 2 || out != "" || !strings.Contains(errOut, "line 1") || !strings.Contains(errOut, "line 2") {
		t.Errorf("status %d, %q, %q", status, out, errOut)
	}
}

func TestSimulateWritesReportsThatCheck(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	status, out, errOut := runWith("", "simulate", "--mixed", "--count", "20", "--check", "--largest", "30", "--out", dir)
	if status != 0 || !strings.Contains(out, "discrepancies  0") {
		t.Fatalf("status %d, %s%s", status, out, errOut)
	}
	_, again, _ := runWith("", "simulate", "--mixed", "--count", "20", "--check", "--largest", "30")
	if out != again {
		t.Errorf("the same seed gave\n%s\nthen\n%s", out, again)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.trf"))
	if err != nil || len(files) != 20 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files[:5] {
		if status, out, errOut := runWith("", "check", file); status != 0 || !strings.Contains(out, " 0 differ") {
			t.Errorf("%s: status %d, %s%s", file, status, out, errOut)
		}
	}
}

// The first round of a round robin of three, and of another whose seats are not the
// tables'; a final that was drawn and decided otherwise. Nobody takes them for a Swiss.
func TestReportsOfOtherFormats(t *testing.T) {
	t.Parallel()
	report := func(system string, rounds ...string) string {
		text := "192 " + system + "\n142 3\n152 W\n"
		for i, name := range []string{"anna", "borys", "clara"} {
			if i < len(rounds) {
				text += fmt.Sprintf("001 %4d %4s %-33s %4s %3s %11s %10s%5s %4d%s\n", i+1, "", name, "", "", "", "", "", i+1, rounds[i])
			}
		}
		return text
	}
	league := report("BERGER", "  0000 - Z", "     3 w 1", "     2 b 0")
	other := report("BERGER", "     2 w 1", "     1 b 0", "  0000 - Z")
	cup := report("CUSTOM_KNOCKOUT", "     2 w =", "     1 b =")
	for _, tt := range []struct {
		name, in, args string
		status         int
		out, errOut    string
	}{
		{"the second round of a round robin", league, "pair", 0, "2\n1 2\n3 0\n", ""},
		{"which has no other reason", league, "pair --explain", 2, "", "nothing to explain"},
		{"its first round", league, "check", 0, "1 rounds checked (Berger tables), 0 edited by staff, 0 differ\n", ""},
		{"another first round", other, "check", 1, "round 1 is not that of the Berger tables\n" +
			"1 rounds checked (Berger tables), 0 edited by staff, 1 differ\n", ""},
		{"another of staff", other + "### edited round 1\n", "check", 0, "edited by staff: round 1 is not that of the Berger tables\n" +
			"1 rounds checked (Berger tables), 1 edited by staff, 0 differ\n", ""},
		{"a bracket", cup, "pair", 2, "", "no report holds what CUSTOM_KNOCKOUT is paired by"},
		{"what was drawn there", cup, "check", 2, "", "check its log"},
		{"places", cup, "standings", 0, "  Rank  No.  Name   Score\n     1    1  anna     0.5\n     2    2  borys    0.5\n", ""},
		{"tie-breaks of places", cup, "standings --tiebreaks SB", 2, "", "no tie-breaks"},
	} {
		status, out, errOut := runWith(tt.in, strings.Fields(tt.args)...)
		if status != tt.status || out != tt.out || !strings.Contains(errOut, tt.errOut) {
			t.Errorf("%s: status %d, %q, %q", tt.name, status, out, errOut)
		}
	}
}
