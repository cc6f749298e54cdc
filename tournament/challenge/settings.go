package challenge

import (
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/tournament/setting"
)

// How long a challenge may be open, and the defaults.
const (
	MinLife     = 5 * time.Minute
	MaxLife     = 7 * 24 * time.Hour
	DefaultLife = 24 * time.Hour
	RematchLife = time.Hour
)

// DefaultLateness is how long an accepted match waits for its players,
// HouseLateness how long a bot of the house does.
const (
	DefaultLateness = 5 * time.Minute
	HouseLateness   = time.Hour
)

// Settings is what the challenger proposes.
type Settings struct {
	Envelope bidding.Envelope
	Claims   match.Claims
	Lateness time.Duration // how long the match waits for its players; 0: not at all
	Rated    bool          // the match counts for ratings
	// Handicap gives the weaker player chips for the rating difference
	// (rating.HandicapChips) when the match opens; rated ones count in a list of their
	// own.
	Handicap bool
	BidTime  time.Duration   // per bid; 0: by the bidding clock
	Untimed  bool            // without clocks (match.Options)
	Life     time.Duration   // how long the challenge is open
	Policy   fairplay.Policy // zero: Open
	// Lobby is the name of the preset under which anyone finds the challenge; empty: link
	// only.
	Lobby string
	// Either leaves it to the opponent from the lobby whether the match is rated; until
	// then it is not.
	Either bool
}

// DefaultSettings returns an unrated match of about an hour.
func DefaultSettings() Settings {
	return Settings{Envelope: Presets()[1].Envelope, Lateness: DefaultLateness, Life: DefaultLife}
}

// forAccounts reports whether these settings need an account, not a guest.
func (s Settings) forAccounts() bool {
	return s.Rated || s.Handicap || s.Policy.OrOpen().Level > fairplay.Open
}

// Welcomes reports whether a newcomer gets hints here, and time for their first bid. Both are
// help: they have no place where the result is to say how well somebody plays.
func (s Settings) Welcomes() bool { return !s.forAccounts() }

// Practice returns a match to learn the game against a bot: no clock, and five moves may
// be taken back.
func Practice() Settings {
	s := DefaultSettings()
	s.Envelope = Presets()[0].Envelope
	s.Envelope.Undos, s.Envelope.Defaults.Undos = [2]int{5, 5}, 5
	s.BidTime, s.Untimed = 24*time.Hour, true
	return s
}

// Validate returns nil or a case of setting.ErrSettings.
func (s Settings) Validate() error {
	var f setting.Faults
	f.Play(s.Policy, s.Envelope, s.MatchOptions())
	if s.Life < MinLife || s.Life > MaxLife {
		f.Add("life", "range", "a challenge waits %v to %v for its answer, not %v", MinLife, MaxLife, s.Life)
	}
	return f.Err()
}

// MatchOptions returns the options of the match.
func (s Settings) MatchOptions() match.Options {
	return match.Options{Envelope: setting.Narrowed(s.Policy, s.Envelope), Claims: s.Claims, StartDelay: match.DefaultStartDelay,
		Lateness: s.Lateness, BidTime: s.BidTime, Untimed: s.Untimed}
}

// WorstCase returns the longest possible match, including the wait for its players.
func (s Settings) WorstCase() time.Duration {
	o := s.MatchOptions()
	o.Newcomer[0] = s.Welcomes() // as long as nobody knows who will play
	worst := o.Longest()
	if s.Handicap {
		worst += bidding.MaxExtra * bidding.ClockBid
	}
	return worst
}

// Preset is a named envelope, for people who prefer to choose one.
type Preset struct {
	Name     string // quick, evening, long, whole, short, points, sprint
	Envelope bidding.Envelope
}

// Presets returns the presets, the shortest first.
func Presets() []Preset {
	type times = []bidding.TimeControl
	narrowed := func(chips int, minutes, increment, moves [2]int, limit int, presets times) bidding.Envelope {
		e := bidding.DefaultEnvelope()
		e.Chips, e.Minutes, e.Increment, e.MoveLimit, e.Presets = chips, minutes, increment, moves, presets
		e.Undos = [2]int{0, 1}
		e.Defaults.MoveLimit = limit
		return e
	}
	presets := []Preset{
		{"quick", narrowed(6, [2]int{1, 5}, [2]int{0, 3}, [2]int{10, 40}, 30, times{{Minutes: 3, Increment: 2}, {Minutes: 5, Increment: 0}})},
		{"evening", narrowed(10, [2]int{3, 15}, [2]int{0, 5}, [2]int{20, 60}, 40,
			times{{Minutes: 5, Increment: 3}, {Minutes: 10, Increment: 5}})},
		{"long", narrowed(15, [2]int{10, 60}, [2]int{0, 30}, [2]int{20, 80}, 40,
			times{{Minutes: 15, Increment: 10}, {Minutes: 30, Increment: 20}})},
		{"whole", bidding.DefaultEnvelope()},
	}
	for _, e := range fairplay.Envelopes() {
		presets = append(presets, Preset(e))
	}
	return presets
}
