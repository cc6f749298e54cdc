package series

import (
	"slices"
	"time"

	"chpok.org/chpok/civil"
)

// Day is a calendar date, YYYY-MM-DD, which sorts as text.
type Day string

// DayOf returns the date of a moment in a zone.
func DayOf(t time.Time, zone *time.Location) Day { return Day(t.In(zone).Format(time.DateOnly)) }

// ParseDay reads YYYY-MM-DD.
func ParseDay(s string) (Day, error) {
	if _, err := time.Parse(time.DateOnly, s); err != nil {
		return "", ErrDay
	}
	return Day(s), nil
}

// local returns 0:00 of the day, as if in UTC.
func (d Day) local() time.Time {
	t, _ := time.Parse(time.DateOnly, string(d)) // every Day comes from DayOf, ParseDay or add
	return t
}

func (d Day) add(days int) Day { return Day(d.local().AddDate(0, 0, days).Format(time.DateOnly)) }

// Occurrence is one date of a series.
type Occurrence struct {
	Day    Day
	At     time.Time // in UTC
	Clocks civil.Clocks
}

// Rule says on which days and at what local time a series is held.
type Rule struct {
	Weekdays []time.Weekday `json:"weekdays"`
	Every    int            `json:"every"` // interval in weeks, counted from the week of First
	Hour     int            `json:"hour"`
	Minute   int            `json:"minute"`
	First    Day            `json:"first"` // earliest date
}

// holds reports whether the series is held on a day.
func (r Rule) holds(d Day) bool {
	if d < r.First || !slices.Contains(r.Weekdays, d.local().Weekday()) {
		return false
	}
	monday := func(d Day) time.Time {
		t := d.local()
		return t.AddDate(0, 0, -(int(t.Weekday())+6)%7)
	}
	weeks := int(monday(d).Sub(monday(r.First)) / (7 * 24 * time.Hour))
	return weeks%r.Every == 0
}

// Next returns the first date after a day. The rule must be valid.
func (r Rule) Next(after Day, zone *time.Location) Occurrence {
	d := max(after.add(1), r.First)
	for !r.holds(d) {
		d = d.add(1)
	}
	at, clocks := civil.Resolve(d.local().Add(time.Duration(r.Hour)*time.Hour+time.Duration(r.Minute)*time.Minute), zone)
	return Occurrence{Day: d, At: at, Clocks: clocks}
}
