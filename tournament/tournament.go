package tournament

import (
	"slices"
	"time"

	"chpok.org/chpok/club"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
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

// IsOver reports whether no round is played any more.
func (s Status) IsOver() bool { return s >= Finished }

// What the moment does not allow.
var (
	ErrNotAllowed   = refusal.Forbidden("error.forbidden", "tournament: that is for its staff")
	ErrNotOpen      = refusal.Conflict("tournament.error.not-open", "tournament: registration is not open")
	ErrStarted      = refusal.Conflict("tournament.error.started", "tournament: it has started")
	ErrNotRunning   = refusal.Conflict("tournament.error.not-running", "tournament: it is not running")
	ErrFinished     = refusal.Conflict("tournament.error.finished", "tournament: it is finished")
	ErrEntered      = refusal.Conflict("tournament.error.entered", "tournament: entered already")
	ErrFull         = refusal.Conflict("tournament.error.full", "tournament: all places are taken")
	ErrBadName      = refusal.Invalid("tournament.error.bad-name", "tournament: an entry needs a name of one line")
	ErrNoEntry      = refusal.NotFound("tournament.error.no-entry", "tournament: no such entry")
	ErrWithdrawn    = refusal.Conflict("tournament.error.withdrawn", "tournament: withdrawn")
	ErrVarmaSize    = refusal.Conflict("tournament.error.varma-size", "tournament: the Varma tables serve 9 to 24 players")
	ErrTooFew       = refusal.Conflict("tournament.error.too-few", "tournament: too few players")
	ErrRoundOpen    = refusal.Conflict("tournament.error.round-open", "tournament: the round is not over")
	ErrNoRoundsLeft = refusal.Conflict("tournament.error.no-rounds-left", "tournament: all rounds are paired")
	ErrNoBoard      = refusal.NotFound("tournament.error.no-board", "tournament: no such board")
	ErrBeingPlayed  = refusal.Conflict("tournament.error.being-played", "tournament: the match is being played")
	ErrLaterRound   = refusal.Conflict("calls.error.later-round", "tournament: a later round is paired")
	ErrNoBye        = refusal.Conflict("tournament.error.no-bye", "tournament: no bye can be given for that round")
	ErrNoResult     = refusal.Conflict("desk.error.no-result", "tournament: the board has no result to correct")
	ErrClosed       = refusal.Conflict("entry.error.closed", "tournament: registration is closed")
	ErrLate         = refusal.Conflict("entry.error.late", "tournament: too late to enter")
	ErrCode         = refusal.Invalid("entry.error.code", "tournament: that is not the entry code")
	ErrShutOut      = refusal.Forbidden("entry.error.shut-out", "tournament: staff have refused or removed the entry")
	ErrNoRequest    = refusal.Conflict("entry.error.no-request", "tournament: the entry does not wait for an answer")
	ErrBadReason    = refusal.Invalid("entry.error.reason", "tournament: the reason is too long")
	ErrByeLimit     = refusal.Conflict("entry.error.bye-limit", "tournament: no more such byes")
)

// Table is who takes part, who has met whom and what that is worth: what standings,
// brackets and the next pairing are made of. It asks neither who acts nor when.
type Table struct {
	Settings
	Status    Status
	Opening   match.Seat // drawn at the start: what number 1 gets in round 1 of a Swiss
	Entries              // by id
	Rounds               // by number; planned ones are not in it
	Forbidden []ForbiddenEntries
	Origin    *Origin // where its players have come from; nil: from nowhere else
}

// Course is a table in time: what the moment allows and brings about, whoever asks for it.
type Course struct {
	Table
	Gate      Gate   // of registration
	Seed      string // what chance was made from, hexadecimal
	Promise   string // SHA-256 of the seed of the next draw (package promise); empty: none was given
	StartedAt time.Time
	EndedAt   time.Time
	RatedAt   time.Time   // when the ratings were applied
	Timetable Timetable   // what has become of the plan
	Draft     *RoundDraft // the next round, before it is published; nil: none
	LineUpsAt time.Time   // club match: when the line-ups were laid open; zero: they are not
	Stuck     string      // why the next round could not be paired; empty: it was, or nobody tried
}

// Staffed is a course with its staff: who may do what, and who would judge in their own matter.
type Staffed struct {
	Course
	Rehearsal ID       // of which tournament this is the rehearsal; empty: it is none
	Staff     []Member // in the order of coming; an owner at least

	// ClubStaff are the members of its club who have a duty here by their roles
	// there, as they stand now: read with the tournament, no part of it.
	ClubStaff []club.Membership
}

// Tournament is one tournament with all that has happened in it, on three floors:
// what it comes to (Table), what the moment allows (Course), who may (Staffed). Its
// own methods are what people do to it. Methods that change it change the value
// they are called on, or nothing when they fail.
type Tournament struct {
	ID        ID
	Organizer player.ID // who made it
	Staffed
	Chat      bool // entrants may talk
	CreatedAt time.Time
	Signed    *SignOff // while Finalized
	Version   int64    // raised by every change
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
		ID: id, Organizer: organizer, CreatedAt: now, Chat: true,
		Staffed: Staffed{
			Course: Course{Table: Table{Settings: s, Status: Draft}},
			Staff:  []Member{{Player: organizer, Duty: Owner, Since: now}},
		},
	}, nil
}

// Clone shares nothing with the original.
func (t *Tournament) Clone() *Tournament {
	c := *t
	c.Times, c.Tiebreaks = slices.Clone(t.Times), slices.Clone(t.Tiebreaks)
	c.Prizes = t.Prizes.Clone()
	c.Entries = slices.Clone(t.Entries)
	for i := range c.Entries {
		c.Entries[i].Byes = slices.Clone(t.Entries[i].Byes)
		c.Entries[i].CheckedIn, c.Entries[i].Missed = slices.Clone(t.Entries[i].CheckedIn), slices.Clone(t.Entries[i].Missed)
	}
	c.Rounds = slices.Clone(t.Rounds)
	for i := range c.Rounds {
		c.Rounds[i].Pairings = slices.Clone(t.Rounds[i].Pairings)
		c.Rounds[i].Byes, c.Rounds[i].Pass = slices.Clone(t.Rounds[i].Byes), t.Rounds[i].Pass.clone()
	}
	c.Forbidden, c.Staff, c.ClubStaff = slices.Clone(t.Forbidden), slices.Clone(t.Staff), slices.Clone(t.ClubStaff)
	c.Timetable.Pause.Matches = slices.Clone(t.Timetable.Pause.Matches)
	c.Timetable.Appointed = slices.Clone(t.Timetable.Appointed)
	c.Draft, c.Origin = t.Draft.clone(), t.Origin.clone()
	if t.Signed != nil {
		signed := *t.Signed
		c.Signed = &signed
	}
	return &c
}
