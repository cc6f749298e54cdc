package contest_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"chpok.org/chpok/tournament/contest"
)

// playOn plays every due match; winner picks the winner.
func playOn(n int, losers contest.Losers, winner func(contest.State) int) (legs []contest.Leg) {
	g := contest.Build(n, losers)
	for {
		due := contest.Resolve(g, once, legs).Due()
		if len(due) == 0 {
			return legs
		}
		for _, s := range due {
			l := leg(s.Sides[0], s.Sides[1], "0-1")
			if winner(s) == s.Sides[0] {
				l = leg(s.Sides[0], s.Sides[1], "1-0")
			}
			l.Contest = s.At
			legs = append(legs, l)
		}
	}
}

// favorites plays a bracket in which the lower number always wins.
func favorites(n int, losers contest.Losers) []contest.Leg {
	return playOn(n, losers, func(s contest.State) int { return min(s.Sides[0], s.Sides[1]) })
}

// met lists the matches of a bracket by part and level: "lower 2": 5-3 6-4.
func met(b contest.Bracket) map[string][]string {
	list := map[string][]string{}
	for _, s := range b.States {
		if len(s.Legs) > 0 {
			key := fmt.Sprint(s.Part, " ", s.Level)
			if s.Part == contest.Places {
				key = fmt.Sprint(s.Places[0], "-", s.Places[1], " ", s.Level)
			}
			list[key] = append(list[key], fmt.Sprintf("%d-%d", s.Sides[0], s.Sides[1]))
		}
	}
	return list
}

func TestADoubleEliminationOfEightFavorites(t *testing.T) {
	for _, losers := range []contest.Losers{contest.Twice, contest.TwiceReset} {
		b := contest.Resolve(contest.Build(8, losers), once, favorites(8, losers))
		if diff := cmp.Diff(map[string][]string{
			"main 1": {"1-8", "4-5", "2-7", "3-6"}, "main 2": {"1-4", "2-3"}, "main 3": {"1-2"},
			"lower 1": {"8-5", "7-6"}, "lower 2": {"5-3", "6-4"}, "lower 3": {"3-4"}, "lower 4": {"3-2"}, "grand-final 1": {"1-2"},
		}, met(b)); diff != "" {
			t.Errorf("%s: want (-), got (+):\n%s", losers, diff)
		}
		if diff := cmp.Diff(map[int]int{1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 5, 7: 7, 8: 7}, b.Places()); diff != "" {
			t.Errorf("%s: places:\n%s", losers, diff)
		}
	}
}

// Everyone but the champion loses twice: 2N-2 contests, and one more if the winner of the
// upper bracket loses the grand final and may replay it.
func TestHowManyContestsADoubleEliminationHas(t *testing.T) {
	upset := func(s contest.State) int { // the lower bracket wins the grand final, then loses
		if s.Part == contest.GrandFinal {
			return s.Sides[1]
		}
		return min(s.Sides[0], s.Sides[1])
	}
	for n := 3; n <= 40; n++ {
		for _, x := range []struct {
			losers contest.Losers
			legs   []contest.Leg
			want   int
		}{
			{contest.Twice, favorites(n, contest.Twice), 2*n - 2},
			{contest.TwiceReset, favorites(n, contest.TwiceReset), 2*n - 2},
			{contest.Twice, playOn(n, contest.Twice, upset), 2*n - 2},
			{contest.TwiceReset, playOn(n, contest.TwiceReset, upset), 2*n - 1},
		} {
			if len(x.legs) != x.want {
				t.Errorf("%d players, %s: %d contests, want %d", n, x.losers, len(x.legs), x.want)
			}
		}
	}
}

// The same two meet three times. Each match belongs to its own contest, and one played
// after the decision does not count as the first of the next.
func TestTheSameTwoMeetAgain(t *testing.T) {
	g := contest.Build(3, contest.TwiceReset) // 2-3; 1-2; 3-2; 1-2; 1-2
	seed := contest.Rules{Legs: 1, Tie: []contest.Step{contest.Pair, contest.Seed}}
	at := func(c int, l contest.Leg) contest.Leg { l.Contest = c; return l }
	var ids []int
	for _, s := range contest.Resolve(g, once, favorites(3, contest.TwiceReset)).States {
		if len(s.Legs) > 0 {
			ids = append(ids, s.At)
		}
	}
	if len(ids) != 4 {
		t.Fatalf("contests that are played: %v", ids)
	}
	upper, final, reset := ids[1], ids[3], len(g)-1
	legs := []contest.Leg{at(ids[0], leg(2, 3, "1-0")), at(upper, leg(1, 2, "1-0")), at(upper, leg(2, 1, "1-0")), at(upper, leg(1, 2, "0-1")),
		at(ids[2], leg(3, 2, "0-1"))}
	b := contest.Resolve(g, seed, legs)
	if s := b.States[final]; s.Status != contest.Due || len(s.Legs) > 0 || len(b.Stray) > 0 {
		t.Errorf("the grand final: %+v, stray %v", s, b.Stray)
	}
	if s := b.States[reset]; s.Status != contest.Waiting || s.Known[0] {
		t.Errorf("the reset before the final: %+v", s)
	}
	legs = append(legs, at(final, leg(2, 1, "1-0")))
	if b = contest.Resolve(g, seed, legs); b.States[reset].Status != contest.Due || b.States[reset].Sides != [2]int{1, 2} {
		t.Errorf("the reset after the final: %+v", b.States[reset])
	}
	if b.IsOut(1) {
		t.Error("who has lost once is out")
	}
	legs[len(legs)-1] = at(final, leg(2, 1, "0-1")) // corrected: the reason is gone
	legs = append(legs, at(reset, leg(1, 2, "0-1")))
	if b = contest.Resolve(g, seed, legs); b.States[reset].By != contest.Needless || !sameLegs(b.Stray, legs[6:]) || b.Places()[1] != 1 {
		t.Errorf("the reset after the correction: %+v, stray %v, places %v", b.States[reset], b.Stray, b.Places())
	}
}

// The lower bracket has no rematch before the round in this table, and may have one then.
func TestRematchesComeAsLateAsTheyCan(t *testing.T) {
	for n, want := range map[int]int{4: 2, 8: 3, 16: 4, 32: 5, 64: 7, 128: 8} {
		g := contest.Build(n, contest.Twice)
		// Below a contest of the upper bracket are those who may have met there; its loser
		// lost to somebody who drops later.
		under, from := make([]map[int]bool, len(g)), make([]map[int]bool, len(g))
		first := 0
		for i, c := range g {
			under[i], from[i] = map[int]bool{i: true}, map[int]bool{}
			var sides [2]map[int]bool
			for k, slot := range c.Slots {
				switch {
				case slot.Kind == contest.Player:
				case c.Part == contest.Main:
					maps.Copy(under[i], under[slot.Of])
				case slot.Kind == contest.Loser:
					sides[k] = map[int]bool{slot.Of: true}
				default:
					sides[k] = from[slot.Of]
				}
				maps.Copy(from[i], sides[k])
			}
			if c.Part != contest.Lower || first > 0 {
				continue
			}
			for a := range sides[0] {
				for b := range sides[1] {
					if under[a][b] || under[b][a] {
						first = c.Level
					}
				}
			}
		}
		if first != want {
			t.Errorf("%d players: the first rematch can come in round %d of the lower bracket, want %d", n, first, want)
		}
	}
}

// Everyone plays three times, and no place is shared.
func TestEveryPlaceIsPlayedFor(t *testing.T) {
	b := contest.Resolve(contest.Build(8, contest.ForPlaces), once, favorites(8, contest.ForPlaces))
	if diff := cmp.Diff(map[string][]string{
		"main 1": {"1-8", "4-5", "2-7", "3-6"}, "main 2": {"1-4", "2-3"}, "main 3": {"1-2"}, "3-4 1": {"4-3"},
		"5-8 1": {"8-5", "7-6"}, "5-8 2": {"5-6"}, "7-8 1": {"8-7"},
	}, met(b)); diff != "" {
		t.Errorf("want (-), got (+):\n%s", diff)
	}
	for n, want := range map[int]int{2: 1, 4: 4, 8: 12, 16: 32, 32: 80} { // k*N/2
		legs := favorites(n, contest.ForPlaces)
		if len(legs) != want {
			t.Errorf("%d players: %d contests, want %d", n, len(legs), want)
		}
		for number, place := range contest.Resolve(contest.Build(n, contest.ForPlaces), once, legs).Places() {
			if number != place {
				t.Errorf("of %d favorites %d is at place %d", n, number, place)
			}
		}
	}
	legs := favorites(6, contest.ForPlaces) // 4-5 3-6; 1-4 2-3; 1-2 4-3 5-6
	if got := contest.Resolve(contest.Build(6, contest.ForPlaces), once, legs).Places(); len(legs) != 7 || got[5] != 5 || got[6] != 6 {
		t.Errorf("six players: %d contests, places %v", len(legs), got)
	}
}

// Six players: 1 and 2 have byes; 4-5 and 3-6, then 1-4 and 2-3. A first-match loss leads
// to the consolation: 5 and 6 and, if they lose, 1 and 2.
func TestTheConsolationIsForWhoLosesTheirFirstMatch(t *testing.T) {
	b := contest.Resolve(contest.Build(6, contest.ForConsolation), once, favorites(6, contest.ForConsolation))
	if diff := cmp.Diff(map[string][]string{
		"main 1": {"4-5", "3-6"}, "main 2": {"1-4", "2-3"}, "main 3": {"1-2"}, "consolation 2": {"5-6"},
	}, met(b)); diff != "" {
		t.Errorf("want (-), got (+):\n%s", diff)
	}
	upset := playOn(6, contest.ForConsolation, func(s contest.State) int { return max(s.Sides[0], s.Sides[1]) })
	b = contest.Resolve(contest.Build(6, contest.ForConsolation), once, upset)
	if diff := cmp.Diff(map[string][]string{
		"main 1": {"4-5", "3-6"}, "main 2": {"1-5", "2-6"}, "main 3": {"5-6"},
		"consolation 1": {"1-4", "2-3"}, "consolation 2": {"4-3"},
	}, met(b)); diff != "" {
		t.Errorf("the higher number wins: want (-), got (+):\n%s", diff)
	}
	// The consolation decides no places: first-match losers share the last one.
	if diff := cmp.Diff(map[int]int{6: 1, 5: 2, 1: 3, 2: 3, 3: 5, 4: 5}, b.Places()); diff != "" {
		t.Errorf("places:\n%s", diff)
	}
}

// 8 beats 1, and the favorites win the rest. In a fixed bracket 8 meets 4 and 2 meets 3;
// reseeded, 2 meets 8 and 3 meets 4.
func TestTheBestLeftMeetsTheLowestLeft(t *testing.T) {
	for losers, want := range map[contest.Losers][][2]int{contest.Out: {{8, 4}, {2, 3}}, contest.Reseed: {{2, 8}, {3, 4}}} {
		g := contest.Build(8, losers)
		var legs []contest.Leg
		for _, s := range contest.Resolve(g, once, nil).Due() {
			l := leg(s.Sides[0], s.Sides[1], "1-0")
			if s.Sides == [2]int{1, 8} {
				l = leg(8, 1, "1-0")
			}
			l.Contest = s.At
			legs = append(legs, l)
		}
		b := contest.Resolve(g, once, legs)
		var got [][2]int
		for _, s := range b.Due() {
			got = append(got, s.Sides)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", losers, got, want)
		}
		open := contest.Resolve(g, once, legs[:3])
		if n := len(open.Due()); n != 1 {
			t.Errorf("%s: %d are due before the last of a round is decided", losers, n)
		}
	}
}

// waves returns the rounds of play in a bracket for n players with one match per contest.
func waves(n int, losers contest.Losers) int {
	least, _ := contest.Resolve(contest.Build(n, losers), contest.Rules{Legs: 1, Tie: []contest.Step{contest.Seed}}, nil).Left()
	return least
}

func TestHowManyRoundsOfPlay(t *testing.T) {
	for _, x := range []struct {
		n      int
		losers contest.Losers
		want   int
	}{
		{8, contest.Out, 3}, {8, contest.ForThird, 3}, {8, contest.ForPlaces, 3}, {8, contest.ForConsolation, 3},
		{8, contest.Twice, 6}, {8, contest.TwiceReset, 6}, {16, contest.Twice, 8}, {3, contest.Twice, 4},
	} {
		if got := waves(x.n, x.losers); got != x.want {
			t.Errorf("%d players, %q: %d rounds, want %d", x.n, x.losers, got, x.want)
		}
	}
}

// An imported file may exceed Bounds, and lists of events ask for its number of rounds.
func TestMoreThanMayPlayHaveABracket(t *testing.T) {
	t.Parallel()
	for _, losers := range contest.AllLosers {
		if n := waves(300, losers); n < 9 {
			t.Errorf("%s: %d rounds for 300", losers, n)
		}
	}
}
