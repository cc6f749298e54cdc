package rating_test

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chpok.org/chpok/rating"
)

func TestAMonthlyListIsThatOfMidnightInItsZone(t *testing.T) {
	t.Parallel()
	p := rating.Pool{Zone: "Europe/Kyiv"}
	m, ok := rating.ParseMonth("2026-11")
	if !ok || m.String() != "2026-11" || !p.At(m).Equal(time.Date(2026, 10, 31, 22, 0, 0, 0, time.UTC)) {
		t.Errorf("%v begins at %v", m, p.At(m))
	}
	if got := p.MonthOf(time.Date(2026, 10, 31, 22, 0, 0, 0, time.UTC)); got != m {
		t.Errorf("%v", got)
	}
	if got := p.MonthOf(time.Date(2026, 10, 31, 21, 59, 0, 0, time.UTC)); got.String() != "2026-10" || got.Add(3).String() != "2027-01" {
		t.Errorf("%v", got)
	}
	if _, ok := rating.ParseMonth("2026-13"); ok {
		t.Error("a thirteenth month")
	}
}

func TestWhichPoolsCanBe(t *testing.T) {
	t.Parallel()
	good := rating.Pool{ID: "x", Name: "Blitz", Zone: "UTC", Counts: rating.Counts{Challenges: true}, Rules: rating.Club(1500)}
	if err := good.Validate(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*rating.Pool){
		"no name": func(p *rating.Pool) { p.Name = "" }, "nothing to count": func(p *rating.Pool) { p.Counts = rating.Counts{Handicap: true} },
		"no such zone": func(p *rating.Pool) { p.Zone = "Mars/Olympus" },
	} {
		p := good
		change(&p)
		if err := p.Validate(); !errors.Is(err, rating.ErrPool) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if good.Counts.Takes(rating.InChallenge, true) || !good.Counts.Takes(rating.InChallenge, false) || good.Counts.Takes(rating.InTournament, false) || good.Counts.Takes(0, false) {
		t.Error("a pool of challenges takes those without a handicap, and nothing else")
	}
}

func TestAGivenRatingReplacesWhatWas(t *testing.T) {
	t.Parallel()
	events := []rating.Event{
		{ID: "cup", Month: year2026, Games: []rating.Game{{First: "A", Second: "B", FirstResult: rating.Win}}},
		{ID: "import", Month: year2026, Starts: []rating.Start{{Player: "A", Rating: 2450, Games: 80}}},
		// From 2400 on K is 10 for good: 92 % were expected of A against 1480.
		{ID: "cup2", Month: year2026, Games: []rating.Game{{First: "B", Second: "A", FirstResult: rating.Win}}},
	}
	l, changes, err := rating.Recompute(rating.Club(1500), nil, events)
	if err != nil {
		t.Fatal(err)
	}
	var given rating.Change
	for _, c := range changes {
		if c.Reason == rating.Given {
			given = c
		}
	}
	if given.Before != rating.Points(1520) || given.After != rating.Points(2450) || given.Games != 80 {
		t.Errorf("%+v", given)
	}
	if p, _ := l.Standing("A"); p.Rating != 245000-920 || p.Games != 81 || p.Peak != rating.Points(2450) {
		t.Errorf("%+v", p)
	}
	for name, starts := range map[string][]rating.Start{"twice": {{Player: "A", Rating: 1}, {Player: "A", Rating: 2}}, "nothing": {{Player: "A"}}, "nobody": {{Rating: 1}}} {
		if _, err := l.Rate(rating.Event{ID: "x", Starts: starts}); !errors.Is(err, rating.ErrEvent) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A fold that goes on from stored standings is the fold.
func TestAFoldGoesOnFromStandings(t *testing.T) {
	t.Parallel()
	for _, s := range []rating.Settings{rating.FIDE(), rating.Club(1500), rating.Glickman(1500)} {
		rapid.Check(t, func(t *rapid.T) {
			events := append([]rating.Event{{ID: "import", Month: year2026 - 1, Starts: []rating.Start{{Player: "A", Rating: 1800, Games: 20}}}}, randomEvents(t)...)
			_, want, err := rating.Recompute(s, nil, events)
			if err != nil {
				t.Fatal(err)
			}
			standings := map[string]rating.Standing{}
			var got []rating.Change
			for _, e := range events {
				l, err := rating.NewList(s, nil)
				if err != nil {
					t.Fatal(err)
				}
				for _, name := range e.Players() {
					if p, known := standings[name]; known {
						l.Restore(name, p)
					}
				}
				changes, err := l.Rate(e)
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range changes {
					standings[c.Player] = c.Standing
				}
				got = append(got, changes...)
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatal("the fold from standings differs")
			}
		})
	}
}

func TestTheTableOfHandicaps(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ own, opponent, want int }{
		{1500, 1500, 0}, {1500, 1599, 0}, {1500, 1600, 1}, {1600, 1500, -1}, {1500, 1799, 2}, {1500, 2100, 6}, {1500, 2900, 6}, {2900, 1500, -6}, {0, 1500, 0}, {1500, 0, 0},
	} {
		if got := rating.HandicapChips(rating.Points(c.own), rating.Points(c.opponent)); got != c.want {
			t.Errorf("%d against %d: %d chips, want %d", c.own, c.opponent, got, c.want)
		}
	}
	table := rating.HandicapTable()
	for i, row := range table {
		if got := rating.HandicapChips(rating.Points(1000), rating.Points(1000+row.From)); got != row.Chips || row.Chips != i {
			t.Errorf("row %d: %+v", i, row)
		}
	}
}

func TestWhatAnEventWasWorth(t *testing.T) {
	t.Parallel()
	old := rating.Profile{Rating: 1600, Games: 100}
	// 4 of 5 against 1600: 80 %, 240 more: 1840, so a second norm. Expected 2½; 1½ × 20 = 30.
	c := one(t, rating.FIDE(), old, year2026, many(5, 1600), rating.Win, rating.Win, rating.Win, rating.Win, rating.Loss)
	if got, want := c.Report(), (rating.Report{Games: 5, Halves: 8, Expected: 250, Performance: 1840, Norm: 2, Change: rating.Points(30)}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := one(t, rating.FIDE(), old, year2026, many(4, 1600), rating.Win, rating.Win, rating.Win, rating.Win).Report(); got.Norm != 0 || got.Performance != 2400 {
		t.Errorf("four games are too few for a norm: %+v", got)
	}
	newcomer := one(t, rating.Club(1500), rating.Profile{}, year2026, many(5, 1500), rating.Win, rating.Win, rating.Win, rating.Win, rating.Win)
	if got := newcomer.Report(); got.Norm != 0 || got.Performance != 2300 {
		t.Errorf("nobody improves on a rating he was only given: %+v", got)
	}
	if got := one(t, rating.FIDE(), old, year2026, many(5, 1600)).Report(); got.Norm != 0 {
		t.Errorf("as expected is no improvement: %+v", got)
	}
	if got := one(t, rating.FIDE(), old, year2026, many(6, 1800), many6(rating.Win)...).Report(); got.Norm != 3 {
		t.Errorf("the third is the highest: %+v", got)
	}
}

func many6(r rating.Result) []rating.Result { return []rating.Result{r, r, r, r, r, r} }

func TestStreaks(t *testing.T) {
	t.Parallel()
	w, d, l := rating.Win, rating.Draw, rating.Loss
	for _, c := range []struct {
		results []rating.Result
		want    rating.Streaks
	}{
		{nil, rating.Streaks{}},
		{[]rating.Result{w, w, d, w, l, w, w, w}, rating.Streaks{Wins: 3, Unbeaten: 4, Current: 3}},
		{[]rating.Result{w, l, l}, rating.Streaks{Wins: 1, Unbeaten: 1, Current: -2}},
		{[]rating.Result{l, d}, rating.Streaks{Unbeaten: 1}},
	} {
		if got := rating.StreaksOf(c.results); got != c.want {
			t.Errorf("%v: %+v, want %+v", c.results, got, c.want)
		}
	}
}
