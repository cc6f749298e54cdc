package venue

import (
	"strings"
	"time"
	"unicode/utf8"

	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/setting"
)

// Picture is one thing that a screen shows; it shows several in turn.
type Picture uint8

const (
	Pairings  Picture = 1 << iota // the open round by boards
	Names                         // the open round by names
	Standings                     // the table
	Countdown                     // time to the next round, or progress of this one
	Message                       // a text of the screen
	Boards                        // live boards of the open round
)

// Pictures lists every picture.
var Pictures = []Picture{Pairings, Names, Standings, Countdown, Message, Boards}

var pictureNames = map[Picture]string{
	Pairings: "pairings", Names: "names", Standings: "standings",
	Countdown: "countdown", Message: "message",
	Boards: "boards",
}

func (p Picture) String() string { return pictureNames[p] }

// Screen is a page for a venue's projector: people with its link see it, and staff decide
// remotely what it shows.
type Screen struct {
	ID         string
	Tournament tournament.ID
	Token      string // secret of its link
	Name       string
	Shows      Picture // set of pictures
	Seconds    int     // how long one page is shown
	Message    string
	Lang       string // code of a language
	Zone       string // IANA name
	CreatedAt  time.Time
}

// Limits of a screen.
const (
	MinSeconds = 5
	MaxSeconds = 600
	MaxMessage = 300 // characters
	MaxScreens = 20  // per tournament
)

// ErrManyScreens says that the tournament has too many screens.
var ErrManyScreens = refusal.Conflict("screen.error.many", "tournament: no more screens")

// Validate returns nil or a case of setting.ErrSettings.
func (s Screen) Validate() error {
	var f setting.Faults
	if n := utf8.RuneCountInString(s.Name); strings.TrimSpace(s.Name) == "" || n > tournament.MaxNameLength || !player.IsLine(s.Name) {
		f.Add("name", "missing", "the screen needs a name of one line")
	}
	if s.Shows == 0 || s.Shows >= 1<<len(Pictures) {
		f.Add("shows", "missing", "the screen shows at least one thing")
	}
	if s.Seconds < MinSeconds || s.Seconds > MaxSeconds {
		f.Add("seconds", "range", "a page stands %d…%d s, not %d", MinSeconds, MaxSeconds, s.Seconds)
	}
	if utf8.RuneCountInString(s.Message) > MaxMessage || !player.IsText(s.Message) {
		f.Add("message", "long", "a message has %d characters at most", MaxMessage)
	}
	if _, err := time.LoadLocation(s.Zone); err != nil || s.Zone == "" {
		f.Add("zone", "unsuitable", "no such time zone: %q", s.Zone)
	}
	return f.Err()
}
