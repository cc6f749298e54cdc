package tournament

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"chpok.org/chpok/club"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/tournament/contest"
	"chpok.org/chpok/tournament/prize"
	"chpok.org/chpok/tournament/setting"
)

// Format is the pairing system.
type Format uint8

const (
	RoundRobin Format = iota + 1
	Swiss
	ClubMatch // board by board between two clubs
	KnockOut  // who loses is out
	Arena     // whoever waits is paired, again and again, for a time
)

var formatNames = [...]string{"", "round-robin", "swiss", "club-match", "knock-out", "arena"}

func (f Format) String() string { return nameOf(formatNames[:], int(f)) }

// ParseFormat reads "round-robin", "swiss", "club-match", "knock-out" or "arena".
func ParseFormat(s string) (Format, error) {
	i, err := parseName("format", formatNames[:], s)
	return Format(i), err
}

// Pace is what opens a round.
type Pace uint8

const (
	Auto    Pace = iota + 1 // the last result of the round before
	Manual                  // the organizer
	Times                   // the clock: every round has its moment
	Rolling                 // knock-out: every match by itself, once both players are known
)

var paceNames = [...]string{"", "auto", "manual", "times", "rolling"}

func (p Pace) String() string { return nameOf(paceNames[:], int(p)) }

// ParsePace reads "auto", "manual", "times" or "rolling".
func ParsePace(s string) (Pace, error) {
	i, err := parseName("pace", paceNames[:], s)
	return Pace(i), err
}

// opensByItself reports whether rounds follow one another without times or hands.
func (p Pace) opensByItself() bool { return p == Auto || p == Rolling }

// Numbering is how the numbers are given at the start.
type Numbering uint8

const (
	ByRating Numbering = iota + 1 // highest rating first, equal ones by name
	Lots                          // by lot, from the tournament's seed
	Varma                         // by lot, so that club mates do not meet last (round robin of 9 to 24)
	Given                         // as the entries came: an imported report
	Pots                          // knock-out: the best by rating apart, by lot among equals; the others by lot
)

var numberingNames = [...]string{"", "rating", "lots", "varma", "given", "pots"}

func (n Numbering) String() string { return nameOf(numberingNames[:], int(n)) }

// ParseNumbering reads "rating", "lots", "varma", "given" or "pots".
func ParseNumbering(s string) (Numbering, error) {
	i, err := parseName("numbering", numberingNames[:], s)
	return Numbering(i), err
}

// Acceleration is whether the upper half meets itself first. The zero value is none.
type Acceleration uint8

const (
	NoAcceleration Acceleration = iota
	Baku                        // FIDE C.04.7
)

func (a Acceleration) String() string {
	if a == Baku {
		return "baku"
	}
	return "none"
}

// ParseAcceleration reads "", "none" or "baku".
func ParseAcceleration(s string) (Acceleration, error) {
	switch s {
	case "", "none":
		return NoAcceleration, nil
	case "baku":
		return Baku, nil
	}
	return 0, fmt.Errorf("acceleration is none or baku, not %q", s)
}

func nameOf(names []string, i int) string {
	if i >= len(names) {
		return ""
	}
	return names[i]
}

func parseName(what string, names []string, s string) (int, error) {
	for i, n := range names {
		if i > 0 && n == s {
			return i, nil
		}
	}
	return 0, fmt.Errorf("%s is one of %s, not %q", what, strings.Join(names[1:], ", "), s)
}

// Bounds of a tournament.
const (
	MinPlayers           = 2
	MinRoundRobinPlayers = 3
	MaxRoundRobinPlayers = 32
	MaxPlayers           = 9999 // a report has four columns for a number
	MaxRounds            = 99
	MaxNameLength        = setting.MaxNameLength
	MaxAboutLength       = setting.MaxAboutLength
	MaxLateness          = 24 * time.Hour
	MaxBreak             = 24 * time.Hour
)

// Settings is what the organizer decides. Its JSON is how it is kept for good:
// a key never changes its meaning, and a new one has a zero value that means
// what was before. Those of a round robin have no
// Rounds, they follow from the number of players.
type Settings struct {
	Name         string           `json:"name"`
	Club         string           `json:"club"` // who invites, in the organizer's words
	About        string           `json:"about"`
	Format       Format           `json:"format"`
	Double       bool             `json:"double"`           // all is played twice, with seats reversed
	Rounds       int              `json:"rounds"`           // Swiss
	Tie          []contest.Step   `json:"tie,omitempty"`    // knock-out: what decides a level contest, in this order
	Losers       contest.Losers   `json:"losers,omitempty"` // knock-out: what becomes of who loses
	Legs         int              `json:"legs,omitempty"`   // knock-out: 4 matches of two who meet; 0: one, or two if Double
	Groups       int              `json:"groups,omitempty"` // knock-out: of which so many groups let the first two in; 0: all play
	Window       time.Duration    `json:"window,omitempty"` // arena: for how long it is paired
	Pace         Pace             `json:"pace"`
	Break        time.Duration    `json:"break,omitempty"` // Auto, Rolling: how long after the last result the next round, or match, opens
	Times        Moments          `json:"times,omitempty"` // Times: the moment of every round, rising
	Lateness     time.Duration    `json:"lateness"`        // how long a match waits for its players; 0: it begins at once
	Claims       match.Claims     `json:"claims"`
	Envelope     bidding.Envelope `json:"envelope"`
	Points       PointSystem      `json:"points"`
	Tiebreaks    []string         `json:"tiebreaks"` // after the score, by the codes of FIDE C.07; empty: none
	Numbering    Numbering        `json:"numbering"`
	Acceleration Acceleration     `json:"acceleration,omitempty"`
	Capacity     int              `json:"capacity"` // most entries; 0: as many as the format allows
	Rated        bool             `json:"rated"`    // results count for the rating
	Handicap     bool             `json:"handicap"` // the lower rated has more chips, by the table of handicaps
	ClubID       club.ID          `json:"clubId"`   // in whose name it is held; empty: nobody's
	MembersOnly  bool             `json:"membersOnly"`
	OpponentID   club.ID          `json:"opponentId"`         // club match: the other club
	Boards       int              `json:"boards"`             // club match
	LineUpsBy    time.Time        `json:"lineUpsBy,omitzero"` // club match: when line-ups are laid open at the latest
	CallStops    bool             `json:"callStops"`          // a call for the arbiter stops the clocks
	CheckIn      CheckIn          `json:"checkIn,omitzero"`
	OnClaim      bool             `json:"onClaim"`        // who is late loses when the other claims it, or after the lateness once more
	Until        time.Time        `json:"until,omitzero"` // the hard end of the event; zero: none
	Firm         bool             `json:"firm"`           // a schedule whose worst case goes on after Until is refused
	// HonourNoShows keeps those out who have been absent too often of late.
	HonourNoShows bool            `json:"honourNoShows"`
	Policy        fairplay.Policy `json:"policy,omitzero"`     // of fair play; none: Open
	Review        bool            `json:"review"`              // a round that is due is drafted and waits for staff to publish it
	Leave         Leaving         `json:"leave,omitempty"`     // results of who withdraws
	Expulsion     Leaving         `json:"expulsion,omitempty"` // results of who is disqualified
	Entry         EntryRules      `json:"entry,omitzero"`
	Prizes        prize.Fund      `json:"prizes"`
}

// DefaultSettings is everything but the name.
func DefaultSettings(f Format) Settings {
	s := Settings{
		Format: f, Pace: Auto, Lateness: 5 * time.Minute, Envelope: bidding.DefaultEnvelope(),
		Points: StandardPoints(), Tiebreaks: DefaultTiebreaks(f), Numbering: ByRating, Rated: true, HonourNoShows: true,
	}
	switch f {
	case Swiss:
		s.Rounds = 5
	case KnockOut:
		s.Tie, s.Losers = []contest.Step{contest.Pair, contest.Decider}, contest.ForThird
	case Arena:
		s.Rounds, s.Window, s.Lateness = 1, time.Hour, 20*time.Second
		s.Envelope.Chips, s.Envelope.Minutes, s.Envelope.Increment = 4, [2]int{3, 3}, [2]int{0, 0}
		s.Envelope.MoveLimit, s.Envelope.Defaults.MoveLimit = [2]int{20, 40}, 40
		s.Envelope.Presets = []bidding.TimeControl{{Minutes: 3, Increment: 0}}
		s.Envelope.Undos, s.Envelope.Defaults.Undos = [2]int{0, 0}, 0
	}
	return s
}

// DefaultTiebreaks is what decides after the score where nothing else was
// announced: in a round robin direct encounter, Sonneborn-Berger and wins; in a
// Swiss Buchholz with and without its lowest, Sonneborn-Berger, direct encounter.
func DefaultTiebreaks(f Format) []string {
	if f == ClubMatch || f == KnockOut || f == Arena {
		return nil // the boards decide: see packages clubmatch, contest and arena
	}
	if f == RoundRobin {
		return []string{"DE", "SB", "WIN"}
	}
	return []string{"BH/C1", "BH", "SB", "DE"}
}

// Problem is one fault of the settings, SettingsError all of them.
type (
	Problem       = setting.Problem
	SettingsError = setting.Error
)

// Validate is nil or a *SettingsError.
func (s Settings) Validate() error {
	var f setting.Faults
	f.Name("the tournament", s.Name)
	f.Line("club", "club", s.Club)
	f.About(s.About)
	if s.MembersOnly && s.ClubID == "" {
		f.Add("membersOnly", "unsuitable", "only a club has members")
	}
	if s.Format < RoundRobin || s.Format > Arena {
		f.Add("format", "missing", "the format is round-robin, swiss, knock-out, club-match or arena")
	}
	s.clubMatchProblems(&f)
	s.knockOutProblems(&f)
	s.arenaProblems(&f)
	if s.Format == Swiss && (s.Rounds < 1 || s.Rounds > MaxRounds) {
		f.Add("rounds", "range", "a Swiss has 1…%d rounds, not %d", MaxRounds, s.Rounds)
	}
	if s.Double && s.Format == Swiss {
		f.Add("double", "unsuitable", "a Swiss cannot be double")
	}
	s.paceProblems(&f)
	s.rollingProblems(&f)
	s.CheckIn.problems(&f)
	s.untilProblems(&f)
	if s.Lateness < 0 || s.Lateness > MaxLateness {
		f.Add("lateness", "range", "lateness is 0…24 h, not %v", s.Lateness)
	}
	f.Play(s.Policy, s.Envelope, s.MatchOptions())
	s.orderProblems(&f)
	s.leavingProblems(&f)
	s.entryProblems(&f)
	f.Wrap("prizes", "unsuitable", s.Prizes.Validate())
	return f.Err()
}

func (s Settings) paceProblems(f *setting.Faults) {
	switch {
	case s.Pace < Auto || s.Pace > Rolling:
		f.Add("pace", "missing", "the pace is auto, manual, times or rolling")
	case s.Break < 0 || s.Break > MaxBreak:
		f.Add("break", "range", "the break is 0…24 h, not %v", s.Break)
	case s.Pace != Times:
		return
	case len(s.Times) == 0:
		f.Add("times", "missing", "every round needs its time")
	case s.Format == Swiss && len(s.Times) != s.Rounds:
		f.Add("times", "count", "%d rounds have %d times", s.Rounds, len(s.Times))
	case !slices.IsSortedFunc(s.Times, func(a, b time.Time) int { return a.Compare(b) }):
		f.Add("times", "order", "the times of the rounds do not rise")
	}
}

// untilProblems are the faults of the hard end. Whether an event that starts by
// hand fits is seen at its start.
func (s Settings) untilProblems(f *setting.Faults) {
	switch {
	case s.OnClaim && s.Lateness == 0:
		f.Add("onClaim", "unsuitable", "nobody is late where matches do not wait")
		return
	case s.Until.IsZero() && s.Firm:
		f.Add("until", "missing", "a firm end needs its time")
		return
	case s.Until.IsZero() || s.Pace != Times || len(s.Times) == 0:
		return
	case !s.Times[len(s.Times)-1].Before(s.Until):
		f.Add("until", "order", "the last round opens after the end")
		return
	}
	plan := Course{Table: Table{Settings: s}}
	plan.Settings.Rounds = len(s.Times)
	if over := plan.overrun(s.Times[0]); s.Firm && over > 0 {
		f.Add("until", "fit", "in the worst case the last round ends %v after the end", over)
	}
}

// orderProblems are the faults of what makes the order: draw, points, tie-breaks.
func (s Settings) orderProblems(f *setting.Faults) {
	if s.Numbering < ByRating || s.Numbering > Pots {
		f.Add("numbering", "missing", "numbers are drawn by rating, lots or varma")
	}
	if s.Numbering == Varma && s.Format != RoundRobin {
		f.Add("numbering", "unsuitable", "the Varma tables are for round robins")
	}
	if s.Acceleration != NoAcceleration && s.Format != Swiss {
		f.Add("acceleration", "unsuitable", "only a Swiss can be accelerated")
	}
	if s.Points.Win <= 0 || s.Points.Draw < 0 || s.Points.Loss < 0 || s.Points.Draw > s.Points.Win {
		f.Add("points", "range", "a win is worth more than nothing and no less than a draw")
	}
	most := s.mostPlayers()
	if s.Capacity < 0 || s.Capacity > most {
		f.Add("capacity", "range", "there is room for %d entries at most, not %d", most, s.Capacity)
	}
	for i, code := range s.Tiebreaks {
		if slices.Contains(s.Tiebreaks[:i], code) {
			f.Add("tiebreaks", "order", "tie-break %s stands twice", code)
		}
	}
}

// mostPlayers is how many the format has room for.
func (s Settings) mostPlayers() int {
	switch s.Format {
	case RoundRobin:
		return MaxRoundRobinPlayers
	case KnockOut:
		_, most := s.Losers.Bounds()
		return most
	}
	return MaxPlayers
}

// MatchOptions is on what every match of the tournament is played.
func (s Settings) MatchOptions() match.Options {
	return match.Options{Envelope: setting.Narrowed(s.Policy, s.Envelope), Claims: s.Claims, StartDelay: match.DefaultStartDelay,
		Lateness: s.Lateness, OnClaim: s.OnClaim}
}

// sealedWait is how long a match is open for sealed bids where nobody is awaited
// otherwise.
const sealedWait = 5 * time.Minute

// OptionsOn is on what the match of a board is played.
func (s Settings) OptionsOn(p Pairing) match.Options {
	o := s.MatchOptions()
	if o.Odds = p.Sealed; p.Sealed && o.Lateness == 0 {
		o.Lateness = sealedWait
	}
	return o
}

// WorstRound is the longest a round can last: the wait for the players, twice
// where a forfeit is claimed, and the longest match.
func (s Settings) WorstRound() time.Duration {
	wait := s.Lateness
	if s.OnClaim {
		wait *= 2
	}
	return wait + s.MatchOptions().Envelope.WorstCase(match.DefaultStartDelay)
}

// usualMoves is how many moves a game has, and usualBid how long a chip is
// thought about, in a usual round.
const (
	usualMoves = 40
	usualBid   = 15 * time.Second
)

// UsualRound is the length that others are compared with: a fifth of the wait
// for the players, 15 s for every chip, and all the time of the middle one of the
// drawn time controls with 40 moves. It is at most the longest.
func (s Settings) UsualRound() time.Duration {
	e := s.MatchOptions().Envelope
	time40 := func(c bidding.TimeControl) time.Duration {
		moves := min(usualMoves, e.MoveLimit[1])
		return 2 * (time.Duration(c.Minutes)*time.Minute + time.Duration(c.Increment*moves)*time.Second)
	}
	board := time40(bidding.TimeControl{Minutes: e.Minutes[0], Increment: e.Increment[0]})
	if n := len(e.Presets); n > 0 {
		lengths := make([]time.Duration, n)
		for i, c := range e.Presets {
			lengths[i] = time40(c)
		}
		slices.Sort(lengths)
		board = lengths[n/2]
	}
	return min(s.WorstRound(), s.Lateness/5+time.Duration(2*e.Chips)*usualBid+board)
}
