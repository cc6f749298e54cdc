package match

import "time"

// clock is both players' clocks, of which at most one runs. While players are
// awaited none runs and wait is how long they may still take from since on.
type clock struct {
	left    [2]time.Duration // by seat, at since
	wait    time.Duration
	running Seat
	since   time.Time // from when on time is used up; may lie ahead (Rules 8)
	frozen  time.Time // since when the clocks stand still by an arbiter's word; zero: they do not

	credited []span // outages given back since then, never written in place
}

type span struct{ from, to time.Time }

// elapsed is what the running clock has used of itself.
func (c clock) elapsed(now time.Time) time.Duration {
	if !c.running.Valid() || !c.frozen.IsZero() {
		return 0
	}
	return max(0, now.Sub(c.since))
}

// deadline is when the running clock, or the wait, is used up; false while the
// clocks stand still.
func (c clock) deadline() (time.Time, bool) {
	if !c.frozen.IsZero() {
		return time.Time{}, false
	}
	if c.running.Valid() {
		return c.since.Add(c.left[c.running.Index()]), true
	}
	return c.since.Add(c.wait), true
}

// isUp reports whether the deadline has passed.
func (c clock) isUp(now time.Time) bool {
	deadline, ok := c.deadline()
	return ok && !now.Before(deadline)
}

// freeze is the clocks standing still until thaw, with what is left of them.
func (c clock) freeze(now time.Time) clock {
	if !c.frozen.IsZero() {
		return c
	}
	if c.running.Valid() {
		i := c.running.Index()
		c.left[i] = max(0, c.left[i]-c.elapsed(now))
	} else {
		c.wait = max(0, c.wait-max(0, now.Sub(c.since)))
	}
	c.since, c.frozen, c.credited = latest(c.since, now), now, nil
	return c
}

// movedTo is frozen clocks as if they had been frozen at another time.
func (c clock) movedTo(at time.Time) clock {
	c.since, c.frozen = at.Add(c.since.Sub(c.frozen)), at
	return c
}

// thaw lets the clocks go on where they were frozen.
func (c clock) thaw(now time.Time) clock {
	c = c.movedTo(now)
	c.frozen = time.Time{}
	return c
}

// set gives a seat's clock a new time, from now on.
func (c clock) set(seat Seat, left time.Duration, now time.Time) clock {
	c.left[seat.Index()] = left
	if c.running == seat && c.frozen.IsZero() {
		c.since, c.credited = latest(c.since, now), nil
	}
	return c
}

// stop is the clocks standing still.
func (c clock) stop(now time.Time) clock {
	if c.running.Valid() {
		i := c.running.Index()
		c.left[i] = max(0, c.left[i]-c.elapsed(now))
	}
	c.running, c.since, c.frozen, c.credited = 0, now, time.Time{}, nil
	return c
}

// uncredited is the part of an outage that used up time of the running clock,
// or of the wait, and was not given back before: clipped to the time between
// since, or the deadline, and now.
func (c clock) uncredited(from, to, now time.Time) (part span, given time.Duration) {
	part = span{latest(from, c.since), earliest(to, now)}
	deadline, runs := c.deadline()
	if !runs || !part.from.Before(part.to) || !part.from.Before(deadline) {
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
