package tiebreak_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/tiebreak"
)

// teams reads an event of teams. A round is a line of matches "1-4 1=", with the results of the first
// team by board (1 = 0, + - forfeits by board, x: nobody), or byes "5 U", "6 Z", "3 H"; "1-4 ++" is a
// match that the second team did not come to, "1-4 --" one that nobody came to; "1-4 *" goes on.
func teams(boards, count int, rounds ...string) tournament.Field {
	t := tournament.TeamEvent{Boards: boards, Game: tournament.StandardPoints(), Matches: map[int][]tournament.TeamMatch{}}
	f := tournament.Field{
		Rounds: len(rounds), Played: len(rounds), Teams: &t,
		Points: tournament.PointSystem{Win: 20, Draw: 10, ForfeitWin: 20, FullBye: 20, HalfBye: 10, PairBye: 10},
	}
	for n := 1; n <= count; n++ {
		f.Players = append(f.Players, tournament.FieldPlayer{Number: n, Name: fmt.Sprint("Team ", n), Rounds: make([]tournament.RoundResult, len(rounds))})
		t.Matches[n] = make([]tournament.TeamMatch, len(rounds))
	}
	half := tournament.Score(5 * boards)
	for r, line := range rounds {
		for _, word := range strings.Split(line, ",") {
			who, result, _ := strings.Cut(strings.TrimSpace(word), " ")
			var a, b int
			if n, _ := fmt.Sscanf(who, "%d-%d", &a, &b); n < 2 {
				x, m := &f.Players[a-1].Rounds[r], &t.Matches[a][r]
				switch result {
				case "U":
					x.Outcome, m.Games = tournament.PairingBye, half
				case "H":
					x.Outcome, m.Games = tournament.HalfBye, half
				case "F":
					x.Outcome, m.Games = tournament.FullBye, 2*half
				case "Z":
					x.Outcome = tournament.ZeroBye
				}
				continue
			}
			x, y := &f.Players[a-1].Rounds[r], &f.Players[b-1].Rounds[r]
			*x = tournament.RoundResult{Opponent: b, Seat: match.First}
			*y = tournament.RoundResult{Opponent: a, Seat: match.Second}
			m, n := &t.Matches[a][r], &t.Matches[b][r]
			switch result {
			case "*":
				x.Outcome, y.Outcome = tournament.Unfinished, tournament.Unfinished
				continue
			case "++":
				x.Outcome, y.Outcome, m.Games = tournament.ForfeitWin, tournament.ForfeitLoss, 2*half
				continue
			case "--":
				x.Outcome, y.Outcome = tournament.ForfeitLoss, tournament.ForfeitLoss
				continue
			}
			for _, board := range result {
				pair := map[rune][2]tournament.Outcome{
					'1': {tournament.Win, tournament.Loss}, '=': {tournament.Draw, tournament.Draw}, '0': {tournament.Loss, tournament.Win},
					'+': {tournament.ForfeitWin, tournament.ForfeitLoss}, '-': {tournament.ForfeitLoss, tournament.ForfeitWin},
					'x': {tournament.ForfeitLoss, tournament.ForfeitLoss},
				}[board]
				m.Boards, n.Boards = append(m.Boards, pair[0]), append(n.Boards, pair[1])
				m.Games += t.Game.Of(pair[0])
				n.Games += t.Game.Of(pair[1])
			}
			switch {
			case m.Games > n.Games:
				x.Outcome, y.Outcome = tournament.Win, tournament.Loss
			case m.Games < n.Games:
				x.Outcome, y.Outcome = tournament.Loss, tournament.Win
			default:
				x.Outcome, y.Outcome = tournament.Draw, tournament.Draw
			}
		}
	}
	return f
}

func teamCodes(t testing.TB, text string) []tiebreak.Code {
	t.Helper()
	list, err := tiebreak.ParseListForTeams(text)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// ofTeams are the values of the last of some codes by number.
func ofTeams(t testing.TB, e tournament.Field, list string) map[int]string {
	t.Helper()
	table, err := tiebreak.Standings(e, teamCodes(t, list))
	if err != nil {
		t.Fatal(err)
	}
	got := map[int]string{}
	for _, s := range table {
		got[s.Number] = s.Values[len(s.Values)-1].String()
	}
	return got
}

// four are four teams on two boards, all against all.
func four() tournament.Field {
	e := teams(2, 4, "1-4 11, 2-3 1=", "1-3 ==, 4-2 =1", "1-2 01, 3-4 11")
	e.RoundRobin = true
	return e
}

func TestFourTeams(t *testing.T) {
	t.Parallel()
	for code, want := range map[string][4]string{
		"PTS:MP": {"4", "3", "3", "2"}, "PTS:GP": {"4", "3", "3.5", "1.5"}, "MPvGP": {"4", "3", "3.5", "1.5"},
		"EMMSB": {"10", "10", "8", "6"}, "EMGSB": {"10", "9.5", "9.5", "4.5"},
		"EGMSB": {"9.5", "11", "7", "6"}, "EGGSB": {"9.5", "10", "8.5", "4.5"},
		"MPvGP,BC": {"6.5", "3.5", "5.5", "2.5"}, // nobody is tied then
		"SSSC":     {"6.67", "6", "6.5", "4.83"}, // divided by 3·2/2
		"SSSC/K1":  {"12", "12", "12.5", "11.5"}, // 4+8, 3+9, 3½+9, 1½+10
		"EDE":      {"1", "1", "2", "1"},         // 2 beat 3
		"DE":       {"1", "1", "2", "1"},
		"DE:GP":    {"1", "1", "2", "1"}, // 1½ against ½
		"TBR":      {"1.5", "2.5", "1.5", "0.5"},
		"BBE":      {"1.5", "2.5", "1.5", "0.5"}, // without the second board
		// Without the product with 4, who has the fewest MP; for 4 that with 3, the lower of two with 3 MP.
		"EMGSB/C1": {"6", "8.5", "5.5", "4.5"},
	} {
		got := ofTeams(t, four(), code)
		for n, w := range want {
			if got[n+1] != w {
				t.Errorf("%s of %d is %s, want %s", code, n+1, got[n+1], w)
			}
		}
	}
	// GP first puts 3 ahead of 2; the encounter puts 2 ahead.
	for list, want := range map[string][]int{"MPvGP": {1, 3, 2, 4}, "EDEBB": {1, 2, 3, 4}} {
		table, err := tiebreak.Standings(four(), teamCodes(t, list))
		if err != nil {
			t.Fatal(err)
		}
		for i, n := range want {
			if table[i].Number != n || table[i].Rank != i+1 {
				t.Errorf("%s: place %d has %d, rank %d; want %d", list, i+1, table[i].Number, table[i].Rank, n)
			}
		}
	}
}

func TestTiebreaksOfTeams(t *testing.T) {
	t.Parallel()
	// 1 beat 2 by 2-0 and lost to 3 by ½-1½; 3 and 2 had byes, worth 1 MP and 1 GP.
	// MP 2 1 3, GP 2½ 1 2½.
	swiss := teams(2, 3, "1-2 11, 3 U", "3-1 1=, 2 U")
	byGames := teams(2, 3, "1-2 11, 3 U", "3-1 1=, 2 U")
	byGames.Teams.ByGames = true
	left := teams(2, 3, "1-2 11, 3 U", "3-1 1=, 2 Z")
	requested := teams(2, 3, "1-2 11, 3 U", "3-2 1=, 1 H")
	boards := teams(4, 2, "1-2 1001")
	uneven := teams(4, 3, "1-2 1001", "1-3 1111", "2-3 111=")
	circle := teams(2, 3, "1-2 11", "2-3 1=", "3-1 1=")
	forfeits := teams(2, 4, "1-2 +0, 3-4 ++")
	nobody := teams(2, 2, "1-2 --")
	running := teams(2, 4, "1-2 11, 3-4 *")
	for _, e := range []*tournament.Field{&boards, &uneven, &circle} {
		e.RoundRobin = true
	}
	for _, c := range []struct {
		name   string
		event  tournament.Field
		codes  string
		number int
		want   string
	}{
		{"MP of the opponent times GP against them", swiss, "EMGSB", 1, "3.5"},                // 1·2 + 3·½
		{"a bye is a dummy with the team's own MP", swiss, "EMGSB", 2, "1"},                   // 2·0 + 1·1
		{"of at most a draw in every round", swiss, "EMGSB", 3, "5"},                          // 2·1 + 2·1½
		{"GP of the opponent times MP against them", swiss, "EGMSB", 1, "2"},                  // 1·2 + 2½·0
		{"a dummy's GP are at most those of draws", swiss, "EGMSB", 3, "7"},                   // 2·1 + 2½·2
		{"MP by MP", swiss, "EMMSB", 3, "6"},                                                  // 2·1 + 2·2
		{"GP by GP", swiss, "EGGSB", 3, "5.75"},                                               // 2·1 + 2½·1½
		{"trailing byes of who left are draws by both scores", left, "EGMSB", 1, "2"},         // 1·2 + 2½·0
		{"a requested bye is cut first", requested, "EMGSB/C1", 1, "0"},                       // 0·2 stays, 2·1 goes
		{"and counts otherwise", requested, "EMGSB", 1, "2"},                                  // 0·2 + 2·1
		{"Buchholz is by the primary score", swiss, "BH", 3, "4"},                             // 2 + 2
		{"or by game points", swiss, "BH:GP", 3, "4.5"},                                       // 2 + 2½
		{"which may be primary", byGames, "BH", 3, "4.5"},                                     // the same
		{"and match points second", byGames, "MPvGP", 3, "3"},                                 //
		{"a match won is a win by game points, too", swiss, "WIN:GP", 3, "1"},                 // a bye is a draw
		{"STD by game points compares with a drawn match", swiss, "STD:GP", 3, "1.5"},         // ½ + 1
		{"progressive game points", swiss, "PS:GP", 1, "4.5"},                                 // 2 + 2½
		{"SSSC divides by the rounds", swiss, "SSSC", 3, "4.5"},                               // 2½ + 4/2
		{"SSSC/F takes the last match as drawn", swiss, "SSSC/F", 3, "5"},                     // 2½ + (2+3)/2
		{"a bye is a win on every board in BC", swiss, "PTS:GP,MPvGP,BC", 2, "3"},             // 1·1 + 2·1
		{"and in TBR", swiss, "TBR", 2, "1"},                                                  //
		{"and in BBE", swiss, "BBE", 2, "1"},                                                  //
		{"forfeits on boards are games in BC", forfeits, "PTS:GP,BC", 1, "1"},                 // 1 on board 1
		{"and in TBR", forfeits, "TBR", 1, "1"},                                               //
		{"a match that nobody came to is won on every board", forfeits, "BBE", 3, "1"},        //
		{"a match that neither came to is lost by both", nobody, "PTS:MP", 1, "0"},            //
		{"on every board", nobody, "TBR", 2, "0"},                                             //
		{"BC does not compare different game points", uneven, "BC", 1, "-"},                   // 6 and 5½
		{"BC counts whoever is alone", uneven, "BC", 3, "2"},                                  // ½ on board 4
		{"a circle is told apart by game points", circle, "EDE", 3, "2"},                      // 2½, 1½, 2
		{"by nothing in plain direct encounter", circle, "DE", 3, "1"},                        //
		{"EDE alone leaves a drawn match", boards, "EDE", 2, "1"},                             //
		{"EDEBT: BC is 5 for both, board 1 decides", boards, "EDEBT", 1, "1"},                 //
		{"EDEBT: and the other is second", boards, "EDEBT", 2, "2"},                           //
		{"EDEBB: BC is 5 for both, board 4 is left out", boards, "EDEBB", 1, "2"},             // 1 against 2
		{"EDEBB: and the other is first", boards, "EDEBB", 2, "1"},                            //
		{"EDET goes to board 1 at once", boards, "EDET", 1, "1"},                              //
		{"EDEB leaves out board 4 at once", boards, "EDEB", 1, "2"},                           //
		{"EDEBT passes by BC where game points differ", uneven, "EDEBT", 1, "1"},              // board 1: 2 against 1
		{"EDEBB, too", uneven, "EDEBB", 1, "2"},                                               // boards 1 to 3: 4 against 5
		{"TBR goes on to the next board", teams(2, 2, "1-2 =1"), "PTS:GP,TBR", 1, "0.5"},      //
		{"a match going on is worth nothing yet", running, "PTS:GP", 3, "0"},                  //
		{"Koya by game points has half of all games as its limit", circle, "KS:GP", 1, "0.5"}, // 2 of 4: 3 has it
		{"average Buchholz by game points", swiss, "AOB:GP", 2, "3.5"},                        // 1 has 1 + 2½
		{"Sonneborn-Berger by match points", swiss, "SB:MP", 3, "6"},                          // as EMMSB
		{"Fore Buchholz by game points", swiss, "FB:GP", 3, "5"},                              // 2 + 3
		{"what a match adds up to on the boards", teams(3, 2, "1-2 10="), "PTS:GP", 2, "1.5"}, //
		{"the number of a team", teams(3, 2, "1-2 10="), "TPN", 2, "2"},                       //
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := ofTeams(t, c.event, c.codes)[c.number]; got != c.want {
				t.Errorf("%s of %d is %s, want %s", c.codes, c.number, got, c.want)
			}
		})
	}
}

// All drew. On board 1 teams 1 and 2 have 1, the others 0; on board 2 they have 0, ½, 1, ½.
func TestBoardsAreComparedInTurn(t *testing.T) {
	t.Parallel()
	e := teams(3, 4, "1-3 10=, 2-4 1=0")
	for code, want := range map[string][]string{
		"TBR": {"1: 2 1", "2: 1 1", "3: 3 0", "4: 4 0"},
		// Without board 3: 1, 1½, 1, ½; without board 2 as well: 1 and 0.
		"BBE": {"1: 2 1.5", "2: 1 1", "3: 3 1", "4: 4 0.5"},
	} {
		table, err := tiebreak.Standings(e, teamCodes(t, code))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range table {
			got = append(got, fmt.Sprintf("%d: %d %v", s.Rank, s.Number, s.Values[0]))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", code, got, want)
		}
	}
}

// The primary score says nothing of 1 to 4, of whom each has won, drawn and lost; the secondary says
// 3½, 3, 3 and 2½, and the match of the two in the middle is looked at anew.
func TestExtendedEncounterBeginsAnew(t *testing.T) {
	t.Parallel()
	e := teams(2, 4, "2-4 1=, 1-3 1=", "3-2 1=, 4-1 11", "3-4 10, 1-2 10")
	e.RoundRobin = true
	want := map[int]string{4: "1", 3: "2", 2: "3", 1: "4"}
	if got := ofTeams(t, e, "EDE"); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	table, err := tiebreak.Standings(e, teamCodes(t, "EDE"))
	if err != nil {
		t.Fatal(err)
	}
	steps := map[int]string{}
	for _, s := range table {
		why := s.Why[0]
		steps[s.Number] = fmt.Sprint(why.By, why.Tied)
		for _, w := range why.Then {
			steps[s.Number] += fmt.Sprint(" ", w.By, w.Tied)
		}
	}
	all := "MP[1 2 3 4] GP[1 2 3 4]"
	if want := map[int]string{1: all, 2: all + " MP[2 3]", 3: all + " MP[2 3]", 4: all}; !reflect.DeepEqual(steps, want) {
		t.Errorf("steps %v, want %v", steps, want)
	}
}

func TestExplanationsOfTeamsAddUp(t *testing.T) {
	t.Parallel()
	e := teams(2, 5, "1-2 11, 3-4 1=, 5 U", "1-3 =0, 4-5 ++, 2 H", "5-1 x1, 2-3 10, 4 Z")
	list := teamCodes(t, "MPvGP,EMMSB,EMGSB/C1,EGMSB/M1,EGGSB,BH:GP/C1,PS:MP,SSSC,SSSC/K7,BC")
	table, err := tiebreak.Standings(e, list)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range table {
		for k, c := range list {
			if !s.Values[k].Defined {
				continue
			}
			total := int64(0)
			for _, term := range s.Why[k].Terms {
				if !term.Cut {
					total += term.Worth.Hundredths
				}
			}
			by := max(1, int64(s.Why[k].Divided))
			total += by * s.Why[k].Plus.Hundredths
			if d := 2 * (by*s.Values[k].Hundredths - total); d > by || d < -by {
				t.Errorf("%s of %d is %v, the terms give %d/%d", c, s.Number, s.Values[k], total, by)
			}
		}
	}
}

func TestCodesOfTeams(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"mpvgp": "MPvGP", "emgsb-c1": "EMGSB/C1", "bh:mp/c1": "BH:MP/C1", "DE:gp/P": "DE:GP/P", "SSSC/K3/F": "SSSC/F/K3", "EDEBT/P": "EDEBT/P",
	} {
		c, err := tiebreak.ParseForTeams(text)
		if err != nil || c.String() != want {
			t.Errorf("%q reads as %q, %v; want %q", text, c, err, want)
		}
		if again, err := tiebreak.ParseForTeams(c.String()); err != nil || again.String() != want {
			t.Errorf("%q reads as %q, %v", c, again, err)
		}
		if _, err := tiebreak.Parse(text); err == nil {
			t.Errorf("%q is no tie-break of players", text)
		}
	}
	for _, text := range []string{"BH:XX", "BH:", "MPvGP:MP", "ARO:MP", "SSSC/K0", "BC/C1", "EDE/C1", "CPD", "TPN:GP"} {
		if c, err := tiebreak.ParseForTeams(text); err == nil {
			t.Errorf("%q reads as %q", text, c)
		}
	}
	offered := tiebreak.OfferedToTeams()
	if !slices.Contains(offered, "EDEBB") || !slices.Contains(offered, "BH/C1") || slices.Contains(offered, "ARO") {
		t.Errorf("offered to teams: %v", offered)
	}
	// Whatever is offered tells somebody apart somewhere.
	varied := teams(3, 6, "1-2 110, 3-4 ===, 5-6 101", "1-3 00=, 2-5 ++, 4 U, 6 Z", "4-1 110, 6-2 0-0, 5 H, 3 Z", "1-6 ==0, 2-4 1=1, 3-5 +01")
	level := teams(4, 2, "1-2 1001")
	circle := teams(2, 3, "1-2 11", "2-3 1=", "3-1 1=")
	met := teams(2, 4, "1-2 10, 3-4 10", "1-3 11, 2-4 11", "1-4 ==, 2-3 ==")
	for _, text := range offered {
		separates := func(e tournament.Field) bool {
			table, err := tiebreak.Standings(e, teamCodes(t, text))
			if err != nil {
				t.Fatal(err)
			}
			return slices.ContainsFunc(table, func(s tiebreak.Standing) bool { return s.Values[0] != table[0].Values[0] })
		}
		if !separates(varied) && !separates(level) && !separates(circle) && !separates(met) {
			t.Errorf("%s: all teams have the same", text)
		}
	}
}

func TestContradictoryTeamsAreRefused(t *testing.T) {
	t.Parallel()
	none := four()
	none.Teams.Boards = 0
	wide := four()
	wide.Teams.Boards = 1
	stranger := four()
	stranger.Players = stranger.Players[:3]
	for name, e := range map[string]tournament.Field{"no boards": none, "more boards than a match has": wide, "an opponent from nowhere": stranger} {
		if _, err := tiebreak.Standings(e, nil); !errors.Is(err, tiebreak.ErrField) {
			t.Errorf("%s: %v", name, err)
		}
	}
	players := four()
	players.Teams = nil
	if _, err := tiebreak.Standings(players, teamCodes(t, "BC")); !errors.Is(err, tiebreak.ErrField) {
		t.Errorf("players by boards: %v", err)
	}
}

func TestStandingsOfTeamsDoNotDependOnTheirOrder(t *testing.T) {
	t.Parallel()
	e := teams(3, 6, "1-2 110, 3-4 ===, 5-6 101", "1-3 00=, 2-5 ++, 4 U, 6 Z", "4-1 110, 6-2 0-0, 5 H, 3 Z", "1-6 ==0, 2-4 1=1, 3-5 +01")
	list := teamCodes(t, strings.Join(tiebreak.OfferedToTeams(), ","))
	want, err := tiebreak.Standings(e, list)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		shuffled := e
		shuffled.Players = rapid.Permutation(e.Players).Draw(t, "teams")
		got, err := tiebreak.Standings(shuffled, list)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%v\nwant\n%v", got, want)
		}
	})
}
