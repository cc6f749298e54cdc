package challenge

import (
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/tournament/setting"
)

// How long a challenge may wait for its answer, and how long one does where
// nothing else is said.
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
	Lateness time.Duration // how long the match waits for its players; 0: it begins at once
	Rated    bool          // the result counts for the rating
	// Handicap gives the weaker player chips for the difference in rating when the
	// match opens (rating.HandicapChips); a rated one counts in a list of its own.
	Handicap bool
	BidTime  time.Duration   // for each bid; 0: the bidding clock runs
	Untimed  bool            // no clock counts (match.Options)
	Life     time.Duration   // how long the challenge waits for its answer
	Policy   fairplay.Policy // of fair play; none: Open
	// Lobby is the length under which anyone finds the challenge, the name of a
	// preset; empty: only who has the link does.
	Lobby string
	// Either leaves it to whoever takes the challenge from the lobby whether it is
	// rated; until then it is not.
	Either bool
}

// DefaultSettings is an unrated match of an hour or so.
func DefaultSettings() Settings {
	return Settings{Envelope: Presets()[1].Envelope, Lateness: DefaultLateness, Life: DefaultLife}
}

// forAccounts tells whether these settings ask for more than a guest can give.
func (s Settings) forAccounts() bool {
	return s.Rated || s.Handicap || s.Policy.OrOpen().Level > fairplay.Open
}

// Practice is a match to learn by, against a bot: no clock counts, and five moves
// may be taken back.
func Practice() Settings {
	s := DefaultSettings()
	s.Envelope = Presets()[0].Envelope
	s.Envelope.Undos, s.Envelope.Defaults.Undos = [2]int{5, 5}, 5
	s.BidTime, s.Untimed = 24*time.Hour, true
	return s
}

// Validate is nil or a *setting.Error.
func (s Settings) Validate() error {
	var f setting.Faults
	f.Play(s.Policy, s.Envelope, s.MatchOptions())
	if s.Life < MinLife || s.Life > MaxLife {
		f.Add("life", "range", "a challenge waits %v to %v for its answer, not %v", MinLife, MaxLife, s.Life)
	}
	return f.Err()
}

// MatchOptions is on what the match will be played.
func (s Settings) MatchOptions() match.Options {
	return match.Options{Envelope: setting.Narrowed(s.Policy, s.Envelope), Claims: s.Claims, StartDelay: match.DefaultStartDelay,
		Lateness: s.Lateness, BidTime: s.BidTime, Untimed: s.Untimed}
}

// WorstCase is the longest the match can last, the wait for its players included.
func (s Settings) WorstCase() time.Duration {
	worst := s.Lateness + s.MatchOptions().Envelope.WorstCase(match.DefaultStartDelay)
	if s.Handicap {
		worst += bidding.MaxExtra * bidding.ClockBid
	}
	return worst
}

// Preset is an envelope with a name, for those who want to choose and not to fill in.
type Preset struct {
	Name     string // quick, evening, long, whole, short, points, sprint
	Envelope bidding.Envelope
}

// Presets are the envelopes to choose from, the shortest first.
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
