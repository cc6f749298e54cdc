// Package calendar writes what is to happen as an iCalendar file (RFC 5545). It
// refuses to decide what that is, and gives no event a second name: the UID of
// a round or an appointment stays when its time moves.
package calendar

import (
	"time"

	ics "github.com/arran4/golang-ical"
)

// Event is something with a beginning and an end.
type Event struct {
	// UID names it for good. Sequence is raised by every change of it.
	UID      string
	Sequence int64
	Start    time.Time
	Length   time.Duration
	Summary  string
	About    string
	URL      string // an address that works outside of the site
	State    State
}

// State is how certain an event is. The zero value: certain.
type State uint8

const (
	Confirmed State = iota
	Tentative
	Cancelled
)

var statuses = map[State]ics.ObjectStatus{Confirmed: ics.ObjectStatusConfirmed,
	Tentative: ics.ObjectStatusTentative, Cancelled: ics.ObjectStatusCancelled}

// ContentType is that of a calendar file.
const ContentType = "text/calendar; charset=utf-8"

// Write is a calendar with a name; now is when it was made. Times are in UTC, so
// that every program shows them in its reader's zone.
func Write(name string, events []Event, now time.Time) string {
	cal := ics.NewCalendarFor("Chpok")
	cal.SetMethod(ics.MethodPublish)
	cal.SetXWRCalName(name)
	cal.SetRefreshInterval("PT1H")
	for _, e := range events {
		v := cal.AddEvent(e.UID)
		v.SetDtStampTime(now)
		v.SetSequence(int(e.Sequence))
		v.SetStartAt(e.Start)
		v.SetEndAt(e.Start.Add(e.Length))
		v.SetSummary(e.Summary)
		v.SetStatus(statuses[e.State])
		if e.About != "" {
			v.SetDescription(e.About)
		}
		if e.URL != "" {
			v.SetURL(e.URL)
		}
	}
	return cal.Serialize(ics.WithNewLineWindows)
}
