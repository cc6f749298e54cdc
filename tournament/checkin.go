package tournament

import (
	"slices"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament/setting"
)

// CheckInScope says when players have to check in.
type CheckInScope uint8

const (
	NoCheckIn CheckInScope = iota
	ForEvent               // once, before the first round
	ForRound               // before every round
)

var checkInNames = [...]string{"none", "event", "round"}

func (s CheckInScope) String() string { return nameOf(checkInNames[:], s) }

// ParseCheckInScope reads "", "none", "event" or "round".
func ParseCheckInScope(s string) (CheckInScope, error) {
	return parseName[CheckInScope]("check-in", checkInNames[:], s)
}

// CheckIn is when players have to say that they are present. Those who do not get a
// zero-point bye in a Swiss, and forfeit in a format with a table (Format.HasTable).
type CheckIn struct {
	Scope  CheckInScope  `json:"scope,omitempty"`
	Opens  time.Duration `json:"opens,omitempty"`  // before the round's time
	Closes time.Duration `json:"closes,omitempty"` // before the round's time
	Misses int           `json:"misses,omitempty"` // rounds missed in a row after which an entry is withdrawn; 0: never
}

// Bounds of a check-in.
const (
	MinCheckIn = time.Minute // length of the window
	MaxCheckIn = 7 * 24 * time.Hour
	MaxMisses  = 99
)

// ErrCheckInClosed is returned outside of the check-in window.
var ErrCheckInClosed = refusal.Conflict("schedule.error.check-in-closed", "tournament: check-in is closed")

func (c CheckIn) problems(f *setting.Faults) {
	switch {
	case c.Scope > ForRound:
		f.Add("checkIn", "missing", "check-in is none, event or round")
	case c.Scope == NoCheckIn && c != CheckIn{}:
		f.Add("checkIn", "unsuitable", "without check-in there is no window")
	case c.Scope == NoCheckIn: // nothing more
	case c.Opens > MaxCheckIn || c.Closes < 0:
		f.Add("checkIn", "range", "check-in opens at most %v before a round and closes before it, not %v and %v",
			MaxCheckIn, c.Opens, c.Closes)
	case c.Opens-c.Closes < MinCheckIn:
		f.Add("checkIn", "order", "check-in is open for at least %v", MinCheckIn)
	case c.Misses < 0 || c.Misses > MaxMisses || c.Misses > 1 && c.Scope == ForEvent:
		f.Add("checkIn", "count", "withdrawn after 0…%d missed rounds, not %d", MaxMisses, c.Misses)
	}
}

// Window is the check-in window of a round.
type Window struct {
	Round  int
	Opens  time.Time
	Closes time.Time // zero: when staff open the round
}

// IsOpen reports whether players can check in now.
func (w Window) IsOpen(now time.Time) bool {
	return !now.Before(w.Opens) && (w.Closes.IsZero() || now.Before(w.Closes))
}

// CheckInWindow returns the window of the next round. It reports false if that round has no
// check-in, or its time is not known yet. During a pause the window stays open.
func (t *Course) CheckInWindow() (Window, bool) {
	n := len(t.Rounds) + 1
	if !t.needsCheckIn(n) || t.Status == Draft || t.Status.IsOver() {
		return Window{}, false
	}
	w := Window{Round: n}
	at, known := t.plannedAt(n)
	switch {
	case known:
		w.Opens, w.Closes = at.Add(-t.CheckIn.Opens), at.Add(-t.CheckIn.Closes)
	case t.Status == Running && t.RoundIsOver():
		w.Opens = t.FreeSince()
	default:
		return Window{}, false
	}
	if t.Timetable.IsPaused() {
		w.Closes = time.Time{}
	}
	return w, true
}

// needsCheckIn reports whether players have to check in for round n.
func (s Settings) needsCheckIn(n int) bool {
	return n <= max(1, s.Rounds) && (s.CheckIn.Scope == ForRound || s.CheckIn.Scope == ForEvent && n == 1)
}

// IsPresent reports whether check-in lets an entry be paired in a round. Bots are always
// present.
func (s Settings) IsPresent(e Entry, round int) bool {
	switch {
	case s.CheckIn.Scope == NoCheckIn || e.Bot:
		return true
	case s.CheckIn.Scope == ForEvent:
		return slices.ContainsFunc(e.CheckedIn, func(n int) bool { return n <= round })
	}
	return slices.Contains(e.CheckedIn, round)
}

// isAwaited reports whether the entry plays a round if it is present.
func (t *Table) isAwaited(e Entry, round int) bool {
	if _, asked := e.askedBye(round); asked {
		return false
	}
	if t.Status < Running {
		return e.Status == Active
	}
	return e.TakesPart(round)
}

// MayCheckIn returns nil, or why the viewer cannot check an entry in or out for the next
// round. Players check themselves in during the window; staff check in anybody until the
// round is paired.
func (t *Tournament) MayCheckIn(by player.Viewer, id EntryID, now time.Time) error {
	i := t.index(id)
	switch {
	case i < 0:
		return ErrNoEntry
	case !t.May(by, ActCheckIn) && !by.Is(t.Entries[i].Player):
		return ErrNotAllowed
	case t.Status.IsOver():
		return ErrFinished
	case t.Entries[i].Status != Active:
		return ErrWithdrawn
	case t.CheckIn.Scope == NoCheckIn || len(t.Rounds) >= max(1, t.Settings.Rounds):
		return ErrCheckInClosed
	}
	if t.May(by, ActCheckIn) {
		return nil
	}
	if w, ok := t.CheckInWindow(); !ok || !w.IsOpen(now) {
		return ErrCheckInClosed
	}
	return nil
}

// Check checks an entry in or out for the next round.
func (t *Tournament) Check(by player.Viewer, id EntryID, in bool, now time.Time) error {
	if err := t.MayCheckIn(by, id, now); err != nil {
		return err
	}
	t.mark(t.index(id), len(t.Rounds)+1, in)
	return nil
}

// UncheckAll checks everyone out for the next round.
func (t *Tournament) UncheckAll(by player.Viewer) error {
	switch {
	case !t.May(by, ActCheckIn):
		return ErrNotAllowed
	case t.Status.IsOver():
		return ErrFinished
	case t.CheckIn.Scope == NoCheckIn:
		return ErrCheckInClosed
	}
	for i := range t.Entries {
		t.mark(i, len(t.Rounds)+1, false)
	}
	return nil
}

// mark records whether an entry is present in a round. With a check-in for the event,
// absence clears every round.
func (t *Table) mark(i, round int, in bool) {
	e := &t.Entries[i]
	kept := slices.DeleteFunc(slices.Clone(e.CheckedIn), func(n int) bool { return n == round || !in && t.CheckIn.Scope == ForEvent })
	if in {
		kept = append(kept, round)
		slices.Sort(kept)
	}
	if len(kept) == 0 {
		kept = nil
	}
	e.CheckedIn = kept
}

// markLate checks in an entry that joins a running tournament.
func (t *Table) markLate(id EntryID) {
	if t.CheckIn.Scope != NoCheckIn {
		t.mark(t.index(id), len(t.Rounds)+1, true)
	}
}

// Attendance says who is present for the next round.
type Attendance struct {
	Round   int
	Present []EntryID
	Absent  []EntryID // expected, but not checked in
}

// Attendance returns who is present for the next round, by id.
func (t *Table) Attendance() Attendance {
	a := Attendance{Round: len(t.Rounds) + 1}
	out := t.outOf()
	for _, e := range t.Entries {
		switch {
		case !t.isAwaited(e, a.Round) || out(e):
		case t.IsPresent(e, a.Round):
			a.Present = append(a.Present, e.ID)
		default:
			a.Absent = append(a.Absent, e.ID)
		}
	}
	return a
}

// ErrFewPresent is returned when too few players have checked in for the next round.
var ErrFewPresent = refusal.Case(ErrNoPairing, "schedule.error.few-present", "tournament: no pairing: too few have checked in")

// noteMissed records who was expected in a new round and had not checked in. It withdraws
// those who have missed too many rounds in a row.
func (t *Table) noteMissed(r Round) {
	for i, e := range t.Entries {
		if !t.isAwaited(e, r.Number) || t.IsPresent(e, r.Number) {
			continue
		}
		if _, sits := r.BoardOf(e.ID); t.Format.HasTable() && !sits {
			continue
		}
		missed := append(slices.Clone(e.Missed), r.Number)
		t.Entries[i].Missed = missed
		if m := t.CheckIn.Misses; m > 0 && len(missed) >= m && missed[len(missed)-m] == r.Number-m+1 {
			t.Entries[i].Status, t.Entries[i].Until = Withdrawn, r.Number
		}
	}
}
