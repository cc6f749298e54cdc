package tournament

import (
	"time"

	"chpok.org/chpok/player"
)

// Gate says whether registration of an announced tournament is open. It moves at the times of
// the settings and by staff.
type Gate struct {
	Closed bool      `json:"closed,omitempty"`
	At     time.Time `json:"at,omitzero"` // when it last moved
}

// NextGateAt returns when registration opens or closes by itself, and whether it does.
func (t *Tournament) NextGateAt() (time.Time, bool) {
	if t.Status != Registration {
		return time.Time{}, false
	}
	at := t.ClosesAt()
	if t.Gate.Closed {
		at = t.Settings.Entry.Opens
	}
	return at, at.After(t.Gate.At)
}

// ClosesAt returns when registration closes by itself; zero: with the start.
func (t *Tournament) ClosesAt() time.Time {
	return later(t.Settings.Entry.Closes, t.Timetable.StaysOpen)
}

// MoveGate opens or closes registration if it is time to, and reports whether it did.
func (t *Tournament) MoveGate(now time.Time) bool {
	moved := false
	for {
		at, due := t.NextGateAt()
		if !due || now.Before(at) {
			return moved
		}
		t.Gate = Gate{!t.Gate.Closed, at}
		moved = true
	}
}

// StayOpen moves the close of registration to a later moment, as nobody could enter before, and
// reports whether it did. A close that has been done is not taken back.
func (t *Tournament) StayOpen(until time.Time) bool {
	at, due := t.NextGateAt()
	if !due || t.Gate.Closed || !until.After(at) {
		return false
	}
	t.Timetable.StaysOpen = until
	return true
}

// IsOpen reports whether registration is open now, even if no job has moved the gate yet.
func (t *Tournament) IsOpen(now time.Time) bool {
	c := Tournament{Table: Table{Settings: t.Settings, Status: t.Status}, Gate: t.Gate, Timetable: t.Timetable}
	c.MoveGate(now)
	return c.Status == Registration && !c.Gate.Closed
}

// gateAt returns the gate that the settings ask for now.
func (s Settings) gateAt(now time.Time) Gate {
	e := s.Entry
	return Gate{now.Before(e.Opens) || !e.Closes.IsZero() && !now.Before(e.Closes), now}
}

// OpenRegistration announces a draft, so that everyone sees it; registration opens at the time
// of the settings. If the tournament is already announced, it opens registration now.
func (t *Tournament) OpenRegistration(by player.Viewer, now time.Time) error {
	if !t.May(by, ActOpen) {
		return ErrNotAllowed
	}
	if err := t.BeforeStart(); err != nil {
		return err
	}
	if t.Status == Draft {
		t.Status, t.Gate = Registration, t.Settings.gateAt(now)
		return nil
	}
	if t.Origin.IsAwaited() {
		return ErrGroupsPlay
	}
	t.Gate = Gate{At: now}
	return nil
}

// CloseRegistration closes registration until it is opened again. Waiting and requested
// entries stay.
func (t *Tournament) CloseRegistration(by player.Viewer, now time.Time) error {
	switch {
	case !t.May(by, ActClose):
		return ErrNotAllowed
	case t.Status != Registration:
		return ErrNotOpen
	}
	t.Gate = Gate{true, now}
	return nil
}
