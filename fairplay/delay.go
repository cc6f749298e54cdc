package fairplay

import (
	"time"

	"chpok.org/chpok/engine/match"
)

// Cut is the last event of the log that watchers may see now. An act (a bid, move, undo
// and what follows it at once) is shown when it is old enough in seconds and enough acts
// came after it; the end is shown, with everything before, when the seconds have passed.
// What comes before the first act reveals nothing of the play and is never held back. The
// log must not be empty.
func (d Delay) Cut(log []match.Recorded, isOver bool, now time.Time) int64 {
	last := log[len(log)-1]
	age := time.Duration(d.Seconds) * time.Second
	if d.IsZero() || isOver && now.Sub(last.At) >= age {
		return last.Seq
	}
	acts := 0
	for _, r := range log {
		if isAct(r.Event) {
			acts++
		}
	}
	seen, n := int64(0), 0
	for _, r := range log {
		if isAct(r.Event) {
			n++
		}
		if n > 0 && (now.Sub(r.At) < age || acts-n < d.Plies) {
			break
		}
		seen = r.Seq
	}
	return seen
}

// isAct reports whether an event is a player's act, a ply in either phase.
func isAct(e match.Event) bool {
	switch e.(type) {
	case match.BidPlaced, match.Played, match.Undone:
		return true
	}
	return false
}

// Until is when watchers may see the whole of a match that ended then.
func (d Delay) Until(ended time.Time) time.Time {
	return ended.Add(time.Duration(d.Seconds) * time.Second)
}
