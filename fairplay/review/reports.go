package review

import (
	"slices"
	"time"
)

// ReportsAWeek is how many reports of others' play an account may make in any seven days.
const ReportsAWeek = 3

// ReportSpan is how long a report counts toward ReportsAWeek.
const ReportSpan = 7 * 24 * time.Hour

// NextReport returns when the author of the reports made may report again; zero: now.
func NextReport(made []time.Time, now time.Time) time.Time {
	recent := slices.DeleteFunc(slices.Clone(made), func(t time.Time) bool { return !t.After(now.Add(-ReportSpan)) })
	if len(recent) < ReportsAWeek {
		return time.Time{}
	}
	slices.SortFunc(recent, time.Time.Compare)
	return recent[len(recent)-ReportsAWeek].Add(ReportSpan)
}

// ReportsToOpen is how many different players have to report somebody to open a review,
// if their reports carry full weight.
const ReportsToOpen = 3

// provenWrong is how many reviews have to end with nothing before their reporter's
// reports carry half weight.
const provenWrong = 3

// Reporter counts the reviews of players whom somebody reported that have ended since,
// and how many of them upheld something.
type Reporter struct{ Ended, Upheld int }

// CountsHalf reports whether their reports were mostly wrong so far. One that was right
// restores the full weight.
func (r Reporter) CountsHalf() bool { return r.Upheld == 0 && r.Ended >= provenWrong }

// ReportsOpen reports whether reports by these different players open a review
// (docs/fair-play.md, "Reports").
func ReportsOpen(by []Reporter) bool {
	halves := 0
	for _, r := range by {
		halves += 2
		if r.CountsHalf() {
			halves--
		}
	}
	return halves >= 2*ReportsToOpen
}
