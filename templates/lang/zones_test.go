package lang_test

import (
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/templates/lang"
)

// At 22:30 in UTC it is 00:30 in Kyiv and 17:30 in New York.
func TestAPlacesTimesNameTheirZoneUnlessTheReadersClockShowsThem(t *testing.T) {
	t.Parallel()
	in := func(name string) *time.Location {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		return zone
	}
	now := func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }
	at := time.Date(2026, 11, 21, 22, 30, 0, 0, time.UTC)
	of := func(reader *time.Location) lang.Printer {
		return lang.Printer{Lang: lang.English, Zone: reader, Reader: reader, Now: now}.At(in("Europe/Kyiv"))
	}
	unknown, near, far := of(nil), of(in("Europe/Athens")), of(in("America/New_York"))
	for _, x := range []struct{ got, want string }{
		{unknown.On(at), "tomorrow 00:30 (Europe/Kyiv)"},
		{near.On(at), "tomorrow 00:30"},
		{far.On(at), "tomorrow 00:30 (Europe/Kyiv; today 17:30 for you)"},
		{far.When(at.Add(-8 * time.Hour)), "16:30 (Europe/Kyiv; 09:30 for you)"},
		{far.Span(at, at.Add(time.Hour)), "tomorrow 00:30–01:30 (Europe/Kyiv; 17:30–18:30 for you)"},
		{near.Moment(at), "November\u00a022, 2026, 00:30 (Europe/Kyiv)"},
		{far.Moment(at), "November\u00a022, 2026, 00:30 (Europe/Kyiv; today 17:30 for you)"},
		// Between 25 October and 1 November Kyiv has changed its clocks, New York has not: six hours.
		{far.DateTime(time.Date(2026, 10, 28, 12, 0, 0, 0, time.UTC)), "October\u00a028, 2026, 14:00 (Europe/Kyiv; 08:00 for you)"},
	} {
		if x.got != x.want {
			t.Errorf("%q, want %q", x.got, x.want)
		}
	}
}

// TestAnEventOfASeriesNamesItsDayInTheReadersWords, also inside another text; what only looks like a day stays.
func TestAnEventOfASeriesNamesItsDayInTheReadersWords(t *testing.T) {
	t.Parallel()
	kyiv, err := time.LoadLocation("Europe/Kyiv")
	if err != nil {
		t.Fatal(err)
	}
	at := func(l lang.Lang) lang.Printer {
		return lang.Printer{Lang: l, Zone: kyiv, Now: func() time.Time { return time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC) }}
	}
	for _, c := range []struct {
		l          lang.Lang
		name, want string
	}{
		{lang.English, "Club night, 2026-12-04", "Club night, Dec\u00a04"},
		{lang.Ukrainian, "Вечір у клубі, 2026-12-04", "Вечір у клубі, 4\u00a0груд."},
		{lang.English, "Club night, 2025-12-04", "Club night, Dec\u00a04, 2025"},
		{lang.English, "Club night, 2026-12-04: A", "Club night, Dec\u00a04: group A"},
		{lang.Ukrainian, "Кубок: B", "Кубок: група B"},
		{lang.English, "Cup: final", "Cup: final"},
		{lang.English, "Club night, 2026-13-04", "Club night, 2026-13-04"},
		{lang.English, "Club night", "Club night"},
		{lang.English, "Winter league,\u00a02.1", "Winter league: season 2, division 1"},
		{lang.Ukrainian, "Зимова ліга,\u00a02.1", "Зимова ліга: сезон 2, дивізіон 1"},
		{lang.English, "Winter league,\u00a02.1–2", "Winter league: season 2, play-off between divisions 1 and 2"},
		{lang.English, "Friday cup, 1.2", "Friday cup, 1.2"}, // typed by somebody
		{lang.English, "Cup, 1/4", "Cup, 1/4"},
	} {
		if got := at(c.l).Event(c.name); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if got := at(lang.English).T("notice.text.not-started", "Tournament", "Club night, 2026-12-04"); !strings.Contains(got, "Dec\u00a04") {
		t.Errorf("a notice says %q", got)
	}
}
