package tournament_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament"
)

func TestNoRoundOpensWhilePaused(t *testing.T) {
	t.Parallel()
	tour := newTournament(t, tournament.Swiss, func(s *tournament.Settings) { s.Rounds = 2 })
	enter(t, tour, 4)
	if err := tour.Start(host, lowest, start); err != nil {
		t.Fatal(err)
	}
	if err := tour.PauseRounds(host, " \n", nil, start); !errors.Is(err, tournament.ErrReason) {
		t.Errorf("without a reason: %v", err)
	}
	if err := tour.PauseRounds(someone, "power cut", nil, start); !errors.Is(err, tournament.ErrNotAllowed) {
		t.Errorf("by someone: %v", err)
	}
	if err := tour.PauseRounds(host, "power cut", nil, start); err != nil {
		t.Fatal(err)
	}
	if _, due := tour.NextRoundAt(); due {
		t.Error("a round is due")
	}
	if err := tour.MayPair(); !errors.Is(err, tournament.ErrPaused) {
		t.Errorf("pairing by hand: %v", err)
	}
	if err := tour.PauseRounds(host, "again", nil, start); !errors.Is(err, tournament.ErrPaused) {
		t.Errorf("a second pause: %v", err)
	}
	if err := tour.Continue(host, at(30)); err != nil {
		t.Fatal(err)
	}
	if next, due := tour.NextRoundAt(); !due || !next.Equal(start) {
		t.Errorf("due %v at %v: its time was the start", due, next)
	}
	if err := tour.Continue(host, at(30)); !errors.Is(err, tournament.ErrNotPaused) {
		t.Errorf("a second end of the pause: %v", err)
	}
}

func TestAfterAPauseThereIsTimeToCheckIn(t *testing.T) {
	t.Parallel()
	tour := newTournament(t, tournament.Swiss, func(s *tournament.Settings) {
		withCheckIn(s)
		s.Rounds, s.Pace, s.Times = 3, tournament.Times, []time.Time{at(60), at(70), at(200)}
	})
	enter(t, tour, 4)
	for _, err := range []error{tour.Start(host, lowest, start), tour.PauseRounds(host, "no light", nil, at(50)), tour.Check(plain(1), 1, true, at(90)), tour.Continue(host, at(100))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if next, _ := tour.NextRoundAt(); !next.Equal(at(115)) {
		t.Errorf("round 1 at %v, a window after the pause is %v", next, at(115))
	}
	if want := []time.Time{at(115), at(115), at(200)}; !slices.EqualFunc(tour.Times, want, time.Time.Equal) {
		t.Errorf("times %v: none before the one that was moved", tour.Times)
	}
}

func TestARoundGetsAnotherTime(t *testing.T) {
	t.Parallel()
	times := func(s *tournament.Settings) {
		s.Rounds, s.Pace, s.Times = 3, tournament.Times, []time.Time{at(60), at(120), at(180)}
	}
	for _, c := range []struct {
		name   string
		change func(*tournament.Settings)
		round  int
		to     time.Time
		shift  bool
		err    error
		want   []time.Time // of the rounds; zero: none known
	}{
		{"later, alone", times, 2, at(150), false, nil, []time.Time{at(60), at(150), at(180)}},
		{"later, with those after it", times, 2, at(200), true, nil, []time.Time{at(60), at(200), at(260)}},
		{"earlier", times, 2, at(90), false, nil, []time.Time{at(60), at(90), at(180)}},
		{"after the next one", times, 2, at(190), false, tournament.ErrTime, nil},
		{"into the past", times, 1, at(0), false, tournament.ErrTime, nil},
		{"without a time, though rounds have times", times, 1, time.Time{}, false, tournament.ErrTime, nil},
		{"a round too many", times, 4, at(400), false, tournament.ErrNoRoundsLeft, nil},
		{"a round that opens by hand", func(s *tournament.Settings) { s.Rounds, s.Pace = 3, tournament.Manual }, 2, at(90), false, nil, []time.Time{{}, at(90), {}}},
		{"a round that follows the one before", func(s *tournament.Settings) { s.Rounds = 3 }, 1, at(90), false, nil, []time.Time{at(90), {}, {}}},
	} {
		tour := newTournament(t, tournament.Swiss, c.change)
		enter(t, tour, 4)
		if err := tour.Start(host, lowest, start); err != nil {
			t.Fatal(err)
		}
		if err := tour.Postpone(host, c.round, c.to, c.shift, start); !errors.Is(err, c.err) {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for i, want := range c.want {
			if got, known := tour.RoundAt(i + 1); known == want.IsZero() || !got.Equal(want) {
				t.Errorf("%s: round %d at %v (%v), want %v", c.name, i+1, got, known, want)
			}
		}
	}
}

// quick returns an envelope whose longest match takes 53 minutes: 8 chips × 2 × 100 s
// = 26:40, then twice (10 min + 59 × 3 s) and five seconds = 25:59.
func quick(s *tournament.Settings) {
	e := bidding.DefaultEnvelope()
	e.Chips, e.Minutes, e.Increment, e.MoveLimit, e.Undos = 8, [2]int{1, 10}, [2]int{0, 3}, [2]int{10, 60}, [2]int{0, 0}
	e.Presets, e.Defaults.MoveLimit = []bidding.TimeControl{{Minutes: 5, Increment: 3}}, 60
	s.Envelope, s.Lateness = e, 5*time.Minute
}

const longest = 5*time.Minute + 26*time.Minute + 40*time.Second + 25*time.Minute + 59*time.Second

func TestTheWorstCaseIsHeldAgainstThePlan(t *testing.T) {
	t.Parallel()
	settings := func(gap int, until time.Time, firm bool) tournament.Settings {
		s := tournament.DefaultSettings(tournament.Swiss)
		quick(&s)
		s.Name, s.Rounds, s.Pace, s.Times = "Friday", 3, tournament.Times, []time.Time{at(0), at(gap), at(2 * gap)}
		s.Until, s.Firm = until, firm
		return s
	}
	misfits := func(s tournament.Settings) []tournament.Misfit {
		t.Helper()
		tour, err := tournament.New("t", host.ID, s, start)
		if err != nil {
			t.Fatal(err)
		}
		return tour.Misfits(start)
	}
	if got := settings(0, time.Time{}, false).WorstRound(); got != longest {
		t.Fatalf("the longest round takes %v, not %v", got, longest)
	}
	if list := misfits(settings(58, at(2*58+58), false)); len(list) != 0 {
		t.Errorf("an hour for each: %+v", list)
	}
	want := []tournament.Misfit{{Round: 1, By: longest - 50*time.Minute}, {Round: 2, By: 2*longest - 100*time.Minute}, {Round: 3, End: true, By: 3*longest - 150*time.Minute}}
	if got := misfits(settings(50, at(150), false)); !slices.Equal(got, want) {
		t.Errorf("50 minutes for each:\n%v, want\n%v", got, want)
	}
	var list *refusal.Error
	if err := settings(50, at(150), true).Validate(); !errors.As(err, &list) || list.Faults[0] != (tournament.Problem{Field: "until", Why: "fit", Text: list.Faults[0].Text}) {
		t.Errorf("a firm end: %v", err)
	}
	if err := settings(60, at(120), false).Validate(); !errors.As(err, &list) || list.Faults[0].Why != "order" {
		t.Errorf("an end as the last round opens: %v", err)
	}
	onClaim := settings(60, time.Time{}, false)
	onClaim.OnClaim = true
	if got := onClaim.WorstRound(); got != longest+onClaim.Lateness {
		t.Errorf("with claims the wait counts twice: %v", got)
	}
}

func TestAFirmEndRefusesTheStart(t *testing.T) {
	t.Parallel()
	tour := newTournament(t, tournament.RoundRobin, func(s *tournament.Settings) {
		quick(s)
		s.Break, s.Until, s.Firm = 2*time.Minute, at(180), true
	})
	enter(t, tour, 4) // three rounds and two breaks: 2:56:57
	if err := tour.Start(host, lowest, at(4)); !errors.Is(err, tournament.ErrCannotFit) {
		t.Errorf("at 18:04: %v", err)
	}
	if tour.Status != tournament.Registration {
		t.Error("it has started all the same")
	}
	if err := tour.Start(host, lowest, at(3)); err != nil {
		t.Errorf("at 18:03: %v", err)
	}
	if err := tour.Postpone(host, 1, at(10), false, at(3)); !errors.Is(err, tournament.ErrCannotFit) {
		t.Errorf("postponed: %v", err)
	}
}

// The second of three evenings at 19:00 in Kyiv is moved to the next day, the third with it: it stays
// at 19:00 though the clocks go back in between, on 25 October.
func TestLaterRoundsKeepTheirHourWhenTheClocksChange(t *testing.T) {
	t.Parallel()
	kyiv, err := time.LoadLocation("Europe/Kyiv")
	if err != nil {
		t.Fatal(err)
	}
	evening := func(day int) time.Time { return time.Date(2026, 10, day, 19, 0, 0, 0, kyiv) }
	for name, change := range map[string]func(*tournament.Settings){
		"set times": func(s *tournament.Settings) {
			s.Pace, s.Times = tournament.Times, []time.Time{evening(22).UTC(), evening(23).UTC(), evening(24).UTC()}
		},
		"appointed": func(s *tournament.Settings) { s.Pace = tournament.Manual },
	} {
		tour := newTournament(t, tournament.Swiss, func(s *tournament.Settings) { s.Rounds, s.Zone = 3, "Europe/Kyiv"; change(s) })
		enter(t, tour, 4)
		if tour.Pace == tournament.Manual {
			for n, day := range []int{22, 23, 24} {
				if err := tour.Postpone(host, n+1, evening(day), false, start); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := tour.Postpone(host, 2, evening(24), true, start); err != nil {
			t.Fatal(err)
		}
		if got, _ := tour.RoundAt(3); !got.Equal(evening(25)) {
			t.Errorf("%s: round 3 at %v, want %v", name, got.In(kyiv), evening(25))
		}
	}
}
