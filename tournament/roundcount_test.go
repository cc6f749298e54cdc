package tournament_test

import (
	"errors"
	"testing"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
)

// Six players have five opponents each. Of three rounds, one is over and one is open.
func TestARoundMoreOrLess(t *testing.T) {
	t.Parallel()
	evening := func(day int) time.Time { return time.Date(2026, 10, day, 16, 0, 0, 0, time.UTC) } // 19:00 in Kyiv until the 25th
	begun := func(change func(*tournament.Settings)) *tournament.Tournament {
		tour := newTournament(t, tournament.Swiss, func(s *tournament.Settings) {
			s.Rounds, s.Zone = 3, "Europe/Kyiv"
			if change != nil {
				change(s)
			}
		})
		enter(t, tour, 6)
		if err := tour.Start(host, lowest, start); err != nil {
			t.Fatal(err)
		}
		return tour
	}
	draft := func(tour *tournament.Tournament) {
		t.Helper()
		if err := tour.DraftNext(system(tour), host.ID, start); err != nil {
			t.Fatal(err)
		}
	}
	open := func(tour *tournament.Tournament) {
		t.Helper()
		draft(tour)
		if _, err := tour.Publish(system(tour), nil, ids(), start); err != nil {
			t.Fatal(err)
		}
	}
	tour := begun(nil)
	open(tour)
	play(tour, firstWins)
	open(tour)
	for _, x := range []struct {
		rounds int
		sure   bool
		want   error
	}{
		{1, true, tournament.ErrRoundsRange}, // it was played
		{3, true, tournament.ErrRoundsRange}, // as it is
		{100, true, tournament.ErrRoundsRange},
		{6, false, tournament.ErrRoundsMany},
		{6, true, nil},
		{5, false, nil},
		{2, false, nil}, // the open one is the last
		{3, false, nil},
	} {
		if err := tour.SetRounds(host, x.rounds, x.sure, start); !errors.Is(err, x.want) {
			t.Errorf("%d rounds: %v, want %v", x.rounds, err, x.want)
		}
	}
	if err := tour.SetRounds(someone, 4, false, start); !errors.Is(err, tournament.ErrNotAllowed) {
		t.Errorf("anybody may: %v", err)
	}
	play(tour, firstWins)
	if err := tour.SetRounds(host, 2, false, start); !errors.Is(err, tournament.ErrRoundsRange) {
		t.Errorf("with no round open, fewer is to finish: %v", err)
	}
	draft(tour) // as the last of three
	if err := tour.SetRounds(host, 4, false, start); err != nil || !errors.Is(tour.DraftStale(), tournament.ErrDraftRounds) {
		t.Errorf("%v; a draft of a last round that is none any more is not stale", err)
	}
	tour.Draft = nil
	open(tour)
	if tour.Rounds[2].Overtaken {
		t.Fatal("overtaken by nothing")
	}
	before := tour.Clone()
	if err := tour.SetRounds(host, 3, false, start); err != nil {
		t.Fatal(err)
	}
	if tour.MarkOvertaken(&before.Table); !tour.Rounds[2].Overtaken || tour.Rounds[1].Overtaken {
		t.Errorf("round 3 was not paired as the last one: %+v", tour.Rounds[2])
	}
	play(tour, firstWins)
	if !tour.Conclude(start) {
		t.Error("the third of three rounds is over, the event not")
	}
	if err := tour.SetRounds(host, 4, false, start); !errors.Is(err, tournament.ErrFinished) {
		t.Errorf("finished: %v", err)
	}

	timed := begun(func(s *tournament.Settings) {
		s.Pace, s.Times = tournament.Times, []time.Time{evening(22), evening(23), evening(24)}
	})
	if err := timed.SetRounds(host, 4, false, start); err != nil || len(timed.Times) != 4 || !timed.Times[3].Equal(evening(25).Add(time.Hour)) {
		t.Errorf("%v: %v, want 19:00 of the next evening, when winter has come", err, timed.Times)
	}
	if err := timed.SetRounds(host, 2, false, start); err != nil || len(timed.Times) != 2 {
		t.Errorf("%v: %v", err, timed.Times)
	}

	fast := begun(func(s *tournament.Settings) { s.Acceleration = tournament.Baku })
	open(fast) // the first of two accelerated rounds; of five it would be the first of three, worth as much
	if err := fast.SetRounds(host, 5, false, start); err != nil {
		t.Errorf("no paired round changes: %v", err)
	}
	play(fast, firstWins)
	open(fast) // the second of three is worth a win, of two a draw
	if err := fast.SetRounds(host, 4, false, start); !errors.Is(err, tournament.ErrRoundsFaster) {
		t.Errorf("a paired round would have been accelerated otherwise: %v", err)
	}

	table := newTournament(t, tournament.RoundRobin, nil)
	enter(t, table, 4)
	if err := table.SetRounds(host, 4, true, start); !errors.Is(err, tournament.ErrNotRunning) {
		t.Errorf("before the start: %v", err)
	}
	if err := table.Start(host, lowest, start); err != nil {
		t.Fatal(err)
	}
	if err := table.SetRounds(host, 4, true, start); !errors.Is(err, tournament.ErrRoundsFixed) {
		t.Errorf("a round robin: %v", err)
	}
}

// Whatever the settings say about late entries and byes of rounds, they hold after another number of rounds, too: an event
// like this one can be made, and a Keizer, in which people meet again, asks for nothing.
func TestSettingsHoldWithAnotherNumberOfRounds(t *testing.T) {
	t.Parallel()
	for _, of := range []tournament.Format{tournament.Swiss, tournament.Keizer} {
		tour := newTournament(t, of, func(s *tournament.Settings) {
			s.Rounds, s.Tiebreaks = 5, nil
			s.Entry.LateUntil, s.Entry.HalfByes, s.Entry.HalfUntil = 5, 1, 5
		})
		enter(t, tour, 4)
		if err := tour.Start(host, lowest, start); err != nil {
			t.Fatal(err)
		}
		for _, rounds := range []int{4, 2, 8} {
			err := tour.SetRounds(host, rounds, of == tournament.Swiss, start)
			if valid := tour.Settings.Validate(); err != nil || valid != nil || tour.Settings.Rounds != rounds {
				t.Errorf("%s, %d rounds: %v, %v", of, rounds, err, valid)
			}
		}
	}
}

// A club's season takes people as long as it lasts.
func TestAKeizerTakesPeopleAsLongAsThereAreRounds(t *testing.T) {
	t.Parallel()
	tour := newTournament(t, tournament.Keizer, func(s *tournament.Settings) { s.Rounds = 2 })
	enter(t, tour, 4)
	if err := tour.Start(host, lowest, start); err != nil {
		t.Fatal(err)
	}
	late := tournament.Candidate{Player: "late", Name: "Late Comer"}
	if _, err := tour.Clone().Register(signedIn("late", player.Plain), late, start); err != nil {
		t.Errorf("before round 1: %v", err)
	}
	for range 2 {
		r, err := tour.PairNext(format.System(&tour.Table), ids(), start)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range r.Pairings {
			tour.Record(p.Match, tournament.Result{Kind: tournament.FirstWins, At: start})
		}
		_, err = tour.Clone().Register(signedIn("late", player.Plain), late, start)
		if want := map[int]error{1: nil, 2: tournament.ErrNoRoundsLeft}[len(tour.Rounds)]; !errors.Is(err, want) {
			t.Errorf("after round %d: %v, want %v", len(tour.Rounds), err, want)
		}
	}
}
