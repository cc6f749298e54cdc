package tournament_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/outlook"
)

// even makes matches for which all lengths up to the longest are equally likely, in a quick
// event: usual are 1:00 of five, 2 × 8 × 15 s and 2 × (5:00 + 40 × 3 s).
var even = func() (d outlook.Durations) {
	for i := range d {
		d[i] = float64(i) / 10 * float64(longest) / float64(usual)
	}
	return d
}()

const usual = 19 * time.Minute

func TestPartAndQuantileAreEachOthersReverse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		u := rapid.Float64Range(0.001, 0.999).Draw(rt, "u")
		d := outlook.TypicalDurations()
		if got := d.Part(d.Quantile(u)); math.Abs(got-u) > 1e-9 {
			rt.Fatalf("%v within %v: %v", u, d.Quantile(u), got)
		}
	})
	d := outlook.Durations{0, .1, .2, .3, .4, .5, .6, .7, .8, .9, 1}
	if d.Part(0.37) != 0.37 || d.Quantile(0.37) != 0.37 || d.Part(-1) != 0 || d.Part(1) != 1 {
		t.Error("even lengths")
	}
}

func TestDurationsAreMeasured(t *testing.T) {
	t.Parallel()
	var list []outlook.Took
	for i := range 101 {
		list = append(list, outlook.Took{Time: time.Duration(i+1) * time.Minute, Usual: 20 * time.Minute})
	}
	d, measured := outlook.MeasureDurations(list)
	if !measured || d[0] != 1./20 || d[5] != 51./20 || d[9] != 91./20 || d[10] != 101./20 {
		t.Errorf("%v %v", measured, d)
	}
	if d, measured := outlook.MeasureDurations(list[:29]); measured || d != outlook.TypicalDurations() {
		t.Errorf("of 29 matches: %v", measured)
	}
}

func forecastOf(t *testing.T, change func(*tournament.Settings), players int) *tournament.Tournament {
	t.Helper()
	tour := newTournament(t, tournament.Swiss, func(s *tournament.Settings) {
		quick(s)
		change(s)
	})
	enter(t, tour, players)
	return tour
}

// minutes checks a span against minutes after the start, to a second.
func minutes(t *testing.T, what string, s outlook.Span, earliest, from, likely, to, latest float64) {
	t.Helper()
	for _, p := range []struct {
		word string
		got  time.Time
		want float64
	}{{"earliest", s.Earliest, earliest}, {"from", s.From, from}, {"likely", s.Likely, likely}, {"to", s.To, to}, {"latest", s.Latest, latest}} {
		if got := p.got.Sub(start).Minutes(); math.Abs(got-p.want) > 1./40 {
			t.Errorf("%s, %s: %.3f min, want %.3f", what, p.word, got, p.want)
		}
	}
}

func TestForecast(t *testing.T) {
	t.Parallel()
	if s := forecastOf(t, func(*tournament.Settings) {}, 0).Settings; s.UsualRound() != usual {
		t.Fatalf("usual are %v", s.UsualRound())
	}
	worst := longest.Minutes()
	one := forecastOf(t, func(s *tournament.Settings) { s.Rounds, s.Break = 2, 10*time.Minute }, 2)
	f := outlook.Of(one, nil, even, start)
	minutes(t, "one board", f.RoundEnd, 0, worst*.1, worst*.5, worst*.9, worst)
	side := math.Hypot(.4*worst, .4*worst)
	minutes(t, "two rounds of one board", f.End, 10, worst+10-side, worst+10, worst+10+side, 2*worst+10)

	two := forecastOf(t, func(s *tournament.Settings) { s.Rounds = 1 }, 4)
	// Both are over within x with the chance x²: the tenths are its roots.
	lone, many := outlook.RoundOf(two.Settings, 1), outlook.RoundOf(two.Settings, 2)
	if ends := outlook.Of(two, nil, outlook.TypicalDurations(), start).RoundEnd.Likely.Sub(start); lone >= many || (ends-many).Abs() > time.Second {
		t.Errorf("a round of one board takes %v, of two %v; it is forecast to take %v", lone, many, ends)
	}
	minutes(t, "two boards", outlook.Of(two, nil, even, start).RoundEnd, 0, worst*math.Sqrt(.1), worst*math.Sqrt(.5), worst*math.Sqrt(.9), worst)

	if err := two.Start(host, lowest, start); err != nil {
		t.Fatal(err)
	}
	if _, err := two.PairNext(system(two), ids(), start); err != nil {
		t.Fatal(err)
	}
	half := longest / 2
	clocks := []outlook.BoardClock{{Board: 1, Elapsed: half, Longest: longest / 4}}
	f = outlook.Of(two, clocks, even, start.Add(half))
	if !f.IsOpen || f.Round != 1 || f.End != f.RoundEnd {
		t.Errorf("%+v", f)
	}
	// Half of the time has passed, and at most a quarter is left, evenly spread.
	minutes(t, "one board half-way", f.RoundEnd, worst/2, worst*.525, worst*.625, worst*.725, worst*.75)
	clocks = append(clocks, outlook.BoardClock{Board: 2, Still: true})
	if f := outlook.Of(two, clocks, even, start.Add(half)); f.RoundEnd != (outlook.Span{}) || len(f.Unclear) != 1 || f.Unclear[0] != 2 {
		t.Errorf("a board stands still: %+v", f)
	}

	drafted := forecastOf(t, func(s *tournament.Settings) { s.Rounds, s.Review = 2, true }, 4)
	before := outlook.Of(drafted, nil, even, start)
	if err := drafted.Start(host, lowest, start); err != nil {
		t.Fatal(err)
	}
	if err := drafted.DraftNext(system(drafted), host.ID, start); err != nil {
		t.Fatal(err)
	}
	if f := outlook.Of(drafted, nil, even, start); before.End.Latest.IsZero() || f.End != before.End {
		t.Errorf("a draft that waits to be published: %+v, before the start %+v", f.End, before.End)
	}

	manual := forecastOf(t, func(s *tournament.Settings) { s.Rounds, s.Pace = 2, tournament.Manual }, 2)
	if f := outlook.Of(manual, nil, even, start); f.RoundEnd != (outlook.Span{}) || f.End != (outlook.Span{}) {
		t.Errorf("rounds open by hand: %+v", f)
	}
	timed := forecastOf(t, func(s *tournament.Settings) {
		s.Rounds, s.Pace, s.Times = 2, tournament.Times, []time.Time{at(30), at(300)}
	}, 2)
	f = outlook.Of(timed, nil, even, start)
	minutes(t, "at fixed times", f.End, 300, 300+.1*worst, 300+.5*worst, 300+.9*worst, 300+worst)
}

// With long clocks that usual matches nearly use up, the likely end is still before the latest
// one, even with many boards.
func TestTheLikelyEndIsNotTheLatestOne(t *testing.T) {
	t.Parallel()
	for _, players := range []int{2, 24, 60} {
		slow := forecastOf(t, func(s *tournament.Settings) {
			s.Rounds = 1
			s.Envelope.Minutes, s.Envelope.Increment = [2]int{15, 15}, [2]int{0, 0}
			s.Envelope.Presets = []bidding.TimeControl{{Minutes: 15}}
		}, players)
		f := outlook.Of(slow, nil, outlook.TypicalDurations(), start).RoundEnd
		if !f.From.Before(f.Likely) || !f.Likely.Before(f.To) || !f.To.Before(f.Latest.Add(-time.Minute)) {
			t.Errorf("%d players: %+v", players, f)
		}
	}
}

// At any moment, the latest end is never exceeded, and the likely interval holds for about four
// rounds in five.
func TestForecastAgainstSimulatedRounds(t *testing.T) {
	t.Parallel()
	d := outlook.TypicalDurations()
	tour := forecastOf(t, func(s *tournament.Settings) { s.Rounds = 1 }, 16)
	if err := tour.Start(host, lowest, start); err != nil {
		t.Fatal(err)
	}
	if _, err := tour.PairNext(system(tour), ids(), start); err != nil {
		t.Fatal(err)
	}
	chance := rand.New(rand.NewPCG(1, 2))
	inside, asked := 0, 0
	for range 1500 {
		ends := make([]time.Duration, 8)
		last := time.Duration(0)
		for i := range ends {
			for ends[i] = longest; ends[i] >= longest; { // of what the clocks allow
				ends[i] = time.Duration(d.Quantile(chance.Float64()) * float64(usual))
			}
			last = max(last, ends[i])
		}
		now := time.Duration(chance.Float64() * 0.3 * float64(longest))
		var clocks []outlook.BoardClock
		for i, end := range ends {
			if end > now {
				clocks = append(clocks, outlook.BoardClock{Board: i + 1, Elapsed: now, Longest: longest - now})
			}
		}
		if len(clocks) == 0 {
			continue
		}
		f := outlook.Of(tour, clocks, d, start.Add(now))
		end := start.Add(last)
		if end.After(f.RoundEnd.Latest) || end.Before(f.RoundEnd.Earliest) || f.RoundEnd.From.After(f.RoundEnd.To) ||
			f.RoundEnd.From.Before(f.RoundEnd.Earliest) || f.RoundEnd.To.After(f.RoundEnd.Latest.Add(time.Second)) {
			t.Fatalf("ended at %v: %+v", end, f.RoundEnd)
		}
		asked++
		if !end.Before(f.RoundEnd.From) && !end.After(f.RoundEnd.To) {
			inside++
		}
	}
	if part := float64(inside) / float64(asked); part < 0.76 || part > 0.84 {
		t.Errorf("%.1f %% of %d rounds ended in the likely interval, not four of five", 100*part, asked)
	}
}
