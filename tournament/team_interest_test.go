package tournament_test

import (
	"errors"
	"testing"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
)

// An arbiter who is a captain, or plays for a team, decides no match of it alone, whoever sat at the board; neutral
// staff do.
func TestNobodyDecidesAloneForTheirTeam(t *testing.T) {
	t.Parallel()
	tour := teamEvent(t, tournament.Swiss, 4, 3, nil)
	judge, mate, neutral := captain(0), signedIn("a3", player.Plain), signedIn("judge", player.Plain)
	for _, v := range []player.Viewer{judge, mate, neutral} {
		if err := tour.Appoint(host, v.ID, tournament.Arbiter, start); err != nil {
			t.Fatal(err)
		}
		if err := tour.AcceptDuty(v, start); err != nil {
			t.Fatal(err)
		}
	}
	begin(t, tour)
	newID := ids()
	r := pairTeams(t, tour, newID) // A–C, D–B
	play(tour, firstWins)
	for _, id := range []tournament.EntryID{3, 7} { // there is room for another
		if err := tour.Withdraw(host, id); err != nil {
			t.Fatal(err)
		}
	}
	isPlaying := func(match.ID) bool { return false }
	forfeit := func(n int, lost [2]bool) func(*tournament.Tournament, player.Viewer) error {
		return func(t *tournament.Tournament, by player.Viewer) error {
			_, err := t.ForfeitMatch(by, tournament.MatchForfeit{Round: 1, Match: n, Lost: lost, Why: "why"}, isPlaying, start)
			return err
		}
	}
	correct := func(board int, kind tournament.ResultKind) func(*tournament.Tournament, player.Viewer) error {
		return func(t *tournament.Tournament, by player.Viewer) error {
			return t.Correct(by, 1, board, kind, tournament.FromNow, system(t), start)
		}
	}
	for _, c := range []struct {
		what string
		act  tournament.Act
		do   func(*tournament.Tournament, player.Viewer) error
		own  bool
	}{
		{"their match is forfeited to them", tournament.ActForfeitMatch, forfeit(1, [2]bool{false, true}), true},
		{"their match is forfeited by them", tournament.ActForfeitMatch, forfeit(1, [2]bool{true, false}), true},
		{"a mate's board is corrected", tournament.ActCorrect, correct(r.Pairings[1].Board, tournament.SecondWins), true},
		{"a player joins their team late", tournament.ActEnter, func(t *tournament.Tournament, by player.Viewer) error {
			_, err := t.JoinTeam(by, 1, tournament.Candidate{Player: "strong", Name: "Strong", Rating: 2500}, start)
			return err
		}, true},
		{"a player joins another team late", tournament.ActEnter, func(t *tournament.Tournament, by player.Viewer) error {
			_, err := t.JoinTeam(by, 5, tournament.Candidate{Player: "strong", Name: "Strong", Rating: 2500}, start)
			return err
		}, false},
	} {
		for _, v := range []player.Viewer{judge, mate, neutral} {
			after := tour.Clone()
			if err := c.do(after, v); err != nil {
				t.Fatalf("%s: %v", c.what, err)
			}
			err := party(tour, after, v, c.act)
			if refused := errors.Is(err, fairplay.ErrParty); refused != (c.own && v.ID != neutral.ID) {
				t.Errorf("%s, by %s: %v", c.what, v.ID, err)
			}
		}
	}
}
