package player

import (
	"fmt"
	"strings"

	"chpok.org/chpok/refusal"
)

// GuestLife is how long a guest who does not come back is kept.
const GuestLife = SessionLife

// guestPrefix begins the handles of guests, and of nobody else.
const guestPrefix = "Guest-"

var (
	// ErrGuest is the refusal of what only accounts may do.
	ErrGuest = refusal.Forbidden("guest.error.account", "player: for accounts only")
	// ErrGuestPlays is the refusal of a guest's second match at a time.
	ErrGuestPlays = refusal.Conflict("guest.error.plays", "player: a guest plays one match at a time")
)

// GuestHandle is the handle of the guest of that number.
func GuestHandle(number int) Handle { return Handle(fmt.Sprintf("%s%04d", guestPrefix, number)) }

// ParseNewHandle reads a handle that somebody chooses: it must look neither like a
// guest's nor like a ghost's.
func ParseNewHandle(s string) (Handle, error) {
	h, err := ParseHandle(s)
	if err == nil && (strings.HasPrefix(h.Key(), strings.ToLower(guestPrefix)) || h.IsGhost()) {
		return "", ErrHandle
	}
	return h, err
}

// HasAccount tells whoever signed up from visitors and guests.
func (v Viewer) HasAccount() bool { return v.IsSignedIn() && !v.Guest }

// MayBecomeGuest tells whether the viewer may play without an account.
func (v Viewer) MayBecomeGuest() bool { return !v.IsSignedIn() }

// MayBegin tells whether a player with so many running matches may begin another
// one of their own: guests have one at a time.
func (p Player) MayBegin(running int) bool { return !p.Guest || running == 0 }
