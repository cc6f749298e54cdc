package lang

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

func (p Printer) local(t time.Time) time.Time {
	if p.Zone == nil {
		return t.UTC()
	}
	return t.In(p.Zone)
}

// Int writes a whole number: 12 345 or 12,345, −5.
func (p Printer) Int(n int) string { return p.number(strconv.Itoa(n)) }

// number writes digits with the language's point, its mark between groups of three and a true minus sign.
func (p Printer) number(digits string) string {
	v := p.voice()
	digits, isNegative := strings.CutPrefix(digits, "-")
	whole, fraction, isBroken := strings.Cut(digits, ".")
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + v.group + whole[at:]
	}
	if isBroken {
		whole += v.point + fraction
	}
	if isNegative {
		whole = "−" + whole
	}
	return whole
}

// Signed writes a whole number with its sign: +4, −4, 0.
func (p Printer) Signed(n int) string {
	if n > 0 {
		return "+" + p.Int(n)
	}
	return p.Int(n)
}

// Decimal writes a number with exactly so many digits after the comma or point.
func (p Printer) Decimal(f float64, digits int) string {
	return p.number(strconv.FormatFloat(f, 'f', digits, 64))
}

// Date writes a day in full, for logs, print and letters: 21 листопада 2026, November 21, 2026.
func (p Printer) Date(t time.Time) string { return p.date("core.month.", p.local(t), true) }

// date writes a day in the language's order of its parts, with its year or without.
func (p Printer) date(month string, t time.Time, withYear bool) string {
	args := []any{"Day", t.Day(), "Month", p.T(month + strconv.Itoa(int(t.Month()))), "Year", t.Year()}
	if withYear {
		return p.T("core.date.year", args...)
	}
	return p.T("core.date", args...)
}

// Clock writes a time of day: 14:05. It names no zone, so it is for places that do.
func (p Printer) Clock(t time.Time) string { return p.local(t).Format("15:04") }

// DateTime writes a day in full and a time of day.
func (p Printer) DateTime(t time.Time) string { return p.zoned(p.fullTime(t), t) }

func (p Printer) fullTime(t time.Time) string { return p.Date(t) + ", " + p.Clock(t) }

// Moment writes a day in full, a time of day and the zone it is in, where no
// page says the zone: November 21, 2026, 14:05 (Europe/Kyiv).
func (p Printer) Moment(t time.Time) string {
	if !p.isElsewhere(t) {
		return p.named(p.fullTime(t))
	}
	return p.DateTime(t)
}

// named adds the zone's name.
func (p Printer) named(text string) string {
	zone := "UTC"
	if p.Zone != nil {
		zone = p.Zone.String()
	}
	return text + " (" + zone + ")"
}

// isElsewhere reports whether the reader's clocks show, or may show, another time than those of the place.
func (p Printer) isElsewhere(t time.Time) bool {
	if !p.placed || p.Reader == nil {
		return p.placed
	}
	_, here := p.local(t).Zone()
	_, there := t.In(p.Reader).Zone()
	return here != there
}

// zoned completes what the clocks of a place show at the moments: 19:00 (Europe/Kyiv; 12:00 for you).
func (p Printer) zoned(text string, at ...time.Time) string {
	switch {
	case !p.isElsewhere(at[0]):
		return text
	case p.Reader == nil:
		return p.named(text)
	}
	reader, own := Printer{Lang: p.Lang, Zone: p.Reader, Now: p.Now}, ""
	switch from := at[0]; {
	case len(at) == 2:
		own = reader.Span(from, at[1])
	case reader.Date(from) == p.Date(from):
		own = reader.Clock(from)
	case p.Now == nil:
		own = reader.fullTime(from)
	default:
		own = reader.On(from)
	}
	return p.T("core.zoned", "Time", text, "Zone", p.Zone.String(), "Own", own)
}

// Bare returns the printer for a long list under a line that names its zone once: the moments there name none.
func (p Printer) Bare() Printer {
	p.placed = false
	return p
}

// days is how many days of the calendar t is after now, if now is known.
func (p Printer) days(t time.Time) (n int, known bool) {
	if p.Now == nil {
		return 0, false
	}
	day := func(t time.Time) time.Time {
		y, m, d := p.local(t).Date()
		return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	}
	return int(day(t).Sub(day(p.Now())) / (24 * time.Hour)), true
}

// Day writes a day short: Nov 27; with its year where that is another one.
func (p Printer) Day(t time.Time) string {
	if p.Now == nil {
		return p.Date(t)
	}
	at := p.local(t)
	return p.date("core.month-short.", at, at.Year() != p.local(p.Now()).Year())
}

// WeekDay writes a day short with its day of the week: Fri Nov 27.
func (p Printer) WeekDay(t time.Time) string {
	return p.T("core.weekday-short."+strconv.Itoa(int(p.local(t).Weekday()))) + " " + p.Day(t)
}

// ofSeason is the name of an event of a league: season 2, division 1; season 2, play-off between divisions 1 and 2. The space
// that does not break tells it from what people type (league.eventName).
var ofSeason = regexp.MustCompile(`^(.+),\x{a0}(\d{1,4})\.(\d{1,2})(?:–(\d{1,2}))?$`)

// ofGroup is the name of a group of an event: Cup: A.
var ofGroup = regexp.MustCompile(`^(.+): ([A-Z])$`)

// Event writes the name of an event. A league keeps season and division at the end of the names of its events. A series keeps the day of each at the end of its name, in digits that are nobody's
// language; here it is the reader's. Groups and later stages have theirs after a colon, groups as a letter.
func (p Printer) Event(name string) string {
	if x := ofGroup.FindStringSubmatch(name); x != nil {
		return p.Event(x[1]) + ": " + p.T("tournament.group.of", "Letter", x[2])
	}
	if x := ofSeason.FindStringSubmatch(name); x != nil {
		if x[4] != "" {
			return x[1] + ": " + p.T("league.event-play-off", "Season", x[2], "Upper", x[3], "Lower", x[4])
		}
		return x[1] + ": " + p.T("league.event", "Season", x[2], "Division", x[3])
	}
	at := strings.LastIndex(name, ", ")
	if at < 0 {
		return name
	}
	date, stage, isStage := strings.Cut(name[at+2:], ": ")
	day, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return name
	}
	text := name[:at+2] + p.Day(time.Date(day.Year(), day.Month(), day.Day(), 12, 0, 0, 0, p.local(day).Location()))
	if isStage {
		text += ": " + stage
	}
	return text
}

// When writes a moment short: 21:14 today; tomorrow 01:32; Fri Nov 27, 20:00
// ahead; Nov 27, 20:00 behind. Without a now it is a Moment.
func (p Printer) When(t time.Time) string {
	if n, known := p.days(t); known && n == 0 {
		return p.zoned(p.Clock(t), t)
	}
	return p.On(t)
}

// On is When for a sentence that needs a day: today 21:14.
func (p Printer) On(t time.Time) string {
	if p.Now == nil {
		return p.Moment(t)
	}
	return p.zoned(p.on(t), t)
}

func (p Printer) on(t time.Time) string {
	n, _ := p.days(t)
	switch n {
	case 0:
		return p.T("core.on.today", "Clock", p.Clock(t))
	case 1:
		return p.T("core.on.tomorrow", "Clock", p.Clock(t))
	case -1:
		return p.T("core.on.yesterday", "Clock", p.Clock(t))
	}
	day := p.Day(t)
	if n > 0 {
		day = p.WeekDay(t)
	}
	return day + ", " + p.Clock(t)
}

// Soon is On, or how long it is until then when that is less than an hour: in 4 min.
func (p Printer) Soon(t time.Time) string {
	if p.Now == nil {
		return p.Moment(t)
	}
	if left := t.Sub(p.Now()); left > 0 && left < time.Hour {
		return p.In(left)
	}
	return p.On(t)
}

// In writes how long it is until something, in whole minutes and never less: in 4 min.
func (p Printer) In(left time.Duration) string {
	return p.T("core.in", "Time", p.Duration(roundUp(left, time.Minute)))
}

// Span writes a stretch of time: 21:14–21:41; tomorrow 01:32–02:10.
func (p Printer) Span(from, to time.Time) string {
	bare := p.Bare()
	switch {
	case p.Clock(from) == p.Clock(to) && to.Sub(from) < time.Hour:
		return p.When(from)
	case p.Date(from) == p.Date(to):
		return p.zoned(bare.When(from)+"–"+p.Clock(to), from, to)
	}
	return p.zoned(bare.When(from)+" – "+bare.On(to), from, to)
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
	return strings.Join(parts, "\u00a0")
}

// Long is Duration for a value that stands alone, not in a sentence: whole days in words.
func (p Printer) Long(d time.Duration) string {
	const day = 24 * time.Hour
	if d < day || d%day != 0 {
		return p.Duration(d)
	}
	return p.N("core.days", int(d/day))
}

// Length writes how long something may take at most, in numbers that people
// plan with: whole minutes, from an hour on steps of five, from a day on hours.
func (p Printer) Length(d time.Duration) string {
	switch {
	case d < time.Minute:
	case d < time.Hour:
		d = roundUp(d, time.Minute)
	case d < 24*time.Hour:
		d = roundUp(d, 5*time.Minute)
	default:
		d = roundUp(d, time.Hour)
	}
	return p.Duration(d)
}

func roundUp(d, step time.Duration) time.Duration { return (d + step - 1).Truncate(step) }

// Ago writes how long ago something was: щойно, 5 хв тому; the day itself when
// that is more than a month.
func (p Printer) Ago(t time.Time) string {
	if p.Now == nil {
		return p.Date(t)
	}
	d := p.Now().Sub(t)
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
	return p.Day(t)
}
