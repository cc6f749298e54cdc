package ladder

import (
	"slices"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament/fixture"
)

// ID identifies one ladder.
type ID string

// ChallengeID numbers the challenges of one ladder from 1.
type ChallengeID int

// Rung is a player on the ladder.
type Rung struct {
	Player   player.ID `json:"player"`
	Rating   int       `json:"rating,omitempty"` // when joining
	JoinedAt time.Time `json:"joined"`
	ActiveAt time.Time `json:"active"` // start of inactivity
	// WarnedAt is when they were warned of sinking; zero: not warned.
	WarnedAt time.Time     `json:"warned,omitzero"`
	Credit   time.Duration `json:"credit,omitempty"` // for defenses

	VacationFrom  time.Time     `json:"vacationFrom,omitzero"` // zero: not on vacation
	VacationUntil time.Time     `json:"vacationUntil,omitzero"`
	VacationUsed  time.Duration `json:"vacationUsed,omitempty"`
	VacationYear  int           `json:"vacationYear,omitempty"` // year of VacationUsed

	Challenges int `json:"challenges,omitempty"` // sent so far
	Won        int `json:"won,omitempty"`        // challenges won on either side
	Lost       int `json:"lost,omitempty"`
	Defended   int `json:"defended,omitempty"` // challenges won as the defender
}

// OnVacation reports whether everything of the player is paused.
func (r Rung) OnVacation() bool { return !r.VacationFrom.IsZero() }

// Meeting is an ended challenge, kept for the rest between two players.
type Meeting struct {
	Players [2]player.ID `json:"players"` // challenger, defender
	At      time.Time    `json:"at"`
}

// Ladder is the state of a ladder after its log. Rungs start with the first place.
type Ladder struct {
	ID         ID          `json:"id"`
	Settings   Settings    `json:"settings"`
	Organizer  player.ID   `json:"organizer"`
	CreatedAt  time.Time   `json:"created"`
	Rungs      []Rung      `json:"rungs"`
	Challenges []Challenge `json:"challenges"` // running, the oldest first
	Met        []Meeting   `json:"met,omitempty"`
	Last       ChallengeID `json:"last"` // number of the newest challenge
	Seq        int64       `json:"seq"`  // of the last event

	fresh []Event
	ended []Challenge
}

// The refusals of a ladder, besides those of challenges (Refusal).
var (
	ErrNotAllowed  = fixture.ErrNotAllowed
	ErrOnLadder    = refusal.Conflict("ladder.error.on-ladder", "ladder: already a member")
	ErrNotOnLadder = refusal.Conflict("ladder.error.not-on-ladder", "ladder: not a member")
	ErrMembersOnly = refusal.Forbidden("ladder.error.members-only", "ladder: club members only")
	ErrBot         = refusal.Conflict("ladder.error.bot", "ladder: bots do not answer challenges")
	ErrFull        = refusal.Conflict("ladder.error.full", "ladder: full")
	ErrPlaying     = refusal.Conflict("ladder.error.playing", "ladder: a match is being played")
	ErrVacation    = refusal.Conflict("ladder.error.vacation", "ladder: on vacation")
	ErrNoVacation  = refusal.Conflict("ladder.error.no-vacation", "ladder: no vacation left")
	ErrNoPlace     = refusal.Invalid("ladder.error.no-place", "ladder: no such place")
	ErrNoChallenge = refusal.Conflict("ladder.error.no-challenge", "ladder: no such open challenge")
)

// Actor is whoever acts; Directs says that they run the ladder (MayDirect), as Others do.
type Actor struct {
	Player  player.ID
	Directs bool
	Others  []player.ID
}

// MayCreate reports whether the viewer, with this role in the club (zero: none), may
// create a ladder of that club, or with no club one of the site.
func MayCreate(v player.Viewer, of club.ID, in club.Role) bool {
	if of == "" {
		return v.MayCreateTournament()
	}
	return club.May(v, in, club.ActHold)
}

// MayDirect reports whether the viewer, with this role in the ladder's club, runs the
// ladder: its organizer, people who hold events for its club, and operators.
func (l *Ladder) MayDirect(v player.Viewer, in club.Role) bool {
	return v.MayOperate() || v.Is(l.Organizer) && !v.AsPlayer || l.Settings.Club != "" && club.May(v, in, club.ActHold)
}

// New returns a ladder. The error is a case of setting.ErrSettings.
func New(id ID, by player.ID, s Settings, now time.Time) (*Ladder, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	l := &Ladder{ID: id}
	l.record(Event{Kind: Created, By: by, Settings: &s}, now)
	return l, nil
}

// Change replaces the settings. Running deadlines stay; the club of a ladder never
// changes.
func (l *Ladder) Change(by Actor, s Settings, now time.Time) error {
	if !by.Directs {
		return ErrNotAllowed
	}
	s.Club = l.Settings.Club
	if err := s.Validate(); err != nil {
		return err
	}
	l.record(Event{Kind: Changed, By: by.Player, Settings: &s}, now)
	return nil
}

// Place returns a player's place from 1; 0 if they are not on the ladder.
func (l *Ladder) Place(id player.ID) int {
	return 1 + slices.IndexFunc(l.Rungs, func(r Rung) bool { return id != "" && r.Player == id })
}

// RungOf returns a player's rung.
func (l *Ladder) RungOf(id player.ID) (Rung, bool) {
	if i := l.Place(id); i > 0 {
		return l.Rungs[i-1], true
	}
	return Rung{}, false
}

// Challenge returns the running challenge with that number.
func (l *Ladder) Challenge(n ChallengeID) (Challenge, error) {
	if c := l.challenge(n); c != nil {
		return *c, nil
	}
	return Challenge{}, ErrNoChallenge
}

func (l *Ladder) challenge(n ChallengeID) *Challenge {
	if i := slices.IndexFunc(l.Challenges, func(c Challenge) bool { return c.Number == n }); i >= 0 {
		return &l.Challenges[i]
	}
	return nil
}

// MatchOptions returns the options of a challenge's match opened now, in which players
// have until the lateness after the appointment to come.
func (l *Ladder) MatchOptions(c Challenge, now time.Time) match.Options {
	return l.Settings.matchOptions(c.Early(now))
}

// Fresh returns the events since the ladder was read, and Ended the challenges that ended
// among them.
func (l *Ladder) Fresh() []Event     { return l.fresh }
func (l *Ladder) Ended() []Challenge { return l.ended }

// Clone returns an independent copy without fresh events.
func (l *Ladder) Clone() *Ladder {
	c := *l
	c.Rungs, c.Met = slices.Clone(l.Rungs), slices.Clone(l.Met)
	c.Challenges = slices.Clone(l.Challenges)
	for i := range c.Challenges {
		c.Challenges[i].Times = slices.Clone(c.Challenges[i].Times)
	}
	c.fresh, c.ended = nil, nil
	return &c
}

// record adds an event and applies it.
func (l *Ladder) record(e Event, now time.Time) {
	e.Seq, e.At = l.Seq+1, now
	l.apply(e)
	l.fresh = append(l.fresh, e)
}
