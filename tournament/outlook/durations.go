package outlook

import (
	"slices"
	"time"
)

// Durations is the distribution of the length of matches: the multiples of
// Settings.UsualRound within which 0, 10, … 100 percent of them end.
type Durations [11]float64

// TypicalDurations is an estimate for sites with too few matches to measure.
func TypicalDurations() Durations {
	return Durations{0.1, 0.35, 0.5, 0.6, 0.7, 0.8, 0.95, 1.1, 1.3, 1.7, longestUsual}
}

// longestUsual is the largest multiple that is likely at all.
const longestUsual = 3

// Took is how long one match took, and the usual time for it.
type Took struct{ Time, Usual time.Duration }

// LeastMeasured is how many matches a measurement needs.
const LeastMeasured = 30

// MeasureDurations measures finished matches; with too few it returns false and the
// typical durations.
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
	d[10] = max(d[10], longestUsual) // possible, even if never seen
	return d, true
}

// Quantile returns the multiple within which the part u of matches, 0…1, ends.
func (d Durations) Quantile(u float64) float64 {
	x := min(max(u, 0), 1) * 10
	i := min(9, int(x))
	return d[i] + (x-float64(i))*(d[i+1]-d[i])
}

// Part returns the part of matches that end within a multiple, the inverse of Quantile.
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
