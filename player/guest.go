package player

import (
	"fmt"
	"strings"

	"chpok.org/chpok/refusal"
)

// GuestLife is how long a guest who does not return is kept.
const GuestLife = SessionLife

// guestPrefix starts the handles of guests, and no others.
const guestPrefix = "Guest-"

var (
	// ErrGuest refuses guests what only accounts may do.
	ErrGuest = refusal.Forbidden("guest.error.account", "player: for accounts only")
	// ErrGuestPlays refuses a guest a second match at the same time.
	ErrGuestPlays = refusal.Conflict("guest.error.plays", "player: a guest plays one match at a time")
)

// GuestHandle is the handle of the guest with that number.
func GuestHandle(number int) Handle { return Handle(fmt.Sprintf("%s%04d", guestPrefix, number)) }

// GuestNumber is the number in the handle of a guest; false for all others.
func (h Handle) GuestNumber() (string, bool) { return strings.CutPrefix(string(h), guestPrefix) }

// ParseNewHandle reads a handle for a new account, which must not look like a guest's or
// a ghost's.
func ParseNewHandle(s string) (Handle, error) {
	h, err := ParseHandle(s)
	if err == nil && (strings.HasPrefix(h.Key(), strings.ToLower(guestPrefix)) || h.IsGhost()) {
		return "", ErrHandle
	}
	return h, err
}

// HasAccount tells accounts from visitors and guests.
func (v Viewer) HasAccount() bool { return v.IsSignedIn() && !v.Guest }

// MayBecomeGuest reports whether the viewer may play without an account.
func (v Viewer) MayBecomeGuest() bool { return !v.IsSignedIn() }

// MayBegin reports whether a player with so many running matches may start another of their
// own: guests play one at a time.
func (p Player) MayBegin(running int) bool { return !p.Guest || running == 0 }
