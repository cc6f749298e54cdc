package lang_test

import (
	"testing"
	"time"

	"chpok.org/chpok/templates/lang"
)

func TestWholeDaysStandInWords(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration][2]string{24 * time.Hour: {"1 day", "1 день"}, 72 * time.Hour: {"3 days", "3 дні"},
		168 * time.Hour: {"7 days", "7 днів"}, 25 * time.Hour: {"1\u00a0d\u00a01\u00a0h", "1\u00a0дн\u00a01\u00a0год"}} {
		for i, l := range []lang.Lang{lang.English, lang.Ukrainian} {
			if got := (lang.Printer{Lang: l}).Long(d); got != want[i] {
				t.Errorf("%v: %q, want %q", d, got, want[i])
			}
		}
	}
}
