package tournament

import (
	"slices"
	"time"

	"chpok.org/chpok/engine/bidding"
)

// Durations is how long matches take: the multiple of Settings.UsualRound that
// 0, 10, … 100 percent of them stay within, rising. None takes longer than it
// can.
type Durations [11]float64

// TypicalDurations is our guess for where too few matches have been played to
// measure.
func TypicalDurations() Durations {
	return Durations{0.1, 0.35, 0.5, 0.6, 0.7, 0.8, 0.95, 1.1, 1.3, 1.7, longestUsual}
}

// longestUsual is up to which multiple lengths are likely at all.
const longestUsual = 3

// usualMoves is how many moves a game has, and usualBid how long a chip is
// thought about, in a usual round.
const (
	usualMoves = 40
	usualBid   = 15 * time.Second
)

// UsualRound is the length that others are compared with: a fifth of the wait
// for the players, 15 s for every chip, and all the time of the middle one of the
// drawn time controls with 40 moves. It is at most the longest.
func (s Settings) UsualRound() time.Duration {
	e := s.MatchOptions().Envelope
	time40 := func(c bidding.TimeControl) time.Duration {
		moves := min(usualMoves, e.MoveLimit[1])
		return 2 * (time.Duration(c.Minutes)*time.Minute + time.Duration(c.Increment*moves)*time.Second)
	}
	board := time40(bidding.TimeControl{Minutes: e.Minutes[0], Increment: e.Increment[0]})
	if n := len(e.Presets); n > 0 {
		lengths := make([]time.Duration, n)
		for i, c := range e.Presets {
			lengths[i] = time40(c)
		}
		slices.Sort(lengths)
		board = lengths[n/2]
	}
	return min(s.WorstRound(), s.Lateness/5+time.Duration(2*e.Chips)*usualBid+board)
}

// Took is how long one match took, and what is usual there.
type Took struct{ Time, Usual time.Duration }

// LeastMeasured is how many matches are needed to measure.
const LeastMeasured = 30

// MeasureDurations takes them from matches that were played; false: there are
// too few, and the answer is the typical one.
func MeasureDurations(list []Took) (Durations, bool) {
	var shares []float64
	for _, m := range list {
		if m.Usual > 0 && m.Time > 0 {
			shares = append(shares, float64(m.Time)/float64(m.Usual))
		}
	}
	if len(shares) < LeastMeasured {
		return TypicalDurations(), false
	}
	slices.Sort(shares)
	var d Durations
	for i := range d {
		d[i] = shares[(len(shares)-1)*i/10]
	}
	d[10] = max(d[10], longestUsual) // possible, even if nobody has seen it
	return d, true
}

// Quantile is the multiple that a part u of matches, 0…1, stays within.
func (d Durations) Quantile(u float64) float64 {
	x := max(0, min(1, u)) * 10
	i := min(9, int(x))
	return d[i] + (x-float64(i))*(d[i+1]-d[i])
}

// Part is the part of matches that end within a multiple: the other way round.
func (d Durations) Part(share float64) float64 {
	switch {
	case share < d[0]:
		return 0
	case share >= d[10]:
		return 1
	}
	i := 0
	for i < 9 && share >= d[i+1] {
		i++
	}
	if d[i+1] == d[i] {
		return float64(i+1) / 10
	}
	return (float64(i) + (share-d[i])/(d[i+1]-d[i])) / 10
}
