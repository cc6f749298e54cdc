package tournament

import (
	"slices"
	"time"
	"unicode/utf8"

	"chpok.org/chpok/civil"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
)

// Timetable holds what staff and outages of the site changed about the planned times.
type Timetable struct {
	Pause     Pause         `json:"pause,omitzero"`
	Appointed []Appointment `json:"appointed,omitempty"` // by round; they stay when rounds are over
	Held      Hold          `json:"held,omitzero"`
	// Credited is the end of the last outage whose time the check-in of a round, or an arena, got back.
	Credited time.Time `json:"credited,omitzero"`
	// Extra is what an arena got back of its window in all.
	Extra time.Duration `json:"extra,omitzero"`
	// StaysOpen is when registration closes instead of at its time, as nobody could enter before.
	StaysOpen time.Time `json:"staysOpen,omitzero"`
}

// Hold keeps a round from being paired by itself after its draft was discarded, until staff
// release it or pair it.
type Hold struct {
	Round int       `json:"round"`
	By    player.ID `json:"by"`
	Since time.Time `json:"since"`
}

// Pause keeps rounds from opening. Matches in play go on, except for Matches.
type Pause struct {
	Since   time.Time  `json:"since"`
	By      player.ID  `json:"by"`
	Reason  string     `json:"reason"`
	Matches []match.ID `json:"matches,omitempty"` // stopped and resumed with it
}

// Holds reports whether a match stands still because of this pause.
func (p Pause) Holds(still match.Standstill) bool {
	return still.By == string(p.By) && still.Why == p.Reason && !still.Since.Before(p.Since.Truncate(time.Millisecond))
}

// Appointment is a time set for one round by hand, whatever the pace.
type Appointment struct {
	Round int       `json:"round"`
	At    time.Time `json:"at"`
}

// Acts of staff about times and check-in.
const (
	ActCheckIn  Act = "check-in"  // one's own entry or another's, in or out
	ActPause    Act = "pause"     // or continue
	ActPostpone Act = "postpone"  // or bring forward
	ActGiveBack Act = "give-back" // by the site: time that an outage took
	ActAppeal   Act = "appeal"    // decide one against an absence; not logged
)

// IsPaused reports whether there is a pause.
func (p Timetable) IsPaused() bool { return !p.Pause.Since.IsZero() }

// IsZero reports whether nothing has been changed.
func (p Timetable) IsZero() bool {
	return !p.IsPaused() && len(p.Appointed) == 0 && p.Held.Round == 0 && p.Credited.IsZero() && p.StaysOpen.IsZero()
}

// IsHeld reports whether the next round is on hold.
func (t *Tournament) IsHeld() bool {
	return t.Status == Running && t.Draft == nil && t.Timetable.Held.Round == len(t.Rounds)+1
}

// Release ends the hold of the next round.
func (t *Tournament) Release(by player.Viewer) error {
	switch {
	case !t.May(by, ActDraft):
		return ErrNotAllowed
	case !t.IsHeld():
		return ErrNotHeld
	}
	t.Timetable.Held = Hold{}
	return nil
}

// MaxReason limits reasons, in characters.
const MaxReason = 300

// MaxAhead limits how far ahead a round can be set.
const MaxAhead = 366 * 24 * time.Hour

// Refusals about times and reasons.
var (
	ErrPaused    = refusal.Conflict("schedule.error.paused", "tournament: paused")
	ErrNotHeld   = refusal.Conflict("desk.error.not-held", "tournament: no round is on hold")
	ErrNotPaused = refusal.Conflict("schedule.error.not-paused", "tournament: not paused")
	ErrRolling   = refusal.Conflict("schedule.error.rolling", "tournament: matches open as soon as their players are known")
	ErrOverlap   = refusal.Conflict("schedule.error.overlap", "tournament: the window of the round before is not over by then")
	ErrReason    = refusal.Invalid("schedule.error.reason", "tournament: a reason is missing, too long or not one line")
	ErrTime      = refusal.Invalid("schedule.error.time", "tournament: times must lie ahead and rise")
	ErrCannotFit = refusal.Conflict("schedule.error.cannot-fit", "tournament: the worst case exceeds the time limit")
)

// PauseRounds keeps rounds from opening until Continue. matches are those of the open round that
// stop as well, which takes the right to judge matches.
func (t *Tournament) PauseRounds(by player.Viewer, reason string, matches []match.ID, now time.Time) error {
	reason = player.Tidy(reason)
	switch {
	case !t.May(by, ActPause) || len(matches) > 0 && !t.May(by, ActMatch):
		return ErrNotAllowed
	case t.Status.IsOver():
		return ErrFinished
	case t.Timetable.IsPaused():
		return ErrPaused
	case reason == "" || utf8.RuneCountInString(reason) > MaxReason || !player.IsLine(reason):
		return ErrReason
	}
	t.Timetable.Pause = Pause{Since: now, By: by.ID, Reason: reason, Matches: matches}
	return nil
}

// Continue ends the pause. If that leaves the next round no time for its check-in window, it
// opens after a full window, whether or not the earlier round is still in play.
func (t *Tournament) Continue(by player.Viewer, now time.Time) error {
	if err := t.MayContinue(by); err != nil {
		return err
	}
	t.Timetable.Pause = Pause{}
	n := len(t.Rounds) + 1
	if t.Status == Draft || t.Status.IsOver() || !t.needsCheckIn(n) {
		return nil
	}
	if at, known := t.plannedAt(n); known && at.Before(now.Add(t.CheckIn.Opens)) {
		t.appoint(n, now.Add(t.CheckIn.Opens))
	}
	return nil
}

// MayContinue returns nil, or why Continue refuses.
func (t *Tournament) MayContinue(by player.Viewer) error {
	switch {
	case !t.May(by, ActPause) || len(t.Timetable.Pause.Matches) > 0 && !t.May(by, ActMatch):
		return ErrNotAllowed
	case !t.Timetable.IsPaused():
		return ErrNotPaused
	}
	return nil
}

// Postpone moves a round to come to another time, earlier or later; with shift, later rounds
// move with it, by the clocks of the event: an evening stays an evening when they change. A zero time gives the round
// back to its pace, unless that is Times.
func (t *Tournament) Postpone(by player.Viewer, round int, to time.Time, shift bool, now time.Time) error {
	c := t.Clone()
	switch {
	case !t.May(by, ActPostpone):
		return ErrNotAllowed
	case t.Status.IsOver():
		return ErrFinished
	case t.Pace.IsAtOnce() && round > 1:
		return ErrRolling
	case round <= len(t.Rounds) || round > max(t.Settings.Rounds, len(t.Times), 1):
		return ErrNoRoundsLeft
	case to.IsZero() && t.Pace == Times:
		return ErrTime
	case to.IsZero():
		c.Timetable.Appointed = t.Timetable.without(round)
	case !to.After(now) || to.After(now.Add(MaxAhead)):
		return ErrTime
	case t.cutsWindow(round, to, now):
		return ErrNoWindow
	case t.Pace == Times && round <= len(t.Times):
		c.Times[round-1] = to.UTC()
		for i := round; shift && i < len(c.Times); i++ {
			c.Times[i] = civil.Shift(t.Times[i], t.Times[round-1], to, t.Location())
		}
	default:
		before, known := t.plannedAt(round)
		c.appoint(round, to.UTC())
		for i, a := range c.Timetable.Appointed {
			if shift && known && a.Round > round {
				c.Timetable.Appointed[i].At = civil.Shift(a.At, before, to, t.Location())
			}
		}
	}
	if !slices.IsSortedFunc(c.Times, time.Time.Compare) ||
		!slices.IsSortedFunc(c.Timetable.Appointed, func(a, b Appointment) int { return a.At.Compare(b.At) }) {
		return ErrTime
	}
	if c.overlaps() {
		return ErrOverlap
	}
	if t.Firm && c.overrun(now) > 0 {
		return ErrCannotFit
	}
	if c.Timetable.Held.Round == round {
		c.Timetable.Held = Hold{} // it is to be paired at that time
	}
	*t = *c
	return nil
}

// cutsWindow reports whether a round that is brought forward leaves its players less than the
// whole window to check in.
func (t *Tournament) cutsWindow(round int, to, now time.Time) bool {
	at, known := t.plannedAt(round)
	return t.needsCheckIn(round) && known && to.Before(at) && to.Before(now.Add(t.CheckIn.Opens))
}

// appoint sets the time of a round.
func (t *Tournament) appoint(round int, at time.Time) {
	if t.Pace == Times && round <= len(t.Times) {
		t.Times = slices.Clone(t.Times)
		t.Times[round-1] = at
		for i := round; i < len(t.Times) && t.Times[i].Before(t.Times[i-1]); i++ {
			t.Times[i] = t.Times[i-1]
		}
		return
	}
	list := append(t.Timetable.without(round), Appointment{round, at})
	slices.SortFunc(list, func(a, b Appointment) int { return a.Round - b.Round })
	t.Timetable.Appointed = list
}

// without returns the appointments of all other rounds.
func (p Timetable) without(round int) []Appointment {
	return slices.DeleteFunc(slices.Clone(p.Appointed), func(a Appointment) bool { return a.Round == round })
}

// FreeSince returns since when no round is in play: the last result, or the start.
func (t *Tournament) FreeSince() time.Time {
	if n := len(t.Rounds); n > 0 {
		return t.Rounds[n-1].endedAt()
	}
	return t.StartedAt
}

// plannedAt returns the time of a round to come, and whether it has one yet. A round that opens by
// itself leaves time for its check-in window.
func (t *Tournament) plannedAt(n int) (time.Time, bool) {
	if at, set := t.FixedAt(n); set {
		return t.afterPlay(n, at), true
	}
	if t.Pace.HasWindow() && n > 1 && n == len(t.Rounds)+1 && t.Status == Running {
		return t.afterPlay(n, t.windowEnd()), true
	}
	if !t.Pace.OpensByItself() || t.Pace == Rolling && n > 1 || t.Status != Running || n != len(t.Rounds)+1 || !t.RoundIsOver() {
		return time.Time{}, false
	}
	wait := t.Break
	if n == 1 {
		wait = 0
	}
	if t.needsCheckIn(n) {
		wait = max(wait, t.CheckIn.Opens)
	}
	return t.FreeSince().Add(wait), true
}

// FixedAt returns the time that was set for a round to come, and whether there is one.
func (t *Tournament) FixedAt(n int) (time.Time, bool) {
	if i := slices.IndexFunc(t.Timetable.Appointed, func(a Appointment) bool { return a.Round == n }); i >= 0 {
		return t.Timetable.Appointed[i].At, true
	}
	if t.Pace == Times && n <= len(t.Times) {
		return t.Times[n-1], true
	}
	return time.Time{}, false
}

// NextRoundAt returns when the next round opens by itself, or is drafted if staff review
// pairings, or when the next match opens at the rolling pace. It reports false if none does.
func (t *Tournament) NextRoundAt() (time.Time, bool) {
	if t.Rolls() {
		if next := t.NextMatches(); len(next) > 0 {
			return next[0].At, true
		}
		return time.Time{}, false
	}
	n := len(t.Rounds)
	if t.Status != Running || n >= t.Settings.Rounds || !t.RoundIsOver() && !t.opensBeside() || t.Timetable.IsPaused() {
		return time.Time{}, false
	}
	if t.Draft != nil {
		return t.Draft.PublishAt, !t.Draft.PublishAt.IsZero()
	}
	if t.IsHeld() {
		return time.Time{}, false
	}
	return t.plannedAt(n + 1)
}

// NextAt returns when the tournament next does something by itself once it runs: open a round or a match, decide a board
// that its players arrange or that runs too long, or seat the teams of a match. It reports false if nothing is due.
func (t *Tournament) NextAt() (next time.Time, due bool) {
	for _, of := range [...]func() (time.Time, bool){t.NextRoundAt, t.NextFixtureAt, t.BoardsDueAt, t.DecidedAt} {
		if at, is := of(); is && (!due || at.Before(next)) {
			next, due = at, true
		}
	}
	return next, due
}

// RoundAt returns when a round to come, numbered from 1, begins. It reports false if that is not
// known, if the round is paired or on hold, or if the tournament is paused.
func (t *Tournament) RoundAt(round int) (time.Time, bool) {
	if round < 1 || round <= len(t.Rounds) || t.Status.IsOver() || t.Status == Draft ||
		t.Timetable.IsPaused() || t.IsHeld() && round == len(t.Rounds)+1 {
		return time.Time{}, false
	}
	return t.plannedAt(round)
}
