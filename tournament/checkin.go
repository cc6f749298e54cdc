package tournament

import (
	"slices"
	"time"

	"chpok.org/chpok/engine/match"
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
	// AnewCheckIn limits how long a window lasts once more after a round that ended too late.
	AnewCheckIn = 15 * time.Minute
	MaxCheckIn  = 7 * 24 * time.Hour
	MaxMisses   = 99
)

// Refusals about check-in.
var (
	ErrCheckInClosed = refusal.Conflict("schedule.error.check-in-closed", "tournament: check-in is closed")
	ErrNoWindow      = refusal.Conflict("schedule.error.no-window", "tournament: too soon for the players to check in")
)

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
	Closes time.Time // by when players are asked to check in; zero: when staff open the round
}

// IsOpen reports whether players can check in. They can until the round is published, late too.
func (w Window) IsOpen(now time.Time) bool { return !now.Before(w.Opens) }

// IsLate reports whether the time by which players were asked to check in has passed.
func (w Window) IsLate(now time.Time) bool { return !w.Closes.IsZero() && !now.Before(w.Closes) }

// CheckInWindow returns the window of the next round. It reports false if that round has no
// check-in, or its time is not known yet. It moves with the round, and a pause does not close it.
func (t *Tournament) CheckInWindow() (Window, bool) {
	n := len(t.Rounds) + 1
	if !t.needsCheckIn(n) || t.Status == Draft || t.Status.IsOver() {
		return Window{}, false
	}
	w := Window{Round: n}
	at, known := t.plannedAt(n)
	switch {
	case known:
		w.Opens, w.Closes = at.Add(-t.CheckIn.Opens), at.Add(-t.CheckIn.Closes)
		if n > 1 {
			w.Opens = later(w.Opens, t.Rounds[n-2].OpenedAt) // before, people checked in for that round
		}
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

// hadWindow reports whether players had the whole window of the next round to check in.
func (t *Tournament) hadWindow(now time.Time) bool {
	w, ok := t.CheckInWindow()
	return ok && !t.Timetable.IsPaused() && !now.Before(w.Opens.Add(t.CheckIn.Opens-t.CheckIn.Closes))
}

// afterPlay returns when the next round opens if it was planned for a time that players spent at
// their boards: after a window of its own.
func (t *Tournament) afterPlay(n int, planned time.Time) time.Time {
	if n == 1 || n != len(t.Rounds)+1 || t.Status != Running || !t.needsCheckIn(n) || !t.RoundIsOver() {
		return planned
	}
	if free := t.FreeSince(); free.After(planned.Add(-t.CheckIn.Closes)) {
		return free.Add(min(t.CheckIn.Opens, t.CheckIn.Closes+AnewCheckIn))
	}
	return planned
}

// GiveBack moves the next round by what an outage of the site took from its check-in window, once,
// and reports whether it did. Outages come in their order.
func (t *Tournament) GiveBack(from, to time.Time) bool {
	w, ok := t.CheckInWindow()
	if !ok || w.Closes.IsZero() || from.Before(t.Timetable.Credited) || !to.After(w.Opens) || !from.Before(w.Closes) {
		return false
	}
	lost := earlier(to, w.Closes).Sub(later(from, w.Opens))
	t.appoint(w.Round, later(to, w.Closes).Add(lost+t.CheckIn.Closes))
	t.Timetable.Credited = to
	return true
}

// IsPresent reports whether an entry is to be paired in the next round as far as check-in goes:
// it has checked in, or it sat at a board, or entered, while the others were to check in. Who was
// checked out by hand is absent.
func (t *Tournament) IsPresent(e Entry, round int) bool {
	if t.hasCheckedIn(e, round) {
		return true
	}
	if e.CheckedOut == round || round != len(t.Rounds)+1 {
		return false
	}
	last, plays := t.lastPlay(e.ID)
	if plays {
		return true
	}
	w, ok := t.CheckInWindow()
	if !ok {
		return false
	}
	if planned, set := t.FixedAt(round); set {
		w.Opens = earlier(w.Opens, planned.Add(-t.CheckIn.Opens)) // those who waited could check in then
	}
	return last.After(w.Opens) || e.EnteredAt.After(w.Opens)
}

// lastPlay returns when an entry last came from a board that it did not forfeit, or whether it sits at one. A team does
// while one of its boards does, or while its line-up is awaited.
func (t *Tournament) lastPlay(id EntryID) (ended time.Time, plays bool) {
	note := func(p Pairing, seat match.Seat) {
		plays = plays || p.Result.IsPending()
		if p.Outcome(seat) != ForfeitLoss {
			ended = later(ended, p.Result.At)
		}
	}
	if n, p := t.lastBoard(id); n > 0 {
		note(p, p.SeatOf(id))
		return ended, plays
	}
	for i := len(t.Rounds) - 1; i >= 0; i-- {
		n, m := t.Rounds[i].MatchOf(id)
		if n == 0 {
			continue
		}
		for k, p := range t.Rounds[i].BoardsOf(n) {
			note(p, TeamSeat(k+1, m.SeatOf(id)))
		}
		return ended, plays || m.OpenedAt.IsZero() && !m.IsForfeited()
	}
	return ended, plays
}

// attend checks in everybody who is present without a check-in.
func (t *Tournament) attend() {
	t.checkInWho(func(e Entry) bool { return t.IsPresent(e, len(t.Rounds)+1) })
}

// Seated checks in those who sit at other live boards of the site, or sat there during the window,
// unless they were checked out by hand; teams whose captains all do.
func (t *Tournament) Seated(elsewhere func(player.ID) bool) {
	free := func(id player.ID) bool { return !elsewhere(id) }
	t.checkInWho(func(e Entry) bool {
		who := e.WhoCheckIn()
		return e.CheckedOut != len(t.Rounds)+1 && len(who) > 0 && !slices.ContainsFunc(who, free)
	})
}

// WhoCheckIn returns the accounts that can check an entry in beside staff: the player's, or those of a team's captains.
func (e Entry) WhoCheckIn() []player.ID {
	if e.IsGuest() || e.Bot {
		return slices.Clone(e.Captains)
	}
	return []player.ID{e.Player}
}

// checkInWho checks in whom the next round awaits and who is present.
func (t *Tournament) checkInWho(present func(Entry) bool) {
	n := len(t.Rounds) + 1
	for i, e := range t.Entries {
		if !t.hasCheckedIn(e, n) && t.isAwaited(e, n) && present(e) {
			t.mark(i, n, true)
		}
	}
}

// hasCheckedIn reports whether check-in lets an entry be paired in a round. Bots are always
// present.
func (s Settings) hasCheckedIn(e Entry, round int) bool {
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
	if _, asked := e.askedBye(round); asked || e.Team != 0 {
		return false
	}
	if t.Status < Running {
		return e.Status == Active
	}
	return e.TakesPart(round)
}

// MayCheckIn returns nil, or why the viewer cannot check an entry in or out for the next
// round. Players check themselves in from the opening of the window, staff check in anybody,
// both until the round is published.
func (t *Tournament) MayCheckIn(by player.Viewer, id EntryID, now time.Time) error {
	i := t.index(id)
	switch {
	case i < 0:
		return ErrNoEntry
	case !t.May(by, ActCheckIn) && !t.Entries[i].IsOwn(by):
		return ErrNotAllowed
	case t.Status.IsOver():
		return ErrFinished
	case t.Entries[i].Team != 0: // a captain checks the team in
		return ErrCheckInClosed
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
	for i, e := range t.Entries {
		if e.Team == 0 {
			t.mark(i, len(t.Rounds)+1, false)
		}
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
	e.CheckedIn, e.CheckedOut = kept, round
	if in {
		e.CheckedOut = 0
	}
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
func (t *Tournament) Attendance() Attendance {
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
var ErrFewPresent = refusal.Kindred(ErrNoPairing, "schedule.error.few-present", "tournament: no pairing: too few have checked in")

// noteMissed records who was expected in a new round and had not checked in, though they had the
// whole window. It withdraws those who have missed too many rounds in a row.
func (t *Tournament) noteMissed(r Round, now time.Time) {
	if !t.hadWindow(now) {
		return
	}
	for i, e := range t.Entries {
		if !t.isAwaited(e, r.Number) || t.hasCheckedIn(e, r.Number) {
			continue
		}
		_, sits := r.BoardOf(e.ID)
		if n, _ := r.MatchOf(e.ID); t.Format.HasTable() && !sits && n == 0 {
			continue
		}
		missed := append(slices.Clone(e.Missed), r.Number)
		t.Entries[i].Missed = missed
		if m := t.CheckIn.Misses; m > 0 && len(missed) >= m && missed[len(missed)-m] == r.Number-m+1 {
			t.Entries[i].Status, t.Entries[i].Until = Withdrawn, r.Number
		}
	}
}
