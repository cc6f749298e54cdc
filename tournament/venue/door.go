// Package venue is what stands around the boards of an event: the door by which people enter
// (a short code, and the secret of a shared device), the screens of a projector, and what people
// write: announcements by staff, the chat of entrants, complaints about posts. Muted people may
// not write, and the chat is closed during rounds of verified play.
package venue

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
	ErrNoDoor    = refusal.NotFound("door.error.closed", "door: there is no such door, or it is closed")
	ErrNameTaken = refusal.Conflict("door.error.taken", "door: somebody of that name is in already")
)

// letters omits those that look alike on a poster.
const letters = "abcdefghjkmnpqrstuvwxyz23456789"

// length is short enough to type and too long to try: 31^5 is 28 million.
const length = 5

// NewDoorCode returns a random code; pick(n) returns a random number below n.
func NewDoorCode(pick func(n int) int) string {
	code := make([]byte, length)
	for i := range code {
		code[i] = letters[pick(len(letters))]
	}
	return string(code)
}

// DoorKey returns a code as typed in the form in which doors are looked up.
func DoorKey(code string) string { return fold.Code(code) }
