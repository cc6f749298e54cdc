package series

import (
	"slices"
	"strings"
	"time"

	"chpok.org/chpok/civil"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
)

// Undated returns the name of an event without the day that its series put there, and as nobody's season.
func Undated(name string) string {
	name = player.Tidy(name)
	if at := strings.LastIndex(name, ", "); at > 0 {
		if _, err := ParseDay(name[at+2:]); err == nil {
			return name[:at]
		}
	}
	return name
}

// Again returns the same settings for another time, without the day in the name: all moments are moved by the whole
// weeks that bring the first of them past now, on the zone's wall clock, so that 19:00
// stays 19:00 when summer time ends.
func Again(s tournament.Settings, now time.Time, zone *time.Location) tournament.Settings {
	s.Name = Undated(s.Name)
	moments := []*time.Time{&s.Entry.Opens, &s.Entry.Closes, &s.Until}
	s.Times = slices.Clone(s.Times)
	for i := range s.Times {
		moments = append(moments, &s.Times[i])
	}
	var first time.Time
	for _, m := range moments {
		if !m.IsZero() && (first.IsZero() || m.Before(first)) {
			first = *m
		}
	}
	if first.IsZero() {
		return s
	}
	later := func(t time.Time, weeks int) time.Time { return civil.AddDays(t, 7*weeks, zone) }
	weeks := max(0, int(now.Sub(first)/(7*24*time.Hour)))
	for !later(first, weeks).After(now) {
		weeks++
	}
	for _, m := range moments {
		if !m.IsZero() {
			*m = later(*m, weeks)
		}
	}
	return s
}
