package series

import (
	"slices"
	"time"
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

// wall returns 0:00 of the day, as if in UTC.
func (d Day) wall() time.Time {
	t, _ := time.Parse(time.DateOnly, string(d)) // every Day comes from DayOf, ParseDay or add
	return t
}

func (d Day) add(days int) Day { return Day(d.wall().AddDate(0, 0, days).Format(time.DateOnly)) }

// Clocks says whether the clocks of the zone change at a moment.
type Clocks uint8

const (
	Usual   Clocks = iota
	Forward        // the local time does not exist: clocks skip it
	Back           // the local time occurs twice: clocks go back
)

// Occurrence is one date of a series.
type Occurrence struct {
	Day    Day
	At     time.Time // in UTC
	Clocks Clocks
}

// Resolve returns the moment at which the clocks of a zone show wall, a local time given
// as if in UTC. As in RFC 5545, section 3.3.5, a time that occurs twice is the first one,
// and a time that is skipped uses the offset before the gap (02:30 becomes 03:30).
func Resolve(wall time.Time, zone *time.Location) (time.Time, Clocks) {
	offset := func(t time.Time) time.Duration {
		_, seconds := t.In(zone).Zone()
		return time.Duration(seconds) * time.Second
	}
	// Offsets are below 24 hours, so these are before and after the moment sought, and no
	// zone changes its clocks twice within two days.
	before, after := offset(wall.Add(-24*time.Hour)), offset(wall.Add(24*time.Hour))
	early, late := wall.Add(-before).UTC(), wall.Add(-after).UTC()
	switch {
	case before == after:
		return early, Usual
	case offset(early) == before && offset(late) == after:
		return early, Back
	case offset(early) == before:
		return early, Usual
	case offset(late) == after:
		return late, Usual
	}
	return early, Forward
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
	if d < r.First || !slices.Contains(r.Weekdays, d.wall().Weekday()) {
		return false
	}
	monday := func(d Day) time.Time {
		t := d.wall()
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
	at, clocks := Resolve(d.wall().Add(time.Duration(r.Hour)*time.Hour+time.Duration(r.Minute)*time.Minute), zone)
	return Occurrence{Day: d, At: at, Clocks: clocks}
}

// Shift moves a moment by the difference of two others in local time: a day later at
// 19:00 stays a day later at 19:00.
func Shift(t, from, to time.Time, zone *time.Location) time.Time {
	moved, _ := Resolve(wallOf(t, zone).Add(wallOf(to, zone).Sub(wallOf(from, zone))), zone)
	return moved
}

// wallOf returns what the clocks of a zone show, as if in UTC.
func wallOf(t time.Time, zone *time.Location) time.Time {
	l := t.In(zone)
	return time.Date(l.Year(), l.Month(), l.Day(), l.Hour(), l.Minute(), l.Second(), l.Nanosecond(), time.UTC)
}
