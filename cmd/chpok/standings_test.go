package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"chpok.org/chpok/cmd/internal/cli"
)

// aReport is a small Swiss: 1 beats 2 and draws 3, who had a bye's point.
const aReport = `012 Evening
142 2
001    1      Oksana                            2000                             1.5    1     2 w 1     3 b =
001    2      Ivan                              1900                             1.0    3     1 b 0  0000 - U
001    3      Petro                             1800                             1.5    2  0000 - U     1 w =
`

func runOn(t *testing.T, in string, args ...string) (status int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status = app.Run(context.Background(), args, cli.IO{In: strings.NewReader(in), Out: &stdout, Err: &stderr})
	return status, stdout.String(), stderr.String()
}

func TestStandingsAsATable(t *testing.T) {
	t.Parallel()
	status, out, errs := runOn(t, aReport, "standings", "--tiebreaks", "BPG,BH,DE")
	// Oksana: 2 has 1, 3 has 1.5. Petro: their bye a dummy of 1 (two draws), Oksana 1.5.
	want := "  Rank  No.  Name    Score  BPG   BH  DE\n" +
		"     1    1  Oksana    1.5    1  2.5   1\n" +
		"     2    3  Petro     1.5    0  2.5   1\n" +
		"     3    2  Ivan        1    1  2.5   1\n"
	if status != 0 || out != want || errs != "" {
		t.Errorf("status %d, errors %q, table\n%s\nwant\n%s", status, errs, out, want)
	}
}

func TestStandingsAsJSON(t *testing.T) {
	t.Parallel()
	status, out, errs := runOn(t, aReport, "standings", "--json", "--tiebreaks", "bh/C1, AOB,TPR/U1500")
	if status != 0 || !json.Valid([]byte(out)) {
		t.Fatalf("status %d, %s%s", status, out, errs)
	}
	// Ivan's own bye is a dummy of 1; cut 1 leaves Oksana's 1.5. Their only opponent has Buchholz 2.5.
	// They lost to 2000: 1200. The codes are named as they were asked for.
	if want := `{"rank":3,"number":2,"score":1,"tiebreaks":{"bh/C1":1.5,"AOB":2.5,"TPR/U1500":1200}}`; !strings.Contains(out, want) {
		t.Errorf("no %s in %s", want, out)
	}
}

func TestStandingsWithoutAListTakeTheDefault(t *testing.T) {
	t.Parallel()
	_, out, _ := runOn(t, aReport, "standings")
	if !strings.Contains(out, "BH/C1") {
		t.Errorf("a Swiss without Buchholz:\n%s", out)
	}
	_, out, _ = runOn(t, strings.Replace(aReport, "142 2", "142 2\n092 Round robin", 1), "standings")
	if strings.Contains(out, "BH") || !strings.Contains(out, "DE") {
		t.Errorf("a round robin ordered by\n%s", out)
	}
}

func TestStandingsRefuseWhatTheyCannotRead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in   string
		args []string
		says string
	}{
		"an unknown tie-break": {aReport, []string{"--tiebreaks", "BH,XYZ"}, "XYZ"},
		"a malformed line":     {"142 x\n", nil, "line 1"},
		"a missing file":       {"", []string{"no/such/file.trf"}, "no/such/file.trf"},
	} {
		status, out, errs := runOn(t, c.in, append([]string{"standings"}, c.args...)...)
		if status != 2 || out != "" || !strings.Contains(errs, c.says) {
			t.Errorf("%s: status %d, output %q, errors %q", name, status, out, errs)
		}
	}
}
