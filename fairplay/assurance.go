// Package fairplay decides what a match demands of its players so that a result means
// something, what of that was really achieved, and when watchers may see what. It refuses
// to say that a human thought of a move: it counts what happened and who vouches for it.
package fairplay

import (
	"fmt"
	"slices"
)

// Assurance is how well it is assured that people played. The zero value is none.
type Assurance uint8

const (
	Open       Assurance = iota + 1 // nothing is checked
	Declared                        // human accounts whose owners promised to play fair
	Verified                        // known to a club, moves from one checked-in page
	Supervised                      // and somebody known by name watched
)

// Levels are all levels, the lowest first.
var Levels = []Assurance{Open, Declared, Verified, Supervised}

var levelNames = [...]string{"", "open", "declared", "verified", "supervised"}

func (a Assurance) String() string {
	if int(a) < len(levelNames) {
		return levelNames[a]
	}
	return ""
}

// ParseAssurance reads the word of a level.
func ParseAssurance(s string) (Assurance, error) {
	for _, a := range Levels {
		if a.String() == s {
			return a, nil
		}
	}
	return 0, fmt.Errorf("level is open, declared, verified or supervised, not %q", s)
}

// MarshalText writes the word of a level.
func (a Assurance) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads the word of a level; an empty text is none.
func (a *Assurance) UnmarshalText(text []byte) (err error) {
	*a = 0
	if len(text) > 0 {
		*a, err = ParseAssurance(string(text))
	}
	return err
}

// Channel is the way a move reaches the server.
type Channel uint8

const (
	Any    Channel = iota + 1 // a page, or any token that may play
	Board                     // a page, or the token of an electronic board at long times
	Signed                    // the page that was checked in, which signs every move
)

var channelNames = [...]string{"", "any", "board", "signed"}

func (c Channel) String() string {
	if int(c) < len(channelNames) {
		return channelNames[c]
	}
	return ""
}

// MarshalText writes the word of a channel.
func (c Channel) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads the word of a channel; an empty text is none.
func (c *Channel) UnmarshalText(text []byte) error {
	i := slices.Index(channelNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("moves come by any, board or signed channel, not %q", text)
	}
	*c = Channel(i)
	return nil
}
