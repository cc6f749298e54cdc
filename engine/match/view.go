package match

import (
	"time"

	"chpok.org/chpok/engine/board"
)

// Seq is the place in the log: how many events it has.
func (s State) Seq() int64 { return s.seq }

// HasStoodSince reports whether somebody who acts on what stood at a place in the log
// still acts on it: nothing came after it but the other one's being ready, or time given back.
func (s State) HasStoodSince(seq int64) bool {
	for e := s.history; e != nil && e.seq > seq; e = e.prev {
		switch e.event.(type) {
		case PlayerReady, OutageCredited:
		default:
			return false
		}
	}
	return seq <= s.seq
}

// Status is where the match stands.
func (s State) Status() Status { return s.status }

// String is the status as the API words it: both phases are "live".
func (s Status) String() string {
	return [...]string{"waiting", "live", "live", "over"}[s]
}

// Options is on what the match is played.
func (s State) Options() Options { return s.options }

// Game is the game without its clocks.
func (s State) Game() Game { return s.game }

// Commitment is the published hash of the seed (Rules D8).
func (s State) Commitment() string { return s.seed.Commitment() }

// Seed is the seed of the draws, revealed when the match is over (Rules D8).
func (s State) Seed() (Seed, bool) {
	if s.status != Over {
		return Seed{}, false
	}
	return s.seed, true
}

// IsReady reports whether a player has said that they are at the board.
func (s State) IsReady(by Seat) bool { return s.ready[by.Index()] }

// OpenedAt, StartedAt and EndedAt are when the match was opened, its bidding
// began, and it ended; the zero time before.
func (s State) OpenedAt() time.Time  { return s.opened }
func (s State) StartedAt() time.Time { return s.started }
func (s State) EndedAt() time.Time {
	if s.status != Over {
		return time.Time{}
	}
	return s.last
}

// LastAt is when the last event was recorded.
func (s State) LastAt() time.Time { return s.last }

// ToAct is whose clock runs; false while players are awaited, while the match
// stands still, and at the end.
func (s State) ToAct() (Seat, bool) {
	if !s.clock.frozen.IsZero() {
		return 0, false
	}
	return s.clock.running, s.clock.running.Valid()
}

// Colour is the colour a seat plays, "white" or "black" as board.Color has it;
// it counts only when Game().OnBoard().
func (s State) Colour(by Seat) (c board.Color, ok bool) {
	if !s.game.OnBoard() {
		return c, false
	}
	return s.game.Colour(by), true
}

// Deadline is when something happens without anyone acting: the flag falls, or
// whoever is not ready forfeits. False when the match is over, or stands still.
func (s State) Deadline() (time.Time, bool) {
	if s.seq == 0 || s.status == Over {
		return time.Time{}, false
	}
	return s.clock.deadline()
}

// Clocks are what the clocks show at a time, never below zero, and whose runs
// (none: neither).
func (s State) Clocks(now time.Time) (first, second time.Duration, running Seat) {
	left := s.clock.left
	if s.clock.running.Valid() {
		i := s.clock.running.Index()
		left[i] = max(0, left[i]-s.clock.elapsed(now))
	}
	running, _ = s.ToAct()
	return left[0], left[1], running
}

// Since is from when on the running clock uses up time, with what both showed
// then: it may lie ahead while White's start is delayed (Rules 8).
func (s State) Since() (since time.Time, first, second time.Duration) {
	return s.clock.since, s.clock.left[0], s.clock.left[1]
}

// Result is how the match ended; the zero value before.
func (s State) Result() Result { return s.result }

// History is every event so far, in its order.
func (s State) History() []Entry {
	list := make([]Entry, s.seq)
	for e := s.history; e != nil; e = e.prev {
		list[e.seq-1] = e.unpack()
	}
	return list
}

// EventsAfter are those after a place in the log, in their order.
func EventsAfter(s State, seq int64) []Recorded {
	if seq = max(seq, 0); seq >= s.seq {
		return nil
	}
	list := make([]Recorded, s.seq-seq)
	for e := s.history; e != nil && e.seq > seq; e = e.prev {
		list[e.seq-seq-1] = e.unpack().Recorded
	}
	return list
}

// Move is a ply of the game as it stands, with the clock of who played it.
type Move struct {
	Ply
	Seq   int64
	At    time.Time
	Spent time.Duration // what it took
	Left  time.Duration // what its player had left after it, with the increment
}

// Moves is the game as it stands, from the first ply.
func (s State) Moves() []Move {
	acts := make([]Entry, 0, s.game.Acts())
	for _, e := range s.Standing() {
		if IsAct(e.Event) {
			acts = append(acts, e)
		}
	}
	moves := make([]Move, 0, s.game.PlyCount())
	for _, p := range s.game.Plies() {
		e := acts[p.Act]
		moves = append(moves, Move{Ply: p, Seq: e.Seq, At: e.At, Spent: e.Spent, Left: e.Left[p.Seat.Index()]})
	}
	return moves
}

// IsAct reports whether an event is one of the acts Game.Do judges.
func IsAct(e Event) bool {
	switch e.(type) {
	case BidPlaced, Drawn, Played, Undone, Claimed, Resigned, FlagFell:
		return true
	}
	return false
}
