package player

import (
	"fmt"
	"strings"
	"time"
)

// ErasureGrace is how long the owner of an account to be erased can reconsider: signing
// in keeps it.
const ErasureGrace = 7 * 24 * time.Hour

// ghostPrefix starts the handles of erased accounts, and no others.
const ghostPrefix = "deleted-"

// Ghost is the handle that remains of an erased account, by its permanent number.
func Ghost(number int) Handle { return Handle(fmt.Sprintf("%s%d", ghostPrefix, number)) }

// IsGhost reports whether the handle is that of an erased account.
func (h Handle) IsGhost() bool { return strings.HasPrefix(h.Key(), ghostPrefix) }

// Obstacle is what keeps an account from being erased until its owner has settled it.
type Obstacle string

const (
	PlaysMatch     Obstacle = "match"      // end or resign it
	PlaysEvent     Obstacle = "tournament" // withdraw from it
	StandsOnLadder Obstacle = "ladder"     // leave it
	PlaysLeague    Obstacle = "league"     // leave its season, or the team
	OwnsClub       Obstacle = "club"       // as the last one: make another owner
	OwnsEvent      Obstacle = "owner"      // of an unfinished tournament, as the last one
	RunsSite       Obstacle = "operator"   // as the last one
)
