package match

import "time"

// clock is both players' clocks, of which at most one runs. While players are
// awaited none runs and wait is how long they may still take from since on.
type clock struct {
	left    [2]time.Duration // by seat, at since
	wait    time.Duration
	running Seat
	since   time.Time // from when on time is used up; may lie ahead (Rules 8)

	credited []span // outages given back since then, never written in place
}

type span struct{ from, to time.Time }

// elapsed is what the running clock has used of itself.
func (c clock) elapsed(now time.Time) time.Duration {
	if !c.running.Valid() {
		return 0
	}
	return max(0, now.Sub(c.since))
}

// deadline is when the running clock, or the wait, is used up.
func (c clock) deadline() time.Time {
	if c.running.Valid() {
		return c.since.Add(c.left[c.running.Index()])
	}
	return c.since.Add(c.wait)
}

// stop is the clocks standing still.
func (c clock) stop(now time.Time) clock {
	if c.running.Valid() {
		i := c.running.Index()
		c.left[i] = max(0, c.left[i]-c.elapsed(now))
	}
	c.running, c.since, c.credited = 0, now, nil
	return c
}

// uncredited is the part of an outage that used up time of the running clock,
// or of the wait, and was not given back before: clipped to the time between
// since, or the deadline, and now.
func (c clock) uncredited(from, to, now time.Time) (part span, given time.Duration) {
	part = span{latest(from, c.since), earliest(to, now)}
	if !part.from.Before(part.to) || !part.from.Before(c.deadline()) {
		return span{}, 0
	}
	given = part.to.Sub(part.from)
	for _, s := range c.credited { // in order, without overlap
		if from, to := latest(part.from, s.from), earliest(part.to, s.to); from.Before(to) {
			given -= to.Sub(from)
		}
	}
	return part, given
}

// credit adds what an outage gives, and remembers it.
func (c clock) credit(e OutageCredited) clock {
	if c.running.Valid() {
		c.left[c.running.Index()] += e.Given
	} else {
		c.wait += e.Given
	}
	c.credited = merged(c.credited, span{e.From, e.To})
	return c
}

// merged is the spans in order and without overlap, with one more.
func merged(spans []span, more span) []span {
	out := make([]span, 0, len(spans)+1)
	for _, s := range spans {
		switch {
		case s.to.Before(more.from):
			out = append(out, s)
		case more.to.Before(s.from):
			out = append(out, more)
			more = s
		default:
			more = span{earliest(s.from, more.from), latest(s.to, more.to)}
		}
	}
	return append(out, more)
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earliest(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
