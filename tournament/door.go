package tournament

import (
	"strings"
	"time"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/refusal"
)

// Door is the short address by which people come in to a tournament: whoever writes a
// name there plays.
type Door struct {
	Tournament ID
	Code       string // of the short address, small letters
	Kiosk      string // the secret of the page on which many come in at one device
	Opened     time.Time
}

// HasDoor tells whether people without an account of their own can play, so that an
// event can have a door.
func (s Settings) HasDoor() bool {
	return s.Policy.OrOpen().Level < fairplay.Declared && !s.MembersOnly && s.Format != ClubMatch
}

// What the door does not allow.
var (
	ErrDoorClosed = refusal.NotFound("door.error.closed", "tournament: there is no such door, or it is closed")
	ErrNameTaken  = refusal.Conflict("door.error.taken", "tournament: somebody of that name is in already")
)

// doorLetters are those that nobody takes for another on a poster.
const doorLetters = "abcdefghjkmnpqrstuvwxyz23456789"

// doorLength letters are few enough to type and too many to try: 31^5 is 28 million.
const doorLength = 5

// NewDoorCode is a code for a door; pick gives a number below n, by chance.
func NewDoorCode(pick func(n int) int) string {
	code := make([]byte, doorLength)
	for i := range code {
		code[i] = doorLetters[pick(len(doorLetters))]
	}
	return string(code)
}

// DoorKey is a code as doors are looked up by it, however it was typed.
func DoorKey(code string) string { return strings.ToLower(strings.TrimSpace(code)) }
