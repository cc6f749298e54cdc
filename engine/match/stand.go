package match

import (
	"cmp"
	"slices"
	"time"

	"chpok.org/chpok/engine/bidding"
)

// Standing returns the history without what arbiters took back: the events that the state
// follows from, including those of arbiters.
func (s State) Standing() []Entry {
	standing := s.History()
	if !s.revised {
		return standing
	}
	kept := make([]Entry, 0, len(standing))
	for _, e := range standing {
		if to, ok := revises(e.Event); ok {
			for len(kept) > 0 && kept[len(kept)-1].Seq > to {
				kept = kept[:len(kept)-1]
			}
		}
		kept = append(kept, e)
	}
	return kept
}

// revises returns the event that an arbiter goes back to, if e does so.
func revises(e Event) (to int64, ok bool) {
	switch e := e.(type) {
	case TakenBack:
		return e.To, true
	case Reopened:
		return e.To, true
	}
	return 0, false
}

// beforeEnd returns the last event before what ended the match: an act, a flag fall or a ruling.
func (s State) beforeEnd() int64 {
	standing := s.Standing()
	end := 0
	for end < len(standing)-1 {
		if _, over := standing[end].Event.(Ended); over {
			break
		}
		end++
	}
	switch e := standing[end-1].Event; e.(type) {
	case Declared, MadeVoid:
		return standing[end-2].Seq
	default:
		if IsAct(e) {
			return standing[end-2].Seq
		}
		return standing[end-1].Seq
	}
}

// earlier returns the state after an event of the history, by sequence number.
type earlier func(seq int64) State

// revisedTo returns the state after event to as it continues at a later time, with its clocks.
// Draws keep counting, or players would know the next one (Rules D8).
func (s State) revisedTo(to int64, at time.Time, states earlier) (State, error) {
	if to < 1 || to >= s.seq {
		return s, refuse(bidding.Malformed, "event %d is not an earlier one", to)
	}
	if states == nil {
		states = s.replayed(to)
	}
	next := states(to)
	if next.status == Over {
		return s, refuse(bidding.Malformed, "event %d ended the match", to)
	}
	if s.known && !next.game.OnBoard() {
		return s, errKnown
	}
	next.clock = next.clock.freeze(next.last).movedTo(at)
	next.drawn, next.known, next.still, next.revised = s.drawn, s.known, s.still, true
	if next.still.Since.IsZero() {
		next.clock = next.clock.thaw(at)
	}
	return next, nil
}

// replayed folds the match up to an event, and returns its states.
func (s State) replayed(upTo int64) earlier {
	states := make([]State, upTo+1)
	at := func(seq int64) State { return states[seq] }
	for i, e := range s.History()[:upTo] {
		next, err := states[i].follow(e.Recorded, at)
		if err != nil {
			panic("match: the history does not fold: " + err.Error())
		}
		states[i+1] = next
	}
	return at
}

// arbitrated applies an event of an arbiter, or a call for one.
func (s State) arbitrated(r Recorded, states earlier) (State, error) {
	switch e := r.Event.(type) {
	case Called:
		if !e.Seat.Valid() || e.Stops && !s.still.Since.IsZero() {
			return s, refuse(bidding.Malformed, "no such call")
		}
		if e.Stops {
			s.stand(Standstill{Caller: e.Seat}, r.At)
		}
	case Paused:
		s.stand(Standstill{Warrant: e.Warrant}, r.At)
	case Resumed:
		if s.still.Since.IsZero() {
			return s, refuse(bidding.Malformed, "the match does not stand still")
		}
		s.still, s.clock = Standstill{}, s.clock.thaw(r.At)
	case ClockSet:
		if !e.Seat.Valid() || !isClock(e.Left) {
			return s, refuse(bidding.Malformed, "no such clock")
		}
		s.clock = s.clock.set(e.Seat, e.Left, r.At)
	case TakenBack:
		return s.revisedTo(e.To, r.At, states)
	case Reopened:
		return s.reopened(e, r.At, states)
	case MadeVoid:
		s.result = Result{}
	case WaitExtended:
		return s, s.extend(e.By)
	case ForfeitClaimed: // Ended follows
		if !s.isAlone() || !e.Seat.Valid() || !s.ready[e.Seat.Index()] {
			return s, refuse(bidding.Malformed, "nobody forfeits")
		}
	case Declared: // Ended follows
	default:
		return s, refuse(bidding.Malformed, "%T is not an event of a match", e)
	}
	return s, nil
}

// stand stops the match. It may replace an earlier reason; the clocks stay as they were stopped
// then.
func (s *State) stand(why Standstill, at time.Time) {
	if s.still.Since.IsZero() {
		s.clock = s.clock.freeze(at)
	}
	why.Since = at
	s.still = why
}

// reopened continues a match that was over.
func (s State) reopened(e Reopened, at time.Time, states earlier) (State, error) {
	next, err := s.revisedTo(e.To, at, states)
	if err != nil {
		return s, err
	}
	next.result = Result{}
	next.stand(Standstill{Warrant: e.Warrant}, at)
	for i, left := range e.Left {
		if left > 0 {
			next.clock.left[i] = left
		}
	}
	return next, nil
}

// DrawNumbers returns the numbers, from 1, of the draws that stand. Draws that an arbiter took
// back keep their numbers (Rules D8).
func (s State) DrawNumbers() []int {
	drawn, standing := 0, s.Standing()
	var numbers []int
	for _, e := range s.History() {
		if _, ok := e.Event.(Drawn); !ok {
			continue
		}
		drawn++
		if stands(standing, e.Seq) {
			numbers = append(numbers, drawn)
		}
	}
	return numbers
}

// stands reports whether an event is among the standing ones.
func stands(standing []Entry, seq int64) bool {
	_, found := slices.BinarySearchFunc(standing, seq, func(e Entry, seq int64) int { return cmp.Compare(e.Seq, seq) })
	return found
}
