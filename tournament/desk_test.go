package tournament_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
)

func nothingBegun(match.ID) bool { return false }

// Both ways give the same round.
func TestDraftAndPublishIsPairing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		direct := newTournament(rt, rapid.SampledFrom([]tournament.Format{tournament.Swiss, tournament.RoundRobin}).Draw(rt, "format"), nil)
		enter(rt, direct, rapid.IntRange(4, 11).Draw(rt, "players"))
		if err := direct.Start(host, lowest, start); err != nil {
			rt.Fatal(err)
		}
		drafted := direct.Clone()
		one, two := ids(), ids()
		for !direct.Status.IsOver() {
			_, err := direct.PairNext(system(direct), one, start)
			err2 := drafted.DraftNext(system(drafted), "host", start)
			if (err == nil) != (err2 == nil) {
				rt.Fatal(err, err2)
			}
			if err != nil {
				return
			}
			if _, err := drafted.Publish(tournament.System{}, nil, two, start); err != nil {
				rt.Fatal(err)
			}
			if diff := unlike(direct, drafted); diff != "" {
				rt.Fatal(diff)
			}
			kinds := rapid.SliceOfN(rapid.SampledFrom([]tournament.ResultKind{tournament.FirstWins, tournament.Drawn, tournament.SecondWins}), 6, 6).Draw(rt, "results")
			for _, tour := range []*tournament.Tournament{direct, drafted} {
				play(tour, func(p tournament.Pairing) tournament.ResultKind { return kinds[p.Board%6] })
				tour.Conclude(start)
			}
		}
	})
}

// Whatever staff do, in any order: the log folds to the state, each player of a round is in it
// exactly once, and no result is lost without a deed that may remove it.
func TestStaffActsKeepATournamentWhole(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		now := newTournament(rt, tournament.Swiss, func(s *tournament.Settings) {
			s.Rounds, s.Expulsion = 4, rapid.SampledFrom([]tournament.Leaving{tournament.LeaveUsual, tournament.LeaveForfeits}).Draw(rt, "policy")
		})
		enter(rt, now, rapid.IntRange(4, 8).Draw(rt, "players"))
		var deeds []ledger.Deed
		last, newID := &tournament.Tournament{}, ids()
		entry := func() tournament.EntryID {
			return tournament.EntryID(rapid.IntRange(1, len(now.Entries)).Draw(rt, "entry"))
		}
		acts := []struct {
			act tournament.Act
			do  func() error
		}{
			{tournament.ActStart, func() error { return now.Start(host, lowest, start) }},
			{tournament.ActPair, func() error { _, err := now.PairNext(system(now), newID, start); return err }},
			{tournament.ActDraft, func() error { return now.DraftNext(system(now), host.ID, start) }},
			{tournament.ActDraft, func() error {
				kind := tournament.EditKind(rapid.IntRange(int(tournament.SwapEntries), int(tournament.Repair)).Draw(rt, "kind"))
				return now.EditDraft(host, tournament.Edit{Kind: kind, A: entry(), B: entry(), Bye: tournament.HalfBye, Rest: rapid.Bool().Draw(rt, "rest")}, system(now))
			}},
			{tournament.ActPublish, func() error { _, err := now.Publish(tournament.System{}, nil, newID, start); return err }},
			{tournament.ActDraft, func() error { return now.Discard(host, start) }},
			{tournament.ActRepair, func() error {
				_, _, err := now.EditRound(host, tournament.Edit{Kind: tournament.SwapEntries, A: entry(), B: entry()}, nothingBegun, newID)
				return err
			}},
			{tournament.ActRecord, func() error {
				if len(now.Rounds) == 0 {
					return tournament.ErrNoRound
				}
				play(now, func(tournament.Pairing) tournament.ResultKind {
					return rapid.SampledFrom([]tournament.ResultKind{tournament.FirstWins, tournament.Drawn}).Draw(rt, "result")
				})
				now.Conclude(start)
				return nil
			}},
			{tournament.ActCorrect, func() error {
				return now.Correct(host, rapid.IntRange(1, 4).Draw(rt, "round"), 1, tournament.SecondWins, rapid.SampledFrom([]tournament.Reach{tournament.FromNow, tournament.RatingsOnly, tournament.RepairDraft}).Draw(rt, "reach"), system(now), start)
			}},
			{tournament.ActForbid, func() error {
				return now.Forbid(host, tournament.ForbiddenEntries{Entries: []tournament.EntryID{entry(), entry()}, Soft: true})
			}},
			{tournament.ActExpel, func() error { _, err := now.Expel(host, entry(), nothingBegun, start); return err }},
			{tournament.ActReinstate, func() error { return now.Reinstate(host, entry()) }},
			{tournament.ActWithdraw, func() error { return now.Withdraw(host, entry()) }},
			{tournament.ActUnpair, func() error {
				_, err := now.Unpair(host, rapid.Bool().Draw(rt, "lose"), nothingBegun, start)
				return err
			}},
			{tournament.ActUnstart, func() error { _, err := now.Unstart(host, nothingBegun); return err }},
			{tournament.ActFinish, func() error { return now.Finish(host, start) }},
			{tournament.ActUnfinish, func() error { return now.Unfinish(host) }},
			{tournament.ActFinalize, func() error { return now.Finalize(host, "", start) }},
			{tournament.ActUnfinalize, func() error { return now.Unfinalize(host) }},
		}
		mayLose := []tournament.Act{tournament.ActUnpair, tournament.ActCorrect, tournament.ActExpel, tournament.ActReinstate}
		for range rapid.IntRange(5, 40).Draw(rt, "steps") {
			a := rapid.SampledFrom(acts).Draw(rt, "act")
			before := now.Clone()
			if err := a.do(); err != nil {
				if diff := unlike(before, now); diff != "" {
					rt.Fatalf("%s was refused (%v) and changed: %s", a.act, err, diff)
				}
				continue
			}
			now.Version = int64(len(deeds) + 1)
			deeds = append(deeds, ledger.Deed{Seq: now.Version, At: start, Act: a.act, Changes: ledger.Diff(last, now)})
			folded, err := ledger.Fold(deeds)
			if err != nil {
				rt.Fatal(err)
			}
			if diff := unlike(now, folded); diff != "" {
				rt.Fatalf("after %s: want (-), folded (+):\n%s", a.act, diff)
			}
			if !slices.Contains(mayLose, a.act) {
				keepsResults(rt, a.act, last, now)
			}
			everybodyOnce(rt, a.act, now)
			last = now.Clone()
		}
	})
}

// keepsResults checks that all results from before still stand.
func keepsResults(rt *rapid.T, a tournament.Act, before, after *tournament.Tournament) {
	for i, r := range before.Rounds {
		for k, p := range r.Pairings {
			if p.Result.IsPending() {
				continue
			}
			if i >= len(after.Rounds) || after.Rounds[i].Pairings[k].Result.Kind != p.Result.Kind && after.Rounds[i].Pairings[k].Result.Was == tournament.Pending && p.Result.Was == tournament.Pending {
				rt.Fatalf("%s lost the result of %s", a, fmt.Sprint(r.Number, p))
			}
		}
	}
}

// everybodyOnce checks that nobody is in a round twice, and that everyone who was active when
// the last one opened is in it.
func everybodyOnce(rt fataler, a tournament.Act, t *tournament.Tournament) {
	for i, r := range t.Rounds {
		seen := map[tournament.EntryID]int{}
		for _, p := range r.Pairings {
			seen[p.First]++
			seen[p.Second]++
		}
		for _, b := range r.Byes {
			seen[b.Entry]++
		}
		for _, e := range t.Entries {
			if n := seen[e.ID]; n > 1 || n == 0 && i == len(t.Rounds)-1 && e.Status == tournament.Active && e.From <= r.Number && a == tournament.ActPublish {
				rt.Fatalf("after %s: %s stands %d times in round %d", a, e.Name, n, r.Number)
			}
		}
	}
}

func TestAnEditRefusedChangesNothing(t *testing.T) {
	t.Parallel()
	tour := newTournament(t, tournament.RoundRobin, nil)
	enter(t, tour, 4)
	if err := tour.Start(host, lowest, start); err != nil {
		t.Fatal(err)
	}
	if err := tour.DraftNext(system(tour), host.ID, start); err != nil {
		t.Fatal(err)
	}
	before := tour.Clone()
	for _, e := range []tournament.Edit{{Kind: tournament.Repair}, {Kind: tournament.GiveBye, A: 1, Bye: tournament.HalfBye}, {Kind: tournament.FixPair, A: 1, B: 2}} {
		if err := tour.EditDraft(host, e, system(tour)); err != tournament.ErrTable {
			t.Errorf("%v in a round robin: %v", e.Kind, err)
		}
	}
	if err := tour.Schedule(host, start.Add(-time.Second), start); err != tournament.ErrDraftTime {
		t.Error(err)
	}
	if diff := cmp.Diff(before, tour); diff != "" {
		t.Error(diff)
	}
}

// The log and the database have byes in one order, even if the allocated bye goes to a later
// entry than a requested one.
func TestByesStandByEntry(t *testing.T) {
	t.Parallel()
	tour := newTournament(t, tournament.Swiss, nil)
	enter(t, tour, 6)
	if err := errors.Join(tour.AskBye(host, 1, 1, tournament.HalfBye), tour.Start(host, lowest, start)); err != nil {
		t.Fatal(err)
	}
	r, err := tour.PairNext(system(tour), ids(), start)
	if err != nil {
		t.Fatal(err)
	}
	allocated := r.Byes[len(r.Byes)-1].Entry
	want := []tournament.Bye{{Entry: 1, Kind: tournament.HalfBye}, {Entry: allocated, Kind: tournament.PairingBye}}
	if !slices.Equal(r.Byes, want) || allocated == 1 {
		t.Errorf("%v, want %v", r.Byes, want)
	}
}

// A player disqualified before the start returns to a Swiss as a late entry, but not to the
// fixed table of a round robin.
func TestWhoWasDisqualifiedBeforeTheStartComesBack(t *testing.T) {
	t.Parallel()
	for format, want := range map[tournament.Format]tournament.EntryStatus{tournament.Swiss: tournament.Active, tournament.RoundRobin: tournament.Withdrawn} {
		tour := newTournament(t, format, nil)
		enter(t, tour, 5)
		_, err := tour.Expel(host, 2, nothingBegun, start)
		if err == nil {
			err = tour.Start(host, lowest, start)
		}
		if err == nil {
			err = tour.Reinstate(host, 2)
		}
		if err == nil {
			err = tour.DraftNext(system(tour), host.ID, start)
		}
		if err == nil {
			_, err = tour.Publish(tournament.System{}, nil, ids(), start)
		}
		e, err2 := tour.Entry(2)
		if err != nil || err2 != nil || e.Expelled || e.Status != want || e.TakesPart(1) != (want == tournament.Active) {
			t.Errorf("%v: %+v, %v", format, e, errors.Join(err, err2))
		}
		everybodyOnce(t, tournament.ActPublish, tour)
	}
}

// A withdrawn entry stays withdrawn, a waiting one waits, and one whose place was given to
// somebody else waits, too.
func TestWhoWasDisqualifiedComesBackToWhereHeStood(t *testing.T) {
	t.Parallel()
	tour := newTournament(t, tournament.Swiss, func(s *tournament.Settings) { s.Capacity = 4 })
	enter(t, tour, 6) // 5 and 6 wait
	stands := func(what string, id tournament.EntryID, want tournament.EntryStatus) {
		t.Helper()
		if e, err := tour.Entry(id); err != nil || e.Status != want || e.Expelled || e.Was != 0 {
			t.Errorf("%s: %+v, %v; want %v", what, e, err, want)
		}
	}
	expel := func(id tournament.EntryID) {
		t.Helper()
		if _, err := tour.Expel(host, id, nothingBegun, start); err != nil {
			t.Fatal(err)
		}
		if e, err := tour.Entry(id); err != nil || e.Status != tournament.Withdrawn || !e.Expelled {
			t.Errorf("disqualified: %+v, %v", e, err)
		}
	}
	reinstate := func(id tournament.EntryID) {
		t.Helper()
		if err := tour.Reinstate(host, id); err != nil {
			t.Fatal(err)
		}
	}
	stands("the fifth", 5, tournament.Waiting)
	expel(6)
	reinstate(6)
	stands("who waited", 6, tournament.Waiting)
	expel(1)
	tour.Promote(anybody, start)
	stands("who moved up", 5, tournament.Active)
	reinstate(1)
	stands("whose place is taken", 1, tournament.Waiting)
	if err := tour.Withdraw(host, 2); err != nil {
		t.Fatal(err)
	}
	tour.Promote(anybody, start)
	stands("who has waited longest", 1, tournament.Active)
	expel(2)
	reinstate(2)
	stands("who had left", 2, tournament.Withdrawn)
}
