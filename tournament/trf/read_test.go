package trf_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/intake"
	"chpok.org/chpok/tournament/trf"
)

// row is a 001 record with the name column filled, then the round columns.
func row(number string, rounds ...string) string {
	return "001 " + strings.Repeat(" ", 4-len(number)) + number +
		"      Name" + strings.Repeat(" ", 30) + "2000" + strings.Repeat(" ", 28) + " 0.0    1" +
		strings.Join(append([]string{""}, rounds...), "  ")
}

// readAny reads a report as it comes from people.
func readAny(raw []byte) (*trf.Report, error) {
	text, _, err := intake.Read(raw)
	if err != nil {
		return nil, err
	}
	return trf.Read(text)
}

func read(t *testing.T, lines ...string) *trf.Report {
	t.Helper()
	r, err := readAny([]byte(strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestPublishedFilesRead(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/read/*.trf")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r, err := trf.Read(string(data))
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if len(r.Warnings) > 0 {
			t.Errorf("%s: %v", file, r.Warnings)
		}
		if got := strings.Count("\n"+string(data), "\n001"); len(r.Players) != got {
			t.Errorf("%s: %d players, the file has %d", file, len(r.Players), got)
		}
	}
}

func TestFieldOfAPlayedTournament(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/read/points-0012.trf")
	if err != nil {
		t.Fatal(err)
	}
	r := read(t, string(data))
	f := r.Field()
	want := tournament.PointSystem{Win: 30, Draw: 20, Loss: 10, ForfeitWin: 30, FullBye: 30, HalfBye: 20, PairBye: 20}
	switch {
	case f.Name != "points-0012" || f.Rounds != 4 || f.Played != 3 || f.Opening != match.Second:
		t.Errorf("name %q, %d rounds, %d played, opening %v", f.Name, f.Rounds, f.Played, f.Opening)
	case f.Points != want:
		t.Errorf("points %+v", f.Points)
	}
	third := f.Players[2]
	if third.Number != 3 || third.Rating != 2513 || third.Name != "Player 0003" {
		t.Errorf("third player %+v", third)
	}
	wantRounds := []tournament.RoundResult{
		{Opponent: 16, Seat: match.Second, Outcome: tournament.Win},
		{Opponent: 10, Seat: match.First, Outcome: tournament.Win},
		{Opponent: 2, Seat: match.Second, Outcome: tournament.Draw},
		{Outcome: tournament.HalfBye},
	}
	for i, want := range wantRounds {
		if !reflect.DeepEqual(third.Rounds[i], want) {
			t.Errorf("round %d is %+v, want %+v", i+1, third.Rounds[i], want)
		}
	}
}

func TestHowManyRoundsArePlayed(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name  string
		lines []string
		want  int
	}{
		{"no column at all", []string{row("1"), row("2")}, 0},
		{"byes asked for do not make a round", []string{row("1", "0000 - Z"), row("2")}, 0},
		{"a game makes a round", []string{row("1", "   2 w 1"), row("2", "   1 b 0")}, 1},
		{"a game without a result makes a round", []string{row("1", "   2 w"), row("2", "   1 b")}, 1},
		{"a forfeited game makes a round", []string{row("1", "   2 w +"), row("2", "   1 b -")}, 1},
		{"the pairing-allocated bye makes a round", []string{row("1", "0000 - U"), row("2", "0000 - Z")}, 1},
		{"a bye after the last game is an absence of the next round", []string{row("1", "   2 w 1", "0000 - H"), row("2", "   1 b 0")}, 1},
		{"240 adds an absence", []string{row("1", "   2 w 1"), row("2", "   1 b 0"), "240 H   2    1"}, 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := read(t, c.lines...).Field().Played; got != c.want {
				t.Errorf("%d rounds, want %d", got, c.want)
			}
		})
	}
}

func TestSettingsInBothDialects(t *testing.T) {
	t.Parallel()
	players := []string{row("1"), row("2"), row("3")}
	cases := []struct {
		name        string
		modern, old []string
	}{
		{"rounds", []string{"142 7"}, []string{"XXR 7"}},
		{"initial colour", []string{"152 B"}, []string{"XXC black1"}},
		{"point system", []string{"162  W 3.0    D 1.0    P 2.0"}, []string{"BBW  3.0", "BBD  1.0", "BBU  2.0"}},
		{"absences of the next round", []string{"240 Z   1    1    3"}, []string{"XXZ 1 3"}},
		{"acceleration", []string{"250       1.0   1   2    1    2", "250       0.5   3   3    1    2"},
			[]string{"XXA    1  1.0  1.0  0.5", "XXA    2  1.0  1.0  0.5"}},
		{"forbidden pairs", []string{"260            1    2    3"}, []string{"XXP 1 2 3"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a := read(t, append(c.modern, players...)...)
			b := read(t, append(c.old, players...)...)
			if got, want := fieldText(a), fieldText(b); got != want {
				t.Errorf("TRF-2026 gives\n%s\nthe older record\n%s", got, want)
			}
			if got, plain := fieldText(a), fieldText(read(t, players...)); got == plain {
				t.Errorf("the record changes nothing: %s", got)
			}
		})
	}
}

func TestEveryMalformedLineIsNamed(t *testing.T) {
	t.Parallel()
	_, err := readAny([]byte(strings.Join([]string{
		"012 Broken",                       // 1
		"142 many",                         // 2
		"152 G",                            // 3
		"162  W x.0",                       // 4
		row("1", "   2 w 1", "   9 w 1"),   // 5: 9 is not there
		row("2", "   1 w 0"),               // 6: colours equal
		row("x"),                           // 7
		row("2"),                           // 8: twice
		"240 Q   2    1",                   // 9
		"250       1.0   3   1    1    2",  // 10
		"260   1   2    8",                 // 11: 8 is not there
		"XXP one",                          // 12
		"BBW",                              // 13
		"XXS WW=1 BW=2",                    // 14
		"### a comment is never wrong",     // 15
		row("4", "   5 w 1", "   5 b 0"),   // 16
		row("5", "   4 b 1", "   4 w    "), // 17: two winners; no result against a loss
		"XXA    1  a.b",                    // 18
		row("6", "   7 - 1"),               // 19: no colour
		row("7", "   6 w H", "0000 - 1"),   // 20
	}, "\r\n")))
	var syntax *trf.SyntaxError
	if !errors.As(err, &syntax) {
		t.Fatalf("error %v", err)
	}
	named := map[int]bool{}
	last := 0
	for _, p := range syntax.Problems {
		if p.Reason == "" || p.Line < last {
			t.Errorf("problem %+v after line %d", p, last)
		}
		last = p.Line
		named[p.Line] = true
		if !strings.Contains(err.Error(), p.String()) {
			t.Errorf("the error leaves out %q", p)
		}
	}
	for line := 1; line <= 20; line++ {
		good := line == 1 || line == 15 || line == 17
		if named[line] == good {
			t.Errorf("line %d named: %v", line, named[line])
		}
	}
}

func TestTextForms(t *testing.T) {
	t.Parallel()
	body := []string{"012 Кубок", row("1", "   2 w 1"), row("2", "   1 b 0")}
	want := fieldText(read(t, body...))
	for name, end := range map[string]string{"CR": "\r", "LF": "\n", "CRLF": "\r\n"} {
		if r, err := readAny([]byte(strings.Join(body, end) + end)); err != nil || fieldText(r) != want {
			t.Errorf("line ends %s: %v", name, err)
		}
	}
	latin := strings.Replace(row("1"), "Name", "M\xfcll", 1)
	if r := read(t, latin); r.Players[0].Name != "Müll" || r.Players[0].Rating != 2000 {
		t.Errorf("Latin-1 gives %+v", r.Players[0])
	}
	byRunes := strings.Replace(row("1"), "Name", "Юлія", 1)
	if r := read(t, byRunes); r.Players[0].Name != "Юлія" || r.Players[0].Rating != 2000 {
		t.Errorf("columns counted in characters give %+v", r.Players[0])
	}
	byBytes := strings.Replace(row("1"), "Name    ", "Юлія", 1)
	if r := read(t, byBytes); r.Players[0].Name != "Юлія" || r.Players[0].Rating != 2000 {
		t.Errorf("columns counted in bytes give %+v", r.Players[0])
	}
}

func TestPointsThatDoNotMatchAreAWarning(t *testing.T) {
	t.Parallel()
	r := read(t, row("1", "   2 w 1"), row("2", "   1 b 0"))
	if len(r.Warnings) != 1 || r.Warnings[0].Line != 1 {
		t.Errorf("warnings %v", r.Warnings)
	}
}

func TestOpeningIsSeenFromTheFirstRound(t *testing.T) {
	t.Parallel()
	r := read(t, row("1", "0000 - Z"), row("2", "   3 b 1"), row("3", "   2 w 0"))
	if got := r.Field().Opening; got != match.Second {
		t.Errorf("opening seat %v, number 2 was the first of those paired and had black", got)
	}
}
