// Package screen decides what a venue's projector may be told to show, for how
// long, in which language. It refuses a screen that would show nothing; what the
// pictures show is not its matter.
package screen

import (
	"strings"
	"time"
	"unicode/utf8"

	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/setting"
)

// Picture is one thing a screen shows; a screen shows several, one after the other.
type Picture uint8

const (
	Pairings  Picture = 1 << iota // the open round by boards
	Names                         // the open round by names
	Standings                     // the order
	Countdown                     // the next round, or how far this one is
	Message                       // the screen's own words
	Boards                        // the boards of the open round, as they are played
)

// Pictures are all there are.
var Pictures = []Picture{Pairings, Names, Standings, Countdown, Message, Boards}

var pictureNames = map[Picture]string{
	Pairings: "pairings", Names: "names", Standings: "standings",
	Countdown: "countdown", Message: "message",
	Boards: "boards",
}

func (p Picture) String() string { return pictureNames[p] }

// Screen is a page for a venue's projector: who has its link sees it, and staff
// decide from afar what it shows.
type Screen struct {
	ID         string
	Tournament tournament.ID
	Token      string // the secret of its link
	Name       string
	Shows      Picture // bits of Pictures
	Seconds    int     // how long one page stands
	Message    string
	Lang       string // "uk", "en"
	Zone       string // an IANA name
	CreatedAt  time.Time
}

// Bounds of a screen.
const (
	MinSeconds = 5
	MaxSeconds = 600
	MaxMessage = 300 // characters
	Most       = 20  // of one tournament
)

// ErrMany says that the tournament has all the screens it may have.
var ErrMany = refusal.Conflict("screen.error.many", "tournament: no more screens")

// Validate is nil or a *SettingsError.
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
	if s.Lang != "uk" && s.Lang != "en" {
		f.Add("lang", "unsuitable", "the language is uk or en")
	}
	if _, err := time.LoadLocation(s.Zone); err != nil || s.Zone == "" {
		f.Add("zone", "unsuitable", "no such time zone: %q", s.Zone)
	}
	return f.Err()
}
