package tournament

import (
	"slices"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/refusal"
)

// ID identifies a tournament.
type ID string

// Place returns where play in the tournament is reviewed together.
func (id ID) Place() fairplay.Place { return fairplay.TournamentPlace(string(id)) }

// Status is the stage of a tournament's life.
type Status uint8

const (
	Draft        Status = iota + 1 // only staff see it
	Registration                   // announced; players enter
	Running                        // rounds are played
	Finished
	Finalized // signed off: nothing changes anymore
)

var statusNames = [...]string{"", "draft", "registration", "running", "finished", "finalized"}

func (s Status) String() string { return nameOf(statusNames[:], s) }

// IsOver reports whether all play has ended.
func (s Status) IsOver() bool { return s >= Finished }

// Refusals that depend on the state of the tournament or on who acts.
var (
	ErrNotAllowed   = refusal.Forbidden("error.forbidden", "tournament: not allowed")
	ErrNotOpen      = refusal.Conflict("tournament.error.not-open", "tournament: registration is not open")
	ErrStarted      = refusal.Conflict("tournament.error.started", "tournament: already started")
	ErrNotRunning   = refusal.Conflict("tournament.error.not-running", "tournament: not running")
	ErrFinished     = refusal.Conflict("tournament.error.finished", "tournament: already finished")
	ErrEntered      = refusal.Conflict("tournament.error.entered", "tournament: already entered")
	ErrFull         = refusal.Conflict("tournament.error.full", "tournament: all places are taken")
	ErrNamesake     = refusal.Conflict("entry.error.namesake", "tournament: somebody of that name is in already")
	ErrBadName      = refusal.Invalid("tournament.error.bad-name", "tournament: the name of an entry must be one line")
	ErrBadClub      = refusal.Invalid("tournament.error.bad-club", "tournament: the club of an entry must be one line of 100 characters at most")
	ErrNoEntry      = refusal.NotFound("tournament.error.no-entry", "tournament: no such entry")
	ErrWithdrawn    = refusal.Conflict("tournament.error.withdrawn", "tournament: the entry is withdrawn")
	ErrVarmaSize    = refusal.Conflict("tournament.error.varma-size", "tournament: the Varma tables are for 9 to 24 players")
	ErrTooFew       = refusal.Conflict("tournament.error.too-few", "tournament: too few players")
	ErrRoundOpen    = refusal.Conflict("tournament.error.round-open", "tournament: the round is not over")
	ErrNoRoundsLeft = refusal.Conflict("tournament.error.no-rounds-left", "tournament: no such round is left to pair")
	ErrMissedBoard  = refusal.Conflict("entry.error.missed-board", "tournament: an opponent has won without the entry")
	ErrNoBoard      = refusal.NotFound("tournament.error.no-board", "tournament: no such board")
	ErrMoved        = refusal.Conflict("tournament.error.moved", "tournament: others sit at the board now")
	ErrSettled      = refusal.Conflict("tournament.error.settled", "tournament: the board has a result")
	ErrNotYours     = refusal.Conflict("tournament.error.not-yours", "tournament: somebody else entered the result")
	ErrBeingPlayed  = refusal.Conflict("tournament.error.being-played", "tournament: the match is being played")
	ErrLaterRound   = refusal.Conflict("calls.error.later-round", "tournament: a later round is paired")
	ErrNoBye        = refusal.Conflict("tournament.error.no-bye", "tournament: no such bye in that round")
	ErrNoResult     = refusal.Conflict("desk.error.no-result", "tournament: no result to correct or take back")
	ErrClosed       = refusal.Conflict("entry.error.closed", "tournament: registration is closed")
	ErrLate         = refusal.Conflict("entry.error.late", "tournament: too late to enter")
	ErrCode         = refusal.Invalid("entry.error.code", "tournament: wrong entry code")
	ErrShutOut      = refusal.Forbidden("entry.error.shut-out", "tournament: staff refused or removed the entry")
	ErrNoRequest    = refusal.Conflict("entry.error.no-request", "tournament: the entry is neither requested nor waiting")
	ErrBadReason    = refusal.Invalid("entry.error.reason", "tournament: the reason is too long or not text")
	ErrByeLimit     = refusal.Conflict("entry.error.bye-limit", "tournament: no more byes of that kind")
)

// Table holds the players and their results: all that standings, brackets and the next
// pairing are made from. Its methods depend on neither time nor who acts.
type Table struct {
	Settings
	Status    Status
	Opening   match.Seat // drawn at the start: the seat of number 1 in round 1 of a Swiss
	Entries              // by id
	Rounds               // by number; only paired ones
	Forbidden []ForbiddenEntries
	Origin    *Origin // earlier stages that the players come from; nil: none
}

// Tournament is a tournament with its whole history: the results (Table), its times, and its
// staff. What depends on results alone is asked of the table; people act on the tournament. A
// method that changes it changes its receiver, or nothing if it fails.
type Tournament struct {
	ID        ID
	Organizer player.ID // who created it
	Table
	Gate      Gate   // of registration
	Seed      string // hexadecimal seed of the draw at the start
	Promise   string // SHA-256 of the seed of the next draw (package draw); empty: none
	StartedAt time.Time
	EndedAt   time.Time
	RatedAt   time.Time   // when ratings were applied
	Timetable Timetable   // changes to the planned times
	Draft     *RoundDraft // the next round before it is published; nil: none
	Stuck     string      // why the next round could not be paired; empty: it could, or nobody tried
	Rehearsal ID          // the tournament that this one rehearses; empty: none
	Staff     []Member    // oldest first; at least one owner

	// ClubStaff holds the members of the club whose roles there give them a duty here.
	// It is read each time with the tournament, and not stored with it.
	ClubStaff []club.Membership

	Chat      bool // entrants may talk
	CreatedAt time.Time
	Signed    *SignOff   // while Finalized
	Interests []Interest // acts of staff in which they had a stake, in order; only ever appended to
	Version   int64      // incremented by each change
}

// ForbiddenEntries is a set of entries no two of which may meet.
type ForbiddenEntries struct {
	Entries []EntryID `json:"entries"`
	From    int       `json:"from,omitempty"` // first round in force; 0: from the start
	To      int       `json:"to,omitempty"`   // last round in force; 0: to the end
	Soft    bool      `json:"soft,omitempty"` // a preference, ignored when they could not be paired otherwise
}

// New creates a draft without entries. The error is a case of setting.ErrSettings.
func New(id ID, organizer player.ID, s Settings, now time.Time) (*Tournament, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	return &Tournament{
		ID: id, Organizer: organizer, CreatedAt: now, Chat: true,
		Table: Table{Settings: s, Status: Draft},
		Staff: []Member{{Player: organizer, Duty: Owner, Since: now}},
	}, nil
}

// Clone returns a copy that can change without changing the original.
func (t *Tournament) Clone() *Tournament {
	c := *t
	c.Times, c.Tiebreaks = slices.Clone(t.Times), slices.Clone(t.Tiebreaks)
	c.Prizes, c.Report.Deputies = t.Prizes.Clone(), slices.Clone(t.Report.Deputies)
	c.Entries = slices.Clone(t.Entries)
	for i := range c.Entries {
		c.Entries[i].Byes = slices.Clone(t.Entries[i].Byes)
		c.Entries[i].Captains, c.Entries[i].Officers = slices.Clone(t.Entries[i].Captains), slices.Clone(t.Entries[i].Officers)
		c.Entries[i].CheckedIn, c.Entries[i].Missed = slices.Clone(t.Entries[i].CheckedIn), slices.Clone(t.Entries[i].Missed)
	}
	c.Rounds = slices.Clone(t.Rounds)
	for i := range c.Rounds {
		c.Rounds[i].Pairings = slices.Clone(t.Rounds[i].Pairings)
		c.Rounds[i].Teams = slices.Clone(t.Rounds[i].Teams)
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
