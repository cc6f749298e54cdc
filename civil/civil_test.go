package civil_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chpok.org/chpok/civil"
)

func in(t testing.TB, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
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

// Clocks of Europe/Kyiv go from UTC+2 to UTC+3 on 29 March 2026 at 03:00 and back
// on 25 October 2026 at 04:00.
func TestLocalTimes(t *testing.T) {
	t.Parallel()
	zone := in(t, "Europe/Kyiv")
	for _, test := range []struct {
		name, wall, want string
		clocks           civil.Clocks
	}{
		{"19:00 before the clocks go forward", "2026-03-24 19:00", "2026-03-24 17:00", civil.Usual},
		{"19:00 after it", "2026-03-31 19:00", "2026-03-31 16:00", civil.Usual},
		{"19:00 of the day itself", "2026-03-29 19:00", "2026-03-29 16:00", civil.Usual},
		{"the last minute before the gap", "2026-03-29 02:59", "2026-03-29 00:59", civil.Usual},
		{"a time that does not exist counts from before the gap: 03:30 is 04:30", "2026-03-29 03:30", "2026-03-29 01:30", civil.Forward},
		{"the first minute after the gap", "2026-03-29 04:00", "2026-03-29 01:00", civil.Usual},
		{"of a time that comes twice it is the first", "2026-10-25 03:30", "2026-10-25 00:30", civil.Back},
		{"the last minute that comes once", "2026-10-25 02:59", "2026-10-24 23:59", civil.Usual},
		{"the first minute that comes once again", "2026-10-25 04:00", "2026-10-25 02:00", civil.Usual},
		{"19:00 after the clocks went back", "2026-10-27 19:00", "2026-10-27 17:00", civil.Usual},
	} {
		got, clocks := civil.Resolve(utc(test.wall), zone)
		if !got.Equal(utc(test.want)) || clocks != test.clocks {
			t.Errorf("%s: %v, %d", test.name, got, clocks)
		}
	}
}

// TestEveryLocalTimeIsResolvedToItself: what the clocks show at the moment found
// is the time asked for, save in gaps.
func TestEveryLocalTimeIsResolvedToItself(t *testing.T) {
	t.Parallel()
	var zones []*time.Location
	for _, name := range []string{"Europe/Kyiv", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia", "UTC"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		zones = append(zones, zone)
	}
	rapid.Check(t, func(t *rapid.T) {
		zone := rapid.SampledFrom(zones).Draw(t, "zone")
		wall := utc("2010-01-01 00:00").Add(time.Duration(rapid.IntRange(0, 20*365*24*60).Draw(t, "minute")) * time.Minute)
		at, clocks := civil.Resolve(wall, zone)
		shown := at.In(zone).Format("2006-01-02 15:04")
		if (shown == wall.Format("2006-01-02 15:04")) == (clocks == civil.Forward) {
			t.Fatalf("%v in %v: clocks show %s, %d", wall, zone, shown, clocks)
		}
	})
}

// Changes of the clocks in 2026: Kyiv 29 March 03:00 and 25 October 04:00, New York 8 March 02:00 and
// 1 November 02:00, Lord Howe 5 April 02:00 (half an hour back) and 4 October 02:00 (forward).
func TestAnEveningStaysAnEveningOverBothChanges(t *testing.T) {
	t.Parallel()
	for _, x := range []struct{ zone, from, week, fortnight string }{ // 19:00 in UTC
		{"Europe/Kyiv", "2026-03-24 17:00", "2026-03-31 16:00", "2026-04-07 16:00"},
		{"Europe/Kyiv", "2026-10-20 16:00", "2026-10-27 17:00", "2026-11-03 17:00"},
		{"America/New_York", "2026-03-04 00:00", "2026-03-10 23:00", "2026-03-17 23:00"},
		{"America/New_York", "2026-10-27 23:00", "2026-11-04 00:00", "2026-11-11 00:00"},
		{"Australia/Lord_Howe", "2026-03-31 08:00", "2026-04-07 08:30", "2026-04-14 08:30"},
		{"Australia/Lord_Howe", "2026-09-29 08:30", "2026-10-06 08:00", "2026-10-13 08:00"},
		{"UTC", "2026-10-20 19:00", "2026-10-27 19:00", "2026-11-03 19:00"},
	} {
		zone := in(t, x.zone)
		if got := civil.AddDays(utc(x.from), 7, zone); !got.Equal(utc(x.week)) {
			t.Errorf("%s: a week after %s is %v, want %s", x.zone, x.from, got, x.week)
		}
		if got := civil.Shift(utc(x.week), utc(x.from), utc(x.week), zone); !got.Equal(utc(x.fortnight)) {
			t.Errorf("%s: shifted by a week: %v, want %s", x.zone, got, x.fortnight)
		}
		if got, err := civil.Read(civil.Pick(utc(x.week), zone), zone, nil, time.Time{}); err != nil || !got.Equal(utc(x.week)) {
			t.Errorf("%s: read as it is written: %v, %v", x.zone, got, err)
		}
	}
}

// What nobody touches does not move, in the repeated hour and to the millisecond.
func TestAFormSavedUntouchedMovesNothing(t *testing.T) {
	t.Parallel()
	zones := []*time.Location{in(t, "Europe/Kyiv"), in(t, "America/New_York"), in(t, "Australia/Lord_Howe"), in(t, "UTC")}
	changes := []time.Time{utc("2026-10-25 01:00"), utc("2026-11-01 06:00"), utc("2026-04-04 15:00"), utc("2026-03-29 01:00")}
	rapid.Check(t, func(rt *rapid.T) {
		zone := rapid.SampledFrom(zones).Draw(rt, "zone")
		near := rapid.SampledFrom(changes).Draw(rt, "change")
		at := near.Add(time.Duration(rapid.IntRange(-3*3600, 3*3600).Draw(rt, "seconds")) * time.Second)
		other := at.Add(24 * time.Hour)
		if got, err := civil.Read(civil.Pick(at, zone), zone, []time.Time{other, at}, other.Add(time.Hour)); err != nil || !got.Equal(at) {
			rt.Fatalf("%v became %v, %v", at.In(zone), got, err)
		}
	})
	rapid.Check(t, func(rt *rapid.T) { // and who writes a time to come means the first that comes
		zone := rapid.SampledFrom(zones).Draw(rt, "zone")
		now := rapid.SampledFrom(changes).Draw(rt, "change").Add(time.Duration(rapid.IntRange(-3*60, 3*60).Draw(rt, "now")) * time.Minute)
		at := now.Add(time.Duration(rapid.IntRange(1, 30).Draw(rt, "minutes")) * time.Minute)
		if got, err := civil.Read(civil.Pick(at, zone), zone, nil, now); err != nil || !got.Equal(at) {
			rt.Fatalf("at %v, %v became %v, %v", now.In(zone), at.In(zone), got, err)
		}
	})
	for _, text := range []string{"", "tomorrow", "2026-02-30 10:00", "25:00"} {
		if _, err := civil.Read(text, zones[0], nil, time.Time{}); err == nil {
			t.Errorf("%q is read", text)
		}
	}
	if day, err := civil.ReadDay("2026-10-25", zones[0]); err != nil || !slices.Equal([]time.Time{day.UTC()}, []time.Time{utc("2026-10-24 21:00")}) {
		t.Errorf("the day begins at %v, %v", day, err)
	}
}

func TestTimesOfDayToCome(t *testing.T) {
	t.Parallel()
	for _, x := range []struct{ zone, after, clock, want string }{
		{"Europe/Kyiv", "2026-11-21 16:10", "19:00", "2026-11-21 17:00"},
		{"Europe/Kyiv", "2026-11-21 17:00", "19:00", "2026-11-22 17:00"},
		{"Europe/Kyiv", "2026-10-25 00:10", "03:30", "2026-10-25 00:30"}, // 03:10, for the first time
		{"Europe/Kyiv", "2026-10-25 00:40", "03:30", "2026-10-25 01:30"},
		{"Europe/Kyiv", "2026-10-25 01:40", "03:30", "2026-10-26 01:30"},
		{"Europe/Kyiv", "2026-03-29 00:30", "03:30", "2026-03-29 01:30"}, // skipped: it is 04:30
		{"America/New_York", "2026-11-01 05:40", "01:30", "2026-11-01 06:30"},
		{"Australia/Lord_Howe", "2026-04-04 14:50", "01:45", "2026-04-04 15:15"},
	} {
		clock, err := time.Parse("15:04", x.clock)
		if err != nil {
			t.Fatal(err)
		}
		if got := civil.Next(clock, utc(x.after), in(t, x.zone)); !got.Equal(utc(x.want)) {
			t.Errorf("%s in %s after %s: %v, want %s", x.clock, x.zone, x.after, got.UTC(), x.want)
		}
	}
}

// 19:10 is cut to 19:00 wherever clocks stand apart by half or three quarters of an hour, and in both hours of one name.
func TestWholeHoursAreThoseOfTheClocks(t *testing.T) {
	t.Parallel()
	for zone, at := range map[string]string{"UTC": "2026-11-21 19:10", "Europe/Kyiv": "2026-11-21 17:10", "Australia/Lord_Howe": "2026-11-21 08:10",
		"Asia/Kathmandu": "2026-11-21 13:25", "America/St_Johns": "2026-11-21 22:40"} {
		got := civil.Floor(utc(at), time.Hour, in(t, zone))
		if utc(at).Sub(got) != 10*time.Minute || civil.Pick(got, in(t, zone)) != "2026-11-21T19:00" {
			t.Errorf("%s: %s", zone, civil.Pick(got, in(t, zone)))
		}
	}
	for _, at := range []string{"2026-10-25 00:10", "2026-10-25 01:10"} {
		if got := civil.Floor(utc(at), time.Hour, in(t, "Europe/Kyiv")); utc(at).Sub(got) != 10*time.Minute {
			t.Errorf("%s became %v", at, got.UTC())
		}
	}
}
