// Package player decides who an account is and what it may do: handles, roles,
// passwords, sessions and every permission of the site. It reads no clock, rolls
// no dice and knows neither cookies nor tables.
package player

import (
	"slices"
	"strings"
	"time"

	"chpok.org/chpok/refusal"
)

// ID names one account for good.
type ID string

// Handle is the name an account goes by: 3 to 20 Latin letters, digits, - and _, the
// first a letter or digit. Only Latin letters, so that no two handles look alike and
// every handle fits in an address. Handles that differ only in case are the same (Key).
type Handle string

// ErrHandle refuses a handle that breaks that rule.
var ErrHandle = refusal.Invalid("account.error.handle", "handle: 3 to 20 Latin letters, digits, - and _, the first a letter or digit")

// ParseHandle reads a handle as a person typed it.
func ParseHandle(s string) (Handle, error) {
	s = strings.TrimSpace(s)
	if len(s) < 3 || len(s) > 20 {
		return "", ErrHandle
	}
	for i := range len(s) {
		c := s[i]
		isAlnum := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !isAlnum && (i == 0 || (c != '-' && c != '_')) {
			return "", ErrHandle
		}
	}
	return Handle(s), nil
}

// Key is the form in which handles are compared.
func (h Handle) Key() string { return strings.ToLower(string(h)) }

// Role is what the site trusts an account with. The zero value is no role.
type Role uint8

const (
	Plain     Role = iota + 1 // plays
	Organizer                 // also creates and runs tournaments
	Operator                  // also runs the site
)

// Roles is every role, the least first.
var Roles = []Role{Plain, Organizer, Operator}

// ErrRole refuses a word that names no role.
var ErrRole = refusal.Invalid("account.error.role", "role: player, organizer or operator")

var roleNames = [...]string{"", "player", "organizer", "operator"}

func (r Role) String() string {
	if int(r) < len(roleNames) {
		return roleNames[r]
	}
	return ""
}

// ParseRole reads the word of a role.
func ParseRole(s string) (Role, error) {
	if i := slices.Index(roleNames[:], s); i > 0 {
		return Role(i), nil
	}
	return 0, ErrRole
}

// Player is one account. A bot never signs in: the house plays it, or its maintainer's
// program by token. A guest plays without having signed up, recognized by the cookie of
// one browser (guest.go).
type Player struct {
	ID         ID
	Handle     Handle
	Role       Role
	Bot        bool
	Maintainer ID // of a bot: the person who answers for it; empty: the house
	Guest      bool
	Unclaimed  bool // made at an event's door: nobody has chosen its handle and password yet
	Created    time.Time
	Settings   Settings
}

// Settings is how an account wants to see the site. Empty: as the browser says.
type Settings struct {
	Lang  string // code of a language
	Theme string // "light", "dark"
	Zone  string // an IANA name, "Europe/Kyiv"
	Play  Play   // the comforts of the board
}
