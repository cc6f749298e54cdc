package player_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chpok.org/chpok/player"
)

var evening = time.Date(2026, 9, 4, 18, 0, 0, 0, time.UTC)

func day(n float64) time.Time { return evening.Add(time.Duration(n * 24 * float64(time.Hour))) }

func TestABanGrowsAndHeals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		absent  []float64 // days
		excused []float64
		played  []float64
		want    float64 // the day on which the ban ends; 0: none
	}{
		{"nothing", nil, nil, nil, 0},
		{"the first is a day", []float64{0}, nil, nil, 1},
		{"the second is two", []float64{0, 5}, nil, nil, 7},
		{"the third is four", []float64{0, 5, 10}, nil, nil, 14},
		{"half as long again while the first runs", []float64{0, 0.5}, nil, nil, 3.5},
		{"two events at once: 1, then 2 × 1½", []float64{0, 0}, nil, nil, 3},
		{"a match between takes a doubling back", []float64{0, 5}, nil, []float64{2}, 6},
		{"two matches do not make a credit", []float64{5}, nil, []float64{1, 2}, 6},
		{"a match does not shorten the ban", []float64{0}, nil, []float64{0.1}, 1},
		{"what was excused does not count", []float64{5}, []float64{0}, nil, 6},
		{"all was excused", nil, []float64{0}, nil, 0},
		{"never longer than thirty days", []float64{0, 40, 80, 120, 160, 200, 240}, nil, nil, 270},
		{"not even at once", []float64{0, 0, 0, 0, 0, 0, 0, 0}, nil, nil, 30},
	} {
		var list []player.NoShow
		for _, d := range c.absent {
			list = append(list, player.NoShow{At: day(d)})
		}
		for _, d := range c.excused {
			list = append(list, player.NoShow{At: day(d), Verdict: player.Excused})
		}
		var played []time.Time
		for _, d := range c.played {
			played = append(played, day(d))
		}
		ban := player.BanOf(list, played)
		switch {
		case c.want == 0 && !ban.Until.IsZero():
			t.Errorf("%s: banned until %v", c.name, ban.Until)
		case c.want != 0 && !ban.Until.Equal(day(c.want)):
			t.Errorf("%s: until %v, want %v", c.name, ban.Until, day(c.want))
		case c.want != 0 && (ban.Bars(day(c.want)) || !ban.Bars(day(c.want).Add(-time.Second))):
			t.Errorf("%s: the ban ends at %v", c.name, day(c.want))
		}
	}
}

// TestABanIsTheSameInAnyOrder, and never longer than thirty days from the last absence.
func TestABanIsTheSameInAnyOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		days := rapid.SliceOfN(rapid.Float64Range(0, 300), 1, 12).Draw(rt, "absent")
		var list []player.NoShow
		last := day(0)
		for _, d := range days {
			list = append(list, player.NoShow{At: day(d)})
			if day(d).After(last) {
				last = day(d)
			}
		}
		var played []time.Time
		for _, d := range rapid.SliceOfN(rapid.Float64Range(0, 300), 0, 12).Draw(rt, "played") {
			played = append(played, day(d))
		}
		ban := player.BanOf(list, played)
		if got := player.BanOf(rapid.Permutation(list).Draw(rt, "order"), rapid.Permutation(played).Draw(rt, "order")); got != ban {
			rt.Fatalf("%v, in another order %v", ban, got)
		}
		if ban.Until.Before(last.Add(player.FirstBan)) || ban.Until.After(last.Add(player.LongestBan)) {
			rt.Fatalf("last absent %v, banned until %v", last, ban.Until)
		}
	})
}

func TestAnAbsenceIsAppealedOnce(t *testing.T) {
	t.Parallel()
	n := player.NoShow{ID: "n", At: evening}
	for text, want := range map[string]error{"  ": player.ErrAppealText, strings.Repeat("я", player.MaxAppeal+1): player.ErrAppealText, "a\x00b": player.ErrAppealText} {
		if _, err := n.WithAppeal(text, day(1)); !errors.Is(err, want) {
			t.Errorf("%.10q: %v", text, err)
		}
	}
	if _, err := n.WithAppeal("no light", day(31)); !errors.Is(err, player.ErrAppealLate) {
		t.Errorf("a month later: %v", err)
	}
	if _, err := n.Decided("judge", player.Excused, "", day(1)); !errors.Is(err, player.ErrNoAppeal) {
		t.Errorf("decided before it was made: %v", err)
	}
	n, err := n.WithAppeal(" There was no light.\r\nSee the news. ", day(1))
	if err != nil || n.Appeal != "There was no light.\nSee the news." {
		t.Fatalf("%q, %v", n.Appeal, err)
	}
	if _, err := n.WithAppeal("again", day(2)); !errors.Is(err, player.ErrAppealed) {
		t.Errorf("a second one: %v", err)
	}
	if n, err = n.Decided("judge", player.Excused, "Agreed.", day(2)); err != nil || n.Verdict != player.Excused || n.DecidedBy != "judge" {
		t.Errorf("%+v, %v", n, err)
	}
}
