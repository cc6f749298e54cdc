package tournament

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"chpok.org/chpok/civil"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/tournament/contest"
	"chpok.org/chpok/tournament/prize"
	"chpok.org/chpok/tournament/setting"
)

// Pace says what opens a round.
type Pace uint8

const (
	Auto           Pace = iota + 1 // the last result of the previous round
	Manual                         // staff
	Times                          // the clock: each round has a time
	Rolling                        // knock-out: each match opens once both players are known
	Arranged                       // the players of each board agree on a time within the window of the round
	Correspondence                 // the start: all rounds at once, by bids and moves that have a time each
)

var paceNames = [...]string{"", "auto", "manual", "times", "rolling", "arranged", "correspondence"}

func (p Pace) String() string { return nameOf(paceNames[:], p) }

// ParsePace reads "auto", "manual", "times", "rolling", "arranged" or "correspondence".
func ParsePace(s string) (Pace, error) { return parseName[Pace]("pace", paceNames[:], s) }

// OpensByItself reports whether rounds follow one another without times or staff.
func (p Pace) OpensByItself() bool { return p == Auto || p == Rolling || p.HasWindow() }

// IsAtOnce reports whether matches of several rounds are played at once, with no order among the rounds.
func (p Pace) IsAtOnce() bool { return p == Rolling || p == Correspondence }

// HasWindow reports whether matches are held within Settings.Window.
func (p Pace) HasWindow() bool { return p == Arranged || p == Correspondence }

// Numbering says how numbers are given at the start.
type Numbering uint8

const (
	ByRating Numbering = iota + 1 // by rating, then by name
	Lots                          // by lots from the tournament's seed
	Varma                         // by lots that keep club mates out of the last rounds (round robin, 9 to 24 players)
	Given                         // in the order of entry, or of the seeds of an earlier stage
	Pots                          // knock-out: by lots within pots made by rating (contest.Pots)
)

var numberingNames = [...]string{"", "rating", "lots", "varma", "given", "pots"}

func (n Numbering) String() string { return nameOf(numberingNames[:], n) }

// ParseNumbering reads "rating", "lots", "varma", "given" or "pots".
func ParseNumbering(s string) (Numbering, error) {
	return parseName[Numbering]("numbering", numberingNames[:], s)
}

// Acceleration says whether the upper half of a Swiss meets itself first.
type Acceleration uint8

const (
	NoAcceleration Acceleration = iota
	Baku                        // FIDE C.04.7
)

var accelerationNames = [...]string{"none", "baku"}

func (a Acceleration) String() string { return nameOf(accelerationNames[:], a) }

// ParseAcceleration reads "", "none" or "baku".
func ParseAcceleration(s string) (Acceleration, error) {
	return parseName[Acceleration]("acceleration", accelerationNames[:], s)
}

// nameOf returns the name of a value; empty if it has none.
func nameOf[T ~uint8](names []string, value T) string {
	if int(value) >= len(names) {
		return ""
	}
	return names[value]
}

// parseName reads what nameOf returns. If the zero value has a name, the empty text is it, too.
func parseName[T ~uint8](what string, names []string, s string) (T, error) {
	if s == "" && names[0] != "" {
		return 0, nil
	}
	if i := slices.Index(names, s); i >= 0 && s != "" {
		return T(i), nil
	}
	return 0, fmt.Errorf("%s is one of %s, not %q", what, strings.TrimPrefix(strings.Join(names, ", "), ", "), s)
}

// Bounds of a tournament.
const (
	MinPlayers           = 2
	MinRoundRobinPlayers = 3
	MaxRoundRobinPlayers = 32
	MaxPlayers           = 9999 // a TRF has four columns for a number
	MaxRounds            = 99
	MaxNameLength        = setting.MaxNameLength
	MaxAboutLength       = setting.MaxAboutLength
	MaxZoneName          = civil.MaxZoneName
	MaxLateness          = 24 * time.Hour
	MaxBreak             = 24 * time.Hour
)

// Settings is what the organizer decides. Its JSON is stored for good: a key never changes
// its meaning, and the zero value of a new key means what was before. Only a Swiss and an
// arena set Rounds; other formats derive them from the number of players.
type Settings struct {
	Name         string           `json:"name"`
	Club         string           `json:"club"` // the host, in the organizer's words
	About        string           `json:"about"`
	Zone         string           `json:"zone,omitempty"` // IANA name of the time zone of its times; empty: the site's
	Format       Format           `json:"format"`
	Double       bool             `json:"double"`           // everyone meets twice, with seats reversed
	Rounds       int              `json:"rounds"`           // Swiss
	Tie          []contest.Step   `json:"tie,omitempty"`    // knock-out: tie-break steps, in order
	Losers       contest.Losers   `json:"losers,omitempty"` // knock-out: what happens to losers
	Legs         int              `json:"legs,omitempty"`   // knock-out: 4 matches per contest; 0: one, or two if Double
	Groups       int              `json:"groups,omitempty"` // knock-out: groups played first, of which the best qualify; 0: none
	Window       time.Duration    `json:"window,omitempty"` // arena: how long it is paired; Arranged: how long each round has; Correspondence: all of them
	Pace         Pace             `json:"pace"`
	Break        time.Duration    `json:"break,omitempty"`     // Auto, Rolling: from the last result to the next round or match
	BidTime      time.Duration    `json:"bidTime,omitempty"`   // Correspondence: for each bid and each move
	DrawUnmet    bool             `json:"drawUnmet,omitempty"` // Arranged: a board without a time is an unrated draw, not lost by both
	Times        Moments          `json:"times,omitempty"`     // Times: when each round opens, rising
	Lateness     time.Duration    `json:"lateness"`            // how long a match waits for its players; 0: it starts at once
	Claims       match.Claims     `json:"claims"`
	Envelope     bidding.Envelope `json:"envelope"`
	Points       PointSystem      `json:"points"`
	Tiebreaks    []string         `json:"tiebreaks"` // codes of FIDE C.07, in order; empty: none
	Numbering    Numbering        `json:"numbering"`
	Acceleration Acceleration     `json:"acceleration,omitempty"`
	Capacity     int              `json:"capacity"` // most entries; 0: as many as the format allows
	Rated        bool             `json:"rated"`    // results count for ratings
	Handicap     bool             `json:"handicap"` // the lower rated player has extra chips, by the table of handicaps
	ClubID       club.ID          `json:"clubId"`   // the club that holds it; empty: none
	MembersOnly  bool             `json:"membersOnly"`
	Teams        Teams            `json:"teams,omitzero"`
	Battle       Battle           `json:"battle,omitzero"` // arena: of teams
	CallStops    bool             `json:"callStops"`       // a call for the arbiter stops the clocks
	CheckIn      CheckIn          `json:"checkIn,omitzero"`
	OnClaim      bool             `json:"onClaim"`        // a late player forfeits on the opponent's claim, or after twice the lateness
	Until        time.Time        `json:"until,omitzero"` // when it must end; zero: no limit
	Firm         bool             `json:"firm"`           // refuse schedules whose worst case exceeds Until
	// HonourNoShows keeps out players who were absent too often of late.
	HonourNoShows bool            `json:"honourNoShows"`
	Policy        fairplay.Policy `json:"policy,omitzero"`     // of fair play; zero: Open
	Review        bool            `json:"review"`              // due rounds are drafted, for staff to publish
	Leave         Leaving         `json:"leave,omitempty"`     // what happens to the results of withdrawn entries
	Expulsion     Leaving         `json:"expulsion,omitempty"` // the same for disqualified ones
	Entry         EntryRules      `json:"entry,omitzero"`
	Prizes        prize.Fund      `json:"prizes"`
	Report        ReportHead      `json:"report,omitzero"`
}

// DefaultSettings returns the default settings of a format; only the name is missing.
func DefaultSettings(f Format) Settings {
	s := Settings{
		Format: f, Pace: Auto, Lateness: 5 * time.Minute, Envelope: bidding.DefaultEnvelope(),
		Points: StandardPoints(), Tiebreaks: DefaultTiebreaks(f, false), Numbering: ByRating, Rated: true, HonourNoShows: true,
	}
	f.rules().defaults(&s)
	return s
}

// Problem is one fault of the settings.
type Problem = setting.Problem

// Validate returns nil or a case of setting.ErrSettings.
func (s Settings) Validate() error {
	var f setting.Faults
	f.Name("the tournament", s.Name)
	f.Line("club", "club", s.Club)
	f.About(s.About)
	if s.Zone != "" && civil.Zone(s.Zone) == nil {
		f.Add("zone", "unsuitable", "there is no time zone %q", s.Zone)
	}
	if s.MembersOnly && s.ClubID == "" {
		f.Add("membersOnly", "unsuitable", "without a club there are no members")
	}
	s.formatFaults(&f)
	s.teamFaults(&f)
	s.battleFaults(&f)
	s.paceProblems(&f)
	s.rollingProblems(&f)
	s.arrangedProblems(&f)
	s.correspondenceProblems(&f)
	s.CheckIn.problems(&f)
	s.untilProblems(&f)
	if s.Lateness < 0 || s.Lateness > MaxLateness {
		f.Add("lateness", "range", "lateness is 0…24 h, not %v", s.Lateness)
	}
	f.Play(s.Policy, s.Envelope, s.MatchOptions())
	s.orderProblems(&f)
	s.leavingProblems(&f)
	s.entryProblems(&f)
	f.Wrap("prizes", "unsuitable", s.prizeFault())
	s.Report.faults(&f)
	return f.Err()
}

func (s Settings) paceProblems(f *setting.Faults) {
	switch {
	case s.Pace < Auto || s.Pace > Correspondence:
		f.Add("pace", "missing", "the pace is auto, manual, times, rolling, arranged or correspondence")
	case s.Break < 0 || s.Break > MaxBreak:
		f.Add("break", "range", "the break is 0…24 h, not %v", s.Break)
	case s.Pace != Times:
		return
	case len(s.Times) == 0:
		f.Add("times", "missing", "every round needs its time")
	case s.Format.PairsByScore() && len(s.Times) != s.Rounds:
		f.Add("times", "count", "%d rounds have %d times", s.Rounds, len(s.Times))
	case !slices.IsSortedFunc(s.Times, time.Time.Compare):
		f.Add("times", "order", "the times of the rounds do not rise")
	}
}

// untilProblems finds faults of the time limit. Whether an event without fixed times fits
// is checked at its start.
func (s Settings) untilProblems(f *setting.Faults) {
	switch {
	case s.OnClaim && s.Lateness == 0:
		f.Add("onClaim", "unsuitable", "nobody is late if matches do not wait")
		return
	case s.Until.IsZero() && s.Firm:
		f.Add("until", "missing", "a firm end needs a time")
		return
	case s.Until.IsZero() || s.Pace != Times || len(s.Times) == 0:
		return
	case !s.Times[len(s.Times)-1].Before(s.Until):
		f.Add("until", "order", "the last round opens after the end")
		return
	}
	plan := Tournament{Table: Table{Settings: s}}
	plan.Settings.Rounds = len(s.Times)
	if over := plan.overrun(s.Times[0]); s.Firm && over > 0 {
		f.Add("until", "fit", "in the worst case the last round ends %v after the end", over)
	}
}

// orderProblems finds faults of numbering, points, capacity and tie-breaks.
func (s Settings) orderProblems(f *setting.Faults) {
	if s.Numbering < ByRating || s.Numbering > Pots {
		f.Add("numbering", "missing", "numbers are given by rating, lots, varma, given or pots")
	}
	if s.Points.Win <= 0 || s.Points.Draw < 0 || s.Points.Loss < 0 || s.Points.Draw > s.Points.Win {
		f.Add("points", "range", "a win is worth more than 0 and no less than a draw")
	}
	most := s.MostPlayers()
	if s.Capacity < 0 || s.Capacity > most {
		f.Add("capacity", "range", "there is room for %d entries at most, not %d", most, s.Capacity)
	}
	for i, code := range s.Tiebreaks {
		if slices.Contains(s.Tiebreaks[:i], code) {
			f.Add("tiebreaks", "order", "tie-break %s appears twice", code)
		}
	}
}

// MatchOptions returns the options of the tournament's matches.
func (s Settings) MatchOptions() match.Options {
	o := match.Options{Envelope: setting.Narrowed(s.Policy, s.Envelope), Claims: s.Claims, StartDelay: match.DefaultStartDelay,
		Lateness: s.Lateness, OnClaim: s.OnClaim}
	if s.Pace == Correspondence {
		o = s.byCorrespondence(o)
	}
	return o
}

// sealedWait is how long a match waits for sealed bids if it does not wait otherwise.
const sealedWait = 5 * time.Minute

// OptionsOn returns the options of the match on a board.
func (s Settings) OptionsOn(p Pairing) match.Options {
	o := s.MatchOptions()
	o.Odds = p.Sealed
	if p.Sealed && o.Lateness == 0 {
		o.Lateness = sealedWait
	}
	return o
}

// WorstRound returns the longest a round can last, with the time for line-ups.
func (s Settings) WorstRound() time.Duration {
	if s.Pace == Correspondence {
		return s.Window
	}
	return s.Teams.LineUps + s.MatchOptions().Longest()
}

// UsualRound estimates how long the boards of a round last.
func (s Settings) UsualRound() time.Duration {
	if s.Pace == Correspondence {
		return s.Window
	}
	return s.MatchOptions().Usual()
}

// Location returns the time zone in which the event takes place.
func (s Settings) Location() *time.Location {
	return cmp.Or(civil.Zone(s.Zone), time.UTC)
}

// Moments returns the moments that a form shows, in its order.
func (s Settings) Moments() []time.Time {
	return append([]time.Time{s.Entry.Opens, s.Entry.Closes, s.Until}, s.Times...)
}
