package teamswiss_test

import (
	"slices"
	"testing"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/teamswiss"
)

// six are six teams before round 1 of five.
func six() tournament.Field {
	f := tournament.Field{Rounds: 5, Points: points(), Opening: match.First}
	for n := 1; n <= 6; n++ {
		f.Players = append(f.Players, tournament.FieldPlayer{Number: n})
	}
	return f
}

// The example of a first and a second round, worked out by hand from the articles.
func TestTwoRoundsOfSixTeams(t *testing.T) {
	t.Parallel()
	f := six()
	is := func(want ...tournament.Board) {
		t.Helper()
		round, err := teamswiss.Swiss{}.Pair(f)
		if err != nil || !slices.Equal(round.Boards, want) || round.Bye != 0 {
			t.Fatalf("%v, %v; want %v", round, err, want)
		}
	}
	// 1 to 3 are tops, First was drawn for odd numbers.
	is(tournament.Board{First: 1, Second: 4}, tournament.Board{First: 5, Second: 2}, tournament.Board{First: 3, Second: 6})
	f.Played = 1
	for i, c := range []tournament.RoundResult{
		{Opponent: 4, Seat: match.First, Outcome: tournament.Win}, {Opponent: 5, Seat: match.Second, Outcome: tournament.Win},
		{Opponent: 6, Seat: match.First, Outcome: tournament.Draw}, {Opponent: 1, Seat: match.Second, Outcome: tournament.Loss},
		{Opponent: 2, Seat: match.First, Outcome: tournament.Loss}, {Opponent: 3, Seat: match.Second, Outcome: tournament.Draw},
	} {
		f.Players[i].Rounds = []tournament.RoundResult{c}
	}
	// 1 and 2 meet, the lower difference First. 3 and 6 have met, so both others join them: of 3-4 5-6,
	// 3-5 4-6 and 3-6 4-5 the first has the identifier 3 5 4 6, the second 3 4 5 6. 3 and 5 were both First, so
	// the first team alternates; 4 and 6 were both Second.
	is(tournament.Board{First: 2, Second: 1}, tournament.Board{First: 5, Second: 3}, tournament.Board{First: 6, Second: 4})
}
