package store_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

// moment is n seconds into the tests' day.
func moment(n int) time.Time {
	return time.Date(2026, 3, 1, 18, 0, 0, 0, time.UTC).Add(time.Duration(n) * time.Second)
}

func lastBeat(ctx context.Context, s *store.Store) (last time.Time, err error) {
	err = s.Read(ctx, func(tx *store.Tx) error {
		last, err = tx.LastBeat()
		return err
	})
	return last, err
}

func TestABeatTellsWhenAnyNodeWasLastAlive(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		for _, step := range []struct {
			node   string
			now    time.Time
			before time.Time
		}{
			{"one", moment(10), time.Time{}},
			{"two", moment(12), moment(10)},
			{"one", moment(11), moment(12)},
			{"two", moment(9), moment(12)},             // a clock set back loses nothing
			{"one", moment(3 * 24 * 3600), moment(12)}, // all others are forgotten now
			{"one", moment(3*24*3600 + 1), moment(3 * 24 * 3600)},
		} {
			err := s.Write(t.Context(), func(tx *store.Tx) error {
				before, err := tx.Beat(step.node, step.now)
				if !before.Equal(step.before) {
					t.Errorf("%s at %v: before was %v, want %v", step.node, step.now, before, step.before)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if last, err := lastBeat(t.Context(), s); err != nil || !last.Equal(moment(3*24*3600+1)) {
			t.Errorf("last beat %v, %v", last, err)
		}
	})
}

func TestAnOutageIsFiledOnceAndStaysOpenUntilSettled(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		first, second := store.Outage{From: moment(0), To: moment(60)}, store.Outage{From: moment(100), To: moment(130)}
		steps := []struct {
			do   func(*store.Tx) error
			open []store.Outage
		}{
			{func(tx *store.Tx) error { return tx.AddOutage(second) }, []store.Outage{second}},
			{func(tx *store.Tx) error { return tx.AddOutage(first) }, []store.Outage{first, second}},
			{func(tx *store.Tx) error { return tx.AddOutage(store.Outage{From: moment(0), To: moment(61)}) }, []store.Outage{first, second}},
			{func(tx *store.Tx) error { return tx.SettleOutage(first) }, []store.Outage{second}},
			{func(tx *store.Tx) error { return tx.AddOutage(first) }, []store.Outage{second}},
		}
		for i, step := range steps {
			var open []store.Outage
			err := s.Write(t.Context(), func(tx *store.Tx) error {
				if err := step.do(tx); err != nil {
					return err
				}
				var err error
				open, err = tx.OpenOutages()
				return err
			})
			if err != nil || !slices.Equal(open, step.open) {
				t.Errorf("step %d: open %v, %v, want %v", i, open, err, step.open)
			}
		}
	})
}
