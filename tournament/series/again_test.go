package series_test

import (
	"testing"
	"time"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/series"
)

func TestACloneIsHeldOnTheNextSameWeekday(t *testing.T) {
	t.Parallel()
	kyiv, err := time.LoadLocation("Europe/Kyiv")
	if err != nil {
		t.Skip(err)
	}
	local := func(text string) time.Time {
		at, err := time.ParseInLocation("2006-01-02 15:04", text, kyiv)
		if err != nil {
			t.Fatal(err)
		}
		return at.UTC()
	}
	// Tuesdays; registration from the Friday before. Summer time ends on 25 October.
	s := tournament.Settings{Name: "Club night, 2026-10-13", Times: tournament.Moments{local("2026-10-13 19:00"), local("2026-10-20 19:00")}}
	s.Entry.Opens = local("2026-10-09 12:00")
	got := series.Again(s, local("2026-10-23 12:00"), kyiv)
	if got.Name != "Club night" || series.Undated("Tea, 2 sugars") != "Tea, 2 sugars" ||
		series.Undated("Winter league,\u00a02.1") != "Winter league, 2.1" {
		t.Errorf("the name %q", got.Name)
	}
	if !got.Entry.Opens.Equal(local("2026-10-30 12:00")) || !got.Times[0].Equal(local("2026-11-03 19:00")) || !got.Times[1].Equal(local("2026-11-10 19:00")) {
		t.Errorf("registration %v, rounds %v", got.Entry.Opens, got.Times)
	}
	if !s.Times[0].Equal(local("2026-10-13 19:00")) {
		t.Error("the original was moved")
	}
	if future := series.Again(s, local("2026-09-01 12:00"), kyiv); !future.Times[0].Equal(s.Times[0]) {
		t.Errorf("what is to come stays: %v", future.Times)
	}
	if none := series.Again(tournament.Settings{}, local("2026-10-23 12:00"), kyiv); len(none.Times) != 0 || !none.Entry.Opens.IsZero() {
		t.Errorf("without moments there is nothing to move: %+v", none)
	}
}
