package store_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

// TestWhatNoVisitorIsToldIsNoChange: beats, writes that find nothing to do; and what
// failed may have been a change.
func TestWhatNoVisitorIsToldIsNoChange(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		storetest.Players(t, s, "anna")
		now := time.Now()
		for _, c := range []struct {
			what string
			do   func(*store.Tx) error
			want int64
		}{
			{"a beat", func(tx *store.Tx) error { return tx.Beat("one", now) }, 0},
			{"a look", func(tx *store.Tx) error { _, err := tx.Player("anna"); return err }, 0},
			{"a sweep of nothing", func(tx *store.Tx) error { return tx.SweepNotices(now) }, 0},
			{"an account", func(tx *store.Tx) error {
				return tx.AddPlayer(player.Player{ID: "bohdan", Handle: "bohdan", Role: player.Plain, Created: now}, "")
			}, 1},
			{"a failure", func(*store.Tx) error { return errors.New("lost") }, 1},
		} {
			before := s.Changes()
			err := s.Write(context.Background(), c.do)
			if n := s.Changes() - before; n != c.want || err != nil && c.what != "a failure" {
				t.Errorf("%s: %d changes, want %d; %v", c.what, n, c.want, err)
			}
		}
	})
}
