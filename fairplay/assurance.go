// Package fairplay decides what a match demands of its players so that a result
// means something, what was really achieved of that, and when watchers may see
// what. It refuses to say that a human thought of a move: it counts what
// happened and whose word stands behind it.
package fairplay

import "fmt"

// Assurance is how much stands behind the claim that people played. The zero
// value is none at all: a match from before there were levels.
type Assurance uint8

const (
	Open       Assurance = iota + 1 // nothing is checked
	Declared                        // human accounts whose owners promised
	Verified                        // known to a club, moves from one checked-in page
	Supervised                      // and somebody with a name watched
)

// Levels is every level, the least first.
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

// UnmarshalText reads it; an empty text is no level.
func (a *Assurance) UnmarshalText(text []byte) (err error) {
	if *a = 0; len(text) > 0 {
		*a, err = ParseAssurance(string(text))
	}
	return err
}

// Channel is the way a move comes to the server.
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

// UnmarshalText reads it; an empty text is no channel.
func (c *Channel) UnmarshalText(text []byte) error {
	for i, name := range channelNames {
		if name == string(text) {
			*c = Channel(i)
			return nil
		}
	}
	return fmt.Errorf("moves come by any, board or signed channel, not %q", text)
}
