package ladder

import (
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/tournament/setting"
)

// Placement is where a newcomer starts.
type Placement string

const (
	AtBottom Placement = "bottom"
	// ByRating places a newcomer below the lowest rung that is not rated lower.
	ByRating Placement = "rating"
)

// Climb is the effect of a challenger's win.
type Climb string

const (
	Insert Climb = "insert" // the challenger takes the place, those between move down
	Swap   Climb = "swap"   // the two exchange places
)

// Limits of a ladder.
const (
	MaxRungs       = 1000
	MaxNameLength  = setting.MaxNameLength
	MaxAboutLength = setting.MaxAboutLength
	MaxChallenges  = 10
	maxDays        = 365 * 24 * time.Hour
)

// Settings is what the organizer decides.
type Settings struct {
	Name        string    `json:"name"`
	About       string    `json:"about,omitempty"`
	Club        club.ID   `json:"club,omitempty"`     // empty: a ladder of the site
	MembersOnly bool      `json:"members,omitempty"`  // only members of the club may join
	Placement   Placement `json:"placement"`          // of newcomers
	Climb       Climb     `json:"climb"`              // after a challenger's win
	Places      int       `json:"places"`             // how many places up a challenge may go
	Percent     int       `json:"percent,omitempty"`  // the same in percent of the rungs; the larger counts
	FirstFree   bool      `json:"first,omitempty"`    // a player's first challenge may go up any number of places
	Outgoing    int       `json:"outgoing"`           // most running challenges that a player has sent
	Incoming    int       `json:"incoming"`           // most running challenges that a player has received
	Reply       Days      `json:"reply"`              // to accept or decline
	Schedule    Days      `json:"schedule"`           // to agree on a time after accepting
	Play        Days      `json:"play"`               // latest appointment after accepting
	Dispute     Days      `json:"dispute"`            // to object to a forfeit
	Rest        Days      `json:"rest,omitempty"`     // before the same players meet again
	Inactivity  Days      `json:"idle,omitempty"`     // without a match before a player sinks; 0: never
	Notice      Days      `json:"notice,omitempty"`   // warning time before sinking
	Sink        int       `json:"sink,omitempty"`     // places lost by sinking
	Credit      Days      `json:"credit,omitempty"`   // added to Inactivity per defended place, at most three times
	Vacation    Days      `json:"vacation,omitempty"` // per calendar year (UTC); 0: none

	Rated    bool          `json:"rated,omitempty"` // played matches count for the rating lists
	Lateness time.Duration `json:"lateness"`        // after the appointment until an absent player forfeits
	// BidTime is the time per bid if bidding goes by correspondence: the match opens when
	// the challenge is accepted, and the players meet for the board phase within Play. 0:
	// they meet for the whole match.
	BidTime  time.Duration    `json:"bidTime,omitempty"`
	Claims   match.Claims     `json:"claims"`
	Envelope bidding.Envelope `json:"envelope"`
	Policy   fairplay.Policy  `json:"policy,omitzero"` // zero: Open
}

// Days is a duration that settings give in days or hours.
type Days = time.Duration

// Day is one day.
const Day = 24 * time.Hour

// DefaultSettings returns everything but the name.
func DefaultSettings() Settings {
	return Settings{
		Placement: AtBottom, Climb: Insert, Places: 4, Percent: 10, FirstFree: true, Outgoing: 1, Incoming: 1,
		Reply: 36 * time.Hour, Schedule: 3 * Day, Play: 14 * Day, Dispute: Day, Rest: 7 * Day,
		Inactivity: 30 * Day, Notice: 5 * Day, Sink: 2, Credit: 7 * Day, Vacation: 42 * Day,
		Rated: true, Lateness: 15 * time.Minute, Envelope: bidding.DefaultEnvelope(),
	}
}

// Validate returns nil or a case of setting.ErrSettings.
func (s Settings) Validate() error {
	var f setting.Faults
	f.Name("the ladder", s.Name)
	f.About(s.About)
	if s.MembersOnly && s.Club == "" {
		f.Add("members", "unsuitable", "only a club has members")
	}
	if s.Placement != AtBottom && s.Placement != ByRating {
		f.Add("placement", "missing", "the placement is bottom or rating")
	}
	if s.Climb != Insert && s.Climb != Swap {
		f.Add("climb", "missing", "the climb is insert or swap")
	}
	for _, b := range [...]struct {
		field      string
		have       int
		least, top int
	}{
		{"places", s.Places, 1, MaxRungs}, {"percent", s.Percent, 0, 100}, {"sink", s.Sink, 0, MaxRungs},
		{"outgoing", s.Outgoing, 1, MaxChallenges}, {"incoming", s.Incoming, 1, MaxChallenges},
	} {
		if b.have < b.least || b.have > b.top {
			f.Add(b.field, "range", "%s is %d…%d, not %d", b.field, b.least, b.top, b.have)
		}
	}
	for _, b := range [...]struct {
		field string
		have  time.Duration
		least time.Duration
	}{
		{"reply", s.Reply, time.Hour}, {"schedule", s.Schedule, time.Hour}, {"play", s.Play, s.Schedule}, {"dispute", s.Dispute, time.Hour},
		{"rest", s.Rest, 0}, {"idle", s.Inactivity, 0}, {"notice", s.Notice, 0}, {"credit", s.Credit, 0}, {"vacation", s.Vacation, 0},
	} {
		if b.have < b.least || b.have > maxDays || b.have%time.Minute != 0 {
			f.Add(b.field, "range", "%s is %v…%v in whole minutes, not %v", b.field, b.least, maxDays, b.have)
		}
	}
	if s.Inactivity > 0 && (s.Notice < Day || s.Notice > s.Inactivity) {
		f.Add("notice", "range", "who sinks is told a day before at least, and not before they have been silent at all")
	}
	if s.Lateness < time.Minute || s.Lateness > 4*time.Hour || s.Lateness%time.Minute != 0 {
		f.Add("lateness", "range", "lateness is 1 min…4 h, not %v", s.Lateness)
	}
	if s.BidTime != 0 && (s.BidTime < time.Hour || s.BidTime > match.MaxBidTime || s.BidTime%time.Minute != 0) {
		f.Add("bidTime", "range", "a bid by correspondence has 1 h…%v, not %v", match.MaxBidTime, s.BidTime)
	}
	f.Play(s.Policy, s.Envelope, s.matchOptions(0))
	return f.Err()
}

func (s Settings) matchOptions(early time.Duration) match.Options {
	o := match.Options{Envelope: setting.Narrowed(s.Policy, s.Envelope), Claims: s.Claims, StartDelay: match.DefaultStartDelay,
		Lateness: s.Lateness + early}
	if s.BidTime > 0 {
		o.Lateness, o.BidTime, o.Meet = 0, s.BidTime, min(s.Play, match.MaxMeet)
	}
	return o
}
