package match

import "time"

// clock holds both players' clocks, at most one of which runs. Before players are ready none
// runs, and they have wait to come, counted from since.
type clock struct {
	left    [2]time.Duration // by seat, at since
	wait    time.Duration
	running Seat
	since   time.Time // when time began to run; may lie ahead (Rules 8)
	frozen  time.Time // since when the clocks stand still; zero: they do not

	credited []span // outages since then that were given back; never written in place
}

// span is a period of time.
type span struct{ from, to time.Time }

// elapsed returns what the running clock has used since c.since.
func (c clock) elapsed(now time.Time) time.Duration {
	if !c.running.Valid() || !c.frozen.IsZero() {
		return 0
	}
	return max(0, now.Sub(c.since))
}

// shown returns what the clocks show, never below zero.
func (c clock) shown(now time.Time) [2]time.Duration {
	if c.running.Valid() {
		i := c.running.Index()
		c.left[i] = max(0, c.left[i]-c.elapsed(now))
	}
	return c.left
}

// deadline returns when the running clock, or the wait, is used up. It reports false while the
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

// freeze returns the clocks stopped until thaw.
func (c clock) freeze(now time.Time) clock {
	if !c.frozen.IsZero() {
		return c
	}
	if !c.running.Valid() {
		c.wait = max(0, c.wait-max(0, now.Sub(c.since)))
	}
	c.left = c.shown(now)
	c.since, c.frozen, c.credited = latest(c.since, now), now, nil
	return c
}

// movedTo returns frozen clocks as if they had been frozen at another time.
func (c clock) movedTo(at time.Time) clock {
	c.since, c.frozen = at.Add(c.since.Sub(c.frozen)), at
	return c
}

// thaw returns frozen clocks running again.
func (c clock) thaw(now time.Time) clock {
	c = c.movedTo(now)
	c.frozen = time.Time{}
	return c
}

// set returns the clocks with a seat's time set.
func (c clock) set(seat Seat, left time.Duration, now time.Time) clock {
	c.left[seat.Index()] = left
	if c.running == seat && c.frozen.IsZero() {
		c.since, c.credited = latest(c.since, now), nil
	}
	return c
}

// stop returns the clocks stopped for good.
func (c clock) stop(now time.Time) clock {
	c.left = c.shown(now)
	c.running, c.since, c.frozen, c.credited = 0, now, time.Time{}, nil
	return c
}

// uncredited returns the part of an outage in which the running clock, or the wait, lost time,
// and how much of that was not given back before. It is empty if the deadline had passed
// before the outage.
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

// credit returns the clocks with the time of an outage given back.
func (c clock) credit(e OutageCredited) clock {
	if c.running.Valid() {
		c.left[c.running.Index()] += e.Given
	} else {
		c.wait += e.Given
	}
	c.credited = merged(c.credited, span{e.From, e.To})
	return c
}

// merged adds a span to spans that are in order and do not overlap.
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
