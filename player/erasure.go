package player

import (
	"fmt"
	"time"
)

// ErasureGrace is how long an account that asked to be erased may think again:
// whoever signs in keeps it.
const ErasureGrace = 7 * 24 * time.Hour

// Ghost is the handle that stays of an erased account, by its number for good.
func Ghost(number int) Handle { return Handle(fmt.Sprintf("deleted-%d", number)) }

// Obstacle is what keeps an account from being erased until its owner has seen to it.
type Obstacle string

const (
	PlaysMatch     Obstacle = "match"      // end or resign it
	PlaysEvent     Obstacle = "tournament" // withdraw from it
	StandsOnLadder Obstacle = "ladder"     // leave it
	OwnsClub       Obstacle = "club"       // as the last one: make another owner
	OwnsEvent      Obstacle = "owner"      // of an unfinished tournament, as the last one
	RunsSite       Obstacle = "operator"   // as the last one
)
