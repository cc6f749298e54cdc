package arbiter_test

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chpok.org/chpok/arbiter/rounds"
	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/tournament/ledger"
	"chpok.org/chpok/tournament/outlook"
)

func (h *hall) running(id tournament.ID) (n int) {
	h.t.Helper()
	for _, r := range h.tournament(id).Rounds {
		for _, p := range r.Pairings {
			h.ok(h.store.Read(h.t.Context(), func(tx *store.Tx) error {
				head, err := tx.Match(p.Match)
				if head.Status != match.Over {
					n++
				}
				return err
			}))
		}
	}
	return n
}

func TestADraftIsPublishedAtItsMomentOnce(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.create(tournament.Swiss, func(s *tournament.Settings) { s.Rounds, s.Review = 3, true }, "ana", "bob", "cyn", "dan")
		h.ok(h.Rounds.Start(t.Context(), h.host, id))
		tour := h.tournament(id)
		if tour.Draft == nil || len(tour.Rounds) != 0 {
			t.Fatalf("a round that is due is drafted only: %+v", tour)
		}
		if err := h.Rounds.Open(t.Context(), h.host, id); !errors.Is(err, tournament.ErrDraftOpen) {
			t.Errorf("a round beside the draft: %v", err)
		}
		if err := h.Desk.EditDraft(t.Context(), h.viewer("ana"), id, tournament.Edit{Kind: tournament.SwapSeats, A: 1}, ""); !errors.Is(err, tournament.ErrNotAllowed) {
			t.Errorf("a player edits the draft: %v", err)
		}
		first := tour.Draft.Boards[0]
		h.ok(h.Desk.EditDraft(t.Context(), h.host, id, tournament.Edit{Kind: tournament.SwapSeats, A: first.First}, ""))
		if err := h.Desk.ScheduleRound(t.Context(), h.host, id, h.clock.now()); !errors.Is(err, tournament.ErrDraftTime) {
			t.Errorf("a moment that is over: %v", err)
		}
		h.ok(h.Desk.ScheduleRound(t.Context(), h.host, id, h.clock.now().Add(time.Hour)))
		h.ok(h.Sweep(t.Context()))
		if n := len(h.tournament(id).Rounds); n != 0 {
			t.Fatalf("%d rounds before the moment", n)
		}
		h.clock.advance(time.Hour)
		for range 2 {
			h.ok(h.Sweep(t.Context()))
		}
		tour = h.tournament(id)
		if len(tour.Rounds) != 1 || tour.Draft != nil || !tour.Rounds[0].Edited || h.running(id) != 2 {
			t.Fatalf("published once, with its matches: %+v", tour.Rounds)
		}
		if p := tour.Rounds[0].Pairings[0]; p.First != first.Second || p.Second != first.First {
			t.Errorf("seats were exchanged: %+v", p)
		}
	})
}

func TestARoundIsTakenBackAndPublishedAgain(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		id := h.create(tournament.Swiss, func(s *tournament.Settings) { s.Rounds = 3 }, "ana", "bob", "cyn", "dan")
		h.ok(h.Rounds.Start(t.Context(), h.host, id))
		before := h.tournament(id).Rounds[0]
		if err := h.Desk.Unpair(t.Context(), h.host, id, false, ""); !errors.Is(err, tournament.ErrReason) {
			t.Errorf("without a reason: %v", err)
		}
		h.ok(h.Desk.Unpair(t.Context(), h.host, id, false, "a player had not arrived"))
		if n := h.reminded("ana", notice.TakenBack); n != 1 {
			t.Errorf("ana was told %d times that her round was taken back", n)
		}
		tour := h.tournament(id)
		if len(tour.Rounds) != 0 || tour.Draft == nil || len(tour.Draft.Boards) != 2 {
			t.Fatalf("the round is a draft again: %+v", tour)
		}
		for _, p := range before.Pairings {
			h.ok(h.store.Read(t.Context(), func(tx *store.Tx) error {
				head, err := tx.Match(p.Match)
				if head.Status != match.Over || head.Result.Outcome != match.Void {
					t.Errorf("match %s goes on: %v %v", p.Match, head.Status, head.Result)
				}
				return err
			}))
		}
		h.ok(h.Rounds.Publish(t.Context(), h.host, id))
		after := h.tournament(id).Rounds[0]
		for i, p := range after.Pairings {
			if q := before.Pairings[i]; p.First != q.First || p.Second != q.Second || p.Match == q.Match {
				t.Errorf("the same pair in a new match: %+v, was %+v", p, q)
			}
		}
		// With a result, something is lost.
		tour = h.tournament(id)
		a, _ := tour.Entry(after.Pairings[0].First)
		b, _ := tour.Entry(after.Pairings[0].Second)
		h.beats(id, a.Name, b.Name)
		if err := h.Desk.Unpair(t.Context(), h.host, id, false, "again"); !errors.Is(err, tournament.ErrBegun) {
			t.Errorf("a result would be lost: %v", err)
		}
		if err := h.Desk.Unstart(t.Context(), h.host, id, "again"); !errors.Is(err, tournament.ErrBegun) {
			t.Errorf("the start with it: %v", err)
		}
		h.ok(h.Desk.Unpair(t.Context(), h.host, id, true, "wrong list of players"))
		h.ok(h.Desk.DiscardDraft(t.Context(), h.host, id))
		h.clock.advance(time.Hour)
		h.ok(h.Sweep(t.Context()))
		if tour = h.tournament(id); len(tour.Rounds) != 0 || tour.Draft != nil || !tour.IsHeld() {
			t.Fatalf("what was discarded is made again: %+v, draft %+v", tour.Rounds, tour.Draft)
		}
		if list, err := h.Events.Blockers(t.Context(), tour); err != nil || len(list) != 1 || list[0].What != outlook.BlockHeld || list[0].Round != 1 {
			t.Errorf("the desk is told %+v, %v", list, err)
		}
		if err := h.Desk.ReleaseRound(t.Context(), h.viewer("gus"), id); !errors.Is(err, tournament.ErrNotAllowed) {
			t.Errorf("somebody releases it: %v", err)
		}
		h.ok(h.Desk.ReleaseRound(t.Context(), h.host, id)) // it is due
		if err := h.Desk.ReleaseRound(t.Context(), h.host, id); !errors.Is(err, tournament.ErrNotHeld) {
			t.Errorf("released twice: %v", err)
		}
		if tour = h.tournament(id); len(tour.Rounds) != 1 || tour.Rounds[0].Pairings[0].Result.Kind != tournament.Pending {
			t.Fatalf("paired anew: %+v", tour.Rounds)
		}
		h.ok(h.Desk.Unstart(t.Context(), h.host, id, "two more are coming"))
		if tour = h.tournament(id); tour.Status != tournament.Registration || len(tour.Rounds) != 0 || tour.Seed != "" || tour.Entries[0].Number != 0 {
			t.Fatalf("registration again: %+v", tour)
		}
		h.ok(h.Rounds.Start(t.Context(), h.host, id))
	})
}

func TestBoardsOfAnOpenRoundAreSwapped(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.create(tournament.Swiss, func(s *tournament.Settings) { s.Rounds = 3 }, "ana", "bob", "cyn", "dan", "eve", "fay")
		h.ok(h.Rounds.Start(t.Context(), h.host, id))
		r := h.tournament(id).Rounds[0]
		one, two, three := r.Pairings[0], r.Pairings[1], r.Pairings[2]
		h.ok(h.Desk.EditRound(t.Context(), h.host, id, tournament.Edit{Kind: tournament.SwapEntries, A: one.Second, B: two.Second}, "brothers"))
		now := h.tournament(id).Rounds[0]
		if p := now.Pairings[0]; p.First != one.First || p.Second != two.Second || p.Match == one.Match || !now.Edited {
			t.Errorf("board 1: %+v", p)
		}
		if !reflect.DeepEqual(now.Pairings[2], three) || h.running(id) != 3 {
			t.Errorf("board 3 stays, three matches are played: %+v", now.Pairings[2])
		}
		tour := h.tournament(id)
		a, _ := tour.Entry(three.First)
		b, _ := tour.Entry(three.Second)
		h.beats(id, a.Name, b.Name)
		if err := h.Desk.EditRound(t.Context(), h.host, id, tournament.Edit{Kind: tournament.SwapEntries, A: three.First, B: one.First}, ""); !errors.Is(err, tournament.ErrBeingPlayed) {
			t.Errorf("a board with a result: %v", err)
		}
	})
}

func TestSigningOffAndGoingOn(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		id := friday(h)
		elo := h.ratings("ana", "bob", "cyn", "dan")
		h.ok(h.Desk.Finalize(t.Context(), h.host, id, "well played"))
		if tour := h.tournament(id); tour.Status != tournament.Finalized || tour.Signed.Note != "well played" {
			t.Fatalf("%+v", tour.Signed)
		}
		c := tables.Correction{Round: 1, Board: 1, Kind: tournament.Drawn, Reach: tournament.FromNow}
		for what, err := range map[string]error{
			"a correction":       h.Correct(t.Context(), h.host, id, c, "the sheet"),
			"a result":           h.Rounds.EnterResult(t.Context(), h.host, id, rounds.Seen{Round: 1, Board: 1}, tournament.Drawn),
			"going on":           h.Desk.Unfinish(t.Context(), h.host, id, "one more round"),
			"a disqualification": h.Desk.Expel(t.Context(), h.host, id, 1, tables.Expulsion{Reason: "an engine"}),
		} {
			if !errors.Is(err, tournament.ErrFinalized) {
				t.Errorf("%s after the sign-off: %v", what, err)
			}
		}
		h.ok(h.Desk.Unfinalize(t.Context(), h.host, id, "a wrong sheet"))
		h.ok(h.Desk.Unfinish(t.Context(), h.host, id, "a wrong sheet"))
		tour := h.tournament(id)
		if tour.Status != tournament.Running || !tour.RatedAt.IsZero() {
			t.Fatalf("%v, rated %v", tour.Status, tour.RatedAt)
		}
		if got := h.ratings("ana", "bob"); got["ana"] != 0 || got["bob"] != 0 {
			t.Errorf("the ratings are taken back: %v", got)
		}
		h.ok(h.Rounds.Finish(t.Context(), h.host, id))
		if diff := cmp.Diff(elo, h.ratings("ana", "bob", "cyn", "dan")); diff != "" {
			t.Errorf("rated again as before: %s", diff)
		}
	})
}

func TestACorrectionIsSeenBeforehandAsItComes(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := friday(h)
		before := h.tournament(id)
		// Round 3, cyn beat ana: to be a draw. ana 2½, cyn ½.
		var c tables.Correction
		cyn, _ := before.EntryOf(h.player("cyn").ID)
		for _, p := range before.Rounds[2].Pairings {
			if p.SeatOf(cyn.ID).Valid() {
				c = tables.Correction{Round: 3, Board: p.Board, Kind: tournament.Drawn, Reach: tournament.FromNow}
			}
		}
		effect, after, err := tables.Preview(before, h.host, c, h.clock.now())
		h.ok(err)
		ratings, err := h.Ratings.Preview(t.Context(), before, after)
		h.ok(err)
		if diff := cmp.Diff(map[string]int{"ana": 1520, "bob": 1520, "cyn": 1480, "dan": 1480}, h.ratings("ana", "bob", "cyn", "dan")); diff != "" {
			t.Errorf("a preview changes nothing: %s", diff)
		}
		if len(h.tournament(id).Rounds[2].Pairings) != 2 || h.tournament(id).Version != before.Version {
			t.Error("a preview writes nothing")
		}
		seen := map[string]int{}
		for _, r := range ratings {
			e, _ := before.EntryOf(r.Player)
			seen[e.Name] = r.After.Whole()
		}
		// ana scored 2½ of 3 at 1500 against 1500s: +40; cyn ½: −40.
		if diff := cmp.Diff(map[string]int{"ana": 1540, "cyn": 1460}, seen); diff != "" {
			t.Error(diff)
		}
		if len(effect.Lines) == 0 {
			t.Error("the standings change")
		}
		h.ok(h.Correct(t.Context(), h.host, id, c, "both signed a draw"))
		if diff := cmp.Diff(map[string]int{"ana": 1540, "bob": 1520, "cyn": 1460, "dan": 1480}, h.ratings("ana", "bob", "cyn", "dan")); diff != "" {
			t.Errorf("as it was shown: %s", diff)
		}
		got := map[string]string{}
		table, err := format.Standings(h.tournament(id), -1)
		h.ok(err)
		for _, l := range table.Lines {
			got[l.Entry.Name] = l.Values[1].String()
		}
		for _, l := range effect.Lines {
			if got[l.Entry.Name] != l.After.Values[1].String() {
				t.Errorf("%s: %s was shown, %s came", l.Entry.Name, l.After.Values[1], got[l.Entry.Name])
			}
		}
	})
}

func TestACorrectionForTheRatingsOnly(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := friday(h)
		want := table(t, h.tournament(id))
		board := 0
		tour := h.tournament(id)
		cyn, _ := tour.EntryOf(h.player("cyn").ID)
		for _, p := range tour.Rounds[2].Pairings {
			if p.SeatOf(cyn.ID).Valid() {
				board = p.Board
			}
		}
		h.ok(h.Correct(t.Context(), h.host, id, tables.Correction{Round: 3, Board: board, Kind: tournament.Drawn, Reach: tournament.RatingsOnly}, "found a year later"))
		if diff := cmp.Diff(want, table(t, h.tournament(id))); diff != "" {
			t.Errorf("the table stays: %s", diff)
		}
		if diff := cmp.Diff(map[string]int{"ana": 1540, "cyn": 1460}, h.ratings("ana", "cyn")); diff != "" {
			t.Error(diff)
		}
	})
}

func TestWhichOfTheRatedGamesOfTwoPlayersAMatchWas(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		id := h.create(tournament.RoundRobin, func(s *tournament.Settings) { s.Double = true }, "ana", "bob", "cyn")
		h.ok(h.Rounds.Start(t.Context(), h.host, id))
		ana, _ := h.tournament(id).EntryOf(h.player("ana").ID)
		bob, _ := h.tournament(id).EntryOf(h.player("bob").ID)
		var theirs []int // rounds in which ana and bob met
		for round := 1; round <= 6; round++ {
			p := h.tournament(id).Rounds[round-1].Pairings[0]
			if p.SeatOf(ana.ID).Valid() && p.SeatOf(bob.ID).Valid() {
				theirs = append(theirs, round)
			}
			_, err := h.live.Do(t.Context(), p.Match, h.at(id, p, match.Second).ID, live.Request{Command: match.Resign{Seat: match.Second}, Admit: admitted})
			h.ok(err)
		}
		played := func(round int) (n int, rated bool) {
			h.ok(h.store.Read(t.Context(), func(tx *store.Tx) (err error) {
				n, rated, err = tx.RatedGameNo(h.tournament(id).Rounds[round-1].Pairings[0].Match)
				return err
			}))
			return n, rated
		}
		for i, round := range theirs {
			if n, rated := played(round); n != i || !rated {
				t.Errorf("round %d was game %d, rated: %v", round, n, rated)
			}
		}
		// A game that did not take place gives nothing, and the other one is the first.
		h.ok(h.Correct(t.Context(), h.host, id, tables.Correction{Round: theirs[0], Board: 1, Kind: tournament.FirstByForfeit, Reach: tournament.FromNow}, "was not there"))
		if _, rated := played(theirs[0]); rated {
			t.Error("a forfeit is rated")
		}
		if n, rated := played(theirs[1]); n != 0 || !rated {
			t.Errorf("then round %d was game %d, rated: %v", theirs[1], n, rated)
		}
	})
}

func TestADisqualificationFollowsThePolicyAndIsTakenBack(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		policy tournament.Leaving
		want   []string // place, name, score
	}{
		// friday: ana 2, bob 2, dan 1, cyn 1; cyn has beaten ana and lost twice.
		{tournament.LeaveKeep, []string{"1 ana 20", "2 bob 20", "3 dan 10", "4 cyn 10"}},
		{tournament.LeaveForfeits, []string{"1 ana 30", "2 bob 20", "3 dan 10", "4 cyn 0"}},
		{tournament.LeaveAnnul, []string{"1 ana 20", "2 bob 10", "3 dan 0"}},
	} {
		t.Run(x.policy.String(), func(t *testing.T) {
			t.Parallel()
			one(t, func(t *testing.T, h *hall) {
				id := h.create(tournament.RoundRobin, func(s *tournament.Settings) { s.Expulsion = x.policy }, "ana", "bob", "cyn", "dan")
				h.ok(h.Rounds.Start(t.Context(), h.host, id))
				for _, p := range [][2]string{{"ana", "dan"}, {"bob", "cyn"}, {"dan", "cyn"}, {"ana", "bob"}, {"bob", "dan"}, {"cyn", "ana"}} {
					h.beats(id, p[0], p[1])
				}
				before, elo := table(t, h.tournament(id)), h.ratings("ana", "bob", "cyn", "dan")
				cyn, _ := h.tournament(id).EntryOf(h.player("cyn").ID)
				h.ok(h.Desk.Expel(t.Context(), h.host, id, cyn.ID, tables.Expulsion{Reason: "an engine"}))
				var got []string
				for _, line := range table(t, h.tournament(id)) {
					got = append(got, strings.Join(strings.Fields(line)[:3], " "))
				}
				if diff := cmp.Diff(x.want, got); diff != "" {
					t.Error(diff)
				}
				h.ok(h.Desk.Reinstate(t.Context(), h.host, id, cyn.ID, "it was not"))
				if diff := cmp.Diff(before, table(t, h.tournament(id))); diff != "" {
					t.Errorf("as before: %s", diff)
				}
				if diff := cmp.Diff(elo, h.ratings("ana", "bob", "cyn", "dan")); diff != "" {
					t.Errorf("ratings as before: %s", diff)
				}
			})
		})
	}
}

func TestAnExportedLogIsCheckedAgainstItsTable(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := friday(h)
		tour := h.tournament(id)
		var deeds []ledger.Deed
		h.ok(h.store.Read(t.Context(), func(tx *store.Tx) (err error) {
			deeds, err = tx.Deeds(id)
			return err
		}))
		for name, list := range map[string][]ledger.Deed{"staff's": deeds, "everybody's": ledger.Public(deeds)} {
			var file bytes.Buffer
			h.ok(tables.WriteLog(&file, tour, list))
			read, table, err := tables.ReadLog(&file)
			h.ok(err)
			folded, err := ledger.Fold(read)
			h.ok(err)
			got, err := tables.TableOf(folded)
			h.ok(err)
			got.Seq = table.Seq
			if bad := got.Differences(*table); len(bad) > 0 || len(table.Lines) != 4 {
				t.Errorf("%s log: %v", name, bad)
			}
			wrong := *table
			wrong.Lines = append([]tables.FinalLine(nil), table.Lines...)
			wrong.Lines[1].Values = []string{"2", "2", "9", "0"}
			if bad := got.Differences(wrong); len(bad) != 1 || !strings.Contains(bad[0], "SB is 2, not 9") {
				t.Errorf("one wrong figure: %v", bad)
			}
		}
	})
}
