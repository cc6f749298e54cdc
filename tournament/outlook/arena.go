package outlook

import (
	"time"

	"chpok.org/chpok/tournament"
)

// arenaEnd is when an arena that is being paired, or is to be, is over: with the last of
// the matches that have begun by then. False: it is none, or nobody is paired any more.
func arenaEnd(t *tournament.Course, d Durations, now time.Time) (s Span, known bool) {
	if t.Format != tournament.Arena {
		return s, false
	}
	if r, open := t.ArenaRound(); open && r.Pass.Closed {
		return s, false
	}
	c := *t
	if c.StartsAt().IsZero() {
		c.StartedAt = now
	}
	closes, ends, last, _ := c.ArenaTimes()
	after := func(part float64) time.Time {
		at := latest(ends, closes.Add(time.Duration(d.Quantile(part)*float64(t.UsualRound()))))
		if at.After(last) {
			return last
		}
		return at.Round(time.Second)
	}
	s = Span{Earliest: closes, From: ends, Likely: after(0.9), To: after(0.97), Latest: last}
	if s.From.After(s.Likely) {
		s.From = s.Likely
	}
	return s, true
}
