package match

import (
	"time"

	"chpok.org/chpok/engine/board"
)

// Seq returns the number of events so far.
func (s State) Seq() int64 { return s.seq }

// HasStoodSince reports whether an act that was meant for an earlier state is still valid: only
// PlayerReady and OutageCredited came after it.
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

// IsDecidedSince reports whether, after an earlier state, the match has ended or somebody else than by has ruled in it.
func (s State) IsDecidedSince(seq int64, by string) bool {
	for e := s.history; e != nil && e.seq > seq; e = e.prev {
		switch ev := e.event.(type) {
		case Ended:
			return true
		case Ruling:
			if ev.Word().By != by {
				return true
			}
		}
	}
	return false
}

// Status returns the status of the match.
func (s State) Status() Status { return s.status }

// String returns the status as in the API, where both phases are "live".
func (s Status) String() string {
	return [...]string{"waiting", "live", "live", "over"}[s]
}

// Options returns the options of the match.
func (s State) Options() Options { return s.options }

// Game returns the game without clocks.
func (s State) Game() Game { return s.game }

// Commitment returns the published hash of the seed (Rules D8).
func (s State) Commitment() string { return s.seed.Commitment() }

// Seed returns the seed of the draws, if the match is over (Rules D8).
func (s State) Seed() (Seed, bool) {
	if s.status != Over {
		return Seed{}, false
	}
	return s.seed, true
}

// IsReady reports whether a player is ready.
func (s State) IsReady(by Seat) bool { return s.ready[by.Index()] }

// IsFirstBidAwaited reports whether a player is a newcomer who has not bid yet.
func (s State) IsFirstBidAwaited(by Seat) bool {
	return by.Valid() && s.options.Newcomer[by.Index()] && s.status <= Bidding && !s.game.OnBoard() &&
		s.game.bids.Purse(by) == s.options.Envelope.Chips+s.options.Extra[by.Index()]
}

// OpenedAt returns when the match was opened; zero before.
func (s State) OpenedAt() time.Time { return s.opened }

// StartedAt returns when the bidding began; zero before.
func (s State) StartedAt() time.Time { return s.started }

// EndedAt returns when the match ended; zero before.
func (s State) EndedAt() time.Time {
	if s.status != Over {
		return time.Time{}
	}
	return s.last
}

// LastAt returns when the last event was recorded.
func (s State) LastAt() time.Time { return s.last }

// ToAct returns whose clock runs. It reports false if none does: before the start, while the
// match stands still, and at the end.
func (s State) ToAct() (Seat, bool) {
	if !s.clock.frozen.IsZero() {
		return 0, false
	}
	return s.clock.running, s.clock.running.Valid()
}

// Color returns the color of a seat, and whether the board phase has begun.
func (s State) Color(by Seat) (c board.Color, ok bool) {
	if !s.game.OnBoard() {
		return c, false
	}
	return s.game.Color(by), true
}

// Deadline returns when the flag falls, or players who are not ready forfeit, unless somebody
// acts. It reports false if the match is over or stands still.
func (s State) Deadline() (time.Time, bool) {
	if s.seq == 0 || s.status == Over {
		return time.Time{}, false
	}
	return s.clock.deadline()
}

// Clocks returns what the clocks show at a time, never below zero, and whose runs (0: neither).
func (s State) Clocks(now time.Time) (first, second time.Duration, running Seat) {
	left := s.clock.shown(now)
	running, _ = s.ToAct()
	return left[0], left[1], running
}

// Since returns since when the running clock uses time, and what both clocks showed then. It may
// lie ahead while White's start is delayed (Rules 8).
func (s State) Since() (since time.Time, first, second time.Duration) {
	return s.clock.since, s.clock.left[0], s.clock.left[1]
}

// Result returns how the match ended; zero before.
func (s State) Result() Result { return s.result }

// History returns every event so far, in order.
func (s State) History() []Entry {
	list := make([]Entry, s.seq)
	for e := s.history; e != nil; e = e.prev {
		list[e.seq-1] = e.unpack()
	}
	return list
}

// EventsAfter returns the events after a sequence number, in order.
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

// Move is a ply with the clock of its player.
type Move struct {
	Ply
	Seq   int64
	At    time.Time
	Spent time.Duration // on the ply
	Left  time.Duration // after the ply, with the increment
}

// Moves returns Game.Plies with their clocks.
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

// IsAct reports whether an event is an act that Game.Do judges.
func IsAct(e Event) bool {
	switch e.(type) {
	case BidPlaced, Drawn, Played, Undone, Claimed, Resigned, FlagFell:
		return true
	}
	return false
}
