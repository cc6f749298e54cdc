package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/tournament/trf"
)

func TestATableIsReadWithAndWithoutItsMarks(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"plain":  "rank,number,player,club,rating,score,DE,SB\n1,2,anna,,1500,1.5,-,2\n",
		"marked": "rank,number,player,club,rating,score,DE,SB,bot\n1,2,anna,,1500,1.5,-,2,bot\n",
	} {
		file := filepath.Join(t.TempDir(), "standings.csv")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		table, err := readStandings(file, tables.FinalTable{})
		if err != nil || !slices.Equal(table.Codes, []string{"DE", "SB"}) || len(table.Lines) != 1 || !slices.Equal(table.Lines[0].Values, []string{"-", "2"}) || table.Lines[0].Score != 15 {
			t.Errorf("%s: %+v, %v", name, table, err)
		}
	}
}

// TestRoundsThatStaffEditedAreNoDifferences: four meet 1-2 and 3-4 in round 1, where
// the system pairs 1-3 and 2-4.
func TestRoundsThatStaffEditedAreNoDifferences(t *testing.T) {
	t.Parallel()
	f := tournament.Field{Rounds: 3, Played: 1, Points: tournament.StandardPoints(), Opening: match.First}
	for i, x := range []tournament.RoundResult{
		{Opponent: 2, Seat: match.First, Outcome: tournament.Win}, {Opponent: 1, Seat: match.Second, Outcome: tournament.Loss},
		{Opponent: 4, Seat: match.First, Outcome: tournament.Win}, {Opponent: 3, Seat: match.Second, Outcome: tournament.Loss},
	} {
		f.Players = append(f.Players, tournament.FieldPlayer{Number: i + 1, Name: "p" + strconv.Itoa(i+1), Rating: 2000 - i, Rounds: []tournament.RoundResult{x}})
	}
	var report strings.Builder
	if err := trf.FromField(f).Write(&report, trf.TRF2026); err != nil {
		t.Fatal(err)
	}
	for comment, want := range map[string]struct {
		status int
		says   []string
	}{
		"":                        {1, []string{"round 1, ", "0 edited by staff, 1 differ"}},
		"### edited round 1\n":    {0, []string{"edited by staff: round 1, ", "1 edited by staff, 0 differ"}},
		"### overtaken round 1\n": {0, []string{"paired before a correction: round 1, ", "0 differ"}},
		"### edited round 2\n":    {1, []string{"0 edited by staff, 1 differ"}},
	} {
		status, out, errOut := runWith(report.String()+comment, "check")
		if status != want.status {
			t.Errorf("%q: status %d, %s", comment, status, errOut)
		}
		for _, says := range want.says {
			if !strings.Contains(out, says) {
				t.Errorf("%q: no %q in\n%s", comment, says, out)
			}
		}
	}
}

// TestTheReportOfARoundRobinKeepsTheGamesOfThoseWhoLeft: five play all, and 5 leaves after
// one game of four (round 1: 2-5), which counts for nobody and is in the report all the same.
func TestTheReportOfARoundRobinKeepsTheGamesOfThoseWhoLeft(t *testing.T) {
	t.Parallel()
	host := player.Viewer{Player: player.Player{ID: "host", Role: player.Organizer}}
	now := time.Date(2026, 5, 1, 18, 0, 0, 0, time.UTC)
	s := tournament.DefaultSettings(tournament.RoundRobin)
	s.Name, s.Numbering = "Friday", tournament.Given
	tour, err := tournament.New("t", host.ID, s, now)
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ok(err)
	ok(tour.OpenRegistration(host, now))
	for i := range 5 {
		_, err := tour.Register(host, tournament.Candidate{Name: "Player " + strconv.Itoa(i+1), Rating: 1900 - 100*i}, now)
		ok(err)
	}
	ok(tour.Start(host, tournament.Drawing{Seed: "00", Pick: func(int) int { return 0 }}, now))
	for n := 1; n <= 5; n++ {
		_, err := tour.PairNext(format.System(&tour.Table), func() match.ID { t.Fatal("guests have no match"); return "" }, now)
		ok(err)
		for _, p := range tour.Rounds[n-1].Pairings {
			if p.Result.IsPending() {
				ok(tour.Enter(host, n, p.Board, tournament.FirstWins, false, now))
			}
		}
		if n == 1 {
			ok(tour.Withdraw(host, 5))
		}
	}
	var report strings.Builder
	ok(tables.WriteReport(&report, tour, nil, nil))
	read, err := trf.Read(report.String())
	ok(err)
	games := map[string]int{}
	for _, p := range read.Players {
		for _, r := range p.Rounds {
			if r.Opponent != 0 && r.Outcome.IsPlayed() {
				games[p.Name]++
			}
		}
	}
	if len(read.Players) != 5 || games["Player 5"] != 1 || games["Player 2"] != 4 {
		t.Errorf("%d players, games %v in\n%s", len(read.Players), games, report.String())
	}
	if status, out, errs := runOn(t, report.String(), "check"); status != 0 || !strings.Contains(out, "0 differ") {
		t.Errorf("check: status %d, %s%s", status, out, errs)
	}
	table, err := tables.TableOf(tour)
	ok(err)
	_, out, _ := runOn(t, report.String(), "standings")
	lines := strings.Split(out, "\n")
	for i, l := range table.Lines {
		score := strconv.FormatFloat(float64(l.Score)/10, 'f', -1, 64)
		if f := strings.Fields(lines[i+1]); len(f) < 5 || f[0] != strconv.Itoa(l.Rank) || f[2]+" "+f[3] != l.Name || f[4] != score {
			t.Errorf("%+v stands as %q", l, lines[i+1])
		}
	}
}

// A report of every format is paired again without a difference, or says that it cannot be; its places are read back.
func TestReportsOfEveryFormatAreCheckedOrSayWhyNot(t *testing.T) {
	t.Parallel()
	host := player.Viewer{Player: player.Player{ID: "host", Role: player.Organizer}}
	now := time.Date(2026, 5, 1, 18, 0, 0, 0, time.UTC)
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	results := []tournament.ResultKind{tournament.FirstWins, tournament.SecondWins, tournament.Drawn, tournament.FirstByForfeit, tournament.DoubleForfeit}
	for _, f := range tournament.Formats() {
		for people := 3; people <= 13 && f.InRounds(); people += 2 {
			s := tournament.DefaultSettings(f)
			s.Name, s.Numbering, s.Rounds = "Friday", tournament.Given, map[bool]int{true: 3}[f.PairsByScore()]
			tour, err := tournament.New("t", host.ID, s, now)
			ok(err)
			ok(tour.OpenRegistration(host, now))
			for i := range people {
				_, err := tour.Register(host, tournament.Candidate{Name: "Player " + strconv.Itoa(i+1), Rating: 1900 - 50*i}, now)
				ok(err)
			}
			ok(tour.Start(host, tournament.Drawing{Seed: "00", Pick: func(int) int { return 0 }}, now))
			for played := 0; len(tour.Rounds) < 20; {
				if _, err := tour.PairNext(format.System(&tour.Table), func() match.ID { t.Fatal("guests have no match"); return "" }, now); err != nil {
					break
				}
				n := len(tour.Rounds)
				for _, p := range tour.Rounds[n-1].Pairings {
					if p.Result.IsPending() {
						ok(tour.Enter(host, n, p.Board, results[(played*7+people)%len(results)], false, now))
						played++
					}
				}
			}
			var report strings.Builder
			ok(tables.WriteReport(&report, tour, nil, nil))
			status, out, errs := runOn(t, report.String(), "check")
			if f.ReportSystem(false) != "" && (status != 2 || !strings.Contains(errs, "check its log")) ||
				f.ReportSystem(false) == "" && (status != 0 || !strings.Contains(out, "0 differ")) {
				t.Errorf("%s of %d: status %d, %s%s\n%s", f, people, status, out, errs, report.String())
			}
			if f.ReportSystem(false) == "" {
				continue
			}
			table, err := format.Standings(tour, -1)
			ok(err)
			_, out, errs = runOn(t, report.String(), "standings")
			lines := strings.Split(out, "\n")
			for i, l := range table.Lines {
				if f := strings.Fields(lines[i+1]); len(f) < 4 || f[0] != strconv.Itoa(l.Rank) || f[2]+" "+f[3] != l.Name {
					t.Errorf("%s of %d: %d %s stands as %q %s", tour.Format, people, l.Rank, l.Name, lines[i+1], errs)
				}
			}
		}
	}
}
