package review

import (
	"slices"
	"time"

	"chpok.org/chpok/player"
)

// lookAgain is how soon a second look of the same person is noted anew.
const lookAgain = time.Hour

// Look is that somebody else than the player looked at what is recorded of them.
type Look struct {
	By player.ID
	At time.Time
}

// IsNewLook tells whether a look is to be noted beside those that are.
func IsNewLook(noted []Look, by player.ID, now time.Time) bool {
	return !slices.ContainsFunc(noted, func(l Look) bool { return l.By == by && now.Sub(l.At) < lookAgain })
}
