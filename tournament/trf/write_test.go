package trf_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/tournament/trf"
)

// fieldText is everything pairing and tie-breaks can see.
func fieldText(r *trf.Report) string {
	if r.Teams != nil {
		f := r.TeamField()
		teams := *f.Teams
		f.Teams = nil
		return strings.ReplaceAll(fmt.Sprintf("%+v %+v %+v %+v", f, teams, r.Field(), r.Teams.List), "[]", "")
	}
	return strings.ReplaceAll(fmt.Sprintf("%+v", r.Field()), "[]", "")
}

func write(t testing.TB, r *trf.Report, d trf.Dialect) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.Write(&b, d); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// checkRoundTrip holds for every readable file and both dialects: the same
// field again, and the second writing is the first.
func checkRoundTrip(t testing.TB, r *trf.Report) {
	t.Helper()
	for _, d := range []trf.Dialect{trf.TRF16, trf.TRF2026} {
		text := write(t, r, d)
		again, err := trf.ReadAny(text)
		if err != nil {
			t.Fatalf("dialect %d is not readable: %v\n%s", d, err, text)
		}
		if got, want := fieldText(again), fieldText(r); got != want {
			t.Fatalf("dialect %d changed the field\n%s\nto\n%s\n%s", d, want, got, text)
		}
		if second := write(t, again, d); second != text {
			t.Fatalf("dialect %d is not stable:\n%s\n%s", d, text, second)
		}
	}
}

func TestPublishedFilesRoundTrip(t *testing.T) {
	t.Parallel()
	files, _ := filepath.Glob("testdata/read/*.trf")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r := read(t, string(data))
		checkRoundTrip(t, r)
		checkRoundTrip(t, trf.FromField(r.Field()))
	}
}

func TestFilesInOneDialectAreWrittenVerbatim(t *testing.T) {
	t.Parallel()
	for file, d := range map[string]trf.Dialect{
		"rr-01": trf.TRF2026, "sw-all-01": trf.TRF2026, "tiny-0008": trf.TRF2026,
		"nopair-0046": trf.TRF16, "absent-0006": trf.TRF16,
	} {
		data, err := os.ReadFile("testdata/read/" + file + ".trf")
		if err != nil {
			t.Fatal(err)
		}
		if got := write(t, read(t, string(data)), d); got != trimmed(string(data)) {
			t.Errorf("%s written as\n%s", file, got)
		}
	}
}

func trimmed(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

func TestUnknownLinesKeepTheirPlace(t *testing.T) {
	t.Parallel()
	text := strings.Join([]string{
		"### drawn by lot  ",
		"012 Cup",
		"XXR 3",
		row("1", "   2 w 1"),
		"UKR    1  a national record of number 1",
		row("2", "   1 b 0"),
		"",
		"xy",
		"999 what is this?",
		"",
	}, "\n")
	if got := write(t, read(t, text), trf.TRF16); got != text {
		t.Errorf("written as\n%s", got)
	}
	modern := strings.Replace(text, "XXR 3", "142 3", 1)
	if got := write(t, read(t, text), trf.TRF2026); got != modern {
		t.Errorf("in the other dialect\n%s", got)
	}
}

func TestHeadersCanBeSet(t *testing.T) {
	t.Parallel()
	r := read(t, "012 Old", row("1"))
	r.SetHeader("012", "New")
	r.SetHeader("022", "Kyiv")
	if got, want := write(t, r, trf.TRF2026), "012 New\n022 Kyiv\n"+row("1")+"\n"; got != want {
		t.Errorf("written as\n%s", got)
	}
	if r.Header("022") != "Kyiv" || r.Header("032") != "" {
		t.Errorf("city %q, federation %q", r.Header("022"), r.Header("032"))
	}
}

// Dates stand where players have the results of their rounds, from column 92 on.
func TestOfficialsTimesAndDatesAreReadBack(t *testing.T) {
	t.Parallel()
	r := read(t, row("1", "   2 w 1"), row("2", "   1 b 0"))
	r.SetHeader("102", "Olena")
	r.SetHeader("122", "bid for: 3-15 min + 0-10 s a move")
	r.SetDates([]time.Time{time.Date(2026, 12, 1, 18, 0, 0, 0, time.UTC), time.Date(2027, 1, 2, 18, 0, 0, 0, time.UTC)})
	text := write(t, r, trf.TRF2026)
	want := "132" + strings.Repeat(" ", 88) + "26/12/01  27/01/02\n"
	if !strings.Contains(text, want) {
		t.Errorf("dates are not at 92 and 102:\n%s", text)
	}
	again := read(t, strings.Split(text, "\n")...)
	if got := write(t, again, trf.TRF2026); got != text {
		t.Errorf("read back as\n%s", got)
	}
	days := []time.Time{time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC), time.Date(2027, 1, 2, 0, 0, 0, 0, time.UTC)}
	if got := again.Dates(); !slices.Equal(got, days) {
		t.Errorf("the dates are %v", got)
	}
	text = strings.Replace(text, "26/12/01", "26/13/01", 1)
	if got := read(t, strings.Split(text, "\n")...).Dates(); len(got) != 2 || !got[0].IsZero() || !got[1].Equal(days[1]) {
		t.Errorf("with a month that is none: %v", got)
	}
	if again.Header("102") != "Olena" || again.Header("132") != "26/12/01  27/01/02" {
		t.Errorf("%q, %q", again.Header("102"), again.Header("132"))
	}
}

func FuzzTRFReadWrite(f *testing.F) {
	files, _ := filepath.Glob("testdata/read/*.trf")
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil && len(data) < 3000 {
			f.Add(string(data))
		}
	}
	f.Add(row("1", "   2 w 1", "0000 - H") + "\r" + row("2", "   1 b 0") + "\r250       1.0   1   2    1    2\rXXS W=3 D=1 FL=0.5")
	if four, err := os.ReadFile("testdata/teams/four.trf"); err == nil {
		f.Add(string(four) + "320  1.0  1.0 000 001\n240 H   2    3\n330 -+   3   1   2\n300   2   3   1 0006 0000\n362 TW 3.0   TD 1.0\n" +
			"250  1.0  0.0   1   2    1    2\n260          1    4\n")
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := trf.ReadAny(text)
		if err != nil {
			return
		}
		checkRoundTrip(t, r)
	})
}

func TestThousandsOfPointsStayInTheirColumns(t *testing.T) {
	t.Parallel()
	r := read(t, strings.Replace(row("1", "0000 - Z"), " 0.0    1", "2000    1", 1))
	if p := r.Players[0]; p.Points != 20000 || p.Rank != 1 {
		t.Fatalf("%+v", p)
	}
	checkRoundTrip(t, r)
}
