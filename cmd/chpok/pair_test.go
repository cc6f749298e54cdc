package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament/swiss"
)

const pairingCases = "../../tournament/swiss/testdata/"

func runWith(in string, args ...string) (status int, out, errOut string) {
	var stdout, stderr bytes.Buffer
	status = run(context.Background(), args, stdio{strings.NewReader(in), &stdout, &stderr})
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
		for _, key := range swiss.Keys() {
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
