package series_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/series"
)

func kyiv(t interface{ Fatal(...any) }) *time.Location {
	zone, err := time.LoadLocation("Europe/Kyiv")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func utc(s string) time.Time {
	t, err := time.Parse("2006-01-02 15:04", s)
	if err != nil {
		panic(err)
	}
	return t
}

// tuesdays is every Tuesday at 19:00 from the first of the year, announced three
// days before.
func tuesdays() series.Settings {
	s := series.Settings{
		Name: "Tuesday", Zone: "Europe/Kyiv", Lead: 72 * time.Hour, Template: tournament.DefaultSettings(tournament.Swiss),
		Rule: series.Rule{Weekdays: []time.Weekday{time.Tuesday}, Every: 1, Hour: 19, First: "2026-01-01"},
	}
	s.Template.Name = "The one before"
	return s
}

func TestDatesOfARule(t *testing.T) {
	t.Parallel()
	zone := kyiv(t)
	for _, test := range []struct {
		name  string
		rule  series.Rule
		after series.Day
		want  []series.Day
	}{
		{"every Tuesday", series.Rule{Weekdays: []time.Weekday{time.Tuesday}, Every: 1, First: "2026-01-01"}, "2026-11-21", []series.Day{"2026-11-24", "2026-12-01", "2026-12-08"}},
		{"Tuesdays and Fridays", series.Rule{Weekdays: []time.Weekday{time.Friday, time.Tuesday}, Every: 1, First: "2026-01-01"}, "2026-11-24", []series.Day{"2026-11-27", "2026-12-01", "2026-12-04"}},
		{"every other week, counted from that of the first day", series.Rule{Weekdays: []time.Weekday{time.Monday, time.Sunday}, Every: 2, First: "2026-11-18"}, "2026-11-01", []series.Day{"2026-11-22", "2026-11-30", "2026-12-06", "2026-12-14"}},
		{"nothing before the first", series.Rule{Weekdays: []time.Weekday{time.Tuesday}, Every: 1, First: "2027-01-06"}, "2026-11-21", []series.Day{"2027-01-12"}},
	} {
		day := test.after
		var got []series.Day
		for range test.want {
			day = test.rule.Next(day, zone).Day
			got = append(got, day)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s:\n%s", test.name, diff)
		}
	}
}

func TestTimesOfTheTemplateMoveWithTheDate(t *testing.T) {
	t.Parallel()
	zone := kyiv(t)
	// Two rounds on Tuesday at 19:00 and 20:30 and one on Wednesday at 18:00, once
	// before clocks went forward and now over the night in which they go back.
	s := tuesdays()
	s.Rule.Weekdays = []time.Weekday{time.Saturday}
	s.Template.Pace, s.Template.Rounds = tournament.Times, 3
	s.Origin = utc("2026-03-03 17:00")
	s.Template.Until, s.Template.Entry.Opens, s.Template.Entry.Closes = utc("2026-03-04 22:00"), utc("2026-03-01 10:00"), utc("2026-03-03 16:45")
	s.Template.Times = tournament.Moments{s.Origin, utc("2026-03-03 18:30"), utc("2026-03-04 16:00")}
	n, err := series.New("s", "dragon", "host", s, zone, utc("2026-10-20 12:00"))
	if err != nil {
		t.Fatal(err)
	}
	got := n.Event(n.Next("2026-10-20", zone), zone)
	want := tournament.Moments{utc("2026-10-24 16:00"), utc("2026-10-24 17:30"), utc("2026-10-25 16:00")} // 19:00 and 20:30 at UTC+3, 18:00 at UTC+2
	if diff := cmp.Diff(want, got.Times); diff != "" || got.Name != "Tuesday, 2026-10-24" || got.ClubID != "dragon" {
		t.Errorf("%s %s\n%s", got.Name, got.ClubID, diff)
	}
	if !got.Until.Equal(utc("2026-10-25 22:00")) || !got.Entry.Opens.IsZero() || !got.Entry.Closes.Equal(utc("2026-10-24 15:45")) {
		t.Errorf("until %v, opens %v, closes %v", got.Until, got.Entry.Opens, got.Entry.Closes)
	}
}

func TestFaultsOfTheSettings(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		want   error
		change func(*series.Settings)
	}{
		{series.ErrName, func(s *series.Settings) { s.Name = "ab" }},
		{series.ErrWeekdays, func(s *series.Settings) { s.Weekdays = nil }},
		{series.ErrWeekdays, func(s *series.Settings) { s.Weekdays = []time.Weekday{7} }},
		{series.ErrEvery, func(s *series.Settings) { s.Every = 0 }},
		{series.ErrClock, func(s *series.Settings) { s.Hour = 24 }},
		{series.ErrZone, func(s *series.Settings) { s.Zone = "" }},
		{series.ErrLead, func(s *series.Settings) { s.Lead = time.Minute }},
		{series.ErrDay, func(s *series.Settings) { s.First = "tomorrow" }},
	} {
		s := tuesdays()
		test.change(&s)
		if err := s.Validate(); !errors.Is(err, test.want) {
			t.Errorf("%v instead of %v", err, test.want)
		}
	}
	if err := tuesdays().Validate(); err != nil {
		t.Error(err)
	}
}

func TestSkippingAndEnding(t *testing.T) {
	t.Parallel()
	zone := kyiv(t)
	now := utc("2026-11-21 12:00") // a Saturday: that of the 24th is announced at 17:00
	s, err := series.New("s", "dragon", "host", tuesdays(), zone, now)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Skip("2026-12-01", true, zone), s.Skip("2026-12-08", true, zone), s.Skip("2026-12-08", false, zone)); err != nil {
		t.Fatal(err)
	}
	for day, want := range map[series.Day]error{"2026-12-02": series.ErrNoDate, "2026-11-17": series.ErrDecided} {
		if err := s.Skip(day, true, zone); !errors.Is(err, want) {
			t.Errorf("%s: %v", day, err)
		}
	}
	var got []string
	for _, c := range s.Ahead(zone, now, 4) {
		got = append(got, string(c.Day)+" "+c.Status.String())
	}
	if diff := cmp.Diff([]string{"2026-11-24 planned", "2026-12-01 skipped", "2026-12-08 planned", "2026-12-15 planned"}, got); diff != "" {
		t.Error(diff)
	}
	if _, _, due := s.Decide(zone, utc("2026-11-21 16:59")); due {
		t.Error("announced too early")
	}
	o, status, due := s.Decide(zone, utc("2026-11-21 17:00"))
	if !due || status != series.Announced || o.Day != "2026-11-24" {
		t.Fatalf("%v %v %v", o, status, due)
	}
	s.Record(o, status, "t")
	if err := s.Skip("2026-11-24", true, zone); !errors.Is(err, series.ErrDecided) {
		t.Errorf("skipped after it was announced: %v", err)
	}
	if err := s.End(now); err != nil {
		t.Fatal(err)
	}
	if _, _, due := s.Decide(zone, utc("2027-11-21 17:00")); due || s.Ahead(zone, now, 3) != nil {
		t.Error("it goes on after its end")
	}
	if err := errors.Join(s.End(now)); !errors.Is(err, series.ErrEnded) {
		t.Errorf("ended twice: %v", err)
	}
}

func TestASeriesThatIsMadeAfterTodaysTimeBeginsWithTheNext(t *testing.T) {
	t.Parallel()
	zone := kyiv(t)
	for now, want := range map[string]series.Day{"2026-11-24 16:59": "2026-11-24", "2026-11-24 17:00": "2026-12-01"} {
		s, err := series.New("s", "dragon", "host", tuesdays(), zone, utc(now))
		if err != nil {
			t.Fatal(err)
		}
		if o, status, due := s.Decide(zone, utc(now)); want == "2026-11-24" && (!due || status != series.Announced || o.Day != want) {
			t.Errorf("%s: %v %v %v", now, o, status, due)
		}
		if ahead := s.Ahead(zone, utc(now), 1); ahead[0].Day != want {
			t.Errorf("%s: %v", now, ahead)
		}
	}
}

// TestAYearOfWeeks lets a year pass with the site up and down at random. Every
// date is decided once: announced where the site was up between its announcement
// and its time, missed where it was not, and always at 19:00 of the clocks.
func TestAYearOfWeeks(t *testing.T) {
	t.Parallel()
	zone := kyiv(t)
	rapid.Check(t, func(t *rapid.T) {
		settings := tuesdays()
		settings.Weekdays = rapid.SliceOfNDistinct(rapid.SampledFrom([]time.Weekday{0, 1, 2, 3, 4, 5, 6}), 1, 7, rapid.ID).Draw(t, "weekdays")
		settings.Every = rapid.IntRange(1, 4).Draw(t, "every")
		settings.Lead = time.Duration(rapid.IntRange(1, 30*24).Draw(t, "lead")) * time.Hour
		now := utc("2026-01-01 00:00")
		s, err := series.New("s", "dragon", "host", settings, zone, now)
		if err != nil {
			t.Fatal(err)
		}
		var looks []time.Time
		found := map[series.Day]series.Status{}
		for end := utc("2027-01-01 00:00"); now.Before(end); {
			looks = append(looks, now)
			for {
				o, status, due := s.Decide(zone, now)
				if !due {
					break
				}
				if _, twice := found[o.Day]; twice {
					t.Fatalf("%s twice", o.Day)
				}
				if clock := o.At.In(zone).Format("2006-01-02 15:04"); clock != string(o.Day)+" 19:00" {
					t.Fatalf("%s at %s", o.Day, clock)
				}
				found[o.Day] = status
				s.Record(o, status, tournament.ID(fmt.Sprint("t", o.Day)))
			}
			pause := rapid.IntRange(1, 60).Draw(t, "minutes")
			if rapid.IntRange(0, 300).Draw(t, "goes down") == 0 {
				pause = rapid.IntRange(1, 60*24*20).Draw(t, "down")
			}
			now = now.Add(time.Duration(pause*20) * time.Minute)
		}
		last := looks[len(looks)-1]
		for day := series.Day("2025-12-31"); ; {
			o := settings.Next(day, zone)
			day = o.Day
			if o.At.Add(-settings.Lead).After(last) {
				break
			}
			want := series.Missed
			for _, look := range looks {
				if !look.Before(o.At.Add(-settings.Lead)) && look.Before(o.At) {
					want = series.Announced
				}
			}
			if got, decided := found[day]; !decided || got != want {
				t.Fatalf("%s: %v instead of %v", day, got, want)
			}
			delete(found, day)
		}
		if len(found) > 0 {
			t.Fatalf("dates that are none: %v", found)
		}
	})
}
