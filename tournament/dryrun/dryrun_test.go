package dryrun_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/contest"
	"chpok.org/chpok/tournament/dryrun"
	"chpok.org/chpok/tournament/outlook"
)

var evening = time.Date(2026, 9, 4, 18, 0, 0, 0, time.UTC)

// plan has n players, each 50 points below the one before.
func plan(f tournament.Format, n int, change func(*tournament.Settings)) dryrun.Plan {
	s := tournament.DefaultSettings(f)
	s.Name, s.Break = "Friday", 5*time.Minute
	if change != nil {
		change(&s)
	}
	p := dryrun.Plan{Settings: s, StartAt: evening, Durations: outlook.TypicalDurations(), Absence: 0.02, Draws: 0.12}
	for i := range n {
		p.Entries = append(p.Entries, tournament.Entry{
			ID: tournament.EntryID(i + 1), Name: fmt.Sprintf("Player %02d", i+1), Rating: 2200 - 50*i, Status: tournament.Active, From: 1, EnteredAt: evening,
		})
	}
	return p
}

func TestADryRunIsTheSameForTheSameSeed(t *testing.T) {
	t.Parallel()
	p := plan(tournament.Swiss, 13, nil)
	differ := false
	for seed := range uint64(10) {
		a, err := p.Simulate(seed, 3)
		if err != nil {
			t.Fatal(err)
		}
		if b, _ := p.Simulate(seed, 3); a != b {
			t.Errorf("seed %d: %+v, again %+v", seed, a, b)
		}
		c, _ := p.Simulate(seed+100, 3)
		differ = differ || a != c
	}
	if !differ {
		t.Error("all seeds give the same")
	}
}

// TestNoRunIsLongerThanTheWorstCase, and every one has its byes and boards.
func TestNoRunIsLongerThanTheWorstCase(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		f := rapid.SampledFrom([]tournament.Format{tournament.Swiss, tournament.RoundRobin}).Draw(rt, "format")
		n := rapid.IntRange(8, 16).Draw(rt, "players")
		p := plan(f, n, nil)
		p.Absence = rapid.Float64Range(0, 0.3).Draw(rt, "absence")
		s, err := p.Simulate(rapid.Uint64().Draw(rt, "seed"), 3)
		if err != nil {
			rt.Fatal(err)
		}
		rounds := 5
		if f == tournament.RoundRobin {
			rounds = n - 1 + n%2
		}
		worst := time.Duration(rounds)*p.Settings.WorstRound() + time.Duration(rounds-1)*5*time.Minute
		if s.Rounds != rounds && !s.Stuck || s.End <= 0 || s.End > worst {
			rt.Fatalf("%+v, at most %v", s, worst)
		}
		if s.Byes != s.Rounds*(n%2) || s.Peak > n/2 {
			rt.Fatalf("%d players: %+v", n, s)
		}
	})
}

// Whatever is played, and however its level contests are decided, a run of it is over when
// the forecast says that it is over at the latest.
func TestNoRunIsLongerThanItsForecast(t *testing.T) {
	t.Parallel()
	host := player.Viewer{Player: player.Player{ID: "host", Role: player.Organizer}}
	rapid.Check(t, func(rt *rapid.T) {
		f := rapid.SampledFrom([]tournament.Format{tournament.Swiss, tournament.RoundRobin, tournament.KnockOut, tournament.KnockOut,
			tournament.KnockOut, tournament.Arena}).Draw(rt, "format")
		n := rapid.IntRange(3, 11).Draw(rt, "players")
		s := tournament.DefaultSettings(f)
		s.Name = "Friday"
		if f != tournament.Arena {
			s.Break = 5 * time.Minute
		}
		if f == tournament.RoundRobin || f == tournament.KnockOut {
			s.Double = rapid.Bool().Draw(rt, "two matches")
		}
		if f == tournament.KnockOut {
			if !s.Double && rapid.Bool().Draw(rt, "four matches") {
				s.Legs = 4
			}
			s.Losers = rapid.SampledFrom(contest.AllLosers).Draw(rt, "losers")
			s.Tie = rapid.SampledFrom([][]contest.Step{{contest.Decider}, {contest.Lot}, {contest.Seed}, {contest.Pair, contest.Decider},
				{contest.Points, contest.Pair, contest.Pair, contest.Seed}}).Draw(rt, "tie")
		}
		made, err := tournament.New("friday", host.ID, s, evening)
		if err == nil {
			err = made.OpenRegistration(host, evening)
		}
		for i := range n {
			if err == nil {
				_, err = made.Register(host, tournament.Candidate{Name: fmt.Sprintf("Player %02d", i+1), Rating: 2200 - 50*i}, evening)
			}
		}
		if err != nil {
			rt.Fatal(err)
		}
		p := dryrun.PlanOf(made, 0, outlook.TypicalDurations(), evening)
		p.Absence, p.Draws = rapid.Float64Range(0, 0.3).Draw(rt, "absence"), rapid.Float64Range(0, 0.9).Draw(rt, "draws")
		run, err := p.Simulate(rapid.Uint64().Draw(rt, "seed"), 3)
		latest := outlook.Of(made, nil, outlook.TypicalDurations(), evening).End.Latest
		if err != nil || run.Stuck && f != tournament.Swiss || run.Rounds < 1 || run.End <= 0 || evening.Add(run.End).After(latest) {
			rt.Fatalf("%v: %+v, at the latest %v: %v", f, run, latest.Sub(evening), err)
		}
	})
}

func TestTheStrongestWinsWhereNobodyElseCan(t *testing.T) {
	t.Parallel()
	p := plan(tournament.RoundRobin, 6, nil)
	p.Absence, p.Draws = 0, 0
	for i := range p.Entries { // 735 points and more count as 100 percent
		p.Entries[i].Rating = 9000 - 900*i
	}
	for seed := range uint64(20) {
		s, err := p.Simulate(seed, 5)
		if err != nil || !s.Strongest || !s.Separated {
			t.Fatalf("seed %d: %+v, %v", seed, s, err)
		}
	}
	if !p.HasStrongest() {
		t.Error("the first is the strongest")
	}
	for i := range p.Entries {
		p.Entries[i].Rating = 1500
	}
	if p.HasStrongest() {
		t.Error("nobody is")
	}
	if s, err := p.Simulate(1, 5); err != nil || s.Strongest {
		t.Errorf("all are as strong: %+v, %v", s, err)
	}
}

func TestWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	p := plan(tournament.Swiss, 3, func(s *tournament.Settings) {
		s.Pace, s.CheckIn = tournament.Manual, tournament.CheckIn{Scope: tournament.ForRound, Opens: time.Hour}
		s.Until, s.Firm = evening.Add(time.Minute), true
	})
	p.Extra = 9
	s, err := p.Simulate(1, 1)
	if err != nil || s.Peak < 4 || s.Rounds != 5 {
		t.Errorf("nine more are expected: %+v, %v", s, err)
	}
	p.Extra = 0
	p.Entries = p.Entries[:1]
	if _, err := p.Simulate(1, 1); !errors.Is(err, dryrun.ErrPlan) || !errors.Is(err, tournament.ErrTooFew) {
		t.Errorf("one player: %v", err)
	}
	p.Extra = dryrun.MostPlayers
	if _, err := p.Simulate(1, 1); !errors.Is(err, dryrun.ErrPlan) {
		t.Errorf("too many: %v", err)
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	p := plan(tournament.Swiss, 4, func(s *tournament.Settings) { s.Until = evening.Add(105 * time.Minute) })
	var samples []dryrun.Sample
	for i := range 11 { // ends after 100, 101, … 110 minutes
		samples = append(samples, dryrun.Sample{End: time.Duration(110-i) * time.Minute, Byes: i % 2, Peak: 1 + i%2, Separated: i < 5, Strongest: i < 3, Stuck: i == 0})
	}
	r := p.Summarize(samples)
	after := func(m int) time.Time { return evening.Add(time.Duration(m) * time.Minute) }
	bars := r.Bars
	r.Bars, r.Worst = nil, time.Time{}
	want := dryrun.Report{
		Runs: 11, P10: after(101), P50: after(105), P90: after(109), Latest: after(110),
		Byes: 5. / 11, Peak: 2, Separated: 45, Strongest: 27, Stuck: 1, Over: 45,
	}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Error(diff)
	}
	sum := 0
	for _, b := range bars {
		sum += b.Runs
	}
	if sum != 11 || !bars[0].From.Equal(after(100)) || len(bars) > 13 {
		t.Errorf("%d runs in %+v", sum, bars)
	}
	if r := p.Summarize(nil); r.Runs != 0 {
		t.Error("a report of nothing")
	}
}

func BenchmarkSimulate(b *testing.B) {
	for _, n := range []int{16, 64} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p := plan(tournament.Swiss, n, func(s *tournament.Settings) { s.Rounds = 7 })
			for seed := uint64(0); b.Loop(); seed++ {
				if _, err := p.Simulate(seed, 3); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
