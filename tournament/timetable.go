package tournament

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
)

// Timetable is what staff have changed in the course of the rounds since they
// were planned.
type Timetable struct {
	Pause     Pause         `json:"pause,omitzero"`
	Appointed []Appointment `json:"appointed,omitempty"` // by round; those of rounds that are over stay
	Held      Hold          `json:"held,omitzero"`
}

// Hold keeps one round from being paired by itself: its draft was discarded, and
// staff are to say when the pace holds again.
type Hold struct {
	Round int       `json:"round"`
	By    player.ID `json:"by"`
	Since time.Time `json:"since"`
}

// Pause keeps rounds from opening; matches that are being played go on, except
// for those that stand still with it.
type Pause struct {
	Since   time.Time  `json:"since"`
	By      player.ID  `json:"by"`
	Reason  string     `json:"reason"`
	Matches []match.ID `json:"matches,omitempty"` // stopped with it, to go on with it
}

// Holds reports whether it is this pause that a match stands still for, and
// nothing that came before or after.
func (p Pause) Holds(still match.Standstill) bool {
	return still.By == string(p.By) && still.Why == p.Reason && !still.Since.Before(p.Since.Truncate(time.Millisecond))
}

// Appointment is a moment given to one round by hand, whatever the pace says.
type Appointment struct {
	Round int       `json:"round"`
	At    time.Time `json:"at"`
}

// What staff do about the time of rounds and about who is there.
const (
	ActCheckIn  Act = "check-in" // an entry, one's own or another's, in or out
	ActPause    Act = "pause"    // and going on
	ActPostpone Act = "postpone" // or bring forward
	ActAppeal   Act = "appeal"   // to decide one against an absence; never in a log
)

// IsPaused reports whether no round opens for now.
func (p Timetable) IsPaused() bool { return !p.Pause.Since.IsZero() }

// IsZero tells that nothing has been changed.
func (p Timetable) IsZero() bool { return !p.IsPaused() && len(p.Appointed) == 0 && p.Held.Round == 0 }

// IsHeld reports whether the next round is paired by hand only, its draft having been
// discarded.
func (t *Course) IsHeld() bool {
	return t.Status == Running && t.Draft == nil && t.Timetable.Held.Round == len(t.Rounds)+1
}

// Release lets the pace pair the held round again.
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

// MaxReason is how long a reason is, in characters.
const MaxReason = 300

// MaxAhead is how far ahead a round can be put.
const MaxAhead = 366 * 24 * time.Hour

// What the timetable does not allow.
var (
	ErrPaused    = refusal.Conflict("schedule.error.paused", "tournament: it is paused")
	ErrNotHeld   = refusal.Conflict("desk.error.not-held", "tournament: no round is held")
	ErrNotPaused = refusal.Conflict("schedule.error.not-paused", "tournament: it is not paused")
	ErrRolling   = refusal.Conflict("schedule.error.rolling", "tournament: matches open as soon as their players are known")
	ErrReason    = refusal.Invalid("schedule.error.reason", "tournament: a reason is one line, and not empty")
	ErrTime      = refusal.Invalid("schedule.error.time", "tournament: a round's time lies ahead, and the times rise")
	ErrCannotFit = refusal.Conflict("schedule.error.cannot-fit", "tournament: the worst case goes on after the hard end")
)

// PauseRounds keeps rounds from opening until Continue. The matches, of the open
// round, stop with it: for that one has to be allowed to judge matches.
func (t *Tournament) PauseRounds(by player.Viewer, reason string, matches []match.ID, now time.Time) error {
	reason = strings.TrimSpace(reason)
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

// Continue ends the pause. A round whose time has passed, or is nearer than its
// check-in window is long, opens one window later.
func (t *Tournament) Continue(by player.Viewer, now time.Time) error {
	switch {
	case !t.May(by, ActPause) || len(t.Timetable.Pause.Matches) > 0 && !t.May(by, ActMatch):
		return ErrNotAllowed
	case !t.Timetable.IsPaused():
		return ErrNotPaused
	}
	t.Timetable.Pause = Pause{}
	n := len(t.Rounds) + 1
	if t.Status != Running || !t.RoundIsOver() || !t.needsCheckIn(n) {
		return nil
	}
	if at, known := t.plannedAt(n); known && at.Before(now.Add(t.CheckIn.Opens)) {
		t.appoint(n, now.Add(t.CheckIn.Opens))
	}
	return nil
}

// Postpone gives a round that has not been opened another time, earlier or
// later; with shift the later rounds move by as much. The zero time gives it
// back to its pace, where that is not the clock.
func (t *Tournament) Postpone(by player.Viewer, round int, to time.Time, shift bool, now time.Time) error {
	c := t.Clone()
	switch {
	case !t.May(by, ActPostpone):
		return ErrNotAllowed
	case t.Status.IsOver():
		return ErrFinished
	case t.Pace == Rolling && round > 1:
		return ErrRolling
	case round <= len(t.Rounds) || round > max(t.Settings.Rounds, len(t.Times), 1):
		return ErrNoRoundsLeft
	case to.IsZero() && t.Pace == Times:
		return ErrTime
	case to.IsZero():
		c.Timetable.Appointed = slices.DeleteFunc(slices.Clone(t.Timetable.Appointed), func(a Appointment) bool { return a.Round == round })
	case !to.After(now) || to.After(now.Add(MaxAhead)):
		return ErrTime
	case t.Pace == Times && round <= len(t.Times):
		later := to.Sub(t.Times[round-1])
		c.Times[round-1] = to
		for i := round; shift && i < len(c.Times); i++ {
			c.Times[i] = c.Times[i].Add(later)
		}
	default:
		before, known := t.plannedAt(round)
		c.appoint(round, to)
		for i, a := range c.Timetable.Appointed {
			if shift && known && a.Round > round {
				c.Timetable.Appointed[i].At = a.At.Add(to.Sub(before))
			}
		}
	}
	if !slices.IsSortedFunc(c.Times, time.Time.Compare) ||
		!slices.IsSortedFunc(c.Timetable.Appointed, func(a, b Appointment) int { return a.At.Compare(b.At) }) {
		return ErrTime
	}
	if t.Firm && c.overrun(now) > 0 {
		return ErrCannotFit
	}
	if c.Timetable.Held.Round == round {
		c.Timetable.Held = Hold{} // who gives it a time wants it paired then
	}
	*t = *c
	return nil
}

// appoint gives a round its moment.
func (t *Course) appoint(round int, at time.Time) {
	if t.Pace == Times && round <= len(t.Times) {
		t.Times = slices.Clone(t.Times)
		t.Times[round-1] = at
		for i := round; i < len(t.Times) && t.Times[i].Before(t.Times[i-1]); i++ {
			t.Times[i] = t.Times[i-1]
		}
		return
	}
	list := slices.DeleteFunc(slices.Clone(t.Timetable.Appointed), func(a Appointment) bool { return a.Round == round })
	list = append(list, Appointment{round, at})
	slices.SortFunc(list, func(a, b Appointment) int { return a.Round - b.Round })
	t.Timetable.Appointed = list
}

// FreeSince is since when no round is being played: the start, or the last
// result.
func (t *Course) FreeSince() time.Time {
	if n := len(t.Rounds); n > 0 {
		return t.Rounds[n-1].endedAt()
	}
	return t.StartedAt
}

// plannedAt is the moment of a round to come; false: it has none, or none yet.
// A round that follows the one before leaves its check-in window time.
func (t *Course) plannedAt(n int) (time.Time, bool) {
	if i := slices.IndexFunc(t.Timetable.Appointed, func(a Appointment) bool { return a.Round == n }); i >= 0 {
		return t.Timetable.Appointed[i].At, true
	}
	switch {
	case t.Pace == Times && n <= len(t.Times):
		return t.Times[n-1], true
	case !t.Pace.opensByItself() || t.Pace == Rolling && n > 1 || t.Status != Running || n != len(t.Rounds)+1 || !t.RoundIsOver():
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

// NextRoundAt is when the next round opens by itself, or is drafted where
// pairings are reviewed; at the rolling pace when the next match opens. False: it
// does not.
func (t *Course) NextRoundAt() (time.Time, bool) {
	if t.Rolls() {
		return t.nextContestAt()
	}
	n := len(t.Rounds)
	if t.Status != Running || n >= t.Settings.Rounds || !t.RoundIsOver() || t.Timetable.IsPaused() {
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

// RoundAt is when a round that is still to come begins, as far as it is known;
// false: it is not, it has been paired, it is held, or the tournament is paused.
// Rounds count from 1.
func (t *Course) RoundAt(round int) (time.Time, bool) {
	if round < 1 || round <= len(t.Rounds) || t.Status.IsOver() || t.Status == Draft ||
		t.Timetable.IsPaused() || t.IsHeld() && round == len(t.Rounds)+1 {
		return time.Time{}, false
	}
	return t.plannedAt(round)
}
