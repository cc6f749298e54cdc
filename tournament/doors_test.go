package tournament_test

import (
	"errors"
	"testing"

	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
)

func TestAClerkEntersResultsAndCorrectsNone(t *testing.T) {
	t.Parallel()
	tour := running(t, 0, nil)
	nextRound(t, tour)
	clerk, arbiter := signedIn("clerk", player.Plain), signedIn("arbiter", player.Plain)
	tour.Staff = append(tour.Staff, tournament.Member{Player: clerk.ID, Duty: tournament.Results}, tournament.Member{Player: arbiter.ID, Duty: tournament.Arbiter})
	tour.Rounds[0].Pairings[0].Result = tournament.Result{}
	is := func(what string, got, want error) {
		t.Helper()
		if !errors.Is(got, want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	correct := func(by player.Viewer) error {
		return tour.Correct(by, 1, 1, tournament.Drawn, tournament.FromNow, system(tour), start)
	}
	is("the clerk enters", tour.Enter(clerk, 1, 1, tournament.FirstWins, true, start), nil)
	is("the clerk enters another", tour.Enter(clerk, 1, 1, tournament.Drawn, true, start), tournament.ErrSettled)
	is("the arbiter enters another", tour.Enter(arbiter, 1, 1, tournament.Drawn, true, start), tournament.ErrSettled)
	is("the clerk corrects", correct(clerk), tournament.ErrNotAllowed)
	is("the arbiter corrects", correct(arbiter), nil)
}

// The draft is paired from the match's result.
func TestAMatchIsNotRevisedUnderADraft(t *testing.T) {
	t.Parallel()
	tour := running(t, 0, nil)
	nextRound(t, tour)
	if err := tour.DraftNext(system(tour), host.ID, start); err != nil {
		t.Fatal(err)
	}
	id := tour.Rounds[0].Pairings[0].Match
	if err := tour.Reopen(host, id); !errors.Is(err, tournament.ErrDraftOpen) {
		t.Errorf("reopened: %v", err)
	}
	if err := tour.Discard(host, start); err != nil {
		t.Fatal(err)
	}
	if err := tour.Reopen(host, id); err != nil {
		t.Errorf("without the draft: %v", err)
	}
}

func TestNobodyIsLinkedInWhatIsSignedOff(t *testing.T) {
	t.Parallel()
	tour := newTournament(t, tournament.Swiss, nil)
	guest, err := tour.Register(host, tournament.Candidate{Name: "Guest"}, start)
	if err != nil {
		t.Fatal(err)
	}
	tour.Status = tournament.Finalized
	if err := tour.Link(host, guest.ID, player.Player{ID: "ana"}); !errors.Is(err, tournament.ErrFinalized) {
		t.Errorf("linked: %v", err)
	}
}
