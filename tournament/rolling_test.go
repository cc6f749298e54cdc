package tournament_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/contest"
)

func rolling(s *tournament.Settings) { s.Pace = tournament.Rolling }

// ends decides the match of two players and returns the boards that this opens.
func ends(t fataler, tour *tournament.Tournament, winner, loser tournament.EntryID, newID func() match.ID, now time.Time) boards {
	for _, r := range tour.Rounds {
		for _, p := range r.Pairings {
			if !p.Result.IsPending() || !p.SeatOf(winner).Valid() || !p.SeatOf(loser).Valid() {
				continue
			}
			kind := tournament.FirstWins
			if p.Second == winner {
				kind = tournament.SecondWins
			}
			tour.Record(p.Match, tournament.Result{Kind: kind, At: now})
			tour.Conclude(now)
			return pairs(tournament.Round{Pairings: tour.Roll(newID, now, false)})
		}
	}
	t.Fatalf("%d and %d do not meet", winner, loser)
	return nil
}

// Six players, byes for 1 and 2: 1 meets the winner of 4-5 while 3-6 goes on. 5 beats 4 and 1,
// and waits for the final until 6 has beaten 2; then 1 and 2 meet for third place, too.
func TestAMatchOpensOnceBothPlayersAreKnown(t *testing.T) {
	t.Parallel()
	tour, newID := knockOut(t, 6, rolling), ids()
	wantBoards(t, "round 1", next(t, tour, newID), boards{{4, 5}, {3, 6}})
	if tour.Settings.Rounds != 3 {
		t.Fatalf("%d rounds, want 3", tour.Settings.Rounds)
	}
	wantBoards(t, "after 5 has won", ends(t, tour, 5, 4, newID, start), boards{{1, 5}})
	if at, due := tour.NextRoundAt(); due {
		t.Errorf("3 and 6 play, and a match opens at %v", at)
	}
	wantBoards(t, "after 5 has won again", ends(t, tour, 5, 1, newID, start), nil)
	if len(tour.Rounds) != 2 || tour.RoundIsOver() || tour.Settings.Rounds != 3 {
		t.Fatalf("%d rounds of %d, over: %v", len(tour.Rounds), tour.Settings.Rounds, tour.RoundIsOver())
	}
	if open := tour.Rounds.Open(); len(open) != 1 || open[0].Number != 1 {
		t.Fatalf("open rounds: %v", open)
	}
	wantBoards(t, "after 6 has won", ends(t, tour, 6, 3, newID, start), boards{{2, 6}})
	if second := pairs(tour.Rounds[1]); !slices.Equal(second, boards{{1, 5}, {2, 6}}) {
		t.Fatalf("round 2: %v", second)
	}
	wantBoards(t, "after 6 has won again", ends(t, tour, 6, 2, newID, start), boards{{5, 6}, {1, 2}})
	wantBoards(t, "after the final", ends(t, tour, 5, 6, newID, start), nil)
	if tour.Status != tournament.Running {
		t.Fatal("it is over before third place is decided")
	}
	wantBoards(t, "at the end", ends(t, tour, 2, 1, newID, start), nil)
	if tour.Status != tournament.Finished || tour.Field().Places[5] != 1 || len(tour.Rounds) != 3 {
		t.Errorf("it is %v after %d rounds, 5 has place %d", tour.Status, len(tour.Rounds), tour.Field().Places[5])
	}
}

// A break counts from the later of the two last results; byes have none.
func TestAMatchOpensAfterABreak(t *testing.T) {
	t.Parallel()
	tour, newID := knockOut(t, 6, func(s *tournament.Settings) { s.Pace, s.Break = tournament.Rolling, 5*time.Minute }), ids()
	next(t, tour, newID)
	wantBoards(t, "at once", ends(t, tour, 4, 5, newID, start.Add(time.Minute)), nil)
	if at, due := tour.NextRoundAt(); !due || !at.Equal(start.Add(6*time.Minute)) {
		t.Errorf("the next match opens at %v (%v)", at, due)
	}
	if opened := tour.Roll(newID, start.Add(5*time.Minute), false); len(opened) != 0 {
		t.Errorf("a minute too early: %v", opened)
	}
	wantBoards(t, "at once, on demand", pairs(tournament.Round{Pairings: tour.Clone().Roll(newID, start.Add(5*time.Minute), true)}), boards{{1, 4}})
	wantBoards(t, "in time", pairs(tournament.Round{Pairings: tour.Roll(newID, start.Add(6*time.Minute), false)}), boards{{1, 4}})
}

// 5 players: 2 and 3 have byes and meet without waiting for 4-5.
func TestTwoWithByesMeetAtOnce(t *testing.T) {
	t.Parallel()
	tour, newID := knockOut(t, 5, rolling), ids()
	wantBoards(t, "round 1", next(t, tour, newID), boards{{4, 5}})
	wantBoards(t, "at once", pairs(tournament.Round{Pairings: tour.Roll(newID, start, false)}), boards{{2, 3}})
	if len(tour.Rounds) != 2 {
		t.Errorf("%d rounds, want 2", len(tour.Rounds))
	}
}

// A player who left forfeits as soon as the opponent is known, who advances at once.
func TestWhoHasLeftIsForfeitedAtOnce(t *testing.T) {
	t.Parallel()
	tour, newID := knockOut(t, 6, func(s *tournament.Settings) { s.Pace, s.Losers = tournament.Rolling, contest.Out }), ids()
	next(t, tour, newID)
	ends(t, tour, 4, 5, newID, start)
	if err := tour.Withdraw(host, 2); err != nil {
		t.Fatal(err)
	}
	wantBoards(t, "after 3 has won", ends(t, tour, 3, 6, newID, start), boards{{2, 3}})
	if p := tour.Rounds[1].Pairings[1]; p.Result.Outcome(p.SeatOf(3)) != tournament.ForfeitWin || p.Match != "" {
		t.Errorf("against who has left: %+v", p)
	}
	wantBoards(t, "after 4 has won", ends(t, tour, 4, 1, newID, start), boards{{3, 4}})
}

// A result that a later match relies on can only be corrected; any other can be taken back as a
// slip of the desk.
func TestWhatALaterMatchRestsOnIsNotTakenBack(t *testing.T) {
	t.Parallel()
	tour, newID := knockOut(t, 6, rolling), ids()
	next(t, tour, newID)
	for board, want := range map[int]error{1: tournament.ErrLaterRound, 2: nil} {
		if err := tour.Enter(host, 1, board, tournament.FirstWins, true, start); err != nil {
			t.Fatal(err)
		}
		if board == 1 {
			tour.Conclude(start)
			tour.Roll(newID, start, false)
		}
		if err := tour.TakeResultBack(host, 1, board); !errors.Is(err, want) {
			t.Errorf("board %d: %v, want %v", board, err, want)
		}
		if err := tour.MayRevise(host, tournament.ActReopen, tour.Rounds[0].Pairings[board-1].Match); errors.Is(err, tournament.ErrLaterRound) != (want != nil) {
			t.Errorf("the match of board %d goes on: %v", board, err)
		}
	}
}

// A corrected result removes the matches of the player who no longer advances, and opens those
// of the one who does.
func TestACorrectionOpensTheMatchesOfWhoGoesOn(t *testing.T) {
	t.Parallel()
	tour, newID := knockOut(t, 6, rolling), ids()
	next(t, tour, newID)
	wantBoards(t, "after 5 has won", ends(t, tour, 5, 4, newID, start), boards{{1, 5}})
	p := tour.Rounds[0].Pairings[0]
	kind := tournament.FirstWins
	if p.Second == 4 {
		kind = tournament.SecondWins
	}
	if err := tour.Correct(host, 1, 1, kind, tournament.FromNow, bracketSystem(tour), start); !errors.Is(err, tournament.ErrGoesOn) {
		t.Fatalf("without what is lost: %v", err)
	}
	if err := tour.Correct(host, 1, 1, kind, tournament.Replay, bracketSystem(tour), start); err != nil {
		t.Fatal(err)
	}
	wantBoards(t, "after the correction", pairs(tournament.Round{Pairings: tour.Roll(newID, start, false)}), boards{{1, 4}})
}

// Rounds are only columns: with others open, none is taken back. Round 1 is a round like any.
func TestOnlyTheFirstRoundIsTakenBack(t *testing.T) {
	t.Parallel()
	tour, newID := knockOut(t, 6, rolling), ids()
	next(t, tour, newID)
	if _, err := tour.Clone().Unpair(host, false, nothingBegun, start); err != nil {
		t.Fatal(err)
	}
	ends(t, tour, 5, 4, newID, start)
	if _, err := tour.Unpair(host, true, nothingBegun, start); !errors.Is(err, tournament.ErrRolling) {
		t.Errorf("round 2 is taken back: %v", err)
	}
}

func TestOnlyAKnockOutRolls(t *testing.T) {
	t.Parallel()
	for format, change := range map[tournament.Format]func(*tournament.Settings){
		tournament.RoundRobin: rolling, tournament.Swiss: rolling,
		tournament.KnockOut: func(s *tournament.Settings) { s.Pace, s.Review = tournament.Rolling, true },
	} {
		s := tournament.DefaultSettings(format)
		s.Name = "Cup"
		change(&s)
		var faults *refusal.Error
		if !errors.As(s.Validate(), &faults) {
			t.Errorf("%v: such settings are taken", format)
		}
	}
	tour := knockOut(t, 6, rolling)
	if err := tour.Postpone(host, 2, start.Add(time.Hour), false, start); !errors.Is(err, tournament.ErrRolling) {
		t.Errorf("a round gets a time: %v", err)
	}
}

// goOn opens what may be played next at the tournament's pace.
func goOn(t fataler, tour *tournament.Tournament, newID func() match.ID) {
	if tour.Pace == tournament.Rolling {
		tour.Roll(newID, start, false)
	} else {
		next(t, tour, newID)
	}
}

// A drawn match opens a tie-break. The draw is not taken back under it, and if it is corrected
// to a win, the tie-break that nobody has played falls away.
func TestATieBreakFallsWithItsReason(t *testing.T) {
	t.Parallel()
	for _, pace := range []tournament.Pace{tournament.Auto, tournament.Rolling} {
		tour, newID := knockOut(t, 4, func(s *tournament.Settings) {
			s.Pace, s.Tie, s.Losers = pace, []contest.Step{contest.Pair, contest.Seed}, contest.Out
		}), ids()
		next(t, tour, newID)
		level := pairs(tour.Rounds[0])[0]
		enter := func(board int, kind tournament.ResultKind) {
			t.Helper()
			if err := tour.Enter(host, 1, board, kind, true, start); err != nil {
				t.Fatal(err)
			}
			tour.Conclude(start)
		}
		enter(1, tournament.Drawn)
		if pace == tournament.Auto {
			enter(2, tournament.FirstWins)
		}
		goOn(t, tour, newID)
		if got := pairs(tour.Rounds[1]); len(got) != 1 || got[0] != level && got[0] != [2]tournament.EntryID{level[1], level[0]} {
			t.Fatalf("%v: the tie-break is %v", pace, got)
		}
		if err := tour.TakeResultBack(host, 1, 1); !errors.Is(err, tournament.ErrLaterRound) {
			t.Errorf("%v: the draw is taken back: %v", pace, err)
		}
		if err := tour.Correct(host, 1, 1, tournament.FirstWins, tournament.Replay, bracketSystem(tour), start); err != nil {
			t.Fatal(err)
		}
		if len(tour.Rounds) != 1 {
			t.Errorf("%v: after the correction there are %d rounds", pace, len(tour.Rounds))
		}
	}
}

// Three play: 2-3 is drawn, and a tie-break follows. Round 1 stays what it was; its final comes in round 3.
func TestARoundIsNamedByItsOwnMatches(t *testing.T) {
	t.Parallel()
	for _, pace := range []tournament.Pace{tournament.Auto, tournament.Rolling} {
		tour, newID := knockOut(t, 3, func(s *tournament.Settings) {
			s.Pace, s.Tie, s.Losers = pace, []contest.Step{contest.Pair, contest.Seed}, contest.Out
		}), ids()
		next(t, tour, newID)
		if err := tour.Enter(host, 1, 1, tournament.Drawn, true, start); err != nil {
			t.Fatal(err)
		}
		tour.Conclude(start)
		goOn(t, tour, newID)
		for n, isTie := range []bool{false, true} {
			if got := tour.ContestsIn(n + 1); len(got) != 1 || got[0].Tie != isTie || got[0].Sides != [2]int{2, 3} {
				t.Errorf("%v: round %d has %+v", pace, n+1, got)
			}
		}
	}
}
