package review_test

import (
	"testing"
	"time"

	"chpok.org/chpok/fairplay/review"
)

func TestThreeReportsInAnySevenDays(t *testing.T) {
	t.Parallel()
	monday := time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC)
	day := func(n int) time.Time { return monday.AddDate(0, 0, n) }
	for _, c := range []struct {
		name string
		made []time.Time
		now  time.Time
		want time.Time
	}{
		{"none yet", nil, day(0), time.Time{}},
		{"two are not three", []time.Time{day(0), day(0)}, day(0), time.Time{}},
		{"the fourth waits until the first is seven days old", []time.Time{day(2), day(0), day(1)}, day(3), day(7)},
		{"on the seventh day it may come", []time.Time{day(0), day(1), day(2)}, day(7), time.Time{}},
		{"a moment before it may not", []time.Time{day(0), day(1), day(2)}, day(7).Add(-time.Millisecond), day(7)},
		{"old ones do not count", []time.Time{day(-20), day(-19), day(0), day(1)}, day(2), time.Time{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := review.NextReport(c.made, c.now); !got.Equal(c.want) {
				t.Errorf("NextReport = %v, want %v", got, c.want)
			}
		})
	}
}

func TestAReporterWhoWasMostlyWrongCountsHalf(t *testing.T) {
	t.Parallel()
	fresh, wrong := review.Reporter{}, review.Reporter{Ended: 3}
	for _, c := range []struct {
		name string
		by   []review.Reporter
		want bool
	}{
		{"two do not open one", []review.Reporter{fresh, fresh}, false},
		{"three do", []review.Reporter{fresh, fresh, fresh}, true},
		{"two and one who was wrong three times do not", []review.Reporter{fresh, fresh, wrong}, false},
		{"two and two such do", []review.Reporter{fresh, fresh, wrong, wrong}, true},
		{"five such do not", []review.Reporter{wrong, wrong, wrong, wrong, wrong}, false},
		{"six such do", []review.Reporter{wrong, wrong, wrong, wrong, wrong, wrong}, true},
		{"wrong twice is no habit", []review.Reporter{fresh, fresh, {Ended: 2}}, true},
		{"who was right once counts in full", []review.Reporter{fresh, fresh, {Ended: 9, Upheld: 1}}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := review.ReportsOpen(c.by); got != c.want {
				t.Errorf("ReportsOpen = %v, want %v", got, c.want)
			}
		})
	}
}
