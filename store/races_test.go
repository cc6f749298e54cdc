package store_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

// TestWhatCountsOnceIsTakenOnce: of several who use up the same thing at one moment,
// one has it.
func TestWhatCountsOnceIsTakenOnce(t *testing.T) {
	t.Parallel()
	storetest.ManyAtOnce(t)
	each(t, func(t *testing.T, s *store.Store) {
		storetest.Players(t, s, "ana")
		now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
		var link player.Secret
		write := func(f func(tx *store.Tx) error) error { return s.Write(t.Context(), f) }
		ceremony := store.Ceremony{Challenge: []byte("what is signed"), Kind: "own", Player: "ana", Expires: now.Add(time.Minute)}
		err := write(func(tx *store.Tx) (err error) {
			if link, err = tx.CreateSignInLink("ana", now.Add(time.Hour)); err != nil {
				return err
			}
			return tx.AddCeremony(ceremony, now)
		})
		if err != nil {
			t.Fatal(err)
		}
		reminder := []store.Reminder{{Subject: "round 1", Moment: now, Lead: time.Hour}}
		for name, act := range map[string]struct {
			take func(*store.Tx) error
			late error
		}{
			"a link to sign in": {func(tx *store.Tx) error { _, err := tx.UseSignInLink(link, now); return err }, store.ErrNotFound},
			"a ceremony":        {func(tx *store.Tx) error { _, err := tx.TakeCeremony(ceremony.Challenge, "own", now); return err }, store.ErrNotFound},
			"a reminder":        {func(tx *store.Tx) error { return tx.AddReminders(reminder) }, store.ErrConflict},
			"a handle": {func(tx *store.Tx) error {
				return tx.AddPlayer(player.Player{ID: player.ID(store.NewID()), Handle: "bob", Role: player.Plain}, "")
			}, store.ErrTaken},
		} {
			var all sync.WaitGroup
			errs := make([]error, 5)
			for i := range errs {
				all.Go(func() { errs[i] = write(act.take) })
			}
			all.Wait()
			taken := 0
			for _, err := range errs {
				if err == nil {
					taken++
				} else if !errors.Is(err, act.late) {
					t.Errorf("%s, too late: %v", name, err)
				}
			}
			if taken != 1 {
				t.Errorf("%s was taken %d times", name, taken)
			}
		}
	})
}
