package words_test

import (
	"testing"
	"time"

	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/words"
)

// A clock of days says days and hours; below a day it is a clock, rounded up.
func TestAClockOfDaysSaysDaysAndHours(t *testing.T) {
	t.Parallel()
	en, uk := lang.Printer{Lang: lang.English}, lang.Printer{Lang: lang.Ukrainian}
	for _, x := range []struct {
		left     time.Duration
		en, ours string
	}{
		{0, "0:00", "0:00"},
		{244*time.Second + time.Millisecond, "4:05", "4:05"},
		{time.Hour, "1:00:00", "1:00:00"},
		{24*time.Hour - time.Second, "23:59:59", "23:59:59"},
		{24*time.Hour - time.Millisecond, "1\u00a0d", "1\u00a0дн"},
		{72*time.Hour - 2*time.Second, "2\u00a0d\u00a023\u00a0h", "2\u00a0дн\u00a023\u00a0год"},
		{72 * time.Hour, "3\u00a0d", "3\u00a0дн"},
		{72*time.Hour + 59*time.Minute, "3\u00a0d", "3\u00a0дн"},
	} {
		if got := words.ClockText(en, x.left); got != x.en {
			t.Errorf("%v: %q, want %q", x.left, got, x.en)
		}
		if got := words.ClockText(uk, x.left); got != x.ours {
			t.Errorf("%v: %q, want %q", x.left, got, x.ours)
		}
	}
}
