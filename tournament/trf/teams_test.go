package trf_test

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/trf"
)

// fourTeams is a round robin of four teams on two boards: 1-4 1 1, 2-3 1 ½; 1-3 ½ ½, 4-2 ½ 1; 1-2 0 1, 3-4 1 1.
func fourTeams(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("testdata/teams/four.trf")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func readTeams(t *testing.T, text string) *trf.Report {
	t.Helper()
	r, err := trf.ReadAny(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestMatchesOfTeamsFollowFromTheGames(t *testing.T) {
	t.Parallel()
	f := readTeams(t, fourTeams(t)).TeamField()
	if f.Played != 3 || f.Rounds != 3 || len(f.Players) != 4 || f.Opening != match.First {
		t.Fatalf("%d of %d rounds, %d teams, opening %v", f.Played, f.Rounds, len(f.Players), f.Opening)
	}
	type round struct {
		opponent int
		seat     match.Seat
		outcome  tournament.Outcome
		games    tournament.Score
	}
	const first, second = match.First, match.Second
	for number, want := range map[int][]round{
		1: {{4, first, tournament.Win, 20}, {3, first, tournament.Draw, 10}, {2, first, tournament.Draw, 10}},
		2: {{3, first, tournament.Win, 15}, {4, second, tournament.Loss, 5}, {1, second, tournament.Draw, 10}},
		3: {{2, second, tournament.Loss, 5}, {1, second, tournament.Draw, 10}, {4, first, tournament.Win, 20}},
		4: {{1, second, tournament.Loss, 0}, {2, first, tournament.Win, 15}, {3, second, tournament.Loss, 0}},
	} {
		for k, w := range want {
			c := f.Players[number-1].Rounds[k]
			if got := (round{c.Opponent, c.Seat, c.Outcome, f.Teams.Matches[number][k].Games}); got != w {
				t.Errorf("team %d, round %d: %v, want %v", number, k+1, got, w)
			}
		}
	}
}

// changed replaces texts of a report, each of which must be there.
func changed(t *testing.T, text string, pairs ...string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("%q is not in the report", pairs[i])
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return text
}

// outcomes returns what a round gave a team: the outcome of the match, the game points and the boards.
func outcomes(r *trf.Report, team, round int) (tournament.Outcome, tournament.Score, []tournament.Outcome) {
	f := r.TeamField()
	m := f.Teams.Matches[team][round-1]
	return f.Players[team-1].Rounds[round-1].Outcome, m.Games, m.Boards
}

func TestAnEmptyBoardIsLost(t *testing.T) {
	t.Parallel()
	// In round 3 nobody sits on the first board of team 4; player 7 sits on none.
	r := readTeams(t, changed(t, fourTeams(t), "     7 w 1\n", "  0000 w +\n", "     5 b 0\n", "\n")+"300   3   4   3 0000    8\n")
	outcome, games, boards := outcomes(r, 3, 3)
	if want := []tournament.Outcome{tournament.ForfeitWin, tournament.Win}; outcome != tournament.Win || games != 20 || !reflect.DeepEqual(boards, want) {
		t.Errorf("team 3: %v, %v, %v", outcome, games, boards)
	}
	outcome, games, boards = outcomes(r, 4, 3)
	if want := []tournament.Outcome{tournament.ForfeitLoss, tournament.Loss}; outcome != tournament.Loss || games != 0 || !reflect.DeepEqual(boards, want) {
		t.Errorf("team 4: %v, %v, %v", outcome, games, boards)
	}
}

func TestALineUpOutOfOrderDecidesTheBoards(t *testing.T) {
	t.Parallel()
	// In round 2 team 3 plays with 6 on the first board and 5 on the second: 1-6 ½, 2-5 ½.
	text := changed(t, fourTeams(t),
		"     5 w =", "     6 w =", // 1
		"     6 b =     4", "     5 b =     4", // 2
		"     1 b =     7 w", "     2 w 0     7 w", // 5
		"     2 w =     8", "     1 b =     8", // 6
	)
	text = changed(t, text, "     5 b =     4", "     5 b 1     4") // 2 beats 5
	r := readTeams(t, text+"300   2   3   1    6    5\n")
	_, games, boards := outcomes(r, 3, 2)
	if want := []tournament.Outcome{tournament.Draw, tournament.Loss}; games != 5 || !reflect.DeepEqual(boards, want) {
		t.Errorf("team 3: %v, %v", games, boards)
	}
	if _, _, boards = outcomes(r, 1, 2); !reflect.DeepEqual(boards, []tournament.Outcome{tournament.Draw, tournament.Win}) {
		t.Errorf("team 1: %v", boards)
	}
}

func TestAForfeitedMatchDoesNotCountWhatWasPlayed(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string][2]tournament.Score{"+-": {20, 0}, "-+": {0, 20}, "--": {0, 0}} {
		r := readTeams(t, fourTeams(t)+"330 "+kind+"   1   2   3\n")
		outcome, games, boards := outcomes(r, 2, 1)
		_, other, _ := outcomes(r, 3, 1)
		if games != want[0] || other != want[1] || outcome.IsPlayed() || len(boards) != 2 || boards[0] != outcome {
			t.Errorf("%s: %v, game points %v and %v, boards %v", kind, outcome, games, other, boards)
		}
		if !r.TeamField().Teams.Matches[2][0].Played {
			t.Errorf("%s: no game was played", kind)
		}
	}
	// Nobody came at all: the players' rows are empty.
	text := changed(t, fourTeams(t), "     5 w 1     7 b", "               7 b", "     6 b =     8", "               8",
		"     3 b 0     1 b", "               1 b", "     4 w =     2", "               2")
	r := readTeams(t, text+"330 +-   1   2   3\n")
	outcome, games, _ := outcomes(r, 2, 1)
	if outcome != tournament.ForfeitWin || games != 20 || r.TeamField().Teams.Matches[2][0].Played {
		t.Errorf("an empty match: %v, %v", outcome, games)
	}
}

func TestByesOfTeams(t *testing.T) {
	t.Parallel()
	extra := "310   5 Team E                           EEE     1900                        9\n" +
		"001    9      Player 9                          1900                             0.0\n" +
		"320  1.0  1.0 005\n240 H   2    5\n240 F   3    5\n"
	r := readTeams(t, fourTeams(t)+extra)
	for round, want := range map[int]struct {
		outcome tournament.Outcome
		games   tournament.Score
	}{1: {tournament.PairingBye, 10}, 2: {tournament.HalfBye, 10}, 3: {tournament.FullBye, 20}} {
		if outcome, games, boards := outcomes(r, 5, round); outcome != want.outcome || games != want.games || boards != nil {
			t.Errorf("round %d: %v with %v, want %v with %v", round, outcome, games, want.outcome, want.games)
		}
	}
}

// The record of the byes says what they are worth, wherever it stands.
func TestAByeOfTeamsIsWorthWhatItsRecordSays(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		fourTeams(t) + "320  1.5  2.0 000 000 000\n362 TW 3.0   TD 1.0   TL 0.0\n",
		fourTeams(t) + "362 TW 3.0   TD 1.0   TL 0.0\n320  1.5  2.0 000 000 000\n",
	} {
		if p := readTeams(t, text).TeamField().Points; p.PairBye != 15 || p.Draw != 10 {
			t.Errorf("points %+v of\n%s", p, text)
		}
	}
}

// FIDE's table of codes: the type of seat preferences, then the scores, the one that pairs first; without a type there are
// none, but the short code is type A by match points.
func TestTheSystemOfTeams(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]tournament.TeamRules{
		"FIDE_TEAM":                  {},
		"FIDE_TEAM_BAKU":             {},
		"FIDE_TEAM_TYPEA_MP_GP":      {},
		"FIDE_TEAM_TYPEA_GP":         {ByGames: true, OneScore: true},
		"FIDE_TEAM_TYPEB_GP_MP":      {Preferences: tournament.TypeB, ByGames: true},
		"FIDE_TEAM_TYPEB_MP_BAKU":    {Preferences: tournament.TypeB, OneScore: true},
		"FIDE_TEAM_MP_GP":            {Preferences: tournament.NoPreferences},
		"FIDE_TEAM_GP":               {Preferences: tournament.NoPreferences, ByGames: true, OneScore: true},
		"FIDE_TEAM_MP_BAKU":          {Preferences: tournament.NoPreferences, OneScore: true},
		"BERGER_TEAM_ROUNDROBIN_G1":  {},
		"FIDE_TEAM_TYPEA_MP_GP_BAKU": {},
	} {
		r := readTeams(t, fourTeams(t))
		r.SetHeader("192", code)
		if got := r.TeamField().Teams.TeamRules; got != want {
			t.Errorf("%s: %+v, want %+v", code, got, want)
		}
		r.SetHeader("192", trf.TeamCode(want))
		if got := r.TeamRules(); got != want {
			t.Errorf("%+v is written %s and reads %+v", want, trf.TeamCode(want), got)
		}
	}
}

func TestTeamsHaveTheirOwnPointsSeatsAndProhibitions(t *testing.T) {
	t.Parallel()
	text := changed(t, fourTeams(t), "352 WB", "352 BW\n362 TW 3.0   TD 1.0   TL 0.5") + "260   1   2    1    4\n250  1.0  0.0   1   2    1    2\n"
	r := readTeams(t, text)
	f := r.TeamField()
	if p := f.Points; p.Win != 30 || p.Draw != 10 || p.Loss != 5 || p.ForfeitLoss != 5 || p.PairBye != 10 || p.ForfeitWin != 30 {
		t.Errorf("points %+v", p)
	}
	if c := f.Players[0].Rounds[0]; c.Seat != match.Second {
		t.Errorf("the first board has black: the team sits %v", c.Seat)
	}
	if want := []tournament.Forbidden{{Numbers: []int{1, 4}, From: 1, To: 2}}; !reflect.DeepEqual(f.Forbidden, want) {
		t.Errorf("forbidden %v", f.Forbidden)
	}
	if want := []tournament.Score{10, 10}; !reflect.DeepEqual(f.Players[1].Virtual, want) || f.Players[2].Virtual != nil {
		t.Errorf("acceleration %v, %v", f.Players[1].Virtual, f.Players[2].Virtual)
	}
	if len(r.Players[0].Virtual) > 0 || len(r.Forbidden) > 0 {
		t.Error("they hold for players")
	}
}

func TestReportsOfTeamsAreWrittenAsTheyAreRead(t *testing.T) {
	t.Parallel()
	text := changed(t, fourTeams(t), "352 WB", "352 BW\n362 TW 3.0   TD 1.0   TL 0.5") +
		"310   5 Team E                           EEE     1900                        9\n" +
		"001    9      Player 9                          1900                             0.0\n" +
		"320  1.0  1.0 005\n240 H   2    5\n330 --   3   1   2\n300   2   3   1    5    6\n260          1    4\n250  1.0  0.0   1   2    1    2\n"
	r := readTeams(t, text)
	for _, dialect := range []trf.Dialect{trf.TRF16, trf.TRF2026} {
		once := write(t, r, dialect)
		again := readTeams(t, once)
		if !reflect.DeepEqual(r.TeamField(), again.TeamField()) {
			t.Errorf("dialect %v reads otherwise:\n%s", dialect, once)
		}
		if twice := write(t, again, dialect); twice != once {
			t.Errorf("dialect %v, written twice:\n%s\nbefore:\n%s", dialect, twice, once)
		}
		if want := "802   1 AAA      4.5    3.0    4 b  2.0     3 b  1.0     2 b  0.0f"; !strings.Contains(once, want) {
			t.Errorf("%q is not in\n%s", want, once)
		}
	}
}

func TestBadTeamRecordsAreNamed(t *testing.T) {
	t.Parallel()
	good := fourTeams(t)
	for line, want := range map[string]string{
		"310   4 Again                            AG":                                    "team 4 has two records",
		"310   5 Team E                           EEE     1900                        1": "player 1 is in the teams 1 and 5",
		"310   5 Team E                           EEE     1900                       99": "player 99 is not in the file",
		"310   5 Team E                           EEE     1900      x":                   `points "x" and "" of a team`,
		"330 ++   1   2   3":    `forfeit "++"`,
		"330 +-   1   2   9":    "team 9 is not in the file",
		"300   1   1   4    3":  "player 3 is not in team 1",
		"352 WXB":               `seats "WXB"`,
		"362 TX 3.0":            `match points of "TX"`,
		"320  1.0      007":     `points "1.0" and ""`,
		"240 H   1    9":        "team 9 is not in the file",
		"260   1   2    1    9": "team 9 is not in the file",
	} {
		_, err := trf.ReadAny(good + line + "\n")
		var syntax *trf.SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
}

func TestOlderTeamRecordsAreNumberedInTheirOrder(t *testing.T) {
	t.Parallel()
	var lines []string
	for _, l := range strings.Split(fourTeams(t), "\n") {
		if name, is := strings.CutPrefix(l, "310   "); is {
			l = "013 " + strings.TrimSpace(name[2:30]) + strings.Repeat(" ", 26) + name[len(name)-9:]
		}
		lines = append(lines, l)
	}
	f, g := readTeams(t, strings.Join(lines, "\n")).TeamField(), readTeams(t, fourTeams(t)).TeamField()
	for i := range g.Players {
		g.Players[i].Rating = 0 // 013 has none
	}
	if !reflect.DeepEqual(f, g) {
		t.Errorf("013 reads %v, 310 %v", f, g)
	}
}

// Programs write both records during the change from 013 to 310.
func TestTheNewTeamRecordsCountWhereBothStand(t *testing.T) {
	t.Parallel()
	text := strings.Replace(fourTeams(t), "310   1", "013 Team A                             1    2\n310   1", 1)
	r := readTeams(t, text)
	if !reflect.DeepEqual(r.TeamField(), readTeams(t, fourTeams(t)).TeamField()) {
		t.Errorf("reads %+v", r.Teams.List)
	}
	if once := write(t, r, trf.TRF2026); strings.Count(once, "\n310") != 4 || !strings.Contains(once, "013 Team A") {
		t.Errorf("written as\n%s", once)
	}
}

func TestAPlayerWithoutABoardHasNoGame(t *testing.T) {
	t.Parallel()
	// In round 3 nobody comes to player 5, and player 7 has no board; neither record tells a seat.
	r := readTeams(t, changed(t, fourTeams(t), "     7 w 1\n", "  0000 - +\n", "     5 b 0\n", "  0000 - -\n")+"300   3   4   3 0000    8\n")
	if len(r.Warnings) > 0 {
		t.Errorf("%v", r.Warnings)
	}
	outcome, games, boards := outcomes(r, 3, 3)
	if want := []tournament.Outcome{tournament.ForfeitWin, tournament.Win}; outcome != tournament.Win || games != 20 || !reflect.DeepEqual(boards, want) {
		t.Errorf("team 3: %v, %v, %v", outcome, games, boards)
	}
	if _, games, boards = outcomes(r, 4, 3); games != 0 || len(boards) != 2 {
		t.Errorf("team 4: %v, %v", games, boards)
	}
}
