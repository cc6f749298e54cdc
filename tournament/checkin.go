package tournament

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament/setting"
)

// CheckInScope is for what players say beforehand that they are there.
type CheckInScope uint8

const (
	NoCheckIn CheckInScope = iota
	ForEvent               // once, before the first round
	ForRound               // before every round
)

var checkInNames = [...]string{"none", "event", "round"}

func (s CheckInScope) String() string { return nameOf(checkInNames[:], int(s)) }

// ParseCheckInScope reads "", "none", "event" or "round".
func ParseCheckInScope(s string) (CheckInScope, error) {
	if i := slices.Index(checkInNames[:], s); i > 0 {
		return CheckInScope(i), nil
	}
	if s == "" || s == checkInNames[NoCheckIn] {
		return NoCheckIn, nil
	}
	return 0, fmt.Errorf("check-in is one of %s, not %q", strings.Join(checkInNames[:], ", "), s)
}

// CheckIn is who must say when that they are there. Who does not is not paired in
// that round: in a Swiss they have a zero-point bye, in a round robin they forfeit.
type CheckIn struct {
	Scope  CheckInScope  `json:"scope,omitempty"`
	Opens  time.Duration `json:"opens,omitempty"`  // before the round's time
	Closes time.Duration `json:"closes,omitempty"` // before the round's time
	Misses int           `json:"misses,omitempty"` // missed in a row, after which an entry is withdrawn; 0: never
}

// Bounds of a check-in.
const (
	MinCheckIn = time.Minute // the window is open
	MaxCheckIn = 7 * 24 * time.Hour
	MaxMisses  = 99
)

// ErrCheckInClosed says that nobody checks in now.
var ErrCheckInClosed = refusal.Conflict("schedule.error.check-in-closed", "tournament: check-in is closed")

func (c CheckIn) problems(f *setting.Faults) {
	switch {
	case c.Scope > ForRound:
		f.Add("checkIn", "missing", "check-in is for the event, for each round, or not at all")
	case c.Scope == NoCheckIn && c != CheckIn{}:
		f.Add("checkIn", "unsuitable", "without a check-in there is no window")
	case c.Scope == NoCheckIn: // nothing more
	case c.Opens > MaxCheckIn || c.Closes < 0:
		f.Add("checkIn", "range", "check-in opens at most %v before a round and closes before it, not %v and %v",
			MaxCheckIn, c.Opens, c.Closes)
	case c.Opens-c.Closes < MinCheckIn:
		f.Add("checkIn", "order", "check-in is open for a minute at least")
	case c.Misses < 0 || c.Misses > MaxMisses || c.Misses > 1 && c.Scope == ForEvent:
		f.Add("checkIn", "count", "withdrawn after 0…%d missed rounds, not %d", MaxMisses, c.Misses)
	}
}

// Window is when players check in for a round.
type Window struct {
	Round  int
	Opens  time.Time
	Closes time.Time // the zero time: when the round is opened by hand
}

// IsOpen reports whether players check in now.
func (w Window) IsOpen(now time.Time) bool {
	return !now.Before(w.Opens) && (w.Closes.IsZero() || now.Before(w.Closes))
}

// CheckInWindow is the window of the next round; false: nobody checks in for
// it, or its time is not known yet. While the tournament is paused it stays open.
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

// needsCheckIn reports whether who plays round n has to check in for it.
func (s Settings) needsCheckIn(n int) bool {
	return n <= max(1, s.Rounds) && (s.CheckIn.Scope == ForRound || s.CheckIn.Scope == ForEvent && n == 1)
}

// IsPresent reports whether an entry can be paired in a round as far as check-in
// goes. The house is always there.
func (s Settings) IsPresent(e Entry, round int) bool {
	switch {
	case s.CheckIn.Scope == NoCheckIn || e.Bot:
		return true
	case s.CheckIn.Scope == ForEvent:
		return slices.ContainsFunc(e.CheckedIn, func(n int) bool { return n <= round })
	}
	return slices.Contains(e.CheckedIn, round)
}

// isAwaited reports whether the entry would play a round, were it there.
func (t *Table) isAwaited(e Entry, round int) bool {
	if _, asked := e.askedBye(round); asked {
		return false
	}
	if t.Status < Running {
		return e.Status == Active
	}
	return e.TakesPart(round)
}

// MayCheckIn is nil or why the viewer cannot check an entry in, or out again,
// for the next round. Players do it for themselves in the window; staff for
// anybody, until the round is paired.
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

// Check checks an entry in for the next round, or out again.
func (t *Tournament) Check(by player.Viewer, id EntryID, in bool, now time.Time) error {
	if err := t.MayCheckIn(by, id, now); err != nil {
		return err
	}
	t.mark(t.index(id), len(t.Rounds)+1, in)
	return nil
}

// UncheckAll checks everybody out of the next round.
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

// mark writes whether an entry is there in a round; for the event, out is out
// of all rounds from there on.
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

// markLate checks in whom staff bring into a running tournament.
func (t *Table) markLate(id EntryID) {
	if t.CheckIn.Scope != NoCheckIn {
		t.mark(t.index(id), len(t.Rounds)+1, true)
	}
}

// Attendance is who is there for the next round.
type Attendance struct {
	Round   int
	Present []EntryID
	Absent  []EntryID // awaited, and not checked in
}

// Attendance of the next round, by id.
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

// ErrFewPresent says that fewer than two have checked in for the next round.
var ErrFewPresent = refusal.Case(ErrNoPairing, "schedule.error.few-present", "tournament: no pairing: too few have checked in")

// noteMissed writes down who was awaited in a round that is being paired and had
// not checked in; whoever has missed too many in a row is withdrawn after it.
func (t *Table) noteMissed(r Round) {
	for i, e := range t.Entries {
		if !t.isAwaited(e, r.Number) || t.IsPresent(e, r.Number) || t.Format.HasTable() && !r.seats(e.ID) {
			continue
		}
		missed := append(slices.Clone(e.Missed), r.Number)
		t.Entries[i].Missed = missed
		if m := t.CheckIn.Misses; m > 0 && len(missed) >= m && missed[len(missed)-m] == r.Number-m+1 {
			t.Entries[i].Status, t.Entries[i].Until = Withdrawn, r.Number
		}
	}
}

// seats reports whether an entry sits at a board of the round.
func (r Round) seats(id EntryID) bool {
	return slices.ContainsFunc(r.Pairings, func(p Pairing) bool { return p.SeatOf(id).Valid() })
}
