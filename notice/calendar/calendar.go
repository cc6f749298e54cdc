// Package calendar writes events as an iCalendar file (RFC 5545). The UID of an event
// stays the same when its time changes.
package calendar

import (
	"time"

	ics "github.com/arran4/golang-ical"
)

// Event is something with a beginning and an end.
type Event struct {
	// UID never changes. Sequence grows with every change.
	UID      string
	Sequence int64
	Start    time.Time
	Length   time.Duration
	Summary  string
	About    string
	URL      string // absolute
	State    State
}

// State is how certain an event is. The zero value is certain.
type State uint8

const (
	Confirmed State = iota
	Tentative
	Cancelled
)

var statuses = [...]ics.ObjectStatus{ics.ObjectStatusConfirmed, ics.ObjectStatusTentative, ics.ObjectStatusCancelled}

// ContentType is the MIME type of a calendar file.
const ContentType = "text/calendar; charset=utf-8"

// Write returns a calendar with a name, created at now. Times are in UTC; readers'
// programs convert them.
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
