// Package civil turns what the clocks of a zone show into moments, and back. It decides what a local
// time means that occurs twice or not at all. It does not know whose zone it is, nor the time.
package civil

import (
	"slices"
	"strings"
	"time"
)

// Layouts of a local time: as people and programs write it, and as browsers' date pickers do.
const (
	Layout     = "2006-01-02 15:04"
	PickLayout = "2006-01-02T15:04"
)

// Clocks says whether the clocks of the zone change at a moment.
type Clocks uint8

const (
	Usual   Clocks = iota
	Forward        // the local time does not exist: clocks skip it
	Back           // the local time occurs twice: clocks go back
)

// Resolve returns the moment at which the clocks of a zone show local, a time given as if in UTC.
// As in RFC 5545, section 3.3.5, a time that occurs twice is the first one, and a time that is
// skipped uses the offset before the gap (02:30 becomes 03:30).
func Resolve(local time.Time, zone *time.Location) (time.Time, Clocks) {
	first, _, clocks := moments(local, zone)
	return first, clocks
}

// moments returns both moments of a local time that occurs twice, else the one twice.
func moments(local time.Time, zone *time.Location) (first, second time.Time, clocks Clocks) {
	offset := func(t time.Time) time.Duration {
		_, seconds := t.In(zone).Zone()
		return time.Duration(seconds) * time.Second
	}
	// Offsets are below 24 hours, so these are before and after the moment sought, and no
	// zone changes its clocks twice within two days.
	before, after := offset(local.Add(-24*time.Hour)), offset(local.Add(24*time.Hour))
	early, late := local.Add(-before).UTC(), local.Add(-after).UTC()
	switch {
	case before == after:
		return early, early, Usual
	case offset(early) == before && offset(late) == after:
		return early, late, Back
	case offset(early) == before:
		return early, early, Usual
	case offset(late) == after:
		return late, late, Usual
	}
	return early, early, Forward
}

// Of returns what the clocks of a zone show, as if in UTC.
func Of(t time.Time, zone *time.Location) time.Time {
	l := t.In(zone)
	return time.Date(l.Year(), l.Month(), l.Day(), l.Hour(), l.Minute(), l.Second(), l.Nanosecond(), time.UTC)
}

// Read reads a local time as Layout or PickLayout write it. If one of the moments that stood before, which the
// field may have shown, is written the same, it is that one, so that what nobody touched does not move: neither its
// seconds nor the second of two hours of the same name are lost. Of other times written the same it is the first that is
// not over now.
func Read(text string, zone *time.Location, stood []time.Time, now time.Time) (time.Time, error) {
	local, err := time.Parse(Layout, strings.Replace(strings.TrimSpace(text), "T", " ", 1))
	if err != nil {
		return time.Time{}, err
	}
	if i := slices.IndexFunc(stood, func(t time.Time) bool {
		return !t.IsZero() && Of(t, zone).Truncate(time.Minute).Equal(local)
	}); i >= 0 {
		return stood[i], nil
	}
	first, second, _ := moments(local, zone)
	if first.After(now) {
		return first, nil
	}
	return second, nil
}

// Pick writes a moment for a browser's date picker.
func Pick(t time.Time, zone *time.Location) string { return t.In(zone).Format(PickLayout) }

// ReadDay returns when a day, YYYY-MM-DD, begins.
func ReadDay(text string, zone *time.Location) (time.Time, error) {
	local, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return time.Time{}, err
	}
	at, _ := Resolve(local, zone)
	return at, nil
}

// AddDays moves a moment by days of the calendar: 19:00 stays 19:00 when the clocks change.
func AddDays(t time.Time, days int, zone *time.Location) time.Time {
	if days == 0 {
		return t
	}
	moved, _ := Resolve(Of(t, zone).AddDate(0, 0, days), zone)
	return moved
}

// Next returns the first moment after another at which the clocks of a zone show a time of day, or would show it.
func Next(clock, after time.Time, zone *time.Location) time.Time {
	a := Of(after, zone)
	for day := 0; ; day++ {
		local := time.Date(a.Year(), a.Month(), a.Day()+day, clock.Hour(), clock.Minute(), 0, 0, time.UTC)
		first, second, _ := moments(local, zone)
		switch {
		case first.After(after):
			return first
		case second.After(after):
			return second
		}
	}
}

// Floor returns the last moment at which the clocks of a zone, in step as they are now, showed a whole number of d since
// midnight: 19:10 becomes 19:00 by whole hours, in Lord Howe as in Kyiv.
func Floor(t time.Time, d time.Duration, zone *time.Location) time.Time {
	_, seconds := t.In(zone).Zone()
	ahead := time.Duration(seconds) * time.Second
	return t.Add(ahead).Truncate(d).Add(-ahead)
}

// Shift moves a moment by the difference of two others in local time: a day later at 19:00 stays a
// day later at 19:00. Of a time that occurs twice it is the one that is as far from to as t from from.
func Shift(t, from, to time.Time, zone *time.Location) time.Time {
	if from.Equal(to) {
		return t
	}
	first, second, _ := moments(Of(t, zone).Add(Of(to, zone).Sub(Of(from, zone))), zone)
	if as := to.Add(t.Sub(from)); second.Sub(as).Abs() < first.Sub(as).Abs() {
		return second
	}
	return first
}
