// Package door decides by which short address people come in to an event: a code
// few letters long, and the secret of a device at which many come in. Who may come in
// is the tournament's to say.
package door

import (
	"strings"
	"time"

	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament"
)

// Door is the short address by which people come in to a tournament: whoever writes a
// name there plays.
type Door struct {
	Tournament tournament.ID
	Code       string // of the short address, small letters
	Kiosk      string // the secret of the page on which many come in at one device
	Opened     time.Time
}

// What the door does not allow.
var (
	ErrClosed    = refusal.NotFound("door.error.closed", "door: there is no such door, or it is closed")
	ErrNameTaken = refusal.Conflict("door.error.taken", "door: somebody of that name is in already")
)

// letters are those that nobody takes for another on a poster.
const letters = "abcdefghjkmnpqrstuvwxyz23456789"

// length letters are few enough to type and too many to try: 31^5 is 28 million.
const length = 5

// NewCode is a code for a door; pick gives a number below n, by chance.
func NewCode(pick func(n int) int) string {
	code := make([]byte, length)
	for i := range code {
		code[i] = letters[pick(len(letters))]
	}
	return string(code)
}

// Key is a code as doors are looked up by it, however it was typed.
func Key(code string) string { return strings.ToLower(strings.TrimSpace(code)) }
