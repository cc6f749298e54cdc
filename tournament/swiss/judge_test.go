package swiss_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/swiss"
)

// four are numbers 1 to 4 before round 1: 1-3 and 2-4 by the rules.
func four(forbidden ...tournament.Forbidden) tournament.Field {
	f := tournament.Field{Rounds: 3, Points: tournament.StandardPoints(), Forbidden: forbidden}
	for n := 1; n <= 4; n++ {
		f.Players = append(f.Players, tournament.FieldPlayer{Number: n})
	}
	return f
}

func meets(t *testing.T, f tournament.Field, a, b int) bool {
	t.Helper()
	p, err := swiss.Dutch{}.Pair(f)
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(p.Boards, func(x tournament.Board) bool {
		return x == tournament.Board{First: a, Second: b} || x == tournament.Board{First: b, Second: a}
	})
}

func wish(numbers ...int) tournament.Forbidden {
	return tournament.Forbidden{Numbers: numbers, Soft: true}
}

func TestAWishHoldsWhereEverybodyCanBePaired(t *testing.T) {
	t.Parallel()
	if !meets(t, four(), 1, 3) {
		t.Fatal("1 meets 3 by the rules")
	}
	if meets(t, four(wish(1, 3)), 1, 3) {
		t.Error("1 meets 3 against a wish that could hold")
	}
	// 1 has nobody but 3 and 4 left, and one of these wishes gives way: the later.
	hard := tournament.Forbidden{Numbers: []int{1, 2}}
	if !meets(t, four(hard, wish(1, 3), wish(1, 4)), 1, 4) {
		t.Error("the first wish holds, the second gives way")
	}
	if !meets(t, four(hard, wish(1, 4), wish(1, 3)), 1, 3) {
		t.Error("the other way round")
	}
}

func TestOfASetOfClubMatesAsManyPairsHoldAsCan(t *testing.T) {
	t.Parallel()
	// All of one club: somebody has to meet. In the order of pairs 1-2, 1-3, 1-4,
	// 2-3, …: 1-2 and 1-3 can be kept, then 1 has only 4 left and 2 only 3.
	held, given, err := swiss.Relax(four(wish(1, 2, 3, 4)))
	if err != nil {
		t.Fatal(err)
	}
	var pairs [][2]int
	for _, g := range given {
		pairs = append(pairs, [2]int{g.Numbers[0], g.Numbers[1]})
	}
	if !slices.Equal(pairs, [][2]int{{1, 4}, {2, 3}}) || len(held.Forbidden) != 4 {
		t.Errorf("given up %v, held %v", pairs, held.Forbidden)
	}
	if !meets(t, four(wish(1, 2, 3, 4)), 1, 4) {
		t.Error("1 meets 4")
	}
}

func TestJudgeNamesTheRule(t *testing.T) {
	t.Parallel()
	rules := func(f tournament.Field, p tournament.RoundPairing) (list []string) {
		t.Helper()
		objections, err := swiss.Judge(f, p)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range objections {
			list = append(list, o.Rule)
		}
		return list
	}
	boards := func(list ...tournament.Board) tournament.RoundPairing { return tournament.RoundPairing{Boards: list} }
	is := func(what string, got []string, want ...string) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	// Round 1: First opens on odd numbers.
	is("as the rules pair", rules(four(), boards(tournament.Board{First: 1, Second: 3}, tournament.Board{First: 4, Second: 2})))
	is("seats exchanged", rules(four(), boards(tournament.Board{First: 3, Second: 1}, tournament.Board{First: 4, Second: 2})), "seats")
	is("neighbours", rules(four(), boards(tournament.Board{First: 1, Second: 2}, tournament.Board{First: 3, Second: 4})), "order")
	is("forbidden", rules(four(tournament.Forbidden{Numbers: []int{1, 3}}), boards(tournament.Board{First: 1, Second: 3}, tournament.Board{First: 4, Second: 2})), "forbidden")
	is("against a wish", rules(four(wish(1, 3)), boards(tournament.Board{First: 1, Second: 3}, tournament.Board{First: 4, Second: 2}))[:1], "wish")

	// After 1-3 and 4-2, both won by the higher number of points: 1 and 2 have won.
	second := four()
	second.Played = 1
	for i, c := range []tournament.RoundResult{
		{Opponent: 3, Seat: 1, Outcome: tournament.Win}, {Opponent: 4, Seat: 2, Outcome: tournament.Win},
		{Opponent: 1, Seat: 2, Outcome: tournament.Loss}, {Opponent: 2, Seat: 1, Outcome: tournament.Loss},
	} {
		second.Players[i].Rounds = []tournament.RoundResult{c}
	}
	is("winners meet winners", rules(second, boards(tournament.Board{First: 2, Second: 1}, tournament.Board{First: 3, Second: 4})))
	is("again", rules(second, boards(tournament.Board{First: 3, Second: 1}, tournament.Board{First: 2, Second: 4})), "C1", "C1")
	// 1-4 and 2-3: one pair less within the winners' group.
	is("winners meet losers", rules(second, boards(tournament.Board{First: 4, Second: 1}, tournament.Board{First: 2, Second: 3})), "C6")

	bye := four()
	bye.Players = append(bye.Players, tournament.FieldPlayer{Number: 5})
	bye.Played = 1
	for i := range bye.Players {
		bye.Players[i].Rounds = []tournament.RoundResult{second.Players[min(i, 3)].Rounds[0]}
	}
	bye.Players[4].Rounds[0] = tournament.RoundResult{Outcome: tournament.PairingBye}
	is("a second bye", rules(bye, tournament.RoundPairing{Boards: []tournament.Board{{First: 2, Second: 1}, {First: 3, Second: 4}}, Bye: 5}), "C2")
}

func TestTheSystemsOwnPairingMeetsNoObjection(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(11, 3))
	for range 30 {
		f, err := swiss.Mixed(rng, 4, 24).Play(rng, swiss.Dutch{})
		if err != nil {
			continue // ended before its last round
		}
		for k := range f.Played {
			before, actual := swiss.Before(f, k)
			objections, err := swiss.Judge(before, actual)
			if err != nil || len(objections) > 0 {
				t.Fatalf("round %d: %v %v", k+1, objections, err)
			}
		}
	}
}
