package review

import (
	"slices"
	"time"

	"chpok.org/chpok/player"
)

// lookAgain is how soon another look of the same person at the same records is noted
// again.
const lookAgain = time.Hour

// Look says that somebody other than the player looked at what is recorded about them.
type Look struct {
	By player.ID
	At time.Time
}

// IsNewLook reports whether a look at now has to be noted beside those already noted.
func IsNewLook(noted []Look, by player.ID, now time.Time) bool {
	return !slices.ContainsFunc(noted, func(l Look) bool { return l.By == by && now.Sub(l.At) < lookAgain })
}
