package lang

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/number"
)

func (p Printer) local(t time.Time) time.Time {
	if p.Zone == nil {
		return t.UTC()
	}
	return t.In(p.Zone)
}

// Int writes a whole number: 12 345 or 12,345.
func (p Printer) Int(n int) string { return p.voice().numbers.Sprint(number.Decimal(n)) }

// Signed writes a whole number with its sign: +4, −4, 0.
func (p Printer) Signed(n int) string {
	switch {
	case n > 0:
		return "+" + p.Int(n)
	case n < 0:
		return "−" + p.Int(-n)
	}
	return "0"
}

// Decimal writes a number with exactly so many digits after the comma or point.
func (p Printer) Decimal(f float64, digits int) string {
	text := p.voice().numbers.Sprint(number.Decimal(f, number.Scale(digits)))
	return strings.Replace(text, "-", "−", 1)
}

// Date writes a day: 21 листопада 2026, 21 November 2026.
func (p Printer) Date(t time.Time) string {
	t = p.local(t)
	return fmt.Sprintf("%d %s %d", t.Day(), p.T("core.month."+strconv.Itoa(int(t.Month()))), t.Year())
}

// Clock writes a time of day: 14:05.
func (p Printer) Clock(t time.Time) string { return p.local(t).Format("15:04") }

// DateTime writes a day and a time of day.
func (p Printer) DateTime(t time.Time) string { return p.Date(t) + ", " + p.Clock(t) }

// Moment writes a day, a time of day and the zone it is in, where a reader must
// not mistake the hour: 21 November 2026, 14:05 (Europe/Kyiv).
func (p Printer) Moment(t time.Time) string {
	zone := "UTC"
	if p.Zone != nil {
		zone = p.Zone.String()
	}
	return p.DateTime(t) + " (" + zone + ")"
}

// Soon writes a day and a time of day the way people say them: today, 19:00;
// tomorrow, 19:00; 27 November, 19:00. The year only where it is another one.
func (p Printer) Soon(t, now time.Time) string {
	day := func(t time.Time) time.Time {
		y, m, d := p.local(t).Date()
		return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	}
	var text string
	switch ahead := day(t).Sub(day(now)); {
	case ahead == 0:
		text = p.T("core.today")
	case ahead == 24*time.Hour:
		text = p.T("core.tomorrow")
	case ahead == -24*time.Hour:
		text = p.T("core.yesterday")
	case day(t).Year() != day(now).Year():
		text = p.Date(t)
	default:
		text = fmt.Sprintf("%d %s", day(t).Day(), p.T("core.month."+strconv.Itoa(int(day(t).Month()))))
	}
	return text + ", " + p.Clock(t)
}

// Stamp writes a moment for machines, as the datetime of a time element.
func (p Printer) Stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// units are the lengths Duration writes in, the largest first.
var units = []struct {
	name string
	size time.Duration
}{{"d", 24 * time.Hour}, {"h", time.Hour}, {"m", time.Minute}, {"s", time.Second}}

// Duration writes a length of time in its largest unit and the next one below:
// 1 год 20 хв, 45 с. What is left is dropped.
func (p Printer) Duration(d time.Duration) string {
	d = max(d, 0)
	largest := 0
	for largest < len(units)-1 && d < units[largest].size {
		largest++
	}
	text := func(n time.Duration, unit string) string { return p.Int(int(n)) + "\u00a0" + p.T("core.unit."+unit) }
	parts := []string{text(d/units[largest].size, units[largest].name)}
	if next := largest + 1; next < len(units) {
		if n := d % units[largest].size / units[next].size; n > 0 {
			parts = append(parts, text(n, units[next].name))
		}
	}
	return strings.Join(parts, " ")
}

// Ago writes how long before now something was: щойно, 5 хвилин тому; the day
// itself when that is more than a month.
func (p Printer) Ago(t, now time.Time) string {
	d := now.Sub(t)
	switch {
	case d < time.Minute:
		return p.T("core.ago.now")
	case d < time.Hour:
		return p.N("core.ago.minutes", int(d/time.Minute))
	case d < 24*time.Hour:
		return p.N("core.ago.hours", int(d/time.Hour))
	case d < 31*24*time.Hour:
		return p.N("core.ago.days", int(d/(24*time.Hour)))
	}
	return p.Date(t)
}
