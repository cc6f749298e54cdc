package review

import (
	"slices"
	"time"
)

// ReportsAWeek is how many reports of others' play one account may make in any
// seven days.
const ReportsAWeek = 3

// ReportSpan is how far back reports count towards that.
const ReportSpan = 7 * 24 * time.Hour

// NextReport is from when on somebody may report again who has reported at these
// moments; zero: at once.
func NextReport(made []time.Time, now time.Time) time.Time {
	recent := slices.DeleteFunc(slices.Clone(made), func(t time.Time) bool { return !t.After(now.Add(-ReportSpan)) })
	if len(recent) < ReportsAWeek {
		return time.Time{}
	}
	slices.SortFunc(recent, time.Time.Compare)
	return recent[len(recent)-ReportsAWeek].Add(ReportSpan)
}

// ReportsToOpen is how many different players' reports open a review, those whose
// word has its full weight.
const ReportsToOpen = 3

// provenWrong is how many reviews have to end with nothing before a reporter's
// word has half its weight.
const provenWrong = 3

// Reporter is what became of somebody's earlier reports: reviews of those whom they
// reported that have ended since, and how many of them upheld something.
type Reporter struct{ Ended, Upheld int }

// CountsHalf tells whether their reports were mostly wrong so far. One that was
// right gives their word its full weight again.
func (r Reporter) CountsHalf() bool { return r.Upheld == 0 && r.Ended >= provenWrong }

// ReportsOpen tells whether the reports of these different players open a review
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
