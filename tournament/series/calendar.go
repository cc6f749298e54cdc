package series

import (
	"slices"
	"time"
)

// Day is a date of the calendar, YYYY-MM-DD; as texts they stand in order.
type Day string

// DayOf is the date of a moment in a zone.
func DayOf(t time.Time, zone *time.Location) Day { return Day(t.In(zone).Format(time.DateOnly)) }

// ParseDay reads YYYY-MM-DD.
func ParseDay(s string) (Day, error) {
	if _, err := time.Parse(time.DateOnly, s); err != nil {
		return "", ErrDay
	}
	return Day(s), nil
}

// wall is the time on the clocks of nowhere in particular: the day at 0:00 as if
// in UTC.
func (d Day) wall() time.Time {
	t, _ := time.Parse(time.DateOnly, string(d)) // Days are made by DayOf, ParseDay and add
	return t
}

func (d Day) add(days int) Day { return Day(d.wall().AddDate(0, 0, days).Format(time.DateOnly)) }

// Clocks is what the clocks of the zone do at the moment of a date.
type Clocks uint8

const (
	Usual   Clocks = iota
	Forward        // the local time does not exist: clocks jump over it
	Back           // the local time comes twice: clocks go back
)

// Occurrence is one date of a series.
type Occurrence struct {
	Day    Day
	At     time.Time // in UTC
	Clocks Clocks
}

// Resolve is the moment at which the clocks of a zone show a local time, which is
// given as if in UTC. As RFC 5545 §3.3.5 reads local times: of two moments it is
// the first, and a time that is jumped over is counted with the offset before the
// jump (02:30 becomes 03:30).
func Resolve(wall time.Time, zone *time.Location) (time.Time, Clocks) {
	offset := func(t time.Time) time.Duration {
		_, seconds := t.In(zone).Zone()
		return time.Duration(seconds) * time.Second
	}
	// No offset reaches 24 hours, so these lie before and after the moment sought,
	// and no zone changes its clocks twice in two days.
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

// Rule is on which days a series is held, and at what local time.
type Rule struct {
	Weekdays []time.Weekday `json:"weekdays"`
	Every    int            `json:"every"` // weeks from one to the next: 1 every week, counted from that of First
	Hour     int            `json:"hour"`
	Minute   int            `json:"minute"`
	First    Day            `json:"first"` // no date is earlier
}

// holds tells whether the series is held on a day.
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

// Next is the first date after a day. The rule is one that Validate has passed.
func (r Rule) Next(after Day, zone *time.Location) Occurrence {
	d := max(after.add(1), r.First)
	for !r.holds(d) {
		d = d.add(1)
	}
	at, clocks := Resolve(d.wall().Add(time.Duration(r.Hour)*time.Hour+time.Duration(r.Minute)*time.Minute), zone)
	return Occurrence{Day: d, At: at, Clocks: clocks}
}

// Shift moves a moment by as many days and as much on the clock as lie between
// two others, in local time: what was a day later at 19:00 stays so.
func Shift(t, from, to time.Time, zone *time.Location) time.Time {
	moved, _ := Resolve(wallOf(t, zone).Add(wallOf(to, zone).Sub(wallOf(from, zone))), zone)
	return moved
}

// wallOf is what the clocks of a zone show, as if in UTC.
func wallOf(t time.Time, zone *time.Location) time.Time {
	l := t.In(zone)
	return time.Date(l.Year(), l.Month(), l.Day(), l.Hour(), l.Minute(), l.Second(), l.Nanosecond(), time.UTC)
}
