package teamswiss_test

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/teamswiss"
	"chpok.org/chpok/tournament/teamswiss/literal"
)

// position reads teams before a round: "3 20 9f 8s!" is number 3 with a score of 20 tenths, who met 9 in
// round 1 as First and 8 in round 2 as Second, with another score than 8 then. U is a bye, - an absence.
// 8 and 9 are there only to have been met.
func position(rules tournament.TeamRules, rows ...string) tournament.Field {
	f := tournament.Field{Rounds: 9, Opening: match.First, Teams: &tournament.TeamEvent{TeamRules: rules, Boards: 4}}
	for _, row := range rows {
		f.Played = max(f.Played, len(strings.Fields(row))-2)
	}
	for _, row := range append(rows, "8 0", "9 0") {
		words := strings.Fields(row)
		number, _ := strconv.Atoi(words[0])
		score, _ := strconv.Atoi(words[1])
		p := tournament.FieldPlayer{Number: number, Virtual: make([]tournament.Score, f.Played+1)}
		p.Virtual[f.Played] = tournament.Score(score)
		for k, word := range words[2:] {
			c := tournament.RoundResult{Outcome: tournament.ZeroBye}
			switch {
			case word == "U":
				c.Outcome = tournament.PairingBye
			case word != "-":
				c = tournament.RoundResult{Opponent: int(word[0] - '0'), Seat: match.First, Outcome: tournament.Draw}
				if word[1] == 's' {
					c.Seat = match.Second
				}
				if strings.HasSuffix(word, "!") {
					p.Virtual[k] = 5
				}
			}
			p.Rounds = append(p.Rounds, c)
		}
		for (number == 8 || number == 9) && len(p.Rounds) <= f.Played {
			p.Rounds = append(p.Rounds, tournament.RoundResult{Outcome: tournament.ZeroBye})
		}
		f.Players = append(f.Players, p)
	}
	return f
}

// Each position was worked out by hand. Read literally without the criterion it is paired otherwise, so
// that no example can pass by accident.
func TestEachCriterionDecides(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		criterion, why string
		rules          tournament.TeamRules
		rows           []string
		want           string
	}{
		{"C1", "1 and 3 have met, so the next identifier is 1 2 4 3",
			tournament.TeamRules{Preferences: tournament.NoPreferences}, []string{"1 0 3f", "2 0 -", "3 0 1s", "4 0 -"}, "1-4 2-3"},
		{"C2", "3 stands last and has had the bye; of 1 and 2 the larger number has it",
			tournament.TeamRules{}, []string{"1 20 -", "2 20 -", "3 0 U"}, "1-3 bye 2"},
		{"C3", "1 and 2 could meet, but 3 has met all who would be left to it",
			tournament.TeamRules{Preferences: tournament.NoPreferences},
			[]string{"1 20 - - -", "2 20 - - -", "3 10 4f 5s 6f", "4 10 3s - -", "5 10 - 3f -", "6 10 - - 3s"}, "1-3 2-4 5-6"},
		{"C4", "1 and 2 meet, nobody comes up",
			tournament.TeamRules{}, []string{"1 20", "2 20", "3 10", "4 10"}, "1-2 3-4"},
		{"C5", "3 and 5 have more than 2, even if 5 then needs somebody",
			tournament.TeamRules{}, []string{"1 20", "2 0", "3 10", "5 10"}, "1-3 2-5"},
		{"C6", "without 4 those left, 5 and 6, have met; without 5 nobody has to come up to them",
			tournament.TeamRules{Preferences: tournament.NoPreferences},
			[]string{"1 30 -", "2 30 -", "3 30 -", "4 20 -", "5 20 6f", "6 20 5s", "7 10 -", "10 10 -"}, "1-3 2-5 4-6 7-10"},
		{"C7", "4 met another score in the last round",
			tournament.TeamRules{Preferences: tournament.NoPreferences}, []string{"1 30 -", "4 20 9f!", "5 20 -", "6 20 -"}, "1-5 4-6"},
		{"C8", "1 and 3 are due First, 2 and 4 Second",
			tournament.TeamRules{}, []string{"1 0 8s 9s", "2 0 8f 9f", "3 0 8s 9s", "4 0 8f 9f"}, "1-4 2-3"},
		{"C9", "all are due First, only 1 and 3 strongly",
			tournament.TeamRules{Preferences: tournament.TypeB}, []string{"1 0 8s 9s", "2 0 - 9s", "3 0 8s 9s", "4 0 - 9s"}, "1-4 2-3"},
		{"C10", "2 met another score in the last round and is spared the team from below",
			tournament.TeamRules{Preferences: tournament.NoPreferences}, []string{"1 20 -", "2 20 9f!", "3 20 -", "4 10 -"}, "1-4 2-3"},
	} {
		t.Run(c.criterion, func(t *testing.T) {
			t.Parallel()
			f := position(c.rules, c.rows...)
			for name, pairer := range map[string]tournament.Pairer{
				"the engine": teamswiss.Swiss{}, "the text": literal.Pairer{},
			} {
				if got := met(t, pairer, f); got != c.want {
					t.Errorf("%s: %s; want %s, since %s", name, got, c.want, c.why)
				}
			}
			if got := met(t, literal.Pairer{Without: c.criterion}, f); got == c.want {
				t.Errorf("without %s the pairing is the same", c.criterion)
			}
		})
	}
}

// met are the pairs of a pairing, whoever is First.
func met(t *testing.T, p tournament.Pairer, f tournament.Field) string {
	t.Helper()
	round, err := p.Pair(f)
	if errors.Is(err, tournament.ErrNoPairing) {
		return "none"
	}
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(round.Boards, func(a, b tournament.Board) int { return min(a.First, a.Second) - min(b.First, b.Second) })
	var list []string
	for _, b := range round.Boards {
		list = append(list, fmt.Sprintf("%d-%d", min(b.First, b.Second), max(b.First, b.Second)))
	}
	if round.Bye != 0 {
		list = append(list, fmt.Sprint("bye ", round.Bye))
	}
	return strings.Join(list, " ")
}

func TestFloatersAreSparedUntilTheLastTwoRounds(t *testing.T) {
	t.Parallel()
	rules := tournament.TeamRules{Preferences: tournament.NoPreferences}
	c7 := position(rules, "1 30 -", "4 20 9f!", "5 20 -", "6 20 -")
	c10 := position(rules, "1 20 -", "2 20 9f!", "3 20 -", "4 10 -")
	for rounds, want := range map[int][2]string{4: {"1-5 4-6", "1-4 2-3"}, 3: {"1-4 5-6", "1-3 2-4"}, 2: {"1-4 5-6", "1-3 2-4"}} {
		c7.Rounds, c10.Rounds = rounds, rounds
		if got := [2]string{met(t, teamswiss.Swiss{}, c7), met(t, teamswiss.Swiss{}, c10)}; got != want {
			t.Errorf("round 2 of %d: %v, want %v", rounds, got, want)
		}
	}
}

// The example of 3.5.4: three have to come up to 9, 10 and 11, who have met each other. 2, 6 and 8 have
// 3 points, 1, 3 and 5 two and a half. C5 takes 2, 6 and 8; if 8 has met all of 9, 10 and 11 the first set
// of the example is the answer.
func TestTheExampleOfUpfloaters(t *testing.T) {
	t.Parallel()
	f := tournament.Field{Rounds: 9, Played: 1, Points: tournament.PointSystem{}}
	score := map[int]tournament.Score{9: 40, 10: 40, 11: 40, 2: 30, 6: 30, 8: 30, 1: 25, 3: 25, 5: 25, 4: 0, 7: 0, 12: 0}
	for n := 1; n <= 12; n++ {
		f.Players = append(f.Players, tournament.FieldPlayer{
			Number: n, Virtual: []tournament.Score{0, score[n]}, Rounds: []tournament.RoundResult{{Outcome: tournament.ZeroBye}},
		})
	}
	f.Forbidden = []tournament.Forbidden{{Numbers: []int{9, 10, 11}}}
	up := func(want string) {
		t.Helper()
		round, err := teamswiss.Swiss{}.Pair(f)
		if err != nil {
			t.Fatal(err)
		}
		var list []int
		for _, b := range round.Boards {
			if s := score[b.First]; s == 40 {
				list = append(list, b.Second)
			} else if score[b.Second] == 40 {
				list = append(list, b.First)
			}
		}
		slices.SortFunc(list, func(a, b int) int { return int(score[b]-score[a])*100 + a - b })
		if got := fmt.Sprint(list); got != want {
			t.Errorf("%s come up, want %s", got, want)
		}
	}
	up("[2 6 8]")
	for _, n := range []int{9, 10, 11} {
		f.Forbidden = append(f.Forbidden, tournament.Forbidden{Numbers: []int{8, n}})
	}
	up("[2 6 1]")
}

// The seats of 4.3, one rule after the other; 2 is the first team by its score.
func TestSeatsOfTeams(t *testing.T) {
	t.Parallel()
	a, b, none := tournament.TeamRules{}, tournament.TeamRules{Preferences: tournament.TypeB}, tournament.TeamRules{Preferences: tournament.NoPreferences}
	for _, c := range []struct {
		rule  string
		rules tournament.TeamRules
		rows  []string
		first int
	}{
		{"4.3.1: 2 is even, First was drawn for odd", a, []string{"1 0", "2 10"}, 1},
		{"4.3.1: the parity is that of the teams that have arrived", a, []string{"2 0", "3 10"}, 2},
		{"4.3.2: only 1 has a preference", a, []string{"1 0 8s 9s", "2 10 8s 9f"}, 1},
		{"4.3.3: opposite preferences", a, []string{"1 0 8s 9s", "2 10 8f 9f"}, 1},
		{"4.3.4: both are due First, 1 strongly", b, []string{"1 0 8f 9f 8s 9s", "2 10 - - - 9s"}, 1},
		{"4.3.5: 1 has the lower difference", none, []string{"1 0 8s 9s", "2 10 - 9s"}, 1},
		{"4.3.6: when their seats last differed, 1 was First", none, []string{"1 0 8s 9f 8f", "2 10 8f 9s 9f"}, 2},
		{"4.3.6: latest stands against latest, absences left out", none, []string{"1 0 8f 9s -", "2 10 8s - 9f"}, 1},
		{"4.3.7: both are due First, 2 is the first team", a, []string{"1 0 8s 9s 8s 9f", "2 10 9s 8s 9s 8f"}, 2},
		{"4.3.8: 2 was First", none, []string{"1 0 8f", "2 10 9f"}, 1},
		{"4.3.9: 2 has not played, 1 was last First", none, []string{"1 0 8s 9f", "2 10 - -"}, 2},
	} {
		round, err := teamswiss.Swiss{}.Pair(position(c.rules, c.rows...))
		if err != nil || len(round.Boards) != 1 || round.Boards[0].First != c.first {
			t.Errorf("%s: %v, %v; want %d as First", c.rule, round.Boards, err, c.first)
		}
	}
}
