package tournament

import (
	"errors"
	"fmt"
	"time"

	"chpok.org/chpok/engine/match"
)

// Round is one round that was paired.
type Round struct {
	Number   int // from 1
	OpenedAt time.Time
	Pairings []Pairing // by board
	Byes     []Bye
	Engine   string // what paired it, with its version
}

// Pairing is two entries who meet. First opens the bidding.
type Pairing struct {
	Board  int      `json:"board"` // from 1
	First  EntryID  `json:"first"`
	Second EntryID  `json:"second"`
	Match  match.ID `json:"match,omitempty"` // empty: no match is played on the server
	Result Result   `json:"result,omitzero"`
}

// EntryAt is who sits at a seat.
func (p Pairing) EntryAt(s match.Seat) EntryID {
	if s == match.First {
		return p.First
	}
	return p.Second
}

// SeatOf is where an entry sits; none: elsewhere.
func (p Pairing) SeatOf(id EntryID) match.Seat {
	switch id {
	case p.First:
		return match.First
	case p.Second:
		return match.Second
	}
	return 0
}

// Bye is an entry that takes part and is not paired.
type Bye struct {
	Entry EntryID `json:"entry"`
	Kind  Outcome `json:"kind"` // PairingBye, HalfBye, ZeroBye (in a round robin: the rest), FullBye
}

// IsOver tells whether every board has its result.
func (r Round) IsOver() bool {
	for _, p := range r.Pairings {
		if p.Result.IsPending() {
			return false
		}
	}
	return true
}

// endedAt is when the last result came in.
func (r Round) endedAt() time.Time {
	end := r.OpenedAt
	for _, p := range r.Pairings {
		if p.Result.At.After(end) {
			end = p.Result.At
		}
	}
	return end
}

// RoundIsOver tells whether no round is being played.
func (t *Tournament) RoundIsOver() bool {
	return len(t.Rounds) == 0 || t.Rounds[len(t.Rounds)-1].IsOver()
}

// MayPair is nil or why no round can be paired now.
func (t *Tournament) MayPair() error {
	switch {
	case t.Status == Finished:
		return ErrFinished
	case t.Status != Running:
		return ErrNotRunning
	case !t.RoundIsOver():
		return ErrRoundOpen
	case len(t.Rounds) >= t.Settings.Rounds:
		return ErrNoRoundsLeft
	case t.Timetable.IsPaused():
		return ErrPaused
	}
	return nil
}

// System is a pairing system and its name with version.
type System struct {
	Pairer Pairer
	Engine string
}

// PairNext pairs the next round and opens it. newID names the match of every
// board that is played on the server. ErrNoPairing: nobody can be paired.
func (t *Tournament) PairNext(s System, newID func() match.ID, now time.Time) (Round, error) {
	if err := t.MayPair(); err != nil {
		return Round{}, err
	}
	if t.CheckIn.Scope != NoCheckIn && len(t.Attendance().Present) < MinPlayers {
		return Round{}, ErrFewPresent
	}
	field := t.PairingField()
	paired, err := s.Pairer.Pair(field)
	if err != nil {
		return Round{}, err
	}
	if err := covers(field, paired); err != nil {
		return Round{}, err
	}
	r := Round{Number: len(t.Rounds) + 1, OpenedAt: now, Engine: s.Engine}
	byNumber := map[int]Entry{}
	for _, e := range t.Entries {
		if e.Number > 0 {
			byNumber[e.Number] = e
		}
	}
	if t.Format == RoundRobin {
		t.fillTable(&r, paired, byNumber, now)
	} else if t.fillSwiss(&r, paired, byNumber); len(r.Pairings) == 0 {
		return Round{}, ErrNoPairing
	}
	for i := range r.Pairings {
		p := &r.Pairings[i]
		if p.Result.IsPending() && !t.Entries[t.index(p.First)].IsGuest() && !t.Entries[t.index(p.Second)].IsGuest() {
			p.Match = newID()
		}
	}
	t.noteMissed(r)
	t.Rounds = append(t.Rounds, r)
	return r, nil
}

func (t *Tournament) fillSwiss(r *Round, paired RoundPairing, byNumber map[int]Entry) {
	for i, b := range paired.Boards {
		r.Pairings = append(r.Pairings, Pairing{Board: i + 1, First: byNumber[b.First].ID, Second: byNumber[b.Second].ID})
	}
	if paired.Bye != 0 {
		r.Byes = append(r.Byes, Bye{byNumber[paired.Bye].ID, PairingBye})
	}
	for _, e := range t.Entries {
		if !e.TakesPart(r.Number) {
			continue
		}
		if kind, asked := e.askedBye(r.Number); asked {
			r.Byes = append(r.Byes, Bye{e.ID, kind})
		} else if !t.IsPresent(e, r.Number) {
			r.Byes = append(r.Byes, Bye{e.ID, ZeroBye})
		}
	}
}

// fillTable takes a round of the table. Who is withdrawn, or has not checked in,
// forfeits; whether that
// counts is for the standings to say (see annulled).
func (t *Tournament) fillTable(r *Round, paired RoundPairing, byNumber map[int]Entry, now time.Time) {
	for _, b := range paired.Boards {
		first, second := byNumber[b.First], byNumber[b.Second]
		p := Pairing{Board: len(r.Pairings) + 1, First: first.ID, Second: second.ID}
		firstPlays := first.TakesPart(r.Number) && t.IsPresent(first, r.Number)
		secondPlays := second.TakesPart(r.Number) && t.IsPresent(second, r.Number)
		switch {
		case !firstPlays && !secondPlays:
			p.Result = Result{Kind: DoubleForfeit, Reason: match.Forfeit, At: now}
		case !firstPlays:
			p.Result = Result{Kind: SecondByForfeit, Reason: match.Forfeit, At: now}
		case !secondPlays:
			p.Result = Result{Kind: FirstByForfeit, Reason: match.Forfeit, At: now}
		}
		r.Pairings = append(r.Pairings, p)
	}
	if rests := byNumber[paired.Bye]; rests.TakesPart(r.Number) {
		r.Byes = append(r.Byes, Bye{rests.ID, ZeroBye})
	}
}

// errCoverage is a pairer's bug, not the field's fault.
var errCoverage = errors.New("the pairing does not hold every player exactly once")

// covers checks that whoever is to be paired stands in the pairing exactly once.
func covers(f Field, paired RoundPairing) error {
	due := map[int]bool{}
	for _, p := range f.Players {
		if len(p.Rounds) <= f.Played || p.Rounds[f.Played].Outcome == NoRecord {
			due[p.Number] = true
		}
	}
	take := func(n int) error {
		if !due[n] {
			return fmt.Errorf("%w: %d", errCoverage, n)
		}
		delete(due, n)
		return nil
	}
	for _, b := range paired.Boards {
		if err := errors.Join(take(b.First), take(b.Second)); err != nil {
			return err
		}
	}
	if paired.Bye != 0 {
		if err := take(paired.Bye); err != nil {
			return err
		}
	}
	if len(due) > 0 {
		return fmt.Errorf("%w: %d left out", errCoverage, len(due))
	}
	return nil
}
