package store_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"chpok.org/chpok/store"
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
	each(t, func(t *testing.T, s *store.Store) {
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
	each(t, func(t *testing.T, s *store.Store) {
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

// Deadlines of an outage, and of as much time after it, wait until that has passed; a day at most.
func TestDeadlinesWaitAsLongAsTheSiteWasAway(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		for week, c := range []struct {
			name     string
			away     []float64 // hours: from, to, from, to
			now, due float64
			holds    bool
		}{
			{"never away", nil, 1, 1, false},
			{"due while away", []float64{0, 2}, 2, 1, true},
			{"due before", []float64{0, 2}, 2, -0.1, false},
			{"due soon after", []float64{0, 2}, 3.5, 3, true},
			{"as long after", []float64{0, 2}, 4, 1, false},
			{"away for three days", []float64{-72, 0}, 23, -70, true},
			{"a day after that", []float64{-72, 0}, 24, -70, false},
			{"away twice", []float64{0, 2, 3, 3.5}, 3.6, 1, true},
		} {
			at := func(hours float64) time.Time { return moment(week*7*24*3600 + int(hours*3600)) }
			var stay store.Stay
			if err := s.Write(t.Context(), func(tx *store.Tx) (err error) {
				for i := 0; i < len(c.away); i += 2 {
					if err := tx.AddOutage(store.Outage{From: at(c.away[i]), To: at(c.away[i+1])}); err != nil {
						return err
					}
				}
				stay, err = tx.StayAt(at(c.now))
				return err
			}); err != nil {
				t.Fatal(err)
			}
			if got := stay.Holds(at(c.due)); got != c.holds || c.due <= c.now && at(c.due).After(stay.Passed(at(c.now))) != c.holds {
				t.Errorf("%s: %+v holds %v: %v", c.name, stay, at(c.due), got)
			}
		}
	})
}
