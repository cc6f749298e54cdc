package teamswiss_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/swiss"
	"chpok.org/chpok/tournament/teamswiss"
)

// keys are the keys of the reasons for the match of a team, or for its bye.
func keys(t *testing.T, f tournament.Field, number int) (list []string) {
	t.Helper()
	s := teamswiss.Swiss{}
	round, err := s.Pair(f)
	if err != nil {
		t.Fatal(err)
	}
	all, err := s.Explain(f, round)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if e.First == number || e.Second == number {
			for _, r := range e.Reasons {
				list = append(list, strings.TrimPrefix(r.Key, "pairing."))
			}
		}
	}
	return list
}

func TestExplanationsNameWhatDecided(t *testing.T) {
	t.Parallel()
	none := tournament.TeamRules{Preferences: tournament.NoPreferences}
	for _, c := range []struct {
		name   string
		rules  tournament.TeamRules
		rows   []string
		number int
		want   string
	}{
		{"two halves", none, []string{"1 0", "2 0", "3 0", "4 0"}, 1, "same-score by-rank seat.number"},
		{"who have met", none, []string{"1 0 3f", "2 0 -", "3 0 1s", "4 0 -"}, 1, "same-score not.met team.seat.balance"},
		{"one is left over", none, []string{"1 20 -", "2 0 -"}, 1, "team.up team.up.odd by-rank seat.number"},
		{"two have met and both need somebody", none, []string{"1 20 2f", "2 20 1s", "3 0 -", "4 0 -"}, 1,
			"team.up team.up.forced by-rank team.seat.balance"},
		{"above, but floated", none, []string{"1 30 -", "4 20 9f!", "5 20 -", "6 20 -"}, 1, "team.up team.up.odd team.up.spared by-rank seat.number"},
		{"above, but needed below", none, []string{"1 30 -", "2 30 -", "3 30 -", "4 20 -", "5 20 6f", "6 20 5s", "7 10 -", "10 10 -"}, 2,
			"team.up team.up.odd team.up.next by-rank team.seat.balance"},
		{"above, but has met everybody", none, []string{"1 30 2f", "2 20 1s", "3 20 -", "4 20 -"}, 1,
			"team.up team.up.odd team.up.impossible by-rank team.seat.balance"},
		{"both due the same seat", tournament.TeamRules{}, []string{"1 0 8s 9s", "2 0 8f 9f", "3 0 8s 9s", "4 0 8f 9f"}, 1, "same-score not.wish seat.both"},
		{"floated and spared", none, []string{"1 20 -", "2 20 9f!", "3 20 -", "4 10 -"}, 1, "team.up team.up.odd not.others seat.number"},
		{"nobody else to meet", none, []string{"1 0 3f 4s", "2 0 - -", "3 0 1s -", "4 0 - 1f"}, 1, "same-score team.exchanged by-rank team.seat.first"},
		{"the bye of who stands last", none, []string{"1 20 -", "2 20 -", "3 0 U"}, 2, "team.bye.lowest team.bye.had"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := strings.Join(keys(t, position(c.rules, c.rows...), c.number), " "); got != c.want {
				t.Errorf("%s; want %s", got, c.want)
			}
		})
	}
}

// Whatever is paired is explained, by keys that have a text, and meets no objection.
func TestTheSystemsOwnPairingsAreExplainedAndMeetNoObjection(t *testing.T) {
	t.Parallel()
	known := append(swiss.Keys(), teamswiss.Keys()...)
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 11))
		e := mixed(rng, 4, 30)
		s := teamswiss.Swiss{}
		_, err := e.play(rng, func(f tournament.Field) (tournament.RoundPairing, error) {
			round, err := s.Pair(f)
			if err != nil {
				return round, err
			}
			if fault := legal(f, round); fault != "" {
				t.Errorf("seed %d, round %d: %s", seed, f.Played+1, fault)
			}
			list, err := s.Explain(f, round)
			if err != nil || len(list) != len(lines(round))-1+min(round.Bye, 1) {
				t.Errorf("seed %d, round %d: %d explanations of %v, %v", seed, f.Played+1, len(list), round, err)
			}
			for _, x := range list {
				for _, r := range x.Reasons {
					if !slices.Contains(known, r.Key) {
						t.Errorf("%q is no key", r.Key)
					}
				}
			}
			objections, err := s.Judge(f, round)
			if err != nil || len(objections) > 0 {
				t.Errorf("seed %d, round %d: objections %v, %v\n%s", seed, f.Played+1, objections, err, crosstable(f))
			}
			return round, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestJudgeNamesTheRuleOfTeams(t *testing.T) {
	t.Parallel()
	none := tournament.TeamRules{Preferences: tournament.NoPreferences}
	for _, c := range []struct {
		name  string
		rules tournament.TeamRules
		rows  []string
		round string
		want  string
	}{
		{"as the rules pair", none, []string{"1 0", "2 0", "3 0", "4 0"}, "1-3 4-2", ""},
		{"seats exchanged", none, []string{"1 0", "2 0", "3 0", "4 0"}, "3-1 4-2", "seats"},
		{"neighbours", none, []string{"1 0", "2 0", "3 0", "4 0"}, "1-2 3-4", "order"},
		{"again", none, []string{"1 0 3f", "2 0 -", "3 0 1s", "4 0 -"}, "3-1 4-2", "team.C1"},
		{"a second bye", none, []string{"1 20 -", "2 20 -", "3 0 U"}, "1-2 bye 3", "team.C2"},
		{"another bye", none, []string{"1 20 -", "2 20 -", "3 0 -"}, "1-3 bye 2", "team.bye"},
		{"two come up", none, []string{"1 20", "2 20", "3 10", "4 10"}, "1-3 4-2", "team.C4"},
		{"a lower one comes up", none, []string{"1 20", "2 0", "3 10", "5 10"}, "1-2 3-5", "team.C5"},
		{"one comes up who is needed", none,
			[]string{"1 30 -", "2 30 -", "3 30 -", "4 20 -", "5 20 6f", "6 20 5s", "7 10 -", "10 10 -"},
			"1-3 4-2 7-5 6-10", "team.C6"},
		{"a floater comes up", none, []string{"1 30 -", "4 20 9f!", "5 20 -", "6 20 -"}, "1-4 5-6", "team.C7"},
		{"both due First", tournament.TeamRules{}, []string{"1 0 8s 9s", "2 0 8f 9f", "3 0 8s 9s", "4 0 8f 9f"},
			"1-3 2-4", "team.C8"},
		{"both strongly due First", tournament.TeamRules{Preferences: tournament.TypeB}, []string{"1 0 8s 9s", "2 0 - 9s", "3 0 8s 9s", "4 0 - 9s"},
			"1-3 2-4", "team.C9"},
		{"a floater below", none, []string{"1 20 -", "2 20 9f!", "3 20 -", "4 10 -"},
			"1-3 2-4", "team.C10"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			objections, err := teamswiss.Swiss{}.Judge(position(c.rules, c.rows...), pairing(c.round))
			if err != nil {
				t.Fatal(err)
			}
			var rules []string
			for _, o := range objections {
				if o.Rule != "seats" || c.want == "seats" {
					rules = append(rules, o.Rule)
				}
			}
			if got := strings.Join(rules, " "); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// pairing reads matches and a bye, as in "1-3 4-2 bye 5".
func pairing(text string) (p tournament.RoundPairing) {
	before, bye, _ := strings.Cut(text, " bye ")
	p.Bye, _ = strconv.Atoi(bye)
	for _, word := range strings.Fields(before) {
		var b tournament.Board
		if _, err := fmt.Sscanf(word, "%d-%d", &b.First, &b.Second); err != nil {
			panic(err)
		}
		p.Boards = append(p.Boards, b)
	}
	return p
}
