// Package series decides on which dates a recurring event is held and what becomes of
// each: announced as a tournament, skipped, or missed. It reads neither a clock nor time
// zone tables: moments and zones are passed in.
package series

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"chpok.org/chpok/civil"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament"
)

// ID identifies one series.
type ID string

// Limits of a series.
const (
	MaxName  = 80 // characters; the date is appended
	MaxEvery = 4
	MinLead  = time.Hour
	MaxLead  = 30 * 24 * time.Hour
)

// StartPatience is how late a tournament may still start by itself.
const StartPatience = time.Hour

// The refusals of a series.
var (
	ErrName     = refusal.Invalid("series.error.name", "series: a name of 3 to 80 characters in one line")
	ErrWeekdays = refusal.Invalid("series.error.weekdays", "series: at least one day of the week")
	ErrEvery    = refusal.Malformed("error.bad-request", "series: every 1 to 4 weeks")
	ErrClock    = refusal.Invalid("series.error.time", "series: a time from 00:00 to 23:59")
	ErrZone     = refusal.Invalid("series.error.zone", "series: no such time zone")
	ErrLead     = refusal.Invalid("series.error.lead", "series: announced an hour to 30 days before")
	ErrDay      = refusal.Invalid("series.error.day", "series: a day like 2026-11-24")
	ErrTemplate = refusal.Invalid("series.error.template", "series: a tournament of the club to follow")
	ErrEnded    = refusal.Conflict("series.error.ended", "series: it has ended")
	ErrNoDate   = refusal.Conflict("series.error.no-date", "series: not held on that day")
	ErrDecided  = refusal.Conflict("series.error.decided", "series: that date is announced or over")
)

// Settings is what the club decides.
type Settings struct {
	Name string `json:"name"`
	Rule
	Zone      string              `json:"zone"` // IANA
	Lead      time.Duration       `json:"lead"` // how long before its time a date is announced and opens for entries
	SelfStart bool                `json:"selfStart,omitempty"`
	Template  tournament.Settings `json:"template"`
	Origin    time.Time           `json:"origin"` // start of the template's tournament, to which its times are relative
}

// Validate joins all faults.
func (s Settings) Validate() error {
	var errs []error
	if n := utf8.RuneCountInString(s.Name); n < 3 || n > MaxName || strings.TrimSpace(s.Name) != s.Name || !player.IsLine(s.Name) {
		errs = append(errs, ErrName)
	}
	if len(s.Weekdays) == 0 || slices.ContainsFunc(s.Weekdays, func(d time.Weekday) bool { return d < time.Sunday || d > time.Saturday }) {
		errs = append(errs, ErrWeekdays)
	}
	if s.Every < 1 || s.Every > MaxEvery {
		errs = append(errs, ErrEvery)
	}
	if s.Hour < 0 || s.Hour > 23 || s.Minute < 0 || s.Minute > 59 {
		errs = append(errs, ErrClock)
	}
	if s.Zone == "" {
		errs = append(errs, ErrZone)
	}
	if s.Lead < MinLead || s.Lead > MaxLead {
		errs = append(errs, ErrLead)
	}
	if _, err := ParseDay(string(s.First)); err != nil {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// Status is what became of a date. The zero value is Planned.
type Status uint8

const (
	Planned   Status = iota
	Announced        // it is a tournament
	Skipped          // the club skips it
	Missed           // the site was down, or the template is no longer valid
)

var statusNames = [...]string{"planned", "announced", "skipped", "missed"}

func (s Status) String() string { return statusNames[s] }

// ParseStatus parses the result of String.
func ParseStatus(text string) Status { return Status(max(0, slices.Index(statusNames[:], text))) }

// Date is one day of a series that is no longer just planned.
type Date struct {
	Day        Day
	Status     Status
	Tournament tournament.ID // if announced
	StartAt    time.Time     // when it starts by itself; zero: by hand, or started
}

// Series is one recurring event of a club.
type Series struct {
	ID        ID
	Club      club.ID
	Organizer player.ID // organizer of its tournaments
	Settings
	Through Day    // every date up to this day is decided
	Dates   []Date // by day
	Created time.Time
	Ended   time.Time // zero: not ended
	Version int64
}

// New returns a series whose first date is the first of its rule after now.
func New(id ID, of club.ID, by player.ID, s Settings, zone *time.Location, now time.Time) (*Series, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	n := &Series{ID: id, Club: of, Organizer: by, Settings: s, Created: now}
	n.Through = DayOf(now, zone).add(-1)
	if first := s.Next(n.Through, zone); !first.At.After(now) {
		n.Through = first.Day // today's time is over
	}
	return n, nil
}

// Clone returns an independent copy.
func (s *Series) Clone() *Series {
	c := *s
	c.Dates = slices.Clone(s.Dates)
	return &c
}

// Change replaces the settings; announced dates stay as they are.
func (s *Series) Change(n Settings) error {
	if !s.Ended.IsZero() {
		return ErrEnded
	}
	if err := n.Validate(); err != nil {
		return err
	}
	s.Settings = n
	return nil
}

// End ends the series: nothing more is announced.
func (s *Series) End(now time.Time) error {
	if !s.Ended.IsZero() {
		return ErrEnded
	}
	s.Ended = now
	return nil
}

// Skip skips a date, or plans it again.
func (s *Series) Skip(d Day, skip bool, zone *time.Location) error {
	status := s.StatusOf(d)
	switch {
	case !s.Ended.IsZero():
		return ErrEnded
	case !s.holds(d):
		return ErrNoDate
	case d <= s.Through || status != Planned && status != Skipped:
		return ErrDecided
	}
	s.Dates = slices.DeleteFunc(s.Dates, func(x Date) bool { return x.Day == d })
	if skip {
		s.set(Date{Day: d, Status: Skipped})
	}
	return nil
}

// StatusOf returns what became of a day.
func (s *Series) StatusOf(d Day) Status { return s.date(d).Status }

// date returns what is recorded about a day; the zero value for nothing.
func (s *Series) date(d Day) Date {
	if i := slices.IndexFunc(s.Dates, func(x Date) bool { return x.Day == d }); i >= 0 {
		return s.Dates[i]
	}
	return Date{}
}

func (s *Series) set(d Date) {
	s.Dates = append(s.Dates, d)
	slices.SortFunc(s.Dates, func(a, b Date) int { return cmp.Compare(a.Day, b.Day) })
}

// DueAt returns when the next date is announced; false if the series has ended.
func (s *Series) DueAt(zone *time.Location) (time.Time, bool) {
	if !s.Ended.IsZero() {
		return time.Time{}, false
	}
	return s.Next(s.Through, zone).At.Add(-s.Lead), true
}

// Decide returns what should become of the next date now: Announced, Missed if its time
// is over, or Skipped; false if it is not due. Call Record with the outcome, then Decide
// again.
func (s *Series) Decide(zone *time.Location, now time.Time) (Occurrence, Status, bool) {
	due, goesOn := s.DueAt(zone)
	if !goesOn || now.Before(due) {
		return Occurrence{}, Planned, false
	}
	o := s.Next(s.Through, zone)
	switch {
	case s.StatusOf(o.Day) == Skipped:
		return o, Skipped, true
	case !now.Before(o.At):
		return o, Missed, true
	}
	return o, Announced, true
}

// Record stores the outcome for the date that Decide returned.
func (s *Series) Record(o Occurrence, status Status, t tournament.ID) {
	s.Through = o.Day
	if status == Skipped {
		return
	}
	d := Date{Day: o.Day, Status: status, Tournament: t}
	if status == Announced && s.SelfStart {
		d.StartAt = o.At
	}
	s.set(d)
}

// Event returns the settings of the tournament on one date. The times of the template
// move with the date; registration opens with the announcement.
func (s *Series) Event(o Occurrence, zone *time.Location) tournament.Settings {
	t := s.Template
	t.Name, t.ClubID, t.Zone = s.Name+", "+string(o.Day), s.Club, s.Zone
	t.Times = nil
	for _, at := range s.Template.Times {
		t.Times = append(t.Times, civil.Shift(at, s.Origin, o.At, zone))
	}
	for _, at := range []*time.Time{&t.Until, &t.Entry.Closes} {
		if !at.IsZero() {
			*at = civil.Shift(*at, s.Origin, o.At, zone)
		}
	}
	t.Entry.Opens = time.Time{}
	return t
}

// Coming is a future date with what became of it so far.
type Coming struct {
	Occurrence
	Status     Status
	Tournament tournament.ID
}

// Ahead returns the next n dates that have not begun.
func (s *Series) Ahead(zone *time.Location, now time.Time, n int) []Coming {
	if !s.Ended.IsZero() {
		return nil
	}
	var out []Coming
	for d := DayOf(now, zone).add(-1); len(out) < n; {
		o := s.Next(d, zone)
		d = o.Day
		if !o.At.After(now) {
			continue
		}
		if known := s.date(d); known.Status != Planned || d > s.Through {
			out = append(out, Coming{o, known.Status, known.Tournament})
		}
	}
	return out
}
