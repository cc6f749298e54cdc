// Package outlook forecasts a tournament: when its rounds will probably end, and what
// keeps it from going on. Where nobody can know, it says so.
package outlook

import (
	"math"
	"time"

	"chpok.org/chpok/tournament"
)

// BoardClock is what is known about the match on an open board.
type BoardClock struct {
	Board   int
	Elapsed time.Duration // since the match was opened
	Longest time.Duration // the longest it can still last
	Still   bool          // stopped, nobody knows for how long
	IsGuest bool          // not played on the server
}

// Span is when something ends: not before Earliest, after Latest only by intervention,
// and in four cases of five between From and To.
type Span struct{ Earliest, From, Likely, To, Latest time.Time }

// Forecast is when rounds end, as far as known.
type Forecast struct {
	Round    int   // the open round, or the next
	IsOpen   bool  // Round is being played
	RoundEnd Span  // zero: unknown
	End      Span  // of the last round; zero: unknown, because rounds open by hand
	Unclear  []int // open boards without a running clock
}

// Of forecasts the end of the open round, or else the next, and of the tournament, from
// the clocks of open boards and the durations of matches. It is deterministic.
func Of(t *tournament.Tournament, clocks []BoardClock, d Durations, now time.Time) Forecast {
	f := Forecast{Round: len(t.Rounds) + 1}
	if t.Status == tournament.Finished || t.Status == tournament.Running && t.RoundIsOver() && len(t.Rounds) >= t.Settings.Rounds {
		return Forecast{Round: len(t.Rounds)}
	}
	if t.Pace == tournament.Correspondence { // its settings say when it ends at the latest, and nobody knows when before
		return Forecast{Round: max(1, len(t.Rounds)), IsOpen: t.Status == tournament.Running && !t.RoundIsOver()}
	}
	var s spread
	if at, known := arenaEnd(t, d, now); known {
		f.RoundEnd, f.End, f.IsOpen = at, at, len(t.Rounds) > 0
		f.Round = 1
		return f
	}
	if t.Status == tournament.Running && !t.RoundIsOver() {
		f.Round, f.IsOpen = len(t.Rounds), true
		var running []BoardClock
		for _, c := range clocks {
			if c.Still || c.IsGuest {
				f.Unclear = append(f.Unclear, c.Board)
				continue
			}
			running = append(running, c)
		}
		s = openRound(t.Settings, running, d, now)
		if due, awaited := t.BoardsDueAt(); awaited { // those boards begin later than any other
			s = exactly(latest(due, now)).plus(freshRound(t, f.Round, d))
		}
	} else {
		at, known := nextOpening(t, now)
		if !known {
			return f
		}
		s = exactly(at).plus(lineUps(t)).plus(freshRound(t, f.Round, d))
	}
	if len(f.Unclear) > 0 {
		return f
	}
	f.RoundEnd = s.span()
	last := t.RoundsExpected()
	for n := f.Round + 1; n <= last; n++ {
		opens, fixed := t.FixedAt(n)
		switch {
		case fixed:
			s = s.notBefore(opens)
		case t.Pace == tournament.Manual || t.Timetable.IsPaused() || t.IsHeld() && n == len(t.Rounds)+1:
			return f
		default:
			s = s.plus(spread{}.later(t.Gap(n)))
		}
		s = s.plus(lineUps(t)).plus(freshRound(t, n, d))
	}
	s.most += t.LevelTime()
	f.End = s.span()
	return f
}

// nextOpening returns when the next round opens; before the start, now or its fixed time. A draft that waits for a person
// is taken as published now, as the start is.
func nextOpening(t *tournament.Tournament, now time.Time) (time.Time, bool) {
	if t.Status == tournament.Running {
		at, due := t.NextRoundAt()
		isReady := t.Draft != nil && t.Pace == tournament.Auto && !t.Timetable.IsPaused()
		return latest(at, now), due || isReady
	}
	if at, fixed := t.FixedAt(1); fixed {
		return latest(at, now), true
	}
	return now, t.Pace == tournament.Auto
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// spread is a distribution of a duration, or with from of an end: the minimum, the
// quantiles 10, 50 and 90 percent, and the maximum.
type spread struct {
	from                        time.Time
	least, low, mid, high, most time.Duration
}

func exactly(at time.Time) spread { return spread{from: at} }

func (s spread) later(by time.Duration) spread {
	s.least, s.low, s.mid, s.high, s.most = s.least+by, s.low+by, s.mid+by, s.high+by, s.most+by
	return s
}

// plus returns the sum of two durations. They are independent, so deviations add as
// squares.
func (s spread) plus(o spread) spread {
	both := func(a, b time.Duration) time.Duration { return time.Duration(math.Hypot(float64(a), float64(b))) }
	mid := s.mid + o.mid
	return spread{
		from: s.from, least: s.least + o.least, mid: mid, most: s.most + o.most,
		low:  max(s.least+o.least, mid-both(s.mid-s.low, o.mid-o.low)),
		high: min(s.most+o.most, mid+both(s.high-s.mid, o.high-o.mid)),
	}
}

// notBefore returns s, but not before a moment.
func (s spread) notBefore(at time.Time) spread {
	wait := at.Sub(s.from)
	s.least, s.low, s.mid, s.high, s.most = max(s.least, wait), max(s.low, wait), max(s.mid, wait), max(s.high, wait), max(s.most, wait)
	return s
}

func (s spread) span() Span {
	at := func(d time.Duration) time.Time { return s.from.Add(d).Round(time.Second) }
	return Span{at(s.least), at(s.low), at(s.mid), at(s.high), s.from.Add(s.most)}
}

// OrLater returns when both of two things have ended.
func (s Span) OrLater(o Span) Span {
	return Span{latest(s.Earliest, o.Earliest), latest(s.From, o.From), latest(s.Likely, o.Likely), latest(s.To, o.To), latest(s.Latest, o.Latest)}
}

// After returns when one thing ends that begins wait after another. Both are forecast as
// if they began at began.
func After(first Span, wait time.Duration, then Span, began time.Time) Span {
	as := func(s Span) spread {
		return spread{began, s.Earliest.Sub(began), s.From.Sub(began), s.Likely.Sub(began), s.To.Sub(began), s.Latest.Sub(began)}
	}
	return as(first).later(wait).plus(as(then)).span()
}

// lineUps returns how long teams take to sit down: captains may use all their time.
func lineUps(t *tournament.Tournament) spread {
	wait := t.Teams.LineUps
	return spread{low: wait, mid: wait, high: wait, most: wait}
}

// freshRound returns how long a round lasts from its first match on.
func freshRound(t *tournament.Tournament, n int, d Durations) spread {
	return roundOf(t.Settings, t.BoardsIn(n), d)
}

func roundOf(set tournament.Settings, boards int, d Durations) spread {
	if boards == 0 {
		return spread{}
	}
	c, usual := BoardClock{Longest: set.MatchOptions().Longest()}, set.UsualRound()
	return lasting(c.Longest, func(dt time.Duration) float64 { return math.Pow(c.overWithin(dt, usual, d), float64(boards)) })
}

// RoundOf estimates how long a round of so many boards lasts, which is until the last of them ends.
func RoundOf(s tournament.Settings, boards int) time.Duration {
	if s.Pace == tournament.Correspondence {
		return s.UsualRound()
	}
	return s.Teams.LineUps + roundOf(s, max(boards, 1), TypicalDurations()).mid
}

// openRound returns how long the boards go on: until the last one ends.
func openRound(set tournament.Settings, clocks []BoardClock, d Durations, now time.Time) spread {
	usual, most := set.UsualRound(), time.Duration(0)
	for _, c := range clocks {
		most = max(most, c.Longest)
	}
	s := lasting(most, func(dt time.Duration) float64 {
		p := 1.0
		for _, c := range clocks {
			p *= c.overWithin(dt, usual, d)
		}
		return p
	})
	s.from = now
	return s
}

// lasting returns how long something lasts by over, the probability that it ends within a time, which is 1 from most on.
func lasting(most time.Duration, over func(time.Duration) float64) spread {
	at := func(p float64) time.Duration {
		low, high := time.Duration(0), most
		for high-low > 500*time.Millisecond {
			if mid := low + (high-low)/2; over(mid) >= p {
				high = mid
			} else {
				low = mid
			}
		}
		return high
	}
	return spread{low: at(0.1), mid: at(0.5), high: at(0.9), most: most}
}

// overWithin returns the probability that a match, which has lasted for a while, ends
// within dt: by the durations of matches that its clocks still allow. Nobody uses up all
// clocks, so the limits set the latest end, not the likely one. A match longer than any
// known ends with equal probability at any moment left.
func (c BoardClock) overWithin(dt, usual time.Duration, d Durations) float64 {
	if dt >= c.Longest {
		return 1
	}
	part := func(at time.Duration) float64 { return d.Part(float64(at) / float64(usual)) }
	before := part(c.Elapsed)
	possible := part(c.Elapsed+c.Longest) - before
	if possible <= 0 {
		return float64(dt) / float64(c.Longest)
	}
	return (part(c.Elapsed+dt) - before) / possible
}
