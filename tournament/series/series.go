// Package series decides on which dates a recurring event is held and what
// becomes of each: announced as a tournament once, skipped, or missed. It refuses
// dates that are over and says nothing of zones it is not given: it reads
// neither a clock nor the tables of time zones.
package series

import (
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"chpok.org/chpok/club"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament"
)

// ID names one series for good.
type ID string

// Bounds of a series.
const (
	MaxName  = 80 // characters; the date is added to it
	MaxEvery = 4
	MinLead  = time.Hour
	MaxLead  = 30 * 24 * time.Hour
)

// StartPatience is how late a tournament may still start by itself.
const StartPatience = time.Hour

// What a series refuses.
var (
	ErrName      = refusal.Invalid("series.error.name", "series: a name of 3 to 80 characters in one line")
	ErrWeekdays  = refusal.Invalid("series.error.weekdays", "series: at least one day of the week")
	ErrEvery     = refusal.Malformed("error.bad-request", "series: every 1 to 4 weeks")
	ErrClock     = refusal.Invalid("series.error.time", "series: a time from 00:00 to 23:59")
	ErrZone      = refusal.Invalid("series.error.zone", "series: no such time zone")
	ErrLead      = refusal.Invalid("series.error.lead", "series: announced an hour to 30 days before")
	ErrDay       = refusal.Invalid("series.error.day", "series: a day like 2026-11-24")
	ErrClubMatch = refusal.Invalid("series.error.club-match", "series: a match between two clubs is arranged each time anew")
	ErrTemplate  = refusal.Invalid("series.error.template", "series: a tournament of the club to follow")
	ErrEnded     = refusal.Conflict("series.error.ended", "series: it has ended")
	ErrNoDate    = refusal.Conflict("series.error.no-date", "series: not held on that day")
	ErrDecided   = refusal.Conflict("series.error.decided", "series: that date is announced or over")
)

// Settings is what the club decides.
type Settings struct {
	Name string `json:"name"`
	Rule
	Zone      string              `json:"zone"` // IANA
	Lead      time.Duration       `json:"lead"` // how long before its time a date is announced and opened for entries
	SelfStart bool                `json:"selfStart,omitempty"`
	Template  tournament.Settings `json:"template"`
	Origin    time.Time           `json:"origin"` // when the tournament of the template began; times of its own are told from it
}

// Validate joins every fault.
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

// Status is what has become of a date. The zero value: nothing yet.
type Status uint8

const (
	Planned   Status = iota
	Announced        // it is a tournament
	Skipped          // by the club
	Missed           // the site was down, or the template no longer fits
)

var statusNames = [...]string{"planned", "announced", "skipped", "missed"}

func (s Status) String() string { return statusNames[s] }

// ParseStatus reads what String writes.
func ParseStatus(text string) Status { return Status(max(0, slices.Index(statusNames[:], text))) }

// Date is one day of a series of which something has become.
type Date struct {
	Day        Day
	Status     Status
	Tournament tournament.ID // of one that was announced
	StartAt    time.Time     // when it starts by itself; zero: by hand, or it has
}

// Series is one recurring event of a club.
type Series struct {
	ID        ID
	Club      club.ID
	Organizer player.ID // in whose hands its tournaments are
	Settings
	Through Day    // every date up to this day is decided
	Dates   []Date // by day
	Created time.Time
	Ended   time.Time // zero: it goes on
	Version int64
}

// New makes a series; its first date is the first of its rule that is not over.
func New(id ID, of club.ID, by player.ID, s Settings, zone *time.Location, now time.Time) (*Series, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	n := &Series{ID: id, Club: of, Organizer: by, Settings: s, Created: now}
	n.Through = DayOf(now, zone).add(-1)
	if first := s.Next(n.Through, zone); !first.At.After(now) {
		n.Through = first.Day // today's time is over already
	}
	return n, nil
}

// Clone shares nothing that is changed with the original.
func (s *Series) Clone() *Series {
	c := *s
	c.Dates = slices.Clone(s.Dates)
	return &c
}

// Change replaces the settings; dates already announced stay as they are.
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

// Skip leaves one date out, or takes it in again.
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

// StatusOf is what has become of a day.
func (s *Series) StatusOf(d Day) Status {
	if i := slices.IndexFunc(s.Dates, func(x Date) bool { return x.Day == d }); i >= 0 {
		return s.Dates[i].Status
	}
	return Planned
}

func (s *Series) set(d Date) {
	s.Dates = append(s.Dates, d)
	slices.SortFunc(s.Dates, func(a, b Date) int { return strings.Compare(string(a.Day), string(b.Day)) })
}

// DueAt is when the next date is announced; false: the series has ended.
func (s *Series) DueAt(zone *time.Location) (time.Time, bool) {
	if !s.Ended.IsZero() {
		return time.Time{}, false
	}
	return s.Next(s.Through, zone).At.Add(-s.Lead), true
}

// Decide is what is to become of the next date now: Announced, Missed when its
// time is over, Skipped when the club has said so; false: it is not due. Record
// what came of it, and ask again.
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

// Record notes what has become of the date that Decide gave.
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

// Event is the settings of the tournament of one date. Moments of the template
// move with the date; registration opens when it is announced.
func (s *Series) Event(o Occurrence, zone *time.Location) tournament.Settings {
	t := s.Template
	t.Name, t.ClubID = s.Name+", "+string(o.Day), s.Club
	t.Times = nil
	for _, at := range s.Template.Times {
		t.Times = append(t.Times, Shift(at, s.Origin, o.At, zone))
	}
	for _, at := range []*time.Time{&t.Until, &t.Entry.Closes} {
		if !at.IsZero() {
			*at = Shift(*at, s.Origin, o.At, zone)
		}
	}
	t.Entry.Opens = time.Time{}
	return t
}

// Coming is a date that lies ahead, with what has become of it so far.
type Coming struct {
	Occurrence
	Status     Status
	Tournament tournament.ID
}

// Ahead are the next n dates that have not begun.
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
		c := Coming{Occurrence: o, Status: s.StatusOf(d)}
		if i := slices.IndexFunc(s.Dates, func(x Date) bool { return x.Day == d }); i >= 0 {
			c.Tournament = s.Dates[i].Tournament
		}
		if c.Status != Planned || d > s.Through {
			out = append(out, c)
		}
	}
	return out
}
