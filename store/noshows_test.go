package store_test

import (
	"errors"
	"testing"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
)

var plannedFor = time.Date(2026, 9, 4, 18, 0, 0, 0, time.UTC)

// planned is a tournament of the first of some players.
func planned(t *testing.T, s *store.Store, handles ...string) (tournament.ID, []player.ID) {
	t.Helper()
	storetest.Players(t, s, handles...)
	people := make([]player.ID, len(handles))
	for i, h := range handles {
		people[i] = player.ID(h)
	}
	settings := tournament.DefaultSettings(tournament.Swiss)
	settings.Name = "Friday"
	tour, err := tournament.New(tournament.ID(store.NewID()), people[0], settings, plannedFor)
	if err == nil {
		err = s.Write(t.Context(), func(tx *store.Tx) error {
			return tx.AddTournament(tour, ledger.Deed{At: plannedFor, Act: tournament.ActCreate})
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	return tour.ID, people
}

func TestOfOneMatchANoShowIsNotedOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		id, people := planned(t, s, "ana", "bob")
		first := player.NoShow{ID: "n1", Player: people[1], Tournament: string(id), Round: 1, Board: 2, Match: "m1", At: plannedFor}
		again, other := first, first
		again.ID, again.At = "n2", plannedFor.Add(time.Hour)
		other.ID, other.Match, other.At = "n3", "m2", plannedFor.Add(24*time.Hour)
		err := s.Write(t.Context(), func(tx *store.Tx) error {
			return errors.Join(tx.AddNoShow(first), tx.AddNoShow(again), tx.AddNoShow(other))
		})
		if err != nil {
			t.Fatal(err)
		}
		read := func() (of, in []player.NoShow) {
			t.Helper()
			err := s.Read(t.Context(), func(tx *store.Tx) (err error) {
				if of, err = tx.NoShowsOf(people[1], plannedFor); err == nil {
					in, err = tx.NoShowsIn(id)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			return of, in
		}
		of, in := read()
		if len(of) != 2 || of[0] != other || of[1] != first || len(in) != 2 {
			t.Fatalf("of the player %+v\nin the tournament %+v", of, in)
		}

		appealed, err := first.WithAppeal("no light", plannedFor.Add(time.Minute))
		if err != nil {
			t.Fatal(err)
		}
		excused, err := appealed.Decided(people[0], player.Excused, "so it was", plannedFor.Add(2*time.Minute))
		if err != nil {
			t.Fatal(err)
		}
		save := func(f func(*store.Tx) error) error { return s.Write(t.Context(), f) }
		if err := save(func(tx *store.Tx) error { return tx.SaveAppeal(appealed) }); err != nil {
			t.Fatal(err)
		}
		if err := save(func(tx *store.Tx) error { return tx.SaveAppeal(appealed) }); !errors.Is(err, store.ErrConflict) {
			t.Errorf("a second appeal: %v", err)
		}
		if err := save(func(tx *store.Tx) error { return tx.SaveVerdict(excused) }); err != nil {
			t.Fatal(err)
		}
		if of, _ = read(); of[1] != excused {
			t.Errorf("kept %+v\nwant %+v", of[1], excused)
		}
		if err := save(func(tx *store.Tx) error { return tx.DropNoShows("m1") }); err != nil {
			t.Fatal(err)
		}
		if of, _ = read(); len(of) != 1 || of[0] != other {
			t.Errorf("after the result of m1 was corrected: %+v", of)
		}
	})
}

func TestADryRunIsWorkedOnByOneNodeAtATime(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		id, people := planned(t, s, "ana")
		now := plannedFor
		run := store.DryRun{ID: "d1", Tournament: id, By: people[0], Seed: 7, Total: 100, First: 3, Plan: "{}", State: store.DryRunning, CreatedAt: now}
		lease := func() (r store.DryRun, err error) {
			err = s.Write(t.Context(), func(tx *store.Tx) error {
				if r, err = tx.DueDryRun(now); err != nil {
					return err
				}
				return tx.LeaseDryRun(r, now, now.Add(10*time.Second))
			})
			return r, err
		}
		save := func(before, after store.DryRun) error {
			return s.Write(t.Context(), func(tx *store.Tx) error { return tx.SaveDryRun(before, after) })
		}
		if _, err := lease(); !errors.Is(err, store.ErrNotFound) {
			t.Fatalf("nothing to do: %v", err)
		}
		if err := s.Write(t.Context(), func(tx *store.Tx) error { return tx.AddDryRun(run) }); err != nil {
			t.Fatal(err)
		}
		got, err := lease()
		if err != nil || got != run {
			t.Fatalf("%+v, %v", got, err)
		}
		if _, err := lease(); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("another node: %v", err)
		}
		half := run
		half.Done, half.Samples = 50, "[1]"
		if err := save(run, half); err != nil {
			t.Fatal(err)
		}
		if err := save(run, half); !errors.Is(err, store.ErrConflict) {
			t.Errorf("the same piece twice: %v", err)
		}
		if got, err = lease(); err != nil || got != half {
			t.Fatalf("the second piece: %+v, %v", got, err)
		}
		now = now.Add(11 * time.Second) // the node has died
		if got, err = lease(); err != nil || got != half {
			t.Fatalf("after the lease: %+v, %v", got, err)
		}
		second := run
		second.ID, second.CreatedAt = "d2", now
		if err := s.Write(t.Context(), func(tx *store.Tx) error { return tx.AddDryRun(second) }); err != nil {
			t.Fatal(err)
		}
		if err := save(half, half); !errors.Is(err, store.ErrConflict) {
			t.Errorf("a new run ends the one before: %v", err)
		}
		if err := s.Write(t.Context(), func(tx *store.Tx) error { return tx.CancelDryRun(id, now) }); err != nil {
			t.Fatal(err)
		}
		err = s.Read(t.Context(), func(tx *store.Tx) (err error) {
			got, err = tx.LastDryRun(id)
			return err
		})
		if err != nil || got.ID != "d2" || got.State != store.DryCancelled || !got.EndedAt.Equal(now) {
			t.Errorf("%+v, %v", got, err)
		}
	})
}
