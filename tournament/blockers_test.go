package tournament_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/outlook"
)

// words writes blockers as "what round.board×count".
func words(list []outlook.Blocker) string {
	var out []string
	for _, b := range list {
		out = append(out, fmt.Sprintf("%s %d.%d×%d", b.What, b.Round, b.Board, b.Count))
	}
	return strings.Join(out, ", ")
}

func TestWhatBlocksATournamentIsNamed(t *testing.T) {
	t.Parallel()
	is := func(what string, tour *tournament.Tournament, boards []outlook.BoardFact, now time.Time, want string) {
		t.Helper()
		if got := words(outlook.Blockers(tour, boards, now)); got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	tour := newTournament(t, tournament.Swiss, func(s *tournament.Settings) { withCheckIn(s); s.Rounds, s.Pace = 2, tournament.Manual })
	enter(t, tour, 1)
	is("one player", tour, nil, start, "few-players 0.0×1")
	tour = newTournament(t, tournament.Swiss, func(s *tournament.Settings) { withCheckIn(s); s.Rounds, s.Pace = 2, tournament.Manual })
	enter(t, tour, 4)
	is("before the start", tour, nil, start, "start 0.0×0")
	if err := tour.Start(host, lowest, start); err != nil {
		t.Fatal(err)
	}
	is("started", tour, nil, start, "by-hand 1.0×0, absent 1.0×4")
	tour.Stuck = "no pairing"
	is("it was tried", tour, nil, start, "few-present 1.0×4")
	for id := range tournament.EntryID(4) {
		if err := tour.Check(host, id+1, true, start); err != nil {
			t.Fatal(err)
		}
	}
	is("all are there", tour, nil, start, "no-pairing 1.0×0")
	tour.Stuck = ""
	is("all are there", tour, nil, start, "by-hand 1.0×0")
	if err := tour.DraftNext(system(tour), "", start); err != nil {
		t.Fatal(err)
	}
	is("drafted", tour, nil, start, "draft 1.0×0")
	if err := tour.PauseRounds(host, "no light", nil, start); err != nil {
		t.Fatal(err)
	}
	is("paused", tour, nil, start, "paused 0.0×0, draft 1.0×0")
	if err := tour.Continue(host, start); err != nil {
		t.Fatal(err)
	}
	if _, err := tour.Publish(tournament.System{}, nil, ids(), start); err != nil {
		t.Fatal(err)
	}
	is("both boards are played", tour, []outlook.BoardFact{{Round: 1, Board: 1}, {Round: 1, Board: 2}}, start, "board 1.1×0, board 1.2×0")
	is("one is not", tour, []outlook.BoardFact{{Round: 1, Board: 1, Waiting: true, Missing: 2}, {Round: 1, Board: 2, Still: true}}, start, "still 1.2×0, waiting 1.1×2")
	is("somebody calls", tour, []outlook.BoardFact{{Round: 1, Board: 1}, {Round: 1, Board: 2, Calls: 1, Still: true}}, start, "call 1.2×0, board 1.1×0")
	is("one is watched", tour, []outlook.BoardFact{{Round: 1, Board: 1}, {Round: 1, Board: 2, Steward: true, Still: true}}, start, "steward 1.2×0, board 1.1×0")
	is("one has ended, and nobody has signed", tour, []outlook.BoardFact{{Round: 1, Board: 1}, {Round: 1, Board: 2}, {Round: 1, Board: 3, Unsaid: true}}, start, "unsigned 1.3×0, board 1.1×0, board 1.2×0")
	is("one is void", tour, []outlook.BoardFact{{Round: 1, Board: 1, Void: true}, {Round: 1, Board: 2}}, start, "void 1.1×0, board 1.2×0")
	who := outlook.Blockers(tour, []outlook.BoardFact{{Round: 1, Board: 1, Void: true}}, start)[0].Resolvers()
	if want := []tournament.Duty{tournament.Owner, tournament.Arbiter, tournament.Results}; !slices.Equal(who, want) {
		t.Errorf("a result is entered by %v", who)
	}
	play(tour, firstWins)
	if _, err := tour.PairNext(system(tour), ids(), start); err == nil {
		t.Fatal("nobody has checked in for round 2")
	}
	is("round 2", tour, nil, start, "by-hand 2.0×0, absent 2.0×4")
}
