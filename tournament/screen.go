package tournament

import (
	"strings"
	"time"
	"unicode/utf8"

	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament/setting"
)

// Picture is one thing a screen shows; a screen shows several, one after the other.
type Picture uint8

const (
	PicturePairings  Picture = 1 << iota // the open round by boards
	PictureNames                         // the open round by names
	PictureStandings                     // the order
	PictureCountdown                     // the next round, or how far this one is
	PictureMessage                       // the screen's own words
	PictureBoards                        // the boards of the open round, as they are played
)

// Pictures are all there are.
var Pictures = []Picture{PicturePairings, PictureNames, PictureStandings, PictureCountdown, PictureMessage, PictureBoards}

var pictureNames = map[Picture]string{
	PicturePairings: "pairings", PictureNames: "names", PictureStandings: "standings",
	PictureCountdown: "countdown", PictureMessage: "message",
	PictureBoards: "boards",
}

func (p Picture) String() string { return pictureNames[p] }

// Screen is a page for a venue's projector: who has its link sees it, and staff
// decide from afar what it shows.
type Screen struct {
	ID         string
	Tournament ID
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
	MinScreenSeconds = 5
	MaxScreenSeconds = 600
	MaxScreenMessage = 300 // characters
	MaxScreens       = 20  // of one tournament
)

// Validate is nil or a *SettingsError.
func (s Screen) Validate() error {
	var f setting.Faults
	if n := utf8.RuneCountInString(s.Name); strings.TrimSpace(s.Name) == "" || n > MaxNameLength || !player.IsLine(s.Name) {
		f.Add("name", "missing", "the screen needs a name of one line")
	}
	if s.Shows == 0 || s.Shows >= 1<<len(Pictures) {
		f.Add("shows", "missing", "the screen shows at least one thing")
	}
	if s.Seconds < MinScreenSeconds || s.Seconds > MaxScreenSeconds {
		f.Add("seconds", "range", "a page stands %d…%d s, not %d", MinScreenSeconds, MaxScreenSeconds, s.Seconds)
	}
	if utf8.RuneCountInString(s.Message) > MaxScreenMessage || !player.IsText(s.Message) {
		f.Add("message", "long", "a message has %d characters at most", MaxScreenMessage)
	}
	if s.Lang != "uk" && s.Lang != "en" {
		f.Add("lang", "unsuitable", "the language is uk or en")
	}
	if _, err := time.LoadLocation(s.Zone); err != nil || s.Zone == "" {
		f.Add("zone", "unsuitable", "no such time zone: %q", s.Zone)
	}
	return f.Err()
}
