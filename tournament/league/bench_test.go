package league_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"chpok.org/chpok/civil"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/fixture"
	"chpok.org/chpok/tournament/league"
)

var round = time.Date(2026, 12, 7, 18, 0, 0, 0, time.UTC)

func alternates() league.Bench {
	return league.Bench{
		Alternates: []league.Alternate{{Member: "late", Rating: 1500, Since: round.Add(-100 * time.Hour)},
			{Member: "early", Rating: 1500, Since: round.Add(-200 * time.Hour)}, {Member: "strong", Rating: 2200, Since: round.Add(-300 * time.Hour)},
			{Member: "last", Rating: 1400, Since: round.Add(-50 * time.Hour)}},
		Vacancies: []league.Vacancy{{Number: 1, Division: 2, Out: "gone", Starts: round, High: 1700}},
	}
}

func TestPlacesAreOfferedByPriorityAndEightHoursApart(t *testing.T) {
	b := alternates()
	var asked []league.Member
	var when []time.Duration
	for at := b.Due(); !at.IsZero() && len(when) < 20; at = b.Due() {
		for _, m := range b.Settle(at)[1] {
			asked, when = append(asked, m), append(when, at.Sub(round))
		}
		if !b.Vacancies[0].IsOpen() {
			break
		}
	}
	if !slices.Equal(asked, []league.Member{"early", "late", "last"}) ||
		!slices.Equal(when, []time.Duration{-48 * time.Hour, -40 * time.Hour, -32 * time.Hour}) {
		t.Errorf("asked %v at %v", asked, when)
	}
	if !b.Vacancies[0].Closed {
		t.Error("a search goes on after its round has begun")
	}
}

func TestAllWhoAreLeftAreAskedTwelveHoursBefore(t *testing.T) {
	b := alternates()
	if got := b.Settle(round.Add(-12 * time.Hour))[1]; !slices.Equal(got, []league.Member{"early", "late", "last"}) {
		t.Errorf("asked %v", got)
	}
}

func TestADeclinedOfferGoesToTheNextAtOnce(t *testing.T) {
	b := alternates()
	b.Settle(round.Add(-48 * time.Hour))
	if err := b.Answer(1, "early", false); err != nil {
		t.Fatal(err)
	}
	if got := b.Settle(round.Add(-47 * time.Hour))[1]; !slices.Equal(got, []league.Member{"late"}) {
		t.Errorf("asked %v", got)
	}
}

func TestThePlaceIsTakenOnce(t *testing.T) {
	b := alternates()
	b.Settle(round.Add(-12 * time.Hour))
	if err := b.Answer(1, "late", true); err != nil {
		t.Fatal(err)
	}
	if err := b.Answer(1, "early", true); !errors.Is(err, league.ErrNoOffer) {
		t.Error("a second one took the place:", err)
	}
	if v := b.Vacancies[0]; v.Taken != "late" || v.IsOpen() || len(b.Alternates) != 3 {
		t.Errorf("%+v", b)
	}
}

// The clock of silence starts with the first offer, and another offer does not start it again.
func TestTheSilentGoToTheEndOfTheList(t *testing.T) {
	b := alternates()
	b.Vacancies = append(b.Vacancies, league.Vacancy{Number: 2, Division: 2, Out: "other", Starts: round.Add(20 * time.Hour), High: 1700})
	start := round.Add(-48 * time.Hour)
	b.Settle(start)                     // early is asked about 1
	b.Settle(start.Add(20 * time.Hour)) // and about 2
	b.Settle(start.Add(23 * time.Hour))
	if a := b.Alternates[1]; a.Member != "early" || !a.Asked.Equal(start) {
		t.Errorf("the clock of the first offer was not kept: %+v", a)
	}
	b.Settle(start.Add(24 * time.Hour))
	if a := b.Alternates[1]; !a.Since.Equal(start.Add(24*time.Hour)) || !a.Asked.IsZero() {
		t.Errorf("after a day of silence: %+v", a)
	}
	c := alternates()
	c.Settle(start)
	if err := c.Stay("early"); err != nil {
		t.Fatal(err)
	}
	c.Settle(start.Add(24 * time.Hour))
	if a := c.Alternates[1]; !a.Since.Equal(round.Add(-200 * time.Hour)) {
		t.Errorf("whoever answers keeps their place: %+v", a)
	}
}

func TestSanctionsRiseWithinASeasonAndHealBetween(t *testing.T) {
	list := []league.Sanction{{ID: 1, Member: "A", Season: 1}, {ID: 2, Member: "A", Season: 1}, {ID: 3, Member: "A", Season: 1},
		{ID: 4, Member: "B", Season: 1}}
	for season, want := range map[int]league.Level{1: league.Red, 2: league.Yellow, 3: league.Warned, 4: league.Clean, 9: league.Clean} {
		if got := league.LevelOf("A", season, list); got != want {
			t.Errorf("season %d: %v, want %v", season, got, want)
		}
	}
	again := append(slices.Clone(list), league.Sanction{ID: 5, Member: "A", Season: 2})
	if got := league.LevelOf("A", 2, again); got != league.Red {
		t.Errorf("who carries yellow over is out with the next: %v", got)
	}
	list[1].Lifted = true // an appeal granted
	if got := league.LevelOf("A", 1, list); got != league.Yellow {
		t.Errorf("with one lifted: %v", got)
	}
	if got := league.LevelOf("B", 2, list); got != league.Clean {
		t.Errorf("a warning is forgotten: %v", got)
	}
}

// Two alternates, one place. The first is asked alone for eight hours, then the second as well; the second takes it. Whoever waits
// and whoever organizes hears of each step, once.
func TestNobodyWaitsInSilence(t *testing.T) {
	t.Parallel()
	starts := time.Date(2026, 12, 10, 19, 0, 0, 0, time.UTC)
	s := &league.Season{Number: 1, State: league.Placed, Starts: starts, Bench: league.Bench{
		Alternates: []league.Alternate{{Member: "early", Since: starts.Add(-90 * time.Hour)}, {Member: "late", Since: starts.Add(-80 * time.Hour)}},
		Vacancies:  []league.Vacancy{{Number: 1, Division: 2, Out: "x", Starts: starts}}}}
	step := func(f func(*league.Season)) []league.News {
		t.Helper()
		was := *s
		was.Bench.Alternates = slices.Clone(s.Bench.Alternates)
		was.Bench.Vacancies = slices.Clone(s.Bench.Vacancies)
		for i := range was.Bench.Vacancies {
			was.Bench.Vacancies[i].Offers = slices.Clone(s.Bench.Vacancies[i].Offers)
		}
		f(s)
		return league.NewsOf(&was, s)
	}
	settle := func(before time.Duration) []league.News {
		return step(func(s *league.Season) { s.Bench.Settle(starts.Add(-before)) })
	}
	answer := func(who league.Member, accept bool) []league.News {
		return step(func(s *league.Season) {
			if err := s.Bench.Answer(1, who, accept); err != nil {
				t.Error(who, err)
			}
		})
	}
	for i, c := range []struct {
		got  []league.News
		want []league.News
	}{
		{settle(49 * time.Hour), nil},
		{settle(48 * time.Hour), []league.News{{To: "early", What: league.NewsOffered, Vacancy: 1}}},
		{settle(41 * time.Hour), nil},
		{settle(40 * time.Hour), []league.News{{To: "late", What: league.NewsOffered, Vacancy: 1}}},
		{answer("late", true), []league.News{{To: "early", What: league.NewsGone, Vacancy: 1}, {What: league.NewsTaken, Vacancy: 1}}},
		{step(func(s *league.Season) {
			s.Bench.Vacancies = append(s.Bench.Vacancies, league.Vacancy{Number: 2, Division: 1, Out: "y", Starts: starts})
		}), nil},
		{settle(39 * time.Hour), []league.News{{To: "early", What: league.NewsOffered, Vacancy: 2}}},
		{step(func(s *league.Season) {
			if err := s.Bench.Answer(2, "early", false); err != nil {
				t.Error(err)
			}
		}), []league.News{{What: league.NewsNobody, Vacancy: 2}}},
		{settle(38 * time.Hour), nil},
		{step(func(s *league.Season) { s.State, s.Bench.Alternates = league.Running, nil }), []league.News{{To: "early", What: league.NewsNone}}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("step %d: %+v, want %+v", i+1, c.got, c.want)
		}
	}
	v := s.Bench.Vacancies[0]
	if early, late := v.AloneUntil("early"), v.AloneUntil("late"); !early.Equal(starts.Add(-40*time.Hour)) || !late.Equal(starts.Add(-32*time.Hour)) {
		t.Errorf("alone until %v and %v", early, late)
	}
}

// Six play five rounds of a week. Early has crossed out the whole second week in their zone, late all but its Friday: the place is
// offered to late first, and to early after everybody else.
func TestWhoCannotPlayInARoundIsAskedLast(t *testing.T) {
	starts, host := round, league.Actor{Player: "host", Directs: true}
	now := starts.Add(-30 * 24 * time.Hour)
	s := league.DefaultSettings()
	s.Name, s.Rule = "Winter", league.Rule{Least: 3, Usual: 6, Most: 8}
	l, err := league.New("l", "club", host, s, starts, now)
	for _, who := range []league.Member{"A", "B", "C", "D", "E", "F"} {
		err = errors.Join(err, l.Enter(host, who, 2000, now))
	}
	err = errors.Join(err, l.Propose(host, now), l.Publish(host, func() tournament.ID { return "t" }, now))
	for i, who := range []league.Member{"early", "late", "last"} {
		err = errors.Join(err, l.Enter(host, who, 2000, now.Add(time.Duration(i)*time.Hour)))
	}
	_, left := l.Leave(host, "B", now)
	if err = errors.Join(err, left); err != nil {
		t.Fatal(err)
	}
	kyiv := civil.Zone("Europe/Kyiv")
	week := []string{"2026-12-14", "2026-12-15", "2026-12-16", "2026-12-17", "2026-12-18", "2026-12-19", "2026-12-20", "2026-12-21"}
	off := map[league.Member]fixture.DaysOff{"early": {Zone: kyiv, Days: week}, "late": {Zone: kyiv, Days: append(week[:4:4], week[5:]...)}}
	var asked []league.Member
	for _, before := range []time.Duration{48, 40, 32} {
		l.Settle(off, starts.Add(-before*time.Hour))
		asked = nil
		for _, o := range l.Now().Bench.Vacancies[0].Offers {
			asked = append(asked, o.Member)
		}
	}
	if !slices.Equal(asked, []league.Member{"late", "last", "early"}) {
		t.Errorf("asked %v", asked)
	}
}
