package calendar_test

import (
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/notice/calendar"
)

func TestACalendarInUTCWithEverythingEscaped(t *testing.T) {
	t.Parallel()
	kyiv := time.FixedZone("Kyiv", 2*60*60)
	got := calendar.Write("Кубок", []calendar.Event{
		{UID: "cup-round-1@chpok", Sequence: 7, Start: time.Date(2026, 11, 21, 19, 0, 0, 0, kyiv), Length: 90 * time.Minute, Summary: "Cup; round 1, \"a\\b\"\nDTSTART:1", URL: "https://chpok.example/t"},
		{UID: "cup-round-2@chpok", Start: time.Date(2026, 11, 22, 19, 0, 0, 0, kyiv), State: calendar.Cancelled},
	}, time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC))
	plain := strings.ReplaceAll(got, "\r\n ", "") // unfolded
	for _, want := range []string{
		"BEGIN:VCALENDAR\r\n", "X-WR-CALNAME:Кубок\r\n", "UID:cup-round-1@chpok\r\n", "SEQUENCE:7\r\n", "DTSTART:20261121T170000Z\r\n", "DTEND:20261121T183000Z\r\n",
		`SUMMARY:Cup\; round 1\, "a\\b"\nDTSTART:1` + "\r\n", "STATUS:CONFIRMED\r\n", "STATUS:CANCELLED\r\n", "DTSTAMP:20261120T000000Z\r\n", "URL:https://chpok.example/t\r\n",
	} {
		if !strings.Contains(plain, want) {
			t.Errorf("lacks %q:\n%s", want, plain)
		}
	}
	if n := strings.Count(plain, "\r\nDTSTART:"); n != 2 {
		t.Errorf("%d beginnings of two events", n)
	}
}
