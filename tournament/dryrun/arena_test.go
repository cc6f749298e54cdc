package dryrun_test

import (
	"fmt"
	"testing"
	"time"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/dryrun"
	"chpok.org/chpok/tournament/ledger"
)

// TestHowLongAnArenaLetsItsPlayersWait is the goal: of 500 players for 12 s on average,
// and 99 of 100 times for at most 35.
func TestHowLongAnArenaLetsItsPlayersWait(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		players   int
		mean, p99 time.Duration
		balance   int
	}{{500, 12 * time.Second, 35 * time.Second, 4}, {100, 15 * time.Second, 60 * time.Second, 4}} {
		p := plan(tournament.Arena, x.players, func(s *tournament.Settings) { s.Window = 40 * time.Minute })
		for i := range p.Entries {
			p.Entries[i].Rating = 2200 - 1200*i/x.players
		}
		_, s, err := p.Arena(1, false)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d players: mean %v, p90 %v, p99 %v, longest %v, %.1f places apart, %.1f matches each, balance %d, %d rematches", x.players, s.Mean, s.P90,
			s.P99, s.Longest, s.Apart, 2*float64(s.Matches)/float64(x.players), s.Balance, s.Rematches)
		if s.Mean > x.mean || s.P99 > x.p99 || s.Balance > x.balance || s.Rematches > 0 {
			t.Errorf("%d players: %+v", x.players, s)
		}
	}
}

// A dry run is begun while a page waits for it, and each pass looks at all matches so far:
// twelve hours are gone through in 3000 passes, one in 14 s, not in 21,600.
func TestALongArenaIsPairedLessOftenInADryRun(t *testing.T) {
	t.Parallel()
	p := plan(tournament.Arena, 20, func(s *tournament.Settings) { s.Window = 12 * time.Hour })
	tour, s, err := p.Arena(1, false)
	if err != nil {
		t.Fatal(err)
	}
	if at := tour.Rounds[0].Pass.At.Sub(tour.Rounds[0].OpenedAt); at%(14*time.Second) != 0 || at < 11*time.Hour {
		t.Errorf("the last pass was after %v", at)
	}
	if s.Matches < 20*12 || tour.Status != tournament.Finished {
		t.Errorf("%d matches, %v", s.Matches, tour.Status)
	}
}

func TestASimulatedArenaIsItsLog(t *testing.T) {
	t.Parallel()
	for seed, n := range []int{2, 3, 5, 12, 31} {
		p := plan(tournament.Arena, n, func(s *tournament.Settings) { s.Window = 30 * time.Minute })
		tour, s, err := p.Arena(uint64(seed), true)
		if err != nil {
			t.Fatal(err)
		}
		if err := checkArena(tour, s); err != nil {
			t.Errorf("%d players: %v", n, err)
		}
		if s.Matches < n || tour.Status != tournament.Finished || s.End > 30*time.Minute+tour.WorstRound() {
			t.Errorf("%d players: %d matches in %v", n, s.Matches, s.End)
		}
		text := fmt.Sprint(s.Deeds[len(s.Deeds)/2].Changes)
		if len(text) == 0 {
			t.Error("nothing in the middle of the log")
		}
	}
}

// checkArena is nil, or what is wrong with an arena that was simulated with its log.
func checkArena(t *tournament.Tournament, s dryrun.ArenaSample) error {
	folded, err := ledger.Fold(s.Deeds)
	if err != nil {
		return err
	}
	if len(ledger.Diff(folded, t)) > 0 {
		return fmt.Errorf("%w: what it folds to is not the tournament", ledger.ErrBroken)
	}
	if err := ledger.CheckPasses(s.Deeds); err != nil {
		return err
	}
	busy := map[tournament.EntryID]time.Time{}
	opened := map[int]time.Time{}
	for _, d := range s.Deeds {
		for _, c := range d.Changes {
			var round, board int
			if n, _ := fmt.Sscanf(c.Path, "rounds.%d.boards.%d", &round, &board); n == 2 && len(c.Before) == 0 {
				opened[board] = d.At
			}
		}
	}
	for _, p := range t.Rounds[0].Pairings {
		for _, id := range [...]tournament.EntryID{p.First, p.Second} {
			if opened[p.Board].Before(busy[id]) {
				return fmt.Errorf("entry %d sits at two boards at a time, board %d", id, p.Board)
			}
			busy[id] = p.Result.At
		}
	}
	return nil
}
