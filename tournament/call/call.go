// Package call decides what a player's call for an arbiter may be, who takes and settles
// it, and what may be said on a match. It refuses to judge the match itself, and knows
// neither who may answer nor a clock.
package call

import (
	"strings"
	"time"
	"unicode/utf8"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
)

// ID names a call.
type ID string

// The bounds of calls and messages on a match.
const (
	MaxText       = 300 // characters of a call
	MaxMessage    = 500 // characters of a message
	MaxStops      = 3   // calls of one player in one match that stop the clocks
	Burst         = 5   // messages of one person on one match within BurstTime
	BurstTime     = 30 * time.Second
	MaxTalk       = 200 // messages on one match
	MaxCallsPer   = 20  // calls of one player in one match
	Low           = 30 * time.Second
	AbsentAfter   = time.Minute
	UncertainFrom = 15 * time.Second
)

// The refusals of calls and messages.
var (
	ErrOpen     = refusal.Conflict("calls.error.open", "call: one is already open")
	ErrText     = refusal.Invalid("calls.error.text", "call: a call is one to 300 characters")
	ErrMessage  = refusal.Invalid("calls.error.message", "call: a message is one to 500 characters")
	ErrFull     = refusal.Conflict("calls.error.full", "call: a match has no more messages than this")
	ErrTooFast  = refusal.TooMany("calls.error.too-fast", "call: too many messages")
	ErrTaken    = refusal.Conflict("calls.error.taken", "call: somebody else has taken it")
	ErrResolved = refusal.Conflict("calls.error.settled", "call: already settled")
	ErrTooMany  = refusal.Conflict("calls.error.too-many", "call: too many calls")
)

// Place is where a match is played, for the queue of calls: in a tournament (with round
// and board) or on a ladder; both empty: neither.
type Place struct {
	Tournament   string
	Round, Board int
	Ladder       string
}

// Call is a player's call for an arbiter.
type Call struct {
	ID    ID
	Match match.ID
	Place
	Caller     player.ID
	Seat       match.Seat
	Text       string
	Stopped    bool // it stopped the clocks
	At         time.Time
	TakenBy    player.ID // empty: nobody yet
	TakenAt    time.Time
	ResolvedBy player.ID
	ResolvedAt time.Time // zero: still open
}

// IsOpen reports whether the call is not settled yet.
func (c Call) IsOpen() bool { return c.ResolvedAt.IsZero() }

// New takes up a call; before are all calls of the match. If calls may stop the clocks, only
// the first few of a player do.
func New(c Call, mayStop bool, before []Call, now time.Time) (Call, error) {
	c.Text = strings.TrimSpace(c.Text)
	if !isText(c.Text, MaxText) {
		return Call{}, ErrText
	}
	stops, calls := 0, 0
	for _, b := range before {
		if b.Caller != c.Caller {
			continue
		}
		if b.IsOpen() {
			return Call{}, ErrOpen
		}
		calls++
		if b.Stopped {
			stops++
		}
	}
	if calls >= MaxCallsPer {
		return Call{}, ErrTooMany
	}
	c.Stopped, c.At = mayStop && stops < MaxStops, now
	return c, nil
}

// Take notes that somebody looks into the call; repeating it changes nothing.
func (c *Call) Take(by player.ID, now time.Time) error {
	switch {
	case !c.IsOpen():
		return ErrResolved
	case c.TakenBy == by:
		return nil
	case c.TakenBy != "":
		return ErrTaken
	}
	c.TakenBy, c.TakenAt = by, now
	return nil
}

// Resolve settles the call; whoever settles it has taken it.
func (c *Call) Resolve(by player.ID, now time.Time) error {
	if !c.IsOpen() {
		return ErrResolved
	}
	if c.TakenBy == "" {
		c.TakenBy, c.TakenAt = by, now
	}
	c.ResolvedBy, c.ResolvedAt = by, now
	return nil
}

// Message is a message between an arbiter and the players of a match.
type Message struct {
	Match match.ID
	No    int // from 1
	By    player.ID
	Staff bool // an arbiter's
	Text  string
	At    time.Time
}

// Say makes a message the next on its match.
func Say(m Message, before []Message, now time.Time) (Message, error) {
	m.Text = strings.TrimSpace(m.Text)
	if !isText(m.Text, MaxMessage) {
		return Message{}, ErrMessage
	}
	var recent []time.Time
	for _, b := range before {
		if b.By == m.By && now.Sub(b.At) < BurstTime {
			recent = append(recent, b.At)
		}
	}
	switch {
	case len(before) >= MaxTalk:
		return Message{}, ErrFull
	case len(recent) >= Burst:
		return Message{}, refusal.Later(ErrTooFast, recent[len(recent)-Burst].Add(BurstTime))
	}
	m.No, m.At = len(before)+1, now
	return m, nil
}

func isText(s string, most int) bool {
	return s != "" && utf8.RuneCountInString(s) <= most && player.IsText(s)
}

// Connection reports whether a player has the page of their match open.
type Connection uint8

const (
	Absent    Connection = iota // not for a while, or never
	Uncertain                   // not heard of for a moment
	Present
)

var connectionNames = [...]string{"absent", "uncertain", "present"}

func (c Connection) String() string { return connectionNames[c] }

// ConnectionAt is a player's connection now, given when they were last seen; zero: never.
func ConnectionAt(seen, now time.Time) Connection {
	switch since := now.Sub(seen); {
	case seen.IsZero() || since >= AbsentAfter:
		return Absent
	case since >= UncertainFrom:
		return Uncertain
	}
	return Present
}
