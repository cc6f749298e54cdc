package review

import "time"

// Limits that nobody reaches by hand at a page.
const (
	actsApart  = quickReply // between two acts on one turn
	asksASec   = 2.0        // requests per second for a running match
	asksInHand = 20.0       // allowed at once: a page and its reloads
)

// Pace measures how quickly one player acts in one match and asks for it, by times of
// arrival alone. Event streams of pages are not counted. The zero value has seen nothing.
type Pace struct {
	acted   time.Time
	command string
	place   int64
	quick   int

	asked time.Time
	hand  float64 // requests above the rate
}

// Acted records an act and reports whether at least three acts so far came less than 150
// ms after the previous one on the same turn. place is the position in the log, turn
// whether it was the player's turn there: answers to the opponent's moves are left to
// QuickReplies. command is the client's id of the act; the same id again is a retry and
// does not count.
func (p *Pace) Acted(command string, place int64, turn bool, at time.Time) bool {
	again := command != "" && command == p.command
	answers := turn && place != p.place
	if !p.acted.IsZero() && !again && !answers && at.Sub(p.acted) < actsApart {
		p.quick++
	}
	if !again {
		p.acted, p.command, p.place = at, command, place
	}
	return p.quick >= leastQuick
}

// Asked records a request for the match and reports whether they come faster than two a
// second for longer than a page and its reloads explain.
func (p *Pace) Asked(at time.Time) bool {
	if since := at.Sub(p.asked).Seconds(); !p.asked.IsZero() && since > 0 {
		p.hand = max(0, p.hand-since*asksASec)
	}
	p.asked = at
	p.hand++
	return p.hand > asksInHand
}
