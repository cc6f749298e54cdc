package main

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
)

// TestACheckTellsWhatStaffDidFromAWrongPairing does to the second round of a Swiss tournament whatever staff may do, plays on,
// and has the report checked: nothing differs that staff did not do, and what they paired otherwise is said to be theirs.
func TestACheckTellsWhatStaffDidFromAWrongPairing(t *testing.T) {
	t.Parallel()
	host := player.Viewer{Player: player.Player{ID: "host", Role: player.Organizer}}
	now := time.Date(2026, 5, 1, 18, 0, 0, 0, time.UTC)
	draft := func(edits ...func(*tournament.Tournament) tournament.Edit) func(*tournament.Tournament) error {
		return func(tour *tournament.Tournament) error {
			if err := tour.DraftNext(format.System(&tour.Table), host.ID, now); err != nil {
				return err
			}
			for _, e := range edits {
				if err := tour.EditDraft(host, e(tour), format.System(&tour.Table)); err != nil {
					return err
				}
			}
			_, err := tour.Publish(format.System(&tour.Table), nil, noMatch(t), now)
			return err
		}
	}
	open := func(e func([]tournament.DraftBoard, tournament.EntryID) tournament.Edit) func(*tournament.Tournament) error {
		return func(tour *tournament.Tournament) error {
			r, err := tour.PairNext(format.System(&tour.Table), noMatch(t), now)
			if err != nil {
				return err
			}
			var boards []tournament.DraftBoard
			for _, p := range r.Pairings {
				boards = append(boards, tournament.DraftBoard{First: p.First, Second: p.Second})
			}
			_, _, err = tour.EditRound(host, e(boards, r.Byes[0].Entry), func(match.ID) bool { return false }, noMatch(t))
			return err
		}
	}
	type picking func(*tournament.RoundDraft) (a, b tournament.EntryID)
	of := func(kind tournament.EditKind, pick picking) func(*tournament.Tournament) tournament.Edit {
		return func(tour *tournament.Tournament) tournament.Edit {
			e := tournament.Edit{Kind: kind, Rest: kind == tournament.FixPair || kind == tournament.PartPair || kind == tournament.GiveBye}
			e.A, e.B = pick(tour.Draft)
			return e
		}
	}
	across := func(d *tournament.RoundDraft) (a, b tournament.EntryID) { return d.Boards[0].First, d.Boards[1].Second }
	bye := func(d *tournament.RoundDraft) (a, b tournament.EntryID) { return d.Bye, d.Boards[0].First }
	first := func(d *tournament.RoundDraft) (a, b tournament.EntryID) { return d.Boards[0].First, d.Boards[0].Second }
	one := func(*tournament.RoundDraft) (a, b tournament.EntryID) { return 1, 7 } // whom the system pairs
	byes := func(kind tournament.Outcome) func(*tournament.Tournament) tournament.Edit {
		return func(tour *tournament.Tournament) tournament.Edit {
			return tournament.Edit{Kind: tournament.GiveBye, A: tour.Draft.Boards[0].First, Bye: kind, Rest: true}
		}
	}
	for name, c := range map[string]struct {
		do     func(*tournament.Tournament) error
		theirs bool // staff paired otherwise than the system
	}{
		"nothing":            {draft(), false},
		"swapped seats":      {draft(of(tournament.SwapSeats, first)), true},
		"swapped players":    {draft(of(tournament.SwapEntries, across)), true},
		"moved the bye":      {draft(of(tournament.SwapEntries, bye)), true},
		"paired two":         {draft(of(tournament.FixPair, across)), true},
		"kept two apart":     {draft(of(tournament.PartPair, first)), true},
		"swapped and back":   {draft(of(tournament.SwapSeats, first), of(tournament.SwapSeats, first)), false},
		"apart and together": {draft(of(tournament.PartPair, one), of(tournament.JoinPair, one), of(tournament.Repair, one)), false},
		"a half-point bye":   {draft(byes(tournament.HalfBye)), false},
		"a full-point bye":   {draft(byes(tournament.FullBye)), false},
		"an absence":         {draft(byes(tournament.ZeroBye)), false},
		"seats of the open one": {open(func(b []tournament.DraftBoard, _ tournament.EntryID) tournament.Edit {
			return tournament.Edit{Kind: tournament.SwapSeats, A: b[0].First}
		}), true},
		"players of the open one": {open(func(b []tournament.DraftBoard, _ tournament.EntryID) tournament.Edit {
			return tournament.Edit{Kind: tournament.SwapEntries, A: b[0].First, B: b[1].Second}
		}), true},
		"the bye of the open one": {open(func(b []tournament.DraftBoard, bye tournament.EntryID) tournament.Edit {
			return tournament.Edit{Kind: tournament.SwapEntries, A: b[0].First, B: bye}
		}), true},
		"a late entry": {func(tour *tournament.Tournament) error {
			if _, err := tour.Register(host, tournament.Candidate{Name: "Late Comer", Rating: 1700}, now); err != nil {
				return err
			}
			return draft()(tour)
		}, false},
		"a withdrawal": {func(tour *tournament.Tournament) error {
			if err := tour.Withdraw(host, 3); err != nil {
				return err
			}
			return draft()(tour)
		}, false},
	} {
		tour := paperSwiss(t, host, 9, now)
		results := []tournament.ResultKind{tournament.FirstWins, tournament.DoubleForfeit, tournament.SecondByForfeit, tournament.Drawn}
		play := func() {
			n := len(tour.Rounds)
			for i, p := range tour.Rounds[n-1].Pairings {
				if err := tour.Enter(host, n, p.Board, results[i%len(results)], false, now); err != nil {
					t.Fatal(name, err)
				}
			}
		}
		for round := 1; round <= 4; round++ {
			do := draft()
			if round == 2 {
				do = c.do
			}
			if err := do(tour); err != nil {
				t.Fatal(name, round, err)
			}
			play()
		}
		var report strings.Builder
		if err := tables.WriteReport(&report, tour, nil, nil); err != nil {
			t.Fatal(name, err)
		}
		says := "0 edited by staff, 0 differ"
		if c.theirs {
			says = "1 edited by staff, 0 differ"
		}
		if status, out, errs := runOn(t, report.String(), "check"); status != 0 || !strings.Contains(out, says) {
			t.Errorf("%s: status %d, %s%s\n%s", name, status, out, errs, report.String())
		}
	}
}

func noMatch(t *testing.T) func() match.ID {
	return func() match.ID { t.Fatal("guests have no match"); return "" }
}

// paperSwiss is a Swiss tournament of five rounds that has started, its players without accounts.
func paperSwiss(t *testing.T, host player.Viewer, people int, now time.Time) *tournament.Tournament {
	t.Helper()
	s := tournament.DefaultSettings(tournament.Swiss)
	s.Name, s.Numbering, s.Rounds = "Friday", tournament.Given, 5
	tour, err := tournament.New("t", host.ID, s, now)
	if err == nil {
		err = tour.OpenRegistration(host, now)
	}
	for i := range people {
		if err == nil {
			_, err = tour.Register(host, tournament.Candidate{Name: "Player " + strconv.Itoa(i+1), Rating: 1900 - 50*i}, now)
		}
	}
	if err == nil {
		err = tour.Start(host, tournament.Drawing{Seed: "00", Pick: func(int) int { return 0 }}, now)
	}
	if err != nil {
		t.Fatal(err)
	}
	return tour
}
