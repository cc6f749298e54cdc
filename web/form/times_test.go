package form_test

import (
	"slices"
	"testing"
	"time"

	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/form"
)

// The clocks in Kyiv go back on 25 October 2026: 03:30 comes at 00:30 and at 01:30 UTC.
func TestSettingsSavedUntouchedMoveNoTime(t *testing.T) {
	t.Parallel()
	kyiv, err := time.LoadLocation("Europe/Kyiv")
	if err != nil {
		t.Fatal(err)
	}
	s := tournament.DefaultSettings(tournament.Swiss)
	s.Name, s.Rounds, s.Pace = "Night", 3, tournament.Times
	first := time.Date(2026, 10, 25, 0, 30, 17, 0, time.UTC)
	s.Times = tournament.Moments{first, first.Add(time.Hour), first.Add(2 * time.Hour)}
	s.Until, s.Entry.Closes = first.Add(6*time.Hour), first.Add(-time.Hour)
	now := func() time.Time { return first.AddDate(0, -1, 0) }
	p := lang.Printer{Lang: lang.English, Zone: kyiv, Now: now}
	r := form.FormReader{Printer: p, Values: form.ValuesOf(p, s), Stood: s.Moments()}
	got := r.ReadTournament(s)
	if !slices.Equal(got.Times, s.Times) || !got.Until.Equal(s.Until) || !got.Entry.Closes.Equal(s.Entry.Closes) || len(r.Problems) > 0 {
		t.Errorf("times %v, until %v, entries close %v; want %v, %v, %v; problems %v",
			got.Times, got.Until, got.Entry.Closes, s.Times, s.Until, s.Entry.Closes, r.Problems)
	}
}
