package contest_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chpok.org/chpok/tournament/contest"
)

var once = contest.Rules{Legs: 1, Tie: []contest.Step{contest.Seed}}

// leg makes a match: "1-0", "0-1", "=", "+-", "-+", "--", or "*" for one in play.
func leg(first, second int, result string) contest.Leg {
	l := contest.Leg{Sides: [2]int{first, second}}
	switch result {
	case "1-0":
		l.Score = [2]int{2, 0}
	case "0-1":
		l.Score = [2]int{0, 2}
	case "=":
		l.Score = [2]int{1, 1}
	case "+-":
		l.Score, l.Absent = [2]int{2, 0}, [2]bool{false, true}
	case "-+":
		l.Score, l.Absent = [2]int{0, 2}, [2]bool{true, false}
	case "--":
		l.Absent = [2]bool{true, true}
	case "*":
		l.Open = true
	}
	return l
}

// resolve applies legs to a single elimination, finding each one's contest by its sides.
func resolve(g contest.Graph, r contest.Rules, legs []contest.Leg) contest.Bracket {
	for i, l := range legs {
		legs[i].Contest = -1
		for _, s := range contest.Resolve(g, r, legs[:i]).States {
			if s.Sides == l.Sides || s.Sides == [2]int{l.Sides[1], l.Sides[0]} {
				legs[i].Contest = s.At
			}
		}
	}
	return contest.Resolve(g, r, legs)
}

func TestTheLinesOfABracketKeepTheSeedsApart(t *testing.T) {
	for size, want := range map[int][]int{
		2: {1, 2}, 4: {1, 4, 2, 3}, 8: {1, 8, 4, 5, 2, 7, 3, 6}, 16: {1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11},
	} {
		if got := contest.Lines(size); !slices.Equal(got, want) {
			t.Errorf("lines of %d: %v, want %v", size, got, want)
		}
	}
}

// firstRound is "1-" for a bye, "4-5" for a match.
func firstRound(b contest.Bracket) (list []string) {
	for _, s := range b.States {
		if s.Wave > 1 {
			continue
		}
		text := fmt.Sprintf("%d-%d", s.Sides[0], s.Sides[1])
		if s.By == contest.ByBye {
			text = fmt.Sprintf("%d-", s.Winner)
		}
		list = append(list, text)
	}
	return list
}

func TestByesGoToTheFirstNumbers(t *testing.T) {
	for n, want := range map[int][]string{
		2:  {"1-2"},
		3:  {"1-", "2-3"},
		6:  {"1-", "4-5", "2-", "3-6"},
		13: {"1-", "8-9", "4-13", "5-12", "2-", "7-10", "3-", "6-11"},
	} {
		if got := firstRound(contest.Resolve(contest.Build(n, contest.Out), once, nil)); !slices.Equal(got, want) {
			t.Errorf("%d players: %v, want %v", n, got, want)
		}
	}
}

func TestSixPlayersToAPodium(t *testing.T) {
	r := once
	g := contest.Build(6, contest.ForThird)
	// 5 beats 4 and then 1; 3 beats 6 and then 2; 3 wins the final, 1 does not come for third place.
	legs := []contest.Leg{leg(4, 5, "0-1"), leg(3, 6, "1-0"), leg(1, 5, "0-1"), leg(2, 3, "0-1"), leg(3, 5, "1-0"), leg(1, 2, "-+")}
	b := resolve(g, r, legs[:4])
	var due [][2]int
	for _, s := range b.Due() {
		due = append(due, s.Sides)
	}
	if want := [][2]int{{5, 3}, {1, 2}}; !reflect.DeepEqual(due, want) {
		t.Errorf("after the semi-finals %v are due, want %v", due, want)
	}
	b = resolve(g, r, legs)
	if want := map[int]int{3: 1, 5: 2, 2: 3, 1: 4, 4: 5, 6: 5}; !reflect.DeepEqual(b.Places(), want) {
		t.Errorf("places %v, want %v", b.Places(), want)
	}
	if by := b.States[len(b.States)-1].By; by != contest.ByForfeit {
		t.Errorf("the match for third place is decided by %v", by)
	}
}

// left marks who of a leg's sides had left when its result came.
func left(l contest.Leg, first, second bool) contest.Leg {
	for k, gone := range [2]bool{first, second} {
		if gone {
			l.Gone = append(l.Gone, l.Sides[k])
		}
	}
	return l
}

func sameLegs(a, b []contest.Leg) bool {
	return slices.EqualFunc(a, b, func(x, y contest.Leg) bool { return reflect.DeepEqual(x, y) })
}

// decided resolves a single contest between 1 and 2.
func decided(r contest.Rules, legs ...contest.Leg) contest.State {
	return resolve(contest.Build(2, contest.Out), r, legs).States[0]
}

func TestALevelContest(t *testing.T) {
	seed, pair, pairs := []contest.Step{contest.Seed}, []contest.Step{contest.Pair, contest.Seed},
		[]contest.Step{contest.Points, contest.Pair, contest.Pair, contest.Seed}
	ahead := leg(2, 1, "=")
	ahead.Difference = 3
	far, near := leg(1, 2, "1-0"), leg(2, 1, "1-0") // 1 wins by 500, 2 by 101: each counts as 100
	far.Difference, near.Difference = 500, 101
	decider := []contest.Step{contest.Pair, contest.Decider}
	odds := leg(1, 2, "=")
	odds.Odds = 2
	lot, drawn, won := []contest.Step{contest.Lot}, leg(2, 1, "0-1"), leg(1, 2, "0-1") // each has won one of two
	drawn.Odds, won.Odds = 2, 2
	const over = contest.Over
	rules := func(n int, tie []contest.Step) contest.Rules { return contest.Rules{Legs: n, Tie: tie} }
	legs := func(list ...contest.Leg) []contest.Leg { return list }
	for name, x := range map[string]struct {
		rules  contest.Rules
		legs   []contest.Leg
		status contest.Status
		by     contest.By
		winner int
	}{
		"the better seed goes on":       {rules(1, seed), legs(leg(2, 1, "=")), over, contest.BySeed, 1},
		"two more matches are due":      {rules(1, pair), legs(leg(2, 1, "=")), contest.Due, 0, 0},
		"the second of two more is due": {rules(1, pair), legs(leg(2, 1, "="), leg(1, 2, "0-1")), contest.Due, 0, 0},
		"two more matches decide":       {rules(1, pair), legs(leg(2, 1, "="), leg(1, 2, "0-1"), leg(2, 1, "=")), over, contest.ByPair, 2},
		"two more matches decide nothing": {rules(1, pair), legs(leg(2, 1, "="), leg(1, 2, "0-1"), leg(2, 1, "0-1")),
			over, contest.BySeed, 1},
		"who stays away from both is out": {rules(1, pair), legs(leg(2, 1, "="), leg(1, 2, "-+"), leg(2, 1, "+-")),
			over, contest.ByForfeit, 2},
		"points decide":                        {rules(1, pairs), legs(ahead), over, contest.ByPoints, 2},
		"points count 100 a match":             {rules(2, pairs), legs(far, near), contest.Due, 0, 0},
		"two matches, the second one decides":  {rules(2, seed), legs(leg(1, 2, "="), leg(2, 1, "1-0")), over, contest.ByScore, 2},
		"nobody comes":                         {rules(1, pair), legs(leg(1, 2, "--")), over, contest.ByNobody, 0},
		"the one who is there need not come":   {rules(1, pair), legs(left(leg(1, 2, "--"), true, false)), over, contest.ByForfeit, 2},
		"both have left and nobody comes":      {rules(1, pair), legs(left(leg(1, 2, "--"), true, true)), over, contest.ByNobody, 0},
		"the first came back, the second left": {rules(2, seed), legs(left(leg(1, 2, "="), true, false), left(leg(2, 1, "="), true, false)), over, contest.ByForfeit, 1},
		"both miss one match each":             {rules(2, seed), legs(leg(1, 2, "+-"), leg(2, 1, "+-")), over, contest.BySeed, 1},
		"sealed bids are due":                  {rules(1, decider), legs(leg(2, 1, "="), leg(1, 2, "="), leg(2, 1, "=")), contest.Due, 0, 0},
		"a draw lets draw odds go on": {rules(1, decider), legs(leg(2, 1, "="), leg(1, 2, "="), leg(2, 1, "="), odds),
			over, contest.ByDecider, 2},
		"draw odds do not outweigh a win":                {rules(1, decider[1:]), legs(leg(2, 1, "="), leg(1, 2, "1-0")), over, contest.ByDecider, 1},
		"a draw without odds is for the better seed":     {rules(1, decider[1:]), legs(leg(2, 1, "="), leg(1, 2, "=")), over, contest.BySeed, 1},
		"sealed bids are waited for in vain":             {rules(1, decider[1:]), legs(leg(2, 1, "="), leg(1, 2, "-+")), over, contest.ByForfeit, 2},
		"the lot of the last match decides":              {rules(2, lot), legs(drawn, won), over, contest.ByLot, 2},
		"no lot is asked where one has won":              {rules(1, lot), legs(drawn), over, contest.ByScore, 1},
		"where no lot was drawn the better seed goes on": {rules(1, lot), legs(leg(1, 2, "=")), over, contest.BySeed, 1},
		"of four three can decide":                       {rules(4, seed), legs(leg(1, 2, "1-0"), leg(2, 1, "0-1"), leg(2, 1, "0-1")), over, contest.ByScore, 1},
		"of four three missed are all":                   {rules(4, seed), legs(leg(1, 2, "+-"), leg(2, 1, "-+"), leg(2, 1, "-+")), over, contest.ByForfeit, 1},
		"one is being played":                            {rules(2, seed), legs(leg(1, 2, "1-0"), leg(2, 1, "*")), contest.Playing, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := decided(x.rules, x.legs...)
			if s.Status != x.status || s.By != x.by || s.Winner != x.winner {
				t.Errorf("status %d, by %v, winner %d; want %d, %v, %d", s.Status, s.By, s.Winner, x.status, x.by, x.winner)
			}
		})
	}
}

// match is a match of teams: what the first named won on each board, of 10.
func match(first, second int, boards ...int) contest.Leg {
	l := contest.Leg{Sides: [2]int{first, second}}
	for _, won := range boards {
		l.Other[0], l.Other[1], l.Boards = l.Other[0]+won, l.Other[1]+10-won, append(l.Boards, 2*won-10)
	}
	switch lead := l.Other[0] - l.Other[1]; {
	case lead > 0:
		l.Score = [2]int{2, 0}
	case lead < 0:
		l.Score = [2]int{0, 2}
	default:
		l.Score = [2]int{1, 1}
	}
	return l
}

// byGames is a match where game points come first.
func byGames(l contest.Leg) contest.Leg {
	l.Score, l.Other = l.Other, l.Score
	return l
}

// Teams 1 and 2 on four boards at 2:2 where 1 wins the boards 1 and 4: the board count is 1+4 to 2+3, level. Without the last board 1
// has 1 of 3, so 2 goes on by it; on board 1 it is 1. Where 1 wins 1 and 3 the count is 4 to 6, the lower is better.
func TestALevelMatchOfTeams(t *testing.T) {
	count, top, bottom, seed := contest.BoardCount, contest.TopBoards, contest.LessBottom, contest.Seed
	steps := func(list ...contest.Step) contest.Rules { return contest.Rules{Legs: 1, Tie: list} }
	two, games := steps(count, bottom, seed), contest.Rules{Legs: 2, Tie: []contest.Step{seed}, Most: 40}
	two.Legs = 2
	later, gone := byGames(match(2, 1, 0, 10, 10, 10)), left(match(1, 2, 10, 0, 0, 10), true, false)
	for name, x := range map[string]struct {
		rules  contest.Rules
		legs   []contest.Leg
		status contest.Status
		by     contest.By
		winner int
	}{
		"a match is won":                       {steps(seed), []contest.Leg{match(1, 2, 10, 5, 5, 5)}, contest.Over, contest.ByScore, 1},
		"the lower board count":                {steps(count, seed), []contest.Leg{match(1, 2, 10, 0, 10, 0)}, contest.Over, contest.ByBoardCount, 1},
		"the same, named the other way round":  {steps(count, seed), []contest.Leg{match(2, 1, 10, 0, 10, 0)}, contest.Over, contest.ByBoardCount, 2},
		"draws count half their boards":        {steps(count, seed), []contest.Leg{match(1, 2, 5, 0, 5, 10)}, contest.Over, contest.ByBoardCount, 2},
		"a level count, less the last board":   {steps(count, bottom, seed), []contest.Leg{match(1, 2, 10, 0, 0, 10)}, contest.Over, contest.ByLessBottom, 2},
		"less the last two, as 3 is drawn too": {steps(bottom, seed), []contest.Leg{match(1, 2, 0, 10, 5, 5)}, contest.Over, contest.ByLessBottom, 2},
		"a level count, on board 1":            {steps(count, top, seed), []contest.Leg{match(1, 2, 10, 0, 0, 10)}, contest.Over, contest.ByTopBoards, 1},
		"all drawn, the better seed":           {steps(count, top, bottom, seed), []contest.Leg{match(2, 1, 5, 5, 5, 5)}, contest.Over, contest.BySeed, 1},
		"more matches come before the count":   {steps(contest.Pair, count, seed), []contest.Leg{match(1, 2, 10, 0, 10, 0)}, contest.Due, 0, 0},
		"of two, more game points":             {two, []contest.Leg{match(1, 2, 10, 10, 10, 0), match(2, 1, 10, 5, 5, 5)}, contest.Over, contest.ByOther, 1},
		"of two, the boards of both":           {two, []contest.Leg{match(1, 2, 10, 10, 0, 0), match(2, 1, 0, 10, 0, 10)}, contest.Over, contest.ByBoardCount, 1},
		"game points first: 3 to 1 is open":    {games, []contest.Leg{byGames(match(1, 2, 10, 10, 10, 0))}, contest.Due, 0, 0},
		"game points first, and turned":        {games, []contest.Leg{byGames(match(1, 2, 10, 5, 5, 5)), later}, contest.Over, contest.ByScore, 2},
		"who has left wins no level match":     {steps(count, top, seed), []contest.Leg{gone}, contest.Over, contest.ByForfeit, 2},
	} {
		t.Run(name, func(t *testing.T) {
			s := decided(x.rules, x.legs...)
			if s.Status != x.status || s.By != x.by || s.Winner != x.winner {
				t.Errorf("status %d, by %v, winner %d; want %d, %v, %d", s.Status, s.By, s.Winner, x.status, x.by, x.winner)
			}
		})
	}
}

func TestStepsOfTeamsAreNotThoseOfPlayers(t *testing.T) {
	for word, want := range map[string][2]bool{
		"seed": {true, true}, "lot": {true, true}, "pair seed": {true, true}, "decider": {true, false}, "points seed": {true, false},
		"boards seed": {false, true}, "top bottom boards pair lot": {false, true}, "boards": {false, false}, "boards boards seed": {false, false},
		"pair pair pair pair seed": {false, false}, "seed lot": {false, false},
	} {
		var steps []contest.Step
		for s := range strings.FieldsSeq(word) {
			steps = append(steps, contest.Step(s))
		}
		if got := [2]bool{contest.Decides(steps), contest.DecideTeams(steps)}; got != want {
			t.Errorf("%s: players %v, teams %v", word, got[0], got[1])
		}
	}
}

func TestSeats(t *testing.T) {
	g := contest.Build(4, contest.ForThird)
	opens := func(opening int, legs ...contest.Leg) (list []int) {
		for _, s := range resolve(g, contest.Rules{Legs: 1, Tie: once.Tie, Opening: opening}, legs).States {
			if s.Status == contest.Due {
				list = append(list, s.First)
			}
		}
		return list
	}
	// 1-4 and 2-3: number 1 is odd and gets the drawn side, 2 is even and gets the other.
	if got := opens(0); !slices.Equal(got, []int{1, 3}) {
		t.Errorf("drawn first: %v open, want 1 and 3", got)
	}
	if got := opens(1); !slices.Equal(got, []int{4, 2}) {
		t.Errorf("drawn second: %v open, want 4 and 2", got)
	}
	// In the final 1-2, 1 has opened before and 2 has not. So it is for third place, 4-3.
	if got := opens(0, leg(1, 4, "1-0"), leg(3, 2, "0-1")); !slices.Equal(got, []int{2, 4}) {
		t.Errorf("after the semi-finals %v open, want 2 and 4", got)
	}
	if s := decided(contest.Rules{Legs: 2, Tie: once.Tie}, leg(2, 1, "1-0")); s.First != 1 {
		t.Errorf("the second match is opened by %d, want 1", s.First)
	}
	four := contest.Rules{Legs: 4, Tie: once.Tie}
	for n, want := range []int{1, 2, 2, 1} {
		played := []contest.Leg{leg(1, 2, "="), leg(2, 1, "="), leg(2, 1, "=")}[:n]
		if s := decided(four, played...); s.First != want {
			t.Errorf("match %d of four is opened by %d, want %d", n+1, s.First, want)
		}
	}
	sealed := contest.Rules{Legs: 1, Tie: []contest.Step{contest.Decider}}
	if s := decided(sealed, leg(1, 2, "=")); !s.Sealed || s.First != 2 {
		t.Errorf("sealed bids: %v, opened by %d", s.Sealed, s.First)
	}
}

func TestWhoNeverMeetsIsAStray(t *testing.T) {
	// 1 beat 4 and lost to 2; then the first result is corrected, and 1-2 should not have been.
	g := contest.Build(4, contest.Out)
	final := leg(2, 1, "1-0")
	final.Contest = 2
	legs := []contest.Leg{leg(1, 4, "0-1"), leg(3, 2, "0-1"), final}
	legs[1].Contest = 1
	b := contest.Resolve(g, once, legs)
	if !sameLegs(b.Stray, legs[2:]) {
		t.Errorf("stray legs %v, want the third", b.Stray)
	}
	if final := b.States[2]; final.Status != contest.Due || final.Sides != [2]int{4, 2} {
		t.Errorf("the final is %v in status %d", final.Sides, final.Status)
	}
}

// A draw was followed by two more matches; then the draw is corrected, or taken back.
func TestAMatchTooManyIsAStray(t *testing.T) {
	pair := contest.Rules{Legs: 1, Tie: []contest.Step{contest.Pair, contest.Seed}}
	for name, x := range map[string]struct {
		legs   []contest.Leg
		strays int
		status contest.Status
		score  [2]int
	}{
		"a draw":           {[]contest.Leg{leg(1, 2, "="), leg(2, 1, "1-0"), leg(1, 2, "*")}, 0, contest.Playing, [2]int{1, 3}},
		"a win":            {[]contest.Leg{leg(1, 2, "1-0"), leg(2, 1, "1-0"), leg(1, 2, "*")}, 1, contest.Over, [2]int{2, 0}},
		"no result":        {[]contest.Leg{leg(1, 2, "*"), leg(2, 1, "1-0"), leg(1, 2, "*")}, 2, contest.Playing, [2]int{0, 0}},
		"a third too many": {[]contest.Leg{leg(1, 2, "="), leg(2, 1, "1-0"), leg(1, 2, "="), leg(2, 1, "*")}, 1, contest.Over, [2]int{2, 4}},
	} {
		t.Run(name, func(t *testing.T) {
			b := contest.Resolve(contest.Build(2, contest.Out), pair, x.legs)
			if !sameLegs(b.Stray, x.legs[len(x.legs)-x.strays:]) {
				t.Errorf("strays %v, want the last %d of %v", b.Stray, x.strays, x.legs)
			}
			if s := b.States[0]; s.Status != x.status || s.Score != x.score {
				t.Errorf("status %d, score %v; want %d, %v", s.Status, s.Score, x.status, x.score)
			}
		})
	}
}

func TestWhichStepsDecide(t *testing.T) {
	for text, want := range map[string]bool{
		"seed": true, "decider": true, "pair decider": true, "decider seed": false, "points seed": true, "pair pair pair seed": true,
		"": false, "pair": false, "seed pair": false, "seed seed": false, "points points seed": false,
		"pair pair pair pair seed": false, "lot seed": false, "lot": true, "points pair lot": true, "decider lot": false,
	} {
		var steps []contest.Step
		for word := range strings.FieldsSeq(text) {
			steps = append(steps, contest.Step(word))
		}
		if got := contest.Decides(steps); got != want {
			t.Errorf("%q decides: %v, want %v", text, got, want)
		}
	}
}

// Every bracket of 2 to 64 players ends, whatever the rules, results and absences, and
// nobody plays on after losing.
func TestABracketComesToItsEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 64).Draw(t, "players")
		r := contest.Rules{
			Losers: rapid.SampledFrom(contest.AllLosers).Draw(t, "losers"), Legs: rapid.SampledFrom([]int{1, 2, 4}).Draw(t, "legs"),
			Opening: rapid.IntRange(0, 1).Draw(t, "opening"),
			Tie: rapid.SampledFrom([][]contest.Step{{contest.Seed}, {contest.Points, contest.Seed}, {contest.Pair, contest.Seed},
				{contest.Points, contest.Pair, contest.Pair, contest.Seed}, {contest.Pair, contest.Decider}}).Draw(t, "tie"),
		}
		if r.Losers.IsDouble() {
			n = max(n, 3)
		}
		g := contest.Build(n, r.Losers)
		result := rapid.SampledFrom([]string{"1-0", "0-1", "1-0", "0-1", "=", "+-", "-+", "--"})
		var legs []contest.Leg
		_, most := contest.Resolve(g, r, nil).Left()
		for wave := 0; ; wave++ {
			b := contest.Resolve(g, r, legs)
			if least, worst := b.Left(); least == 0 {
				break
			} else if wave+worst > most {
				t.Fatalf("after %d waves %d may still come, at first %d", wave, worst, most)
			}
			seen := map[int]bool{}
			for _, s := range b.Due() {
				if s.First != s.Sides[0] && s.First != s.Sides[1] || seen[s.Sides[0]] || seen[s.Sides[1]] {
					t.Fatalf("%v are due, %d opens; others due: %v", s.Sides, s.First, seen)
				}
				seen[s.Sides[0]], seen[s.Sides[1]] = true, true
				l := leg(s.First, s.Second(), result.Draw(t, "result"))
				l.Contest = s.At
				if s.Sealed {
					l.Odds = rapid.SampledFrom([]int{0, s.Sides[0], s.Sides[1]}).Draw(t, "odds")
				}
				l.Difference = rapid.IntRange(-150, 150).Draw(t, "difference")
				legs = append(legs, l)
			}
			if len(seen) == 0 {
				t.Fatal("nothing is due, and it is not over")
			}
		}
		b := contest.Resolve(g, r, legs)
		if len(b.Stray) > 0 {
			t.Fatalf("stray legs %v", b.Stray)
		}
		lives, lost, firsts := 1, map[int]int{}, map[int]int{}
		if r.Losers.IsDouble() {
			lives = 2
		}
		for i, s := range b.States {
			if s.Status != contest.Over {
				t.Fatalf("contest %d is not over", i)
			}
			for _, number := range s.Sides {
				if number != 0 && lost[number] >= lives && s.Part != contest.Places && s.Part != contest.Consolation {
					t.Fatalf("%d plays in contest %d after losing %d", number, i, lost[number])
				}
				if number != 0 && s.Winner != number {
					lost[number]++
				}
			}
			clear(firsts)
			for _, k := range s.Legs {
				firsts[legs[k].Sides[0]]++
			}
			if d := firsts[s.Sides[0]] - firsts[s.Sides[1]]; d < -1 || d > 1 {
				t.Fatalf("in contest %d seats are %v", i, firsts)
			}
		}
		places := b.Places()
		if len(places) != n {
			t.Fatalf("%d places for %d players", len(places), n)
		}
		champion := 0
		for _, s := range b.States {
			if s.After == 2 && s.By != contest.Needless {
				champion = s.Winner
			}
		}
		if b.IsTitleOpen() != (champion == 0) {
			t.Fatalf("the champion is %d, the title is open: %v", champion, b.IsTitleOpen())
		}
		sharing := map[int]int{}
		for _, place := range places {
			sharing[place]++
		}
		place := 1
		if champion == 0 { // nobody is first
			if place += sharing[2]; sharing[1] > 0 || sharing[2] < 2 {
				t.Fatalf("without a champion, places of %d players: %v", n, places)
			}
		}
		for next := 0; place <= n; place = next {
			if next = place + sharing[place]; sharing[place] == 0 || next > n+1 {
				t.Fatalf("places of %d players: %v", n, places)
			}
		}
		for number, place := range places {
			if champion != 0 && (place == 1) != (number == champion) {
				t.Fatalf("%d is at place %d, the champion is %d", number, place, champion)
			}
			if !b.IsOut(number) {
				t.Fatalf("%d is not out", number)
			}
		}
	})
}

// The order in which matches of different contests end changes only who opens later ones.
func TestTheOrderOfResultsChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 64).Draw(t, "players")
		losers := rapid.SampledFrom(contest.AllLosers).Draw(t, "losers")
		if losers.IsDouble() {
			n = max(n, 3)
		}
		g := contest.Build(n, losers)
		var legs []contest.Leg
		for range rapid.IntRange(0, 5).Draw(t, "waves") {
			for _, s := range contest.Resolve(g, once, legs).States {
				if s.Status == contest.Due {
					l := leg(s.Sides[0], s.Sides[1], rapid.SampledFrom([]string{"1-0", "0-1", "=", "--", "-+"}).Draw(t, "result"))
					l.Contest = s.At
					legs = append(legs, l)
				}
			}
		}
		other := slices.Clone(legs)
		for i := len(other) - 1; i > 0; i-- {
			j := rapid.IntRange(0, i).Draw(t, "swap")
			other[i], other[j] = other[j], other[i]
		}
		a, b := contest.Resolve(g, once, legs), contest.Resolve(g, once, other)
		for i := range a.States {
			x, y := a.States[i], b.States[i]
			if x.Sides != y.Sides || x.Status != y.Status || x.By != y.By || x.Winner != y.Winner {
				t.Fatalf("contest %d: %+v, in another order %+v", i, x, y)
			}
		}
		if again := contest.Resolve(g, once, legs); !reflect.DeepEqual(a, again) {
			t.Fatal("the same legs give another bracket")
		}
	})
}

func BenchmarkResolve256(b *testing.B)       { benchmark(b, 256, contest.ForThird) }
func BenchmarkResolveDouble128(b *testing.B) { benchmark(b, 128, contest.TwiceReset) }

// benchmark resolves a bracket with all but the last contest played.
func benchmark(b *testing.B, n int, losers contest.Losers) {
	legs := favorites(n, losers)
	legs = legs[:len(legs)-1]
	for b.Loop() {
		contest.Resolve(contest.Build(n, losers), once, legs)
	}
}

// 1 beats 4, and nobody comes to the other semi-final: the final is 1's without a match, if 1 was still there when both were over.
func TestNobodyWhoHasLeftWinsWithoutAMatch(t *testing.T) {
	first, second := time.Date(2026, 11, 30, 18, 0, 0, 0, time.UTC), time.Date(2026, 11, 30, 18, 30, 0, 0, time.UTC)
	at := func(l contest.Leg, came time.Time, gone ...int) contest.Leg {
		l.Came, l.Gone = came, gone
		return l
	}
	for name, x := range map[string]struct {
		won, missed contest.Leg
		champion    int
	}{
		"still there":                    {at(leg(1, 4, "1-0"), first), at(leg(2, 3, "--"), second), 1},
		"left between":                   {at(leg(1, 4, "1-0"), first), at(leg(2, 3, "--"), second, 1), 0},
		"left during the own match":      {at(leg(1, 4, "1-0"), second, 1), at(leg(2, 3, "--"), first), 0},
		"left and came back":             {at(leg(1, 4, "1-0"), second), at(leg(2, 3, "--"), first, 1), 1},
		"left in the match, was back":    {at(leg(1, 4, "1-0"), first, 1), at(leg(2, 3, "--"), second), 1},
		"somebody else had left":         {at(leg(1, 4, "1-0"), first, 4), at(leg(2, 3, "--"), second, 4), 1},
		"both at once, counted as later": {at(leg(1, 4, "1-0"), first), at(leg(2, 3, "--"), first, 1), 0},
	} {
		t.Run(name, func(t *testing.T) {
			x.missed.Contest = 1
			b := contest.Resolve(contest.Build(4, contest.Out), once, []contest.Leg{x.won, x.missed})
			want := map[int]int{1: 1, 2: 2, 3: 2, 4: 2} // one is ahead of those out in the semi-finals
			if x.champion == 0 {
				want[1] = 2
			}
			if places := b.Places(); !maps.Equal(places, want) || b.States[2].Winner != x.champion || b.IsTitleOpen() != (x.champion == 0) {
				t.Errorf("places %v, want %v; the final is %+v", places, want, b.States[2])
			}
		})
	}
}
