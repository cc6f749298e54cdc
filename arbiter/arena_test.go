package arbiter_test

import (
	"errors"
	"fmt"
	"slices"
	"syscall"
	"testing"
	"time"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
)

// arena is an open arena with these players, nobody of whom waits.
func (h *hall) arena(handles ...string) tournament.ID {
	h.t.Helper()
	id := h.create(tournament.Arena, func(s *tournament.Settings) { s.Lateness = 20 * time.Second }, handles...)
	h.ok(h.Rounds.Start(h.t.Context(), h.host, id))
	return id
}

// An arena is paired for as long as it was to be, whatever time the site was away. Its settings stay, so that a copy
// inherits nothing, and the log says what happened.
func TestAnArenaGetsBackWhatAnOutageTook(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.arena("ana", "bob")
		until, pairs := h.tournament(id).PairsUntil()
		if !pairs {
			t.Fatal("it is not paired")
		}
		h.ok(h.store.Write(t.Context(), func(tx *store.Tx) error {
			return tx.AddOutage(store.Outage{From: until.Add(-10 * time.Minute), To: until.Add(5 * time.Minute)})
		}))
		h.clock.advance(until.Add(5 * time.Minute).Sub(h.clock.now()))
		for range 2 { // once
			h.ok(h.Rounds.SweepArenas(t.Context()))
			if now, pairs := h.tournament(id).PairsUntil(); !pairs || !now.Equal(until.Add(15*time.Minute)) {
				t.Fatalf("it is paired until %v, not a quarter of an hour more than %v", now, until)
			}
		}
		if got := h.tournament(id).Window; got != time.Hour {
			t.Errorf("the setting is %v now", got)
		}
		copied, err := h.Events.Clone(t.Context(), h.host, id, time.UTC, false)
		h.ok(err)
		if c := h.tournament(copied); c.Window != time.Hour || !c.Timetable.IsZero() || c.Timetable.Extra != 0 {
			t.Errorf("a copy has a window of %v and %+v", c.Window, c.Timetable)
		}
		if acts := h.acts(id); acts[len(acts)-1] != tournament.ActGiveBack {
			t.Errorf("the log says %v", acts)
		}
		h.clock.advance(10 * time.Minute) // the ten minutes it still had when the site went away
		h.ok(h.Rounds.SweepArenas(t.Context()))
		if _, pairs := h.tournament(id).PairsUntil(); pairs {
			t.Error("it is paired for ever")
		}
	})
}

// Announced arenas to which too few come stand there for ever, and are in nobody's way.
func TestArenasThatArePlayedComeFirst(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		begins := []time.Time{h.clock.now().Add(time.Hour)}
		for range 3 {
			h.create(tournament.Arena, func(s *tournament.Settings) { s.Pace, s.Times, s.Lateness = tournament.Times, begins, time.Minute }, "cyn")
		}
		h.clock.advance(2 * time.Hour)
		played := h.arena("ana", "bob")
		first, err := store.Get(t.Context(), h.store, func(tx *store.Tx) ([]tournament.ID, error) { return tx.Arenas(h.clock.now(), 1) })
		if err != nil || !slices.Equal(first, []tournament.ID{played}) {
			t.Errorf("%v, %v, want %s", first, err, played)
		}
	})
}

func (h *hall) await(id tournament.ID, handles ...string) {
	h.t.Helper()
	for _, handle := range handles {
		h.ok(h.Rounds.Await(h.t.Context(), h.viewer(handle), id))
	}
}

// met are the boards of an arena by names, in order.
func (h *hall) met(id tournament.ID) (list []string) {
	h.t.Helper()
	t := h.tournament(id)
	for _, p := range t.Rounds[0].Pairings {
		a, _ := t.Entry(p.First)
		b, _ := t.Entry(p.Second)
		list = append(list, a.Name+"-"+b.Name)
	}
	return list
}

// comes lets players say that they are there, at their latest board.
func (h *hall) comes(id tournament.ID, handles ...string) {
	h.t.Helper()
	t := h.tournament(id)
	for _, handle := range handles {
		e, _ := t.EntryOf(h.player(handle).ID)
		boards := t.Rounds[0].Pairings
		for i := len(boards) - 1; i >= 0; i-- {
			if seat := boards[i].SeatOf(e.ID); seat.Valid() {
				_, err := h.live.Do(h.t.Context(), boards[i].Match, e.Player, live.Request{Command: match.Ready{Seat: seat}, Admit: admitted})
				h.ok(err)
				break
			}
		}
	}
}

// winsIn ends the match between two players that is under way.
func (h *hall) winsIn(id tournament.ID, winner, loser string) {
	h.t.Helper()
	t := h.tournament(id)
	w, _ := t.EntryOf(h.player(winner).ID)
	l, _ := t.EntryOf(h.player(loser).ID)
	for _, p := range t.Rounds[0].Pairings {
		if seat := p.SeatOf(l.ID); seat.Valid() && p.SeatOf(w.ID).Valid() && p.Result.IsPending() {
			_, err := h.live.Do(h.t.Context(), p.Match, l.Player, live.Request{Command: match.Resign{Seat: seat}, Admit: admitted})
			h.ok(err)
			return
		}
	}
	h.t.Fatalf("%s and %s do not play", winner, loser)
}

// later lets time pass in which the jobs do what is due.
func (h *hall) later(d time.Duration) {
	h.t.Helper()
	for {
		step := min(d, 4*time.Second) // more would be an outage
		h.clock.advance(step)
		h.ok(h.live.Heartbeat(h.t.Context()))
		h.ok(h.live.SweepDue(h.t.Context()))
		h.ok(h.Rounds.SweepArenas(h.t.Context()))
		if d -= step; d == 0 {
			return
		}
	}
}

func TestAnArenaFromItsOpeningToItsTable(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.arena("ana", "bob", "cyn", "dan")
		if tour := h.tournament(id); len(tour.Rounds) != 1 || tour.RoundIsOver() || len(tour.Rounds[0].Pairings) != 0 {
			t.Fatalf("opened with the start, nobody paired: %+v", tour.Rounds)
		}
		if err := h.Rounds.Await(t.Context(), h.viewer("eve"), id); !errors.Is(err, tournament.ErrNoEntry) {
			t.Errorf("who has not entered waits: %v", err)
		}
		h.await(id, "ana", "bob") // paired as soon as the second waits
		if got := h.met(id); !slices.Equal(got, []string{"ana-bob"}) {
			t.Fatal(got)
		}
		if err := h.Rounds.Await(t.Context(), h.viewer("ana"), id); !errors.Is(err, tournament.ErrBeingPlayed) {
			t.Errorf("who plays waits: %v", err)
		}
		h.await(id, "cyn")
		h.later(3 * time.Second)
		h.comes(id, "ana", "bob")
		h.winsIn(id, "ana", "bob")
		h.await(id, "ana") // cyn has waited for 3 s, ana has 2 points: 20 s are more than that is worth
		if got := h.met(id); len(got) != 2 || got[1] != "cyn-ana" {
			t.Fatal(got) // ana was first before
		}
		h.comes(id, "ana", "cyn")
		h.winsIn(id, "ana", "cyn")
		h.later(3 * time.Second)
		h.await(id, "ana", "dan")
		h.comes(id, "ana", "dan")
		h.winsIn(id, "ana", "dan")
		tour := h.tournament(id)
		// ana 2 + 2 + 4; the others have lost once each and are equal in all.
		want := []string{"1 ana 80 ", "2 bob 0 ", "2 cyn 0 ", "2 dan 0 "}
		if got := table(t, tour); !slices.Equal(got, want) {
			t.Errorf("%q", got)
		}
		for range 900 { // an hour; without the beats it would be an outage, which an arena gets back
			h.clock.advance(4 * time.Second)
			h.ok(h.live.Heartbeat(t.Context()))
		}
		h.ok(h.Rounds.SweepArenas(t.Context()))
		if tour = h.tournament(id); tour.Status != tournament.Finished || tour.RatedAt.IsZero() {
			t.Errorf("%v, rated %v", tour.Status, tour.RatedAt)
		}
		// Three wins against equals: 3 × ½ × 40 = 60.
		if got := h.ratings("ana", "bob"); got["ana"] != 1560 || got["bob"] != 1480 {
			t.Errorf("%v", got)
		}
		h.ok(h.Correct(t.Context(), h.host, id, tables.Correction{Round: 1, Board: 1, Kind: tournament.Drawn, Reach: tournament.FromNow}, "miscounted"))
		// D W W: 1 + 2 + 2; bob has a point.
		want = []string{"1 ana 50 ", "2 bob 10 ", "3 cyn 0 ", "3 dan 0 "}
		if got := table(t, h.tournament(id)); !slices.Equal(got, want) {
			t.Errorf("corrected: %q", got)
		}
		h.ok(h.store.Read(t.Context(), func(tx *store.Tx) error {
			deeds, err := tx.Deeds(id)
			if err != nil {
				return err
			}
			return ledger.CheckPasses(deeds)
		}))
	})
}

func TestWhoCameInVainIsPairedAgain(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		id := h.arena("ana", "bob", "cyn")
		h.await(id, "ana")
		h.clock.advance(15 * time.Second)
		h.await(id, "ana", "bob")
		h.comes(id, "ana")
		h.later(21 * time.Second) // bob does not come
		p := h.tournament(id).Rounds[0].Pairings[0]
		if p.Result.Kind != tournament.FirstByForfeit {
			t.Fatalf("%+v", p)
		}
		waiting := h.waiting(id)
		if len(waiting) != 1 || waiting[0].Entry != p.First || !waiting[0].Since.Equal(h.clock.now().Add(-36*time.Second)) {
			t.Errorf("ana goes on waiting, for 36 s now: %+v at %v", waiting, h.clock.now())
		}
		h.await(id, "cyn")
		if got := h.met(id); len(got) != 2 {
			t.Errorf("and is paired with the next: %v", got)
		}
		h.comes(id, "ana", "cyn")
		h.winsIn(id, "cyn", "ana")
		for range 2 { // bob stays away twice more
			h.later(50 * time.Second)
			h.await(id, "bob", "cyn")
			h.comes(id, "cyn")
			h.later(21 * time.Second)
		}
		e, _ := h.tournament(id).EntryOf(h.player("bob").ID)
		if e.Status != tournament.Withdrawn {
			t.Errorf("three absences: %v", e.Status)
		}
	})
}

func (h *hall) waiting(id tournament.ID) (list []tournament.Awaiting) {
	h.t.Helper()
	h.ok(h.store.Read(h.t.Context(), func(tx *store.Tx) (err error) {
		list, err = h.Rounds.Waiting(tx, h.tournament(id))
		return err
	}))
	return list
}

func TestWhoClosesThePageWaitsNoLonger(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		id := h.arena("ana", "bob", "cyn")
		leave := h.Rounds.Look(id, h.player("ana").ID)
		h.await(id, "ana")
		h.later(19 * time.Second)
		h.later(19 * time.Second)
		if len(h.waiting(id)) != 1 {
			t.Error("the page is open")
		}
		leave() // seen at the last beat, 5 s ago at most and the steps of this test
		h.later(11 * time.Second)
		if len(h.waiting(id)) != 1 {
			t.Error("gone for 11 s")
		}
		h.later(9 * time.Second)
		if len(h.waiting(id)) != 0 {
			t.Error("gone for 20 s")
		}
		h.await(id, "ana")
		h.ok(h.Rounds.Rest(t.Context(), h.viewer("ana"), id))
		h.await(id, "bob")
		if got := h.met(id); len(got) != 0 {
			t.Errorf("who rests is paired: %v", got)
		}
	})
}

// Two nodes that pair at once make each board once, and nobody sits at two.
func TestOnePassAtATimeOnTwoNodes(t *testing.T) {
	t.Parallel()
	storetest.ManyAtOnce(t)
	each(t, func(t *testing.T, h *hall) {
		other := arbiter.New(h.store, h.live, arbiter.Config{Now: h.clock.now}, nil)
		id := h.arena(names[:6]...)
		for round := range 4 {
			h.ok(h.store.Write(t.Context(), func(tx *store.Tx) error {
				for i := range 6 {
					if err := tx.Await(id, tournament.EntryID(i+1), h.clock.now(), h.clock.now().Add(-20*time.Second)); err != nil {
						return err
					}
				}
				return nil
			}))
			for _, err := range atOnce(6, func(i int) error {
				if i%2 == 0 {
					return h.Rounds.SweepArenas(t.Context())
				}
				return other.Rounds.SweepArenas(t.Context())
			}) {
				t.Fatal(err)
			}
			tour := h.tournament(id)
			seats := map[tournament.EntryID]int{}
			for _, p := range tour.Rounds[0].Pairings {
				if p.Result.IsPending() {
					seats[p.First]++
					seats[p.Second]++
				}
			}
			if len(seats) != 6 || len(tour.Rounds[0].Pairings) != 3*(round+1) {
				t.Fatalf("round %d: %v, %d boards", round, seats, len(tour.Rounds[0].Pairings))
			}
			for id, n := range seats {
				if n != 1 {
					t.Errorf("entry %d sits at %d boards", id, n)
				}
			}
			for _, p := range tour.Rounds[0].Pairings {
				if p.Result.IsPending() {
					first, _ := tour.Entry(p.First)
					second, _ := tour.Entry(p.Second)
					h.comes(id, first.Name, second.Name)
					h.winsIn(id, first.Name, second.Name)
				}
			}
			h.clock.advance(50 * time.Second)
		}
	})
}

func TestAnArenaBeginsByItself(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		at := h.clock.now().Add(10 * time.Minute)
		id := h.create(tournament.Arena, func(s *tournament.Settings) {
			s.Lateness, s.Pace, s.Times = 20*time.Second, tournament.Times, tournament.Moments{at}
		}, "ana")
		h.later(10*time.Minute + time.Second)
		if got := h.tournament(id).Status; got != tournament.Registration {
			t.Errorf("with one player: %v", got)
		}
		_, err := h.Entries.Register(t.Context(), h.viewer("bob"), id, entries.Application{Handle: "bob"})
		h.ok(err)
		h.later(time.Second)
		h.later(time.Second)
		tour := h.tournament(id)
		if _, open := tour.ArenaRound(); !open {
			t.Fatalf("%v, %+v", tour.Status, tour.Rounds)
		}
		_, err = h.Entries.Register(t.Context(), h.viewer("cyn"), id, entries.Application{Handle: "cyn"})
		h.ok(err)
		h.await(id, "bob", "cyn")
		if got := h.met(id); len(got) != 1 {
			t.Errorf("who comes late plays: %v", got)
		}
	})
}

// The log of an arena grows with its boards, not with their square: a pass writes what
// came, whatever there was before.
func TestTheLogOfAnArenaDoesNotGrowQuadratically(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.arena("ana", "bob", "cyn", "dan")
		for range 12 {
			h.await(id, "ana", "bob")
			h.comes(id, "ana", "bob")
			h.winsIn(id, "ana", "bob")
			h.clock.advance(50 * time.Second)
		}
		var sizes []int
		h.ok(h.store.Read(t.Context(), func(tx *store.Tx) error {
			deeds, err := tx.Deeds(id)
			for _, d := range deeds {
				if d.Act == tournament.ActPair {
					sizes = append(sizes, len(fmt.Sprint(d.Changes)))
				}
			}
			return err
		}))
		if n := len(sizes); n < 10 || sizes[n-1] > 2*sizes[2] {
			t.Errorf("%v", sizes)
		}
	})
}

// crowded is an open arena of so many players who have played so many matches.
func (h *hall) crowded(players, matches int) tournament.ID {
	h.t.Helper()
	id := h.arena("ana", "bob", "cyn", "dan")
	before := h.tournament(id)
	after := before.Clone()
	for i := len(after.Entries); i < players; i++ {
		after.Entries = append(after.Entries, tournament.Entry{ID: tournament.EntryID(i + 1), Name: fmt.Sprint("Guest ", i), Number: i + 1,
			From: 1, Rating: 1500, Status: tournament.Active, EnteredAt: h.clock.now()})
	}
	boards := &after.Rounds[0].Pairings
	for i := range matches {
		first := tournament.EntryID(i%(players-5) + 5) // the named ones have not played
		*boards = append(*boards, tournament.Pairing{Board: i + 1, First: first, Second: first + 1,
			Result: tournament.Result{Kind: tournament.FirstWins, At: h.clock.now()}})
	}
	h.ok(h.store.Write(h.t.Context(), func(tx *store.Tx) error {
		return tx.SaveTournament(before, after, ledger.Deed{At: h.clock.now(), Act: tournament.ActPair})
	}))
	return id
}

// A pass over an arena in which nothing has happened reads nothing of its table, and one
// in which something has happened sees it.
func TestAnArenaAtRestIsNotReadAgain(t *testing.T) {
	one(t, func(t *testing.T, h *hall) {
		id := h.crowded(100, 300)
		h.ok(h.Rounds.SweepArenas(t.Context()))
		if n := testing.AllocsPerRun(20, func() { h.ok(h.Rounds.SweepArenas(t.Context())) }); n > 1000 {
			t.Errorf("%v allocations a pass, for 300 matches", n)
		}
		other := arbiter.New(h.store, h.live, arbiter.Config{Now: h.clock.now}, nil)
		h.ok(other.Entries.Withdraw(t.Context(), h.host, id, 1)) // ana, on another node
		h.await(id, "bob", "cyn")
		if got := h.met(id); len(got) != 301 || got[300] != "bob-cyn" {
			t.Fatal(got[300:])
		}
		h.clock.advance(time.Hour)
		h.later(0)
		if tour := h.tournament(id); !tour.Rounds[0].Pass.Closed {
			t.Error("pairing goes on")
		}
	})
}

// BenchmarkAnArenaAtRest is a pass over an arena of 500 with 1,500 matches behind it in
// which nothing happens.
func BenchmarkAnArenaAtRest(b *testing.B) {
	for _, database := range []struct {
		name string
		dsn  func(testing.TB) string
	}{{"SQLite", storetest.SQLiteDSN}, {"PostgreSQL", storetest.PostgresDSN}} {
		b.Run(database.name, func(b *testing.B) {
			h := open(b, storetest.Open(b, database.dsn(b)))
			h.crowded(500, 1500)
			h.ok(h.Rounds.SweepArenas(b.Context()))
			var began, ended syscall.Rusage
			h.ok(syscall.Getrusage(syscall.RUSAGE_SELF, &began))
			for b.Loop() {
				h.ok(h.Rounds.SweepArenas(b.Context()))
			}
			h.ok(syscall.Getrusage(syscall.RUSAGE_SELF, &ended))
			spent := ended.Utime.Nano() + ended.Stime.Nano() - began.Utime.Nano() - began.Stime.Nano()
			b.ReportMetric(float64(spent)/float64(b.N)/1e6, "cpu-ms/op")
		})
	}
}
