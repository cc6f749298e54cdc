package review

import "time"

// What is too quick for a person at a page, who is also not asked to wait.
const (
	actsApart  = quickReply // between two acts on one turn
	asksASec   = 2.0        // requests a second for a running match
	asksInHand = 20.0       // that may come at once: a page and its reloads
)

// Pace is how quickly one player acts in one match, and asks for it. It judges
// from the moments of arrival alone; what a page's stream does is not asked of it.
// The zero value has seen nothing.
type Pace struct {
	acted   time.Time
	command string
	place   int64
	quick   int

	asked time.Time
	hand  float64 // requests above the rate
}

// Acted tells whether an act makes it the third that came less than 150 ms after
// the act before, on the same turn. place is where the log stood, turn whether it
// was the player's turn there: an answer to the other side's move is judged by
// QuickReplies. command is the client's name for the act: one that is sent again
// is no second one.
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

// Asked tells whether a request for the match makes it more than two a second for
// longer than a page and its reloads explain.
func (p *Pace) Asked(at time.Time) bool {
	if since := at.Sub(p.asked).Seconds(); !p.asked.IsZero() && since > 0 {
		p.hand = max(0, p.hand-since*asksASec)
	}
	p.asked = at
	p.hand++
	return p.hand > asksInHand
}
