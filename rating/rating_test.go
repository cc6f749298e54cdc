package rating_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"chpok.org/chpok/rating"
)

func TestTablesOfTheHandbook(t *testing.T) {
	t.Parallel()
	for percent, want := range map[int]int{100: 800, 99: 677, 83: 273, 75: 193, 57: 50, 50: 0, 49: -7, 25: -193, 1: -677, 0: -800, 120: 800} {
		if got := rating.Difference(percent); got != want {
			t.Errorf("%d %% is a difference of %d, want %d", percent, got, want)
		}
	}
	// First and last difference of some rows of 8.1.2.
	for difference, want := range map[int]int{
		0: 50, 3: 50, 4: 51, 10: 51, 11: 52, 91: 62, 92: 63, 188: 74, 189: 75, 328: 87, 329: 88, 344: 88, 345: 89,
		391: 91, 392: 92, 400: 92, 411: 92, 412: 93, 619: 98, 620: 99, 735: 99, 736: 100, 2000: 100,
		-3: 50, -4: 49, -400: 8, -736: 0,
	} {
		if got := rating.Expected(difference); got != want {
			t.Errorf("a difference of %d expects %d %%, want %d", difference, got, want)
		}
	}
	for d := -1000; d <= 1000; d++ {
		if rating.Expected(d)+rating.Expected(-d) != 100 {
			t.Errorf("expectations at %d do not add up to 100", d)
		}
	}
}

func TestPerformanceAndFirstRating(t *testing.T) {
	t.Parallel()
	// 3 of 4 against an average of 2000.5: 75 %, 193 more, 2193.5 rounded up.
	if got, ok := rating.Performance([]int{2000, 2001, 2000, 2001}, 6); !ok || got != 2194 {
		t.Errorf("performance %d, %v", got, ok)
	}
	if _, ok := rating.Performance(nil, 0); ok {
		t.Error("a performance without opponents")
	}
	// Five opponents with together 9507, three points: (9507+3600)/7 = 1872.43, 4/7 = 57 %, 50 more.
	if got, ok := rating.Initial([]int{1901, 1902, 1900, 1903, 1901}, 6, 2200); !ok || got != 1922 {
		t.Errorf("first rating %d, %v", got, ok)
	}
	if got, _ := rating.Initial([]int{2600, 2600, 2600, 2600, 2600}, 10, 2200); got != 2200 {
		t.Errorf("the highest first rating is 2200, not %d", got)
	}
}

// one rates a single event of games of A against opponents with the given ratings.
func one(t *testing.T, s rating.Settings, a rating.Profile, month int, opponents []int, results ...rating.Result) rating.Change {
	t.Helper()
	profiles := map[string]rating.Profile{"A": a}
	e := rating.Event{ID: "cup", Month: month}
	for i, r := range opponents {
		name := fmt.Sprintf("B%02d", i)
		profiles[name] = rating.Profile{Rating: r, Games: 100}
		result := rating.Draw
		if i < len(results) {
			result = results[i]
		}
		e.Games = append(e.Games, rating.Game{First: "A", Second: name, FirstResult: result})
	}
	_, changes, err := rating.Recompute(s, profiles, []rating.Event{e})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		if c.Player == "A" && c.Reason != rating.Started {
			return c
		}
	}
	t.Fatal("A did not change")
	return rating.Change{}
}

func many(n, value int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = value
	}
	return list
}

const year2026 = 2026 * 12

func TestChangesOfARatedPlayer(t *testing.T) {
	t.Parallel()
	old := func(r int) rating.Profile { return rating.Profile{Rating: r, Games: 100} }
	cases := []struct {
		name      string
		player    rating.Profile
		opponents []int
		results   []rating.Result
		k         int
		after     int // hundredths
	}{
		{"a win among equals is half of K", old(1600), []int{1600}, []rating.Result{rating.Win}, 20, 161000},
		{"K is 40 for thirty games", rating.Profile{Rating: 1600, Games: 29}, []int{1600}, []rating.Result{rating.Win}, 40, 162000},
		{"then 20", rating.Profile{Rating: 1600, Games: 30}, []int{1600}, []rating.Result{rating.Win}, 20, 161000},
		{"K is 10 from 2400", old(2400), []int{2400}, []rating.Result{rating.Win}, 10, 240500},
		{"K is 40 until the year of the eighteenth birthday ends", rating.Profile{Rating: 2299, Games: 100, BirthYear: 2008}, []int{2299}, []rating.Result{rating.Win}, 40, 231900},
		{"not a year later", rating.Profile{Rating: 2299, Games: 100, BirthYear: 2007}, []int{2299}, []rating.Result{rating.Win}, 20, 230900},
		{"and not from 2300", rating.Profile{Rating: 2300, Games: 100, BirthYear: 2010}, []int{2300}, []rating.Result{rating.Win}, 20, 231000},
		// 39 games at 20 are 780: K is 17. All drawn among equals: no change.
		{"K times games stays within 700", old(1600), many(39, 1600), nil, 17, 160000},
		// D 500 counts as 400: 92 % expected.
		{"a difference over 400 counts as 400", old(2000), []int{1500}, []rating.Result{rating.Win}, 20, 200200},
		{"for the weaker one too", old(1500), []int{2000}, []rating.Result{rating.Win}, 20, 151800},
		// 900 ahead 100 % are expected: nothing to win, ten to lose.
		{"from 2650 the difference itself counts", old(2700), []int{1800}, []rating.Result{rating.Win}, 10, 270000},
		{"and a loss costs all of K", old(2700), []int{1800}, []rating.Result{rating.Loss}, 10, 269000},
		// 1600 against 1578: D 22, 53 %; a draw is -0.03·20 = -0.6, rounded to -1.
		{"the change is rounded to whole points", old(1600), []int{1578}, []rating.Result{rating.Draw}, 20, 159900},
		// Five draws where 55 % were expected: -0.25·10 = -2.5, away from zero -3.
		{"a half is rounded away from zero", old(2500), many(5, 2464), nil, 10, 249700},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := one(t, rating.FIDE(), c.player, year2026, c.opponents, c.results...)
			if got.K != c.k || int(got.After) != c.after || got.Reason != rating.Rated {
				t.Errorf("K %d, after %d, %s; want K %d, after %d", got.K, got.After, got.Reason, c.k, c.after)
			}
		})
	}
}

func TestAClubKeepsHundredths(t *testing.T) {
	t.Parallel()
	got := one(t, rating.Club(1500), rating.Profile{Rating: 1600, Games: 100}, year2026, []int{1578}, rating.Draw)
	if got.After != 159940 || got.After.Whole() != 1599 {
		t.Errorf("after %d, shown %s", got.After, got.After)
	}
}

func TestTheWayOfAnUnratedPlayer(t *testing.T) {
	t.Parallel()
	profiles := map[string]rating.Profile{}
	for _, n := range []string{"B", "C", "D"} {
		profiles[n] = rating.Profile{Rating: 1800, Games: 50}
	}
	game := func(second string, r rating.Result) rating.Game {
		return rating.Game{First: "A", Second: second, FirstResult: r}
	}
	zero := rating.Event{ID: "zero", Month: year2026, Games: []rating.Game{game("B", rating.Loss), game("C", rating.Loss)}}
	three := rating.Event{ID: "three", Month: year2026, Games: []rating.Game{game("B", rating.Win), game("C", rating.Draw), game("D", rating.Loss)}}
	two := rating.Event{ID: "two", Month: year2026 + 1, Games: []rating.Game{game("B", rating.Win), game("C", rating.Win)}}
	late := two
	late.Month = year2026 + 26
	cases := []struct {
		name   string
		events []rating.Event
		reason rating.Reason
		after  string
	}{
		{"no point in the first event is disregarded", []rating.Event{zero}, rating.Ignored, "unrated"},
		{"three games are not enough", []rating.Event{three}, rating.Waiting, "unrated"},
		// 3.5 of 5, with two draws 4.5 of 7: 64 %, 102 more than 1800.
		{"five from two events are", []rating.Event{zero, three, two}, rating.Earned, "1902"},
		{"results are pooled for 26 months", []rating.Event{three, late}, rating.Waiting, "unrated"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l, changes, err := rating.Recompute(rating.FIDE(), profiles, c.events)
			if err != nil {
				t.Fatal(err)
			}
			var last rating.Change
			for _, change := range changes {
				if change.Player == "A" {
					last = change
				}
			}
			if last.Reason != c.reason || last.After.String() != c.after {
				t.Errorf("%s, %s; want %s, %s", last.Reason, last.After, c.reason, c.after)
			}
			if p, ok := l.Standing("A"); !ok || p.Rating.String() != c.after || !p.IsProvisional(rating.FIDE()) {
				t.Errorf("on the list as %+v", p)
			}
			if p, _ := l.Standing("B"); p.Rating.Whole() != 1800 {
				t.Errorf("a game against an unrated player changed B to %s", p.Rating)
			}
		})
	}
}

func TestTheFloor(t *testing.T) {
	t.Parallel()
	lost := one(t, rating.FIDE(), rating.Profile{Rating: 1402, Games: 100}, year2026, []int{1400}, rating.Loss)
	if lost.Reason != rating.Dropped || lost.After != 0 {
		t.Errorf("FIDE: %s, %s", lost.Reason, lost.After)
	}
	club := rating.Club(1500)
	club.Floor = 1400
	if kept := one(t, club, rating.Profile{Rating: 1402, Games: 100}, year2026, []int{1400}, rating.Loss); kept.After.Whole() != 1400 {
		t.Errorf("club: %s", kept.After)
	}
}

func TestEveryStepIsTold(t *testing.T) {
	t.Parallel()
	got := one(t, rating.FIDE(), rating.Profile{Rating: 1900, Games: 100}, year2026, []int{1400, 1900}, rating.Win, rating.Loss)
	want := []rating.Step{
		{Opponent: "B00", OpponentRating: 1400, Difference: 400, Cut: true, Expected: 92, Result: rating.Win},
		{Opponent: "B01", OpponentRating: 1900, Expected: 50, Result: rating.Loss},
	}
	if !reflect.DeepEqual(got.Steps, want) || got.Games != 102 || got.Before != rating.Points(1900) {
		t.Errorf("%+v", got)
	}
}

func TestWhatCannotBeRatedIsRefused(t *testing.T) {
	t.Parallel()
	for name, g := range map[string]rating.Game{
		"against himself": {First: "A", Second: "A"},
		"nobody":          {First: "A"},
		"no such result":  {First: "A", Second: "B", FirstResult: 3},
	} {
		l, err := rating.NewList(rating.Club(1500), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Rate(rating.Event{ID: "x", Games: []rating.Game{{First: "C", Second: "D"}, g}}); !errors.Is(err, rating.ErrEvent) {
			t.Errorf("%s: %v", name, err)
		}
		if len(l.Players()) != 0 {
			t.Errorf("%s: the list holds %v", name, l.Players())
		}
	}
	for name, change := range map[string]func(*rating.Settings){
		"no K":                    func(s *rating.Settings) { s.K = 0 },
		"a negative floor":        func(s *rating.Settings) { s.Floor = -1 },
		"a start below the floor": func(s *rating.Settings) { s.Start = 1000 },
		"no way to get a rating":  func(s *rating.Settings) { s.MinGames = 0 },
	} {
		s := rating.FIDE()
		change(&s)
		if _, err := rating.NewList(s, nil); err == nil {
			t.Errorf("settings with %s were taken", name)
		}
	}
}

// randomEvents are events of a few players of a club.
func randomEvents(t *rapid.T) []rating.Event {
	var events []rating.Event
	for i := range rapid.IntRange(1, 6).Draw(t, "events") {
		e := rating.Event{ID: fmt.Sprint(i), Month: year2026 + i}
		for range rapid.IntRange(1, 12).Draw(t, "games") {
			pair := rapid.Permutation([]string{"A", "B", "C", "D", "E"}).Draw(t, "pair")
			e.Games = append(e.Games, rating.Game{First: pair[0], Second: pair[1], FirstResult: rating.Result(rapid.IntRange(0, 2).Draw(t, "result"))})
		}
		events = append(events, e)
	}
	return events
}

func TestPointsOnlyChangeHandsAtEqualK(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := rating.Club(1500)
		s.NewGames, s.MaxKGames = 0, 0
		l, _, err := rating.Recompute(s, nil, randomEvents(t))
		if err != nil {
			t.Fatal(err)
		}
		var sum rating.Rating
		for _, name := range l.Players() {
			p, _ := l.Standing(name)
			sum += p.Rating
		}
		if sum != rating.Points(1500*len(l.Players())) {
			t.Fatalf("%d players hold %d", len(l.Players()), sum)
		}
	})
}

func TestRecomputingGivesTheSame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		events := randomEvents(t)
		_, all, err := rating.Recompute(rating.Club(1500), nil, events)
		if err != nil {
			t.Fatal(err)
		}
		l, err := rating.NewList(rating.Club(1500), nil)
		if err != nil {
			t.Fatal(err)
		}
		var oneByOne []rating.Change
		for _, e := range events {
			// The order of games within an event does not matter for the ratings.
			c, err := l.Rate(e)
			if err != nil {
				t.Fatal(err)
			}
			oneByOne = append(oneByOne, c...)
		}
		if !reflect.DeepEqual(all, oneByOne) {
			t.Fatal("the fold and the single steps differ")
		}
		for _, c := range all {
			if c.Reason == rating.Rated && c.Before == 0 {
				t.Fatalf("rated from nothing: %+v", c)
			}
		}
	})
}

func TestWhatOneOfTwoGamesAgainstTheSameOpponentGave(t *testing.T) {
	t.Parallel()
	// K 20 against equals: half a point is 10 points of rating, a loss costs as many.
	c := rating.Change{K: 20, Steps: []rating.Step{
		{Opponent: "B", OpponentRating: 1500, Expected: 50, Result: rating.Win},
		{Opponent: "C", Expected: 50, Result: rating.Win}, // unrated: does not count
		{Opponent: "B", OpponentRating: 1500, Expected: 50, Result: rating.Loss},
	}}
	for _, test := range []struct {
		opponent string
		n        int
		want     rating.Rating
		counts   bool
	}{{"B", 0, rating.Points(10), true}, {"B", 1, -rating.Points(10), true}, {"B", 2, 0, false}, {"C", 0, 0, false}, {"D", 0, 0, false}} {
		if got, counts := c.OfGame(test.opponent, test.n); counts != test.counts || counts && got != test.want {
			t.Errorf("game %d against %s gave %d, %v", test.n, test.opponent, got, counts)
		}
	}
}

func TestTheOrderOfGamesInAnEventDoesNotMatter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		events := randomEvents(t)
		want, _, err := rating.Recompute(rating.Club(1500), nil, events)
		if err != nil {
			t.Fatal(err)
		}
		for i := range events {
			events[i].Games = rapid.Permutation(events[i].Games).Draw(t, "order")
		}
		got, _, err := rating.Recompute(rating.Club(1500), nil, events)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range want.Players() {
			a, _ := want.Standing(name)
			b, _ := got.Standing(name)
			if a.Rating != b.Rating || a.Games != b.Games {
				t.Fatalf("%s has %d or %d", name, a.Rating, b.Rating)
			}
		}
	})
}

// BenchmarkRecompute is a million results in tournaments of a hundred games.
func BenchmarkRecompute(b *testing.B) {
	const results, size, players = 1_000_000, 100, 5000
	var events []rating.Event
	seed := uint32(1)
	next := func(n uint32) uint32 { seed = seed*1664525 + 1013904223; return (seed >> 8) % n }
	for i := range results / size {
		e := rating.Event{ID: fmt.Sprint(i), Month: year2026 + i/100}
		for range size {
			first := next(players)
			second := (first + 1 + next(players-1)) % players
			e.Games = append(e.Games, rating.Game{
				First: fmt.Sprint("p", first), Second: fmt.Sprint("p", second), FirstResult: rating.Result(next(3)),
			})
		}
		events = append(events, e)
	}
	for b.Loop() {
		if _, _, err := rating.Recompute(rating.Club(1500), nil, events); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/results, "ns/result")
}
