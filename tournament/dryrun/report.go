package dryrun

import (
	"slices"
	"time"

	"chpok.org/chpok/tournament/outlook"
)

// Report summarizes many runs of a plan.
type Report struct {
	Runs                  int
	P10, P50, P90, Latest time.Time // quantiles of the end
	Worst                 time.Time // if every match took as long as possible; zero: unlimited
	Bars                  []Bar     // histogram of the ends
	Byes                  float64   // average per tournament
	Peak                  int       // most matches at the same time
	Separated, Strongest  int       // percent of runs
	Stuck                 int       // runs with a round that could not be paired
	Over                  int       // percent of runs that ended after the hard end
}

// Bar is one column of the histogram.
type Bar struct {
	From, To time.Time
	Runs     int
}

// bars is the number of columns.
const bars = 12

// Summarize summarizes samples; the zero value for none.
func (p Plan) Summarize(samples []Sample) Report {
	n := len(samples)
	if n == 0 {
		return Report{}
	}
	r := Report{Runs: n}
	ends := make([]time.Duration, n)
	byes := 0
	for i, s := range samples {
		ends[i] = s.End
		byes += s.Byes
		r.Peak = max(r.Peak, s.Peak)
		r.Separated += count(s.Separated)
		r.Strongest += count(s.Strongest)
		r.Stuck += count(s.Stuck)
		r.Over += count(!p.Settings.Until.IsZero() && p.StartAt.Add(s.End).After(p.Settings.Until))
	}
	slices.Sort(ends)
	at := func(percent int) time.Time { return p.StartAt.Add(ends[(n-1)*percent/100]) }
	r.P10, r.P50, r.P90, r.Latest = at(10), at(50), at(90), at(100)
	r.Byes = float64(byes) / float64(n)
	r.Separated, r.Strongest, r.Over = 100*r.Separated/n, 100*r.Strongest/n, 100*r.Over/n
	r.Bars = p.bars(ends)
	if t, err := p.tournament(); err == nil {
		r.Worst = outlook.Of(t, nil, p.Durations, p.StartAt).End.Latest
	}
	return r
}

// bars returns the histogram of sorted ends.
func (p Plan) bars(ends []time.Duration) []Bar {
	first, last := ends[0], ends[len(ends)-1]
	step := max(time.Minute, (last-first)/bars+1)
	var list []Bar
	for from := first; from <= last; from += step {
		b := Bar{From: p.StartAt.Add(from), To: p.StartAt.Add(from + step)}
		for _, e := range ends {
			if e >= from && e < from+step {
				b.Runs++
			}
		}
		list = append(list, b)
	}
	return list
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}
