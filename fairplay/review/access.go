package review

import (
	"slices"
	"time"

	"chpok.org/chpok/player"
)

// lookAgain is how soon another look of the same person at the same records is noted
// again.
const lookAgain = time.Hour

// Access says that somebody other than the player looked at what is recorded about them.
type Access struct {
	By player.ID
	At time.Time
}

// IsNewAccess reports whether a look at now has to be noted beside those already noted.
func IsNewAccess(noted []Access, by player.ID, now time.Time) bool {
	return !slices.ContainsFunc(noted, func(l Access) bool { return l.By == by && now.Sub(l.At) < lookAgain })
}
