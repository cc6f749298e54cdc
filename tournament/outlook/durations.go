package outlook

import (
	"slices"
	"time"
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
