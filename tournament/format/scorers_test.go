package format_test

import (
	"fmt"
	"slices"
	"testing"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
)

// Two teams of one board and a reserve play four rounds. Anna wins the first, and the third without an opponent, which is no game;
// she loses the fourth. Whoever played fewer than half of the rounds has no place.
func TestPlayersOfTeamsStandByBoard(t *testing.T) {
	t.Parallel()
	const ants, bees, anna, alla, borys, bohdan = 1, 2, 3, 4, 5, 6
	round := func(n int, first, second tournament.EntryID, kind tournament.ResultKind) tournament.Round {
		return tournament.Round{Number: n, Teams: []tournament.TeamPairing{{First: ants, Second: bees}},
			Pairings: []tournament.Pairing{{Board: 1, TeamMatch: 1, First: first, Second: second, Result: tournament.Result{Kind: kind, Reason: match.Resignation}}}}
	}
	tour := &tournament.Tournament{Table: tournament.Table{
		Settings: tournament.Settings{Format: tournament.Swiss, Rounds: 4, Points: tournament.StandardPoints(),
			Teams: tournament.Teams{Boards: 1, Reserves: 1}},
		Status: tournament.Running,
		Entries: tournament.Entries{
			{ID: ants, Name: "Ants", Number: 1, Status: tournament.Active}, {ID: bees, Name: "Bees", Number: 2, Status: tournament.Active},
			{ID: anna, Name: "Anna", Team: ants, Place: 1, Status: tournament.Active}, {ID: alla, Name: "Alla", Team: ants, Place: 2, Status: tournament.Active},
			{ID: borys, Name: "Borys", Team: bees, Place: 1, Status: tournament.Active}, {ID: bohdan, Name: "Bohdan", Team: bees, Place: 2, Status: tournament.Active},
		},
		Rounds: tournament.Rounds{
			round(1, anna, borys, tournament.FirstWins), round(2, alla, borys, tournament.Drawn),
			round(3, anna, bees, tournament.FirstByForfeit), round(4, anna, bohdan, tournament.SecondWins),
		},
	}}
	list, err := format.Scorers(tour)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range list {
		got = append(got, fmt.Sprintf("board %d, place %d: %s of %s, %d in %d", x.Board, x.Rank, x.Entry.Name, x.Team.Name, x.Points, x.Games))
	}
	want := []string{
		"board 1, place 1: Anna of Ants, 10 in 2", "board 1, place 2: Borys of Bees, 5 in 2",
		"board 2, place 0: Bohdan of Bees, 10 in 1", "board 2, place 0: Alla of Ants, 5 in 1",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
