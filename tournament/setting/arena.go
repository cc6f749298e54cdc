package setting

import (
	"maps"
	"slices"
	"time"
)

// Limits of an arena.
const (
	MinWindow = 20 * time.Minute
	MaxWindow = 12 * time.Hour
	// How long a match of an arena waits for its players.
	MinArenaWait, MaxArenaWait = 10 * time.Second, 2 * time.Minute
)

// ArenaMatches is how many of the longest matches must fit into an arena.
const ArenaMatches = 3

// Arena adds the faults of an arena: its length, the longest possible match, the wait for
// players, and, by field, settings that only rounds have.
func (f *Faults) Arena(window, worst, lateness time.Duration, has map[string]bool) {
	switch {
	case window < MinWindow || window > MaxWindow:
		f.Add("window", "range", "an arena is open for %v to %v, not %v", MinWindow, MaxWindow, window)
	case ArenaMatches*worst > window:
		f.Add("window", "fit", "a match can last %v, of an arena of %v more than 1/%d", worst, window, ArenaMatches)
	}
	if lateness < MinArenaWait || lateness > MaxArenaWait {
		f.Add("lateness", "arena", "a match of an arena waits %v to %v for its players, not %v", MinArenaWait, MaxArenaWait, lateness)
	}
	for _, field := range slices.Sorted(maps.Keys(has)) {
		if has[field] {
			f.Add(field, "unsuitable", "an arena has no rounds: no drafts, check-in, claims of absence and tie-breaks")
		}
	}
}
