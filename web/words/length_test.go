package words_test

import (
	"testing"
	"time"

	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/words"
)

// TestAnEventWithWindowsLastsAsLongAsTheyDo, not as long as its matches would in one evening.
func TestAnEventWithWindowsLastsAsLongAsTheyDo(t *testing.T) {
	t.Parallel()
	p := lang.Printer{Lang: lang.English}
	set := tournament.DefaultSettings(tournament.RoundRobin)
	set.Pace, set.Window = tournament.Arranged, 7*24*time.Hour
	if got, want := words.EventLength(p, set, 3, 8), p.Length(21*24*time.Hour); got != want {
		t.Errorf("three rounds of a week take %q, want %q", got, want)
	}
}
