package tournament_test

import (
	"errors"
	"testing"
	"time"

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

// An arbiter who plays for a team does nothing to teams that stand level with theirs or above: their matches are not forfeited, their
// players keep their boards, and they are not withdrawn, though a team has no account.
func TestNobodyWhoPlaysForATeamSetsAnotherBack(t *testing.T) {
	t.Parallel()
	mate, neutral := signedIn("a3", player.Plain), signedIn("judge", player.Plain)
	held := func(t *testing.T) *tournament.Tournament {
		t.Helper()
		tour := teamEvent(t, tournament.Swiss, 4, 3, nil)
		for _, v := range []player.Viewer{mate, neutral} {
			if err := tour.Appoint(host, v.ID, tournament.Arbiter, start); err != nil {
				t.Fatal(err)
			}
			if err := tour.AcceptDuty(v, start); err != nil {
				t.Fatal(err)
			}
		}
		begin(t, tour)
		return tour
	}
	opened := func(t *testing.T) *tournament.Tournament { // A–C, D–B
		tour := held(t)
		pairTeams(t, tour, ids())
		return tour
	}
	awaited := func(t *testing.T) *tournament.Tournament {
		tour := opened(t)
		for i := range tour.Rounds[0].Teams {
			tour.Rounds[0].Teams[i].OpenedAt = time.Time{}
		}
		tour.Rounds[0].Pairings = nil
		return tour
	}
	forfeit := func(lost [2]bool) func(*tournament.Tournament, player.Viewer) error {
		return func(t *tournament.Tournament, by player.Viewer) error {
			_, err := t.ForfeitMatch(by, tournament.MatchForfeit{Round: 1, Match: 2, Lost: lost, Why: "why"},
				func(match.ID) bool { return false }, start)
			return err
		}
	}
	lifted := func(t *testing.T) *tournament.Tournament {
		tour := awaited(t)
		if err := forfeit([2]bool{true, false})(tour, host); err != nil {
			t.Fatal(err)
		}
		return tour
	}
	reseat := func(in int) func(*tournament.Tournament, player.Viewer) error { // D’s first player gives way
		return func(t *tournament.Tournament, by player.Viewer) error {
			r := t.Rounds[0]
			p := r.BoardsOf(2)[0]
			team := r.Teams[1].TeamAt(match.First)
			to := team
			if in > 0 {
				to = t.Roster(team)[in-1].ID
			}
			_, _, err := t.Reseat(by, p.Board, p.First, to, func(match.ID) bool { return false }, ids(), start)
			return err
		}
	}
	for _, c := range []struct {
		what    string
		of      func(*testing.T) *tournament.Tournament
		act     tournament.Act
		do      func(*tournament.Tournament, player.Viewer) error
		refused bool
	}{
		{"a match of others is forfeited before its boards open", awaited, tournament.ActForfeitMatch, forfeit([2]bool{true, false}), true},
		{"a match of others is forfeited by both", opened, tournament.ActForfeitMatch, forfeit([2]bool{true, true}), true},
		{"a forfeit of others is lifted before their boards open", lifted, tournament.ActForfeitMatch, forfeit([2]bool{}), true},
		{"a board of others stays empty", opened, tournament.ActRepair, reseat(0), true},
		{"a reserve of others sits down", opened, tournament.ActRepair, reseat(3), false},
		{"a team is withdrawn", opened, tournament.ActWithdraw, func(t *tournament.Tournament, by player.Viewer) error {
			return t.Withdraw(by, t.Rounds[0].Teams[1].First)
		}, true},
		{"a player of a team is taken out", opened, tournament.ActWithdraw, func(t *tournament.Tournament, by player.Viewer) error {
			return t.Withdraw(by, t.Roster(t.Rounds[0].Teams[1].First)[0].ID)
		}, true},
	} {
		for _, v := range []player.Viewer{mate, neutral} {
			tour := c.of(t)
			after := tour.Clone()
			if err := c.do(after, v); err != nil {
				t.Fatalf("%s: %v", c.what, err)
			}
			err := party(tour, after, v, c.act)
			if refused := errors.Is(err, fairplay.ErrParty); refused != (c.refused && v.ID == mate.ID) {
				t.Errorf("%s, by %s: %v", c.what, v.ID, err)
			}
		}
	}
}

// Whoever is staff of an event becomes a party by their own will alone: no captain makes an arbiter a captain or player of theirs, which
// would keep them from deciding about the team.
func TestNoCaptainTakesTheStaffForTheirTeam(t *testing.T) {
	t.Parallel()
	tour := teamEvent(t, tournament.RoundRobin, 3, 2, nil)
	judge := signedIn("judge", player.Plain)
	if err := tour.Appoint(host, judge.ID, tournament.Arbiter, start); err != nil {
		t.Fatal(err)
	}
	name := func(by player.Viewer, list ...player.ID) error { return tour.Clone().SetCaptains(by, 1, list) }
	for _, who := range []player.ID{host.ID, judge.ID} {
		err := name(captain(0), captain(0).ID, who)
		if invited := who == judge.ID; invited && err != nil { // nobody yet
			t.Errorf("%s, only invited to the staff: %v", who, err)
		} else if !invited && !errors.Is(err, tournament.ErrTakesStaff) {
			t.Errorf("a captain names %s: %v", who, err)
		}
	}
	if err := tour.AcceptDuty(judge, start); err != nil {
		t.Fatal(err)
	}
	if err := name(captain(0), captain(0).ID, judge.ID); !errors.Is(err, tournament.ErrTakesStaff) {
		t.Errorf("a captain names an arbiter: %v", err)
	}
	if err := name(host, captain(0).ID, judge.ID); err != nil {
		t.Errorf("the owner names an arbiter: %v", err)
	}
}

// Who asked before the start is accepted after it by staff alone, as they alone add players then.
func TestCaptainsAcceptNobodyAfterTheStart(t *testing.T) {
	t.Parallel()
	tour := teamEvent(t, tournament.RoundRobin, 3, 2, nil)
	late := signedIn("late", player.Plain)
	e, err := tour.JoinTeam(late, 1, tournament.Candidate{Player: late.ID, Name: "Late", Rating: 2400}, start)
	if err != nil || e.Status != tournament.Requested {
		t.Fatalf("%+v, %v", e, err)
	}
	if err := tour.Clone().AcceptMate(captain(0), e.ID, true); err != nil {
		t.Errorf("before the start: %v", err)
	}
	begin(t, tour)
	if err := tour.Clone().AcceptMate(captain(0), e.ID, true); !errors.Is(err, tournament.ErrStarted) {
		t.Errorf("after the start: %v", err)
	}
	if err := tour.Clone().AcceptMate(captain(0), e.ID, false); err != nil {
		t.Errorf("turned down after the start: %v", err)
	}
	if err := tour.Clone().AcceptMate(host, e.ID, true); err != nil {
		t.Errorf("by staff after the start: %v", err)
	}
}

// Whoever answers for a club that is invited may run the site or the event, too: the answer is that of any officer.
func TestAnOfficerOnTheStaffAnswersForTheirClub(t *testing.T) {
	t.Parallel()
	tour := teamEvent(t, tournament.RoundRobin, 2, 2, nil)
	for _, officer := range []player.Viewer{signedIn("judge", player.Plain), signedIn("boss", player.Operator)} {
		before := tour.Clone()
		if officer.Role == player.Plain {
			if err := errors.Join(before.Appoint(host, officer.ID, tournament.Arbiter, start), before.AcceptDuty(officer, start)); err != nil {
				t.Fatal(err)
			}
		}
		team, err := before.EnterTeam(host, tournament.TeamOf{Name: "Club", ClubID: "club", Officers: []player.ID{officer.ID}}, start)
		if err != nil || team.Status != tournament.Invited {
			t.Fatalf("%+v, %v", team, err)
		}
		after := before.Clone()
		if err := after.AnswerInvitation(officer, team.ID, true, start); err != nil {
			t.Fatal(err)
		}
		if err := party(before, after, officer, tournament.ActAccept); err != nil {
			t.Errorf("%s: %v", officer.ID, err)
		}
	}
}
