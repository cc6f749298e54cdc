package player

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"
	"unicode/utf8"

	"chpok.org/chpok/refusal"
)

// Secret is a long random text that admits its holder: the cookie of a session, an API
// token, a sign-in link. Only its Digest is stored.
type Secret string

// Digest is the stored form of a secret. A plain hash is enough: a secret has 128 random
// bits and cannot be guessed.
func (s Secret) Digest() string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// The lives of sessions and links.
const (
	SessionLife    = 30 * 24 * time.Hour  // since it was last used
	SessionMost    = 180 * 24 * time.Hour // since it began, however often it is used
	SessionTouch   = 10 * time.Minute     // use is noted at most this often
	SignInLinkLife = 24 * time.Hour
)

// Session is one browser in which an account is signed in.
type Session struct {
	ID      string // public name, for the list of sessions
	Player  ID
	Created time.Time
	Used    time.Time
	Device  string // the browser's own description, cut short
	Address string // network address at sign-in
}

// IsOver reports whether the session has expired.
func (s Session) IsOver(now time.Time) bool {
	return now.Sub(s.Used) > SessionLife || now.Sub(s.Created) > SessionMost
}

// Token lets a program act for an account.
type Token struct {
	ID      string
	Player  ID
	Name    string
	Scopes  []Scope
	Created time.Time
	Used    time.Time // zero: never
	Ends    time.Time // zero: never
	Target  string    // of the application it was given to (oauth.Target); empty: its owner made it
}

// IsOver reports whether the token has expired.
func (t Token) IsOver(now time.Time) bool { return !t.Ends.IsZero() && !now.Before(t.Ends) }

// ProvenFor is how long after signing in nobody has to prove again who they are.
const ProvenFor = 15 * time.Minute

// ErrTokenName refuses a token's name.
var ErrTokenName = refusal.Invalid("account.error.token-name", "token name: 1 to 60 characters")

// ParseTokenName reads the name of a token.
func ParseTokenName(s string) (string, error) {
	s = strings.TrimSpace(s)
	if n := utf8.RuneCountInString(s); n < 1 || n > 60 {
		return "", ErrTokenName
	}
	return s, nil
}
