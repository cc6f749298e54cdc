package tournament

import (
	"errors"
	"slices"
	"time"

	"chpok.org/chpok/club"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
)

// ID names a tournament.
type ID string

// Status is where a tournament stands.
type Status uint8

const (
	Draft        Status = iota + 1 // only its organizer sees it
	Registration                   // players enter
	Running                        // rounds are played
	Finished
	Finalized // signed off: nothing changes any more
)

var statusNames = [...]string{"", "draft", "registration", "running", "finished", "finalized"}

func (s Status) String() string { return nameOf(statusNames[:], int(s)) }

// IsOver tells whether no round is played any more.
func (s Status) IsOver() bool { return s >= Finished }

// What the moment does not allow.
var (
	ErrNotAllowed   = errors.New("tournament: that is for its staff")
	ErrNotOpen      = errors.New("tournament: registration is not open")
	ErrStarted      = errors.New("tournament: it has started")
	ErrNotRunning   = errors.New("tournament: it is not running")
	ErrFinished     = errors.New("tournament: it is finished")
	ErrEntered      = errors.New("tournament: entered already")
	ErrFull         = errors.New("tournament: all places are taken")
	ErrBadName      = errors.New("tournament: an entry needs a name of one line")
	ErrNoEntry      = errors.New("tournament: no such entry")
	ErrWithdrawn    = errors.New("tournament: withdrawn")
	ErrVarmaSize    = errors.New("tournament: the Varma tables serve 9 to 24 players")
	ErrTooFew       = errors.New("tournament: too few players")
	ErrRoundOpen    = errors.New("tournament: the round is not over")
	ErrNoRoundsLeft = errors.New("tournament: all rounds are paired")
	ErrNoBoard      = errors.New("tournament: no such board")
	ErrBeingPlayed  = errors.New("tournament: the match is being played")
	ErrLaterRound   = errors.New("tournament: a later round is paired")
	ErrManyScreens  = errors.New("tournament: no more screens")
	ErrNoBye        = errors.New("tournament: no bye can be given for that round")
	ErrNoResult     = errors.New("tournament: the board has no result to correct")
	ErrNoMoment     = errors.New("tournament: no such moment in the log")
	ErrClosed       = errors.New("tournament: registration is closed")
	ErrLate         = errors.New("tournament: too late to enter")
	ErrCode         = errors.New("tournament: that is not the entry code")
	ErrConditions   = errors.New("tournament: conditions of entry not met") // of every *ConditionsError
	ErrShutOut      = errors.New("tournament: staff have refused or removed the entry")
	ErrNoRequest    = errors.New("tournament: the entry does not wait for an answer")
	ErrBadReason    = errors.New("tournament: the reason is too long")
	ErrByeLimit     = errors.New("tournament: no more such byes")
)

// Tournament is one tournament with all that has happened in it. Methods that
// change it change the value they are called on, or nothing when they fail.
type Tournament struct {
	ID        ID
	Organizer player.ID // who made it
	Settings
	Status    Status
	Gate      Gate       // of registration
	Opening   match.Seat // drawn at the start: what number 1 gets in round 1 of a Swiss
	Seed      string     // what chance was made from, hexadecimal
	Entries   []Entry    // by id
	Rounds    []Round    // by number; planned ones are not in it
	Forbidden []ForbiddenEntries
	Chat      bool     // entrants may talk
	Staff     []Member // in the order of coming; an owner at least
	CreatedAt time.Time
	StartedAt time.Time
	EndedAt   time.Time
	RatedAt   time.Time   // when the ratings were applied
	Timetable Timetable   // what has become of the plan
	Rehearsal ID          // of which tournament this is the rehearsal; empty: it is none
	Draft     *RoundDraft // the next round, before it is published; nil: none
	Signed    *SignOff    // while Finalized
	LineUpsAt time.Time   // club match: when the line-ups were laid open; zero: they are not
	Stuck     string      // why the next round could not be paired; empty: it was, or nobody tried
	Version   int64       // raised by every change

	// ClubStaff are the members of its club who have a duty here by their roles
	// there, as they stand now: read with the tournament, no part of it.
	ClubStaff []club.Membership
}

// ForbiddenEntries is a set of entries no two of whom may meet.
type ForbiddenEntries struct {
	Entries []EntryID `json:"entries"`
	From    int       `json:"from,omitempty"` // rounds; 0, 0: always
	To      int       `json:"to,omitempty"`
	Soft    bool      `json:"soft,omitempty"` // a wish: avoided where somebody can be paired otherwise
}

// New is a tournament that nobody has entered; the error is a *SettingsError.
func New(id ID, organizer player.ID, s Settings, now time.Time) (*Tournament, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	return &Tournament{
		ID: id, Organizer: organizer, Settings: s, Status: Draft, CreatedAt: now,
		Chat: true, Staff: []Member{{Player: organizer, Duty: Owner, Since: now}},
	}, nil
}

// Clone shares nothing with the original.
func (t *Tournament) Clone() *Tournament {
	c := *t
	c.Times, c.Tiebreaks = slices.Clone(t.Times), slices.Clone(t.Tiebreaks)
	c.Entries = slices.Clone(t.Entries)
	for i := range c.Entries {
		c.Entries[i].Byes = slices.Clone(t.Entries[i].Byes)
		c.Entries[i].CheckedIn, c.Entries[i].Missed = slices.Clone(t.Entries[i].CheckedIn), slices.Clone(t.Entries[i].Missed)
	}
	c.Rounds = slices.Clone(t.Rounds)
	for i := range c.Rounds {
		c.Rounds[i].Pairings = slices.Clone(t.Rounds[i].Pairings)
		c.Rounds[i].Byes = slices.Clone(t.Rounds[i].Byes)
	}
	c.Forbidden, c.Staff, c.ClubStaff = slices.Clone(t.Forbidden), slices.Clone(t.Staff), slices.Clone(t.ClubStaff)
	c.Timetable.Pause.Matches = slices.Clone(t.Timetable.Pause.Matches)
	c.Timetable.Appointed = slices.Clone(t.Timetable.Appointed)
	c.Draft = t.Draft.clone()
	if t.Signed != nil {
		signed := *t.Signed
		c.Signed = &signed
	}
	return &c
}
