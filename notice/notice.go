// Package notice decides what a player is told of, on which channels, and when
// telling them is too late. It sends nothing, knows no languages and reads no clock.
package notice

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"chpok.org/chpok/house"
	"chpok.org/chpok/player"
)

// Notice is one thing that one player is told.
type Notice struct {
	To   player.ID
	Kind Kind
	// Key is what it is about: of one kind, a player is told of the same key
	// once, however often and on however many nodes a job runs. A match's id, a
	// round's "TOURNAMENT/3", with a time in it where a new time is news.
	Key string
	URL string // a path of this site, where they can act on it
	// Args fill in the text: those of Kind.Args, each a name or number as it is
	// written in every language.
	Args map[string]string
	// When is the moment it tells of, shown after the text in the reader's zone;
	// zero: none.
	When time.Time
	// Until is when it is of no more use: from then on it is neither noted nor
	// sent. Zero: it stays of use.
	Until time.Time
}

// ErrBad is a notice that nobody could read: a fault of whoever made it.
var ErrBad = errors.New("notice: incomplete")

// argMax bounds what one argument holds, in characters.
const argMax = 500

// Check is nil, or an ErrBad that says what is missing.
func (n Notice) Check() error {
	switch {
	case n.Kind.Name() == "":
		return fmt.Errorf("%w: no kind", ErrBad)
	case n.To == "":
		return fmt.Errorf("%w: %s to nobody", ErrBad, n.Kind.Name())
	case n.Key == "":
		return fmt.Errorf("%w: %s without a key", ErrBad, n.Kind.Name())
	case !strings.HasPrefix(n.URL, "/") || strings.HasPrefix(n.URL, "//"):
		return fmt.Errorf("%w: %s leads to %q", ErrBad, n.Kind.Name(), n.URL)
	}
	for _, name := range n.Kind.Args() {
		if n.Args[name] == "" {
			return fmt.Errorf("%w: %s without %s", ErrBad, n.Kind.Name(), name)
		}
		if utf8.RuneCountInString(n.Args[name]) > argMax {
			return fmt.Errorf("%w: %s with a %s of more than %d characters", ErrBad, n.Kind.Name(), name, argMax)
		}
	}
	return nil
}

// IsTimely tells whether there still is a use in it.
func (n Notice) IsTimely(now time.Time) bool { return n.Until.IsZero() || now.Before(n.Until) }

// Text is what the notice says, without its moment, in the language of say: the
// text of a key with arguments, as names and values in turn. It calls bots of the
// house as pages do.
func (n Notice) Text(say func(key string, args ...any) string) string {
	var args []any
	for _, name := range n.Kind.Args() {
		value := n.Args[name]
		if bot, ok := house.Named(player.Handle(value)); ok {
			value = say(bot.NameKey())
		}
		args = append(args, name, value)
	}
	return say("notice.text."+n.Kind.Name(), args...)
}

// Channels is how somebody is told.
type Channels struct{ App, Mail, Push bool }

// Preferences is what a player chose, by kind; kinds that are missing follow
// their defaults.
type Preferences map[Kind]Channels

// Of is how the player is told of a kind.
func (p Preferences) Of(k Kind) Channels {
	if c, chosen := p[k]; chosen {
		return c
	}
	return k.Defaults()
}
