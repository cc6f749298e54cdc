// Package notice decides what players are told, on which channels, and when it is too
// late to tell them. It sends nothing, knows no languages and reads no clock.
package notice

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/house"
)

// Notice is one thing that one player is told.
type Notice struct {
	To   player.ID
	Kind Kind
	// Key names what it is about: per kind (but see Kind.Renews), a player is told of a key once, however often
	// and on however many nodes a job runs. For example a match's id, or "TOURNAMENT/3"
	// for a round, with a time in it if a new time is news.
	Key string
	URL string // path on this site where they can act on it
	// Args fill in the text: those of Kind.Args, each a name or number that is the same
	// in every language.
	Args map[string]string
	// When is the moment it is about, shown after the text in the reader's zone; zero:
	// none.
	When time.Time
	// Zone is the time zone of its event, for readers whose own is not known.
	Zone string
	// Until is when it stops being of use: from then on it is neither stored nor sent.
	// Zero: never.
	Until time.Time
}

// ErrBad is a notice that nobody could read, a fault of its maker.
var ErrBad = errors.New("notice: incomplete")

// argMax bounds an argument, in characters.
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
	if cases := n.Kind.Cases(); cases != nil && !slices.Contains(cases, n.Args["Case"]) {
		return fmt.Errorf("%w: %s in case %q", ErrBad, n.Kind.Name(), n.Args["Case"])
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

// IsTimely reports whether the notice is still of use.
func (n Notice) IsTimely(now time.Time) bool { return n.Until.IsZero() || now.Before(n.Until) }

// RatedChallenges stands for the name of a tournament in notices about the site's rated challenges, which have none.
const RatedChallenges = "challenges/"

// Text is the notice without its moment, in the language of say, which returns the text
// of a key with arguments as names and values in turn. Guests and the house's bots
// are named as on pages, and so are rated challenges.
func (n Notice) Text(say func(key string, args ...any) string) string {
	var args []any
	for _, name := range n.Kind.Args() {
		value := n.Args[name]
		if value == RatedChallenges {
			value = say("review.challenges")
		} else if bot, ok := house.Named(player.Handle(value)); ok {
			value = say(bot.NameKey())
		} else if number, ok := player.Handle(value).GuestNumber(); ok {
			value = say("guest.name", "N", number)
		}
		args = append(args, name, value)
	}
	key := "notice.text." + n.Kind.Name()
	if n.Kind.Cases() != nil {
		key += "." + n.Args["Case"]
	}
	return say(key, args...)
}

// Channels is how somebody is told.
type Channels struct{ App, Mail, Push, Telegram bool }

// Preferences is what a player chose, by kind; missing kinds follow their defaults.
type Preferences map[Kind]Channels

// Of is how the player is told of a kind.
func (p Preferences) Of(k Kind) Channels {
	if c, chosen := p[k]; chosen {
		return c
	}
	return k.Defaults()
}
