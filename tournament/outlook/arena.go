package outlook

import (
	"time"

	"chpok.org/chpok/tournament"
)

// arenaEnd returns when an arena and the matches begun in it end; false if it is not an
// arena, or no longer pairs.
func arenaEnd(t *tournament.Tournament, d Durations, now time.Time) (s Span, known bool) {
	if t.Format.InRounds() {
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
