// Package door defines the short address by which people enter an event: a code of a few
// letters, and the secret of a shared device.
package door

import (
	"time"

	"chpok.org/chpok/player/fold"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament"
)

// Door is the short address of a tournament: whoever enters a name there plays.
type Door struct {
	Tournament tournament.ID
	Code       string // in the short address, lower case
	Kiosk      string // secret of the page on a shared device
	Opened     time.Time
}

// The refusals of a door.
var (
	ErrClosed    = refusal.NotFound("door.error.closed", "door: there is no such door, or it is closed")
	ErrNameTaken = refusal.Conflict("door.error.taken", "door: somebody of that name is in already")
)

// letters omits those that look alike on a poster.
const letters = "abcdefghjkmnpqrstuvwxyz23456789"

// length is short enough to type and too long to try: 31^5 is 28 million.
const length = 5

// NewCode returns a random code; pick(n) returns a random number below n.
func NewCode(pick func(n int) int) string {
	code := make([]byte, length)
	for i := range code {
		code[i] = letters[pick(len(letters))]
	}
	return string(code)
}

// Key returns a code as typed in the form in which doors are looked up.
func Key(code string) string { return fold.Code(code) }
