package tournament

import (
	"slices"
	"time"
)

// Durations is how long matches take: the share of the longest possible that
// 0, 10, … 100 percent of them stay within, rising.
type Durations [11]float64

// TypicalDurations is our guess for where too few matches have been played to
// measure: half of them end within a quarter of the longest possible time.
func TypicalDurations() Durations {
	return Durations{0.02, 0.10, 0.14, 0.18, 0.21, 0.25, 0.29, 0.35, 0.42, 0.53, 1}
}

// Took is how long one match took, and the longest it could have.
type Took struct{ Time, Longest time.Duration }

// LeastMeasured is how many matches are needed to measure.
const LeastMeasured = 30

// MeasureDurations takes them from matches that were played; false: there are
// too few, and the answer is the typical one.
func MeasureDurations(list []Took) (Durations, bool) {
	var shares []float64
	for _, m := range list {
		if m.Longest > 0 && m.Time > 0 {
			shares = append(shares, min(1, float64(m.Time)/float64(m.Longest)))
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
	d[10] = 1 // the longest is possible, even if nobody has seen it
	return d, true
}

// Quantile is the share of the longest time that a part u of matches, 0…1,
// stays within.
func (d Durations) Quantile(u float64) float64 {
	x := max(0, min(1, u)) * 10
	i := min(9, int(x))
	return d[i] + (x-float64(i))*(d[i+1]-d[i])
}

// Part is the part of matches that end within a share of the longest time: the
// other way round.
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
