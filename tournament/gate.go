package tournament

import (
	"time"

	"chpok.org/chpok/player"
)

// Gate is whether registration of an announced tournament is open. It moves at
// the moments of the settings, and by staff.
type Gate struct {
	Closed bool      `json:"closed,omitempty"`
	At     time.Time `json:"at,omitzero"` // of the last move
}

// NextGateAt is when registration opens or closes by itself; false: it does not.
func (t *Course) NextGateAt() (time.Time, bool) {
	if t.Status != Registration {
		return time.Time{}, false
	}
	at := t.Settings.Entry.Closes
	if t.Gate.Closed {
		at = t.Settings.Entry.Opens
	}
	return at, at.After(t.Gate.At)
}

// MoveGate opens or closes registration when it is time to; false: it is not.
func (t *Course) MoveGate(now time.Time) bool {
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

// IsOpen reports whether registration is open, whether or not the job that moves
// the gate has been at it.
func (t *Course) IsOpen(now time.Time) bool {
	c := Course{Table: Table{Settings: t.Settings, Status: t.Status}, Gate: t.Gate}
	c.MoveGate(now)
	return c.Status == Registration && !c.Gate.Closed
}

// gateAt is the gate that the settings want now.
func (s Settings) gateAt(now time.Time) Gate {
	e := s.Entry
	return Gate{now.Before(e.Opens) || !e.Closes.IsZero() && !now.Before(e.Closes), now}
}

// OpenRegistration announces a tournament, so that everybody sees it: players
// enter at once, or from the moment the settings name. Of an announced one it
// opens registration now, whatever the settings say.
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
	t.Gate = Gate{At: now}
	return nil
}

// CloseRegistration stops entries until it is opened again. Who waits or has
// asked stays.
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
