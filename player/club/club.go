// Package club decides what a club is, who belongs to it, how one joins and leaves, and
// who may speak for it. It refuses to leave a club without an owner, knows nothing of
// tournaments, and keeps no lists.
package club

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
)

// ID names one club for good.
type ID string

// Change is who was the last to change a part of a club, and how.
type Change struct {
	Club    ID
	Part    string // settings, code, player/ID, post/ID, series/ID
	Version int64  // of the club after it
	Act     string
	By      player.ID
	At      time.Time
}

// Club is people who play together.
type Club struct {
	ID      ID
	Name    string
	Text    string // the club's description, plain text in paragraphs
	Joining Joining
	Code    string // admits to a club joined by code; empty: none
	Created time.Time
	Version int64 // raised by every change of the club and its people
}

// Joining is how one becomes a member.
type Joining uint8

const (
	Open      Joining = iota + 1 // with one click
	ByRequest                    // once somebody of the club has agreed
	ByCode                       // with the code the club hands out
)

// Joinings are all ways to join, the widest first.
var Joinings = []Joining{Open, ByRequest, ByCode}

var joiningNames = [...]string{"", "open", "request", "code"}

func (j Joining) String() string {
	if int(j) < len(joiningNames) {
		return joiningNames[j]
	}
	return ""
}

// ParseJoining reads "open", "request" or "code".
func ParseJoining(s string) (Joining, error) {
	if i := slices.Index(joiningNames[:], s); i > 0 {
		return Joining(i), nil
	}
	return 0, ErrJoining
}

// The bounds of what a club and its people write, in characters.
const (
	MaxText   = 4000
	MaxNote   = 300 // of a request
	MaxReason = 200 // of a ban
)

// The refusals of a club.
var (
	ErrRole       = refusal.Malformed("error.bad-request", "club role: owner, organizer, arbiter or member")
	ErrJoining    = refusal.Malformed("error.bad-request", "club joining: open, request or code")
	ErrName       = refusal.Invalid("club.error.name", "club name: must be 3 to 60 characters on one line")
	ErrText       = refusal.Invalid("club.error.text", "club text: at most 4000 characters")
	ErrNote       = refusal.Invalid("club.error.note", "club request: the note must be at most 300 characters")
	ErrReason     = refusal.Invalid("club.error.reason", "club ban: the reason must be 1 to 200 characters on one line")
	ErrUntil      = refusal.Invalid("club.error.until", "club ban: the end must be in the future")
	ErrNotAllowed = refusal.Forbidden("error.forbidden", "club: role not allowed to do this")
	ErrLastOwner  = refusal.Conflict("club.error.last-owner", "club: the last owner cannot leave")
	ErrMember     = refusal.Conflict("club.error.member", "club: already a member")
	ErrNoMember   = refusal.Conflict("club.error.no-member", "club: not a member")
	ErrNoRequest  = refusal.Conflict("club.error.no-request", "club: no such request")
	ErrNoBan      = refusal.Conflict("club.error.no-ban", "club: not banned")
	ErrBanned     = refusal.Forbidden("club.error.banned", "club: banned")
	ErrCode       = refusal.Invalid("club.error.code", "club: wrong code")
	ErrBot        = refusal.Conflict("club.error.bot", "club: bots cannot join clubs")
)

// ParseName reads a club's name; runs of spaces become one.
func ParseName(s string) (string, error) {
	s = player.Tidy(s)
	n := utf8.RuneCountInString(s)
	if n < 3 || n > 60 || !player.IsLine(s) {
		return "", ErrName
	}
	return s, nil
}

// ParseText reads a club's description.
func ParseText(s string) (string, error) {
	return parseText(s, MaxText, ErrText)
}

// parseText reads paragraphs; refused is the error for a bad text.
func parseText(s string, most int, refused error) (string, error) {
	s = strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n"))
	if utf8.RuneCountInString(s) > most || !player.IsText(s) {
		return "", refused
	}
	return s, nil
}

// NameKey is the form in which names of clubs are compared.
func NameKey(name string) string { return strings.ToLower(name) }
