// Package club decides what a club is, who belongs to it and who may speak for
// it. It knows nothing of tournaments, and keeps no lists.
package club

import (
	"errors"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"chpok.org/chpok/player"
)

// ID names one club for good.
type ID string

// Club is people who play together.
type Club struct {
	ID      ID
	Name    string
	Text    string // what the club says of itself, plain text in paragraphs
	Created time.Time
}

// Role is a member's place in a club. The zero value is no member.
type Role uint8

const (
	Member Role = iota + 1
	Head        // speaks for the club
)

func (r Role) String() string {
	switch r {
	case Member:
		return "member"
	case Head:
		return "head"
	}
	return ""
}

// ParseRole reads the word of a role.
func ParseRole(s string) (Role, error) {
	for _, r := range []Role{Member, Head} {
		if r.String() == s {
			return r, nil
		}
	}
	return 0, ErrRole
}

// Membership is one player in one club.
type Membership struct {
	Club   ID
	Player player.ID
	Role   Role
	Joined time.Time
}

// What a club refuses.
var (
	ErrRole     = errors.New("club role: member or head")
	ErrName     = errors.New("club name: 3 to 60 characters in one line")
	ErrText     = errors.New("club text: at most 4000 characters")
	ErrLastHead = errors.New("the last head of a club cannot leave it")
)

// ParseName reads a club's name; runs of spaces become one.
func ParseName(s string) (string, error) {
	s = strings.Join(strings.Fields(s), " ")
	n := utf8.RuneCountInString(s)
	if n < 3 || n > 60 || strings.ContainsFunc(s, unicode.IsControl) || !utf8.ValidString(s) {
		return "", ErrName
	}
	return s, nil
}

// ParseText reads what a club says of itself.
func ParseText(s string) (string, error) {
	s = strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n"))
	if utf8.RuneCountInString(s) > 4000 || !utf8.ValidString(s) {
		return "", ErrText
	}
	return s, nil
}

// NameKey is the form in which names of clubs are compared.
func NameKey(name string) string { return strings.ToLower(name) }

// MayEdit tells whether a viewer with this role in the club (zero: none) may
// change its name, text and roles: its heads and the site's operators.
func MayEdit(v player.Viewer, in Role) bool {
	return v.MayOperate() || v.IsSignedIn() && in == Head
}

// MayJoin tells whether a viewer with this role in the club may become a member.
func MayJoin(v player.Viewer, in Role) bool { return v.IsSignedIn() && in == 0 }

// Leave judges whether a member may go; heads is how many heads the club has.
// A club without a head has nobody to speak for it.
func Leave(in Role, heads int) error {
	if in == Head && heads <= 1 {
		return ErrLastHead
	}
	return nil
}
