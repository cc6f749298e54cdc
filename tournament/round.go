package tournament

import (
	"iter"
	"slices"
	"time"

	"chpok.org/chpok/engine/match"
)

// Round is one round that was paired.
type Round struct {
	Number   int // from 1
	OpenedAt time.Time
	Pairings []Pairing // by board
	Byes     []Bye     // by entry
	Engine   string    // what paired it, with its version
	Edited   bool      // by hand afterwards
	Pass     *Pass     // of an arena: what its latest boards were paired from
}

// Pairing is two entries who meet. First opens the bidding.
type Pairing struct {
	Board  int     `json:"board"` // from 1
	First  EntryID `json:"first"`
	Second EntryID `json:"second"`
	// Contest is of a knock-out: the place of its contest in the bracket, from 0.
	Contest int `json:"contest,omitempty"`
	// Sealed is of a knock-out: who is ready bids for draw odds, with chips that they
	// then play without. Such a board counts for no rating.
	Sealed bool     `json:"sealed,omitempty"`
	Match  match.ID `json:"match,omitempty"` // empty: no match is played on the server
	Result Result   `json:"result,omitzero"`
}

// Outcome is what the board gives a seat.
func (p Pairing) Outcome(s match.Seat) Outcome {
	o := p.Result.Outcome(s)
	if (p.Sealed || p.Result.Reason == CarriedOver) && o >= Win && o <= Loss {
		o += WinUnrated - Win
	}
	return o
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

// Rounds is every round that has been paired, by number.
type Rounds []Round

// IsOver reports whether every board has its result, and no more are to come.
func (r Round) IsOver() bool {
	if r.Pass != nil && !r.Pass.Closed {
		return false
	}
	for _, p := range r.Pairings {
		if p.Result.IsPending() {
			return false
		}
	}
	return true
}

// SortByes keeps the byes in the one order that the log and the database have.
func (r *Round) SortByes() {
	slices.SortFunc(r.Byes, func(a, b Bye) int { return int(a.Entry - b.Entry) })
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

// RoundIsOver reports whether no round is being played.
func (l Rounds) RoundIsOver() bool {
	return !slices.ContainsFunc(l, func(r Round) bool { return !r.IsOver() })
}

// Pending are all boards without a result, with their rounds.
func (l Rounds) Pending() iter.Seq2[int, Pairing] {
	return func(yield func(int, Pairing) bool) {
		for _, r := range l {
			for _, p := range r.Pairings {
				if p.Result.IsPending() && !yield(r.Number, p) {
					return
				}
			}
		}
	}
}

// Open are the rounds that are being played; if there are none, the last one.
func (l Rounds) Open() []Round {
	open := slices.DeleteFunc(slices.Clone(l), Round.IsOver)
	if len(open) == 0 && len(l) > 0 {
		open = l[len(l)-1:]
	}
	return open
}

// MayPair is nil or why no round can be paired now.
func (t *Course) MayPair() error {
	switch {
	case t.Status.IsOver():
		return ErrFinished
	case t.Status != Running:
		return ErrNotRunning
	case t.Draft != nil:
		return ErrDraftOpen
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
	c := *t.Clone()
	if err := c.DraftNext(s, "", now); err != nil {
		return Round{}, err
	}
	r, err := c.Publish(newID, now)
	if err != nil {
		return Round{}, err
	}
	*t = c
	return r, nil
}
