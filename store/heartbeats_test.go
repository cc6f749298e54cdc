package store_test

import (
	"context"
	"errors"
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
			node        string
			now         time.Time
			own, others time.Time // before it
		}{
			{"one", moment(10), time.Time{}, time.Time{}},
			{"two", moment(12), time.Time{}, moment(10)},
			{"one", moment(11), moment(10), moment(12)},
			{"one", moment(3 * 24 * 3600), moment(11), moment(12)}, // two is forgotten now
			{"one", moment(3*24*3600 + 1), moment(3 * 24 * 3600), time.Time{}},
			{"two", moment(3*24*3600 - 30), time.Time{}, moment(3*24*3600 + 1)}, // somewhat apart
			{"two", moment(3*24*3600 - 90), moment(3*24*3600 - 30), moment(3*24*3600 + 1)},
			{"two", moment(3*24*3600 - 89), moment(3*24*3600 - 90), time.Time{}}, // one was set back
		} {
			err := s.Write(t.Context(), func(tx *store.Tx) error {
				own, others, err := tx.Beats(step.node)
				if !own.Equal(step.own) || !others.Equal(step.others) {
					t.Errorf("%s at %v: before were %v and %v, want %v and %v", step.node, step.now, own, others, step.own, step.others)
				}
				return errors.Join(err, tx.Beat(step.node, step.now))
			})
			if err != nil {
				t.Fatal(err)
			}
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
