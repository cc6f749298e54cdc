package tournament_test

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"chpok.org/chpok/civil"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/fixture"
)

const week = 7 * 24 * time.Hour

func arranged(s *tournament.Settings) { s.Pace, s.Window = tournament.Arranged, week }

// arrangedEvent is a round robin of four, started, whose first round is open.
func arrangedEvent(t *testing.T, change ...func(*tournament.Settings)) *tournament.Tournament {
	t.Helper()
	tour := newTournament(t, tournament.RoundRobin, func(s *tournament.Settings) {
		arranged(s)
		for _, f := range change {
			f(s)
		}
	})
	enter(t, tour, 4)
	if err := tour.Start(host, lowest, start); err != nil {
		t.Fatal(err)
	}
	if _, err := tour.PairNext(system(tour), ids(), start); err != nil {
		t.Fatal(err)
	}
	return tour
}

func never(time.Time) bool { return false }

// playerAt is the viewer who sits at a board.
func playerAt(tour *tournament.Tournament, round, board int, seat match.Seat) player.Viewer {
	p, _ := tour.BoardAt(round, board)
	e, _ := tour.Entry(p.EntryAt(seat))
	return player.Viewer{Player: player.Player{ID: e.Player}}
}

func board(t *testing.T, tour *tournament.Tournament, round, n int) tournament.Pairing {
	t.Helper()
	p, err := tour.BoardAt(round, n)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPlayersArrangeTheirMatchesWithinTheWindow(t *testing.T) {
	t.Parallel()
	tour := arrangedEvent(t)
	last := start.Add(week - tour.WorstRound())
	p := board(t, tour, 1, 1)
	if p.Match != "" || p.Fixture == nil || p.Fixture.Status != fixture.Arranging || !p.Fixture.PlayBy.Equal(last) {
		t.Fatalf("board 1: %+v %+v", p, p.Fixture)
	}
	if at, due := tour.NextFixtureAt(); !due || !at.Equal(last) {
		t.Errorf("due %v, want the last start %v", at, last)
	}
	first, second, stranger := playerAt(tour, 1, 1, match.First), playerAt(tour, 1, 1, match.Second), playerAt(tour, 1, 2, match.First)
	at := start.Add(50 * time.Hour)
	for _, c := range []struct {
		who  player.Viewer
		at   time.Time
		want error
	}{{stranger, at, tournament.ErrNotAllowed}, {first, start.Add(-time.Minute), fixture.ErrTime}, {first, last.Add(time.Minute), fixture.ErrTime},
		{first, at, nil}, {first, at, nil}} {
		if err := tour.ProposeTime(c.who, 1, 1, fixture.Offer{At: c.at, Now: start}); !errors.Is(err, c.want) {
			t.Errorf("%v proposed %v: %v, want %v", c.who.ID, c.at, err, c.want)
		}
	}
	if err := tour.AgreeTime(first, 1, 1, at, start); !errors.Is(err, fixture.ErrNotNow) {
		t.Error("somebody agreed with themselves:", err)
	}
	before := tour.Clone()
	if err := tour.AgreeTime(second, 1, 1, at, start); err != nil {
		t.Fatal(err)
	}
	if board(t, before, 1, 1).Fixture.Status != fixture.Arranging {
		t.Error("a copy changed with the original")
	}
	if opened, changed := tour.SettleFixtures(ids(), never, at.Add(-fixture.Doors-time.Second)); changed || len(opened) > 0 {
		t.Error("it opened too early")
	}
	opened, changed := tour.SettleFixtures(ids(), never, at.Add(-fixture.Doors))
	if !changed || len(opened) != 1 || opened[0].Match == "" || opened[0].Board != 1 {
		t.Fatalf("opened %v", opened)
	}
	if !tour.Record(opened[0].Match, tournament.Result{Kind: tournament.FirstWins, At: at}) || tour.Conclude(at) {
		t.Error("the result does not count, or the event is over")
	}
}

func TestWhatIsNotArrangedIsDecidedAtTheLastStart(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		propose []match.Seat
		draw    bool
		want    tournament.ResultKind
		claimed bool
	}{
		"neither proposed":              {nil, false, tournament.DoubleForfeit, false},
		"neither, and that is a draw":   {nil, true, tournament.Drawn, false},
		"both proposed":                 {[]match.Seat{match.First, match.Second}, false, tournament.DoubleForfeit, false},
		"one alone has proposed":        {[]match.Seat{match.Second}, false, tournament.SecondByForfeit, true},
		"one alone, whatever a draw is": {[]match.Seat{match.First}, true, tournament.FirstByForfeit, true},
	} {
		t.Run(name, func(t *testing.T) {
			tour := arrangedEvent(t, func(s *tournament.Settings) { s.DrawUnmet = c.draw })
			for i, seat := range c.propose {
				if err := tour.ProposeTime(playerAt(tour, 1, 1, seat), 1, 1, fixture.Offer{At: start.Add(time.Duration(i+1) * time.Hour), Now: start}); err != nil {
					t.Fatal(err)
				}
			}
			last := start.Add(week - tour.WorstRound())
			if _, changed := tour.SettleFixtures(ids(), func(time.Time) bool { return true }, last); changed {
				t.Fatal("a deadline passed that nobody could keep")
			}
			tour.SettleFixtures(ids(), never, last)
			p := board(t, tour, 1, 1)
			if c.claimed {
				if p.Fixture.Status != fixture.Claimed || !p.Result.IsPending() {
					t.Fatalf("not claimed: %+v %+v", p, p.Fixture)
				}
				tour.SettleFixtures(ids(), never, last.Add(tournament.ObjectWithin))
				p = board(t, tour, 1, 1)
			}
			if p.Result.Kind != c.want {
				t.Errorf("the board is %v, want %v", p.Result.Kind, c.want)
			}
			if p.Result.Kind == tournament.Drawn && p.Result.RatedKind() != tournament.DoubleForfeit {
				t.Error("a draw that nobody played is rated")
			}
		})
	}
}

func TestAForfeitWaitsForAnObjectionAndStaffDecide(t *testing.T) {
	t.Parallel()
	tour := arrangedEvent(t)
	first, second := playerAt(tour, 1, 1, match.First), playerAt(tour, 1, 1, match.Second)
	at := start.Add(time.Hour)
	if err := errors.Join(tour.ProposeTime(first, 1, 1, fixture.Offer{At: at, Now: start}), tour.AgreeTime(second, 1, 1, at, start)); err != nil {
		t.Fatal(err)
	}
	opened, _ := tour.SettleFixtures(ids(), never, at)
	if !tour.FixtureEnded(opened[0].Match, match.Result{Outcome: match.FirstWins, Reason: match.Forfeit}, at) {
		t.Fatal("a forfeit counts at once")
	}
	if tour.FixtureEnded(opened[0].Match, match.Result{Outcome: match.FirstWins, Reason: match.Forfeit}, at) {
		t.Error("it was claimed twice")
	}
	if err := tour.Object(first, 1, 1, "no", at); !errors.Is(err, tournament.ErrNotAllowed) && !errors.Is(err, fixture.ErrNotAllowed) {
		t.Error("the winner objects:", err)
	}
	if err := tour.Object(second, 1, 1, "The site was down for me", at); err != nil {
		t.Fatal(err)
	}
	tour.SettleFixtures(ids(), never, at.Add(week-time.Second))
	if p := board(t, tour, 1, 1); !p.Result.IsPending() || p.Fixture.Status != fixture.Disputed {
		t.Errorf("a dispute was decided by itself while staff can: %+v", p)
	}
	silent := tour.Clone()
	if _, changed := silent.SettleFixtures(ids(), func(time.Time) bool { return true }, at.Add(week)); changed {
		t.Error("it was decided although nobody could decide it in time")
	}
	silent.SettleFixtures(ids(), never, at.Add(week))
	if p := board(t, silent, 1, 1); p.Result.Kind != tournament.FirstByForfeit || p.Result.Reason != match.Forfeit {
		t.Errorf("after a week in which nobody decided: %+v", p.Result)
	}
	until := start.Add(3*week + 48*time.Hour)
	if err := tour.Extend(second, 1, 1, until, start.Add(3*week)); !errors.Is(err, tournament.ErrNotAllowed) {
		t.Error("a player gave themselves more time:", err)
	}
	if err := tour.Extend(host, 1, 1, until, start.Add(3*week)); err != nil {
		t.Fatal(err)
	}
	if f := board(t, tour, 1, 1).Fixture; f.Status != fixture.Arranging || !f.PlayBy.Equal(until) || f.Winner != 0 || f.Text != "" {
		t.Errorf("after more time: %+v", f)
	}
	if err := tour.Enter(host, 1, 1, tournament.SecondWins, true, start.Add(3*week)); err != nil {
		t.Error("staff cannot decide:", err)
	}
}

// The last start of the first window is w. Who proposes alone wins if the other had a day to answer, a minute less and they do
// not; a proposal of the last hour takes nothing from whoever proposed in time.
func TestNobodyWinsByATimeProposedAtTheLastMoment(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		first, second time.Duration // before the last start; 0: none
		want          tournament.ResultKind
	}{
		"a day before":              {first: 24 * time.Hour, want: tournament.FirstByForfeit},
		"less than a day before":    {first: 24*time.Hour - time.Minute, want: tournament.DoubleForfeit},
		"one in time, one too late": {first: time.Hour, second: 72 * time.Hour, want: tournament.SecondByForfeit},
		"both too late":             {first: time.Hour, second: 2 * time.Hour, want: tournament.DoubleForfeit},
		"both in time, none agreed": {first: 30 * time.Hour, second: 72 * time.Hour, want: tournament.DoubleForfeit},
	} {
		tour := arrangedEvent(t)
		last := start.Add(week - tour.WorstRound())
		for seat, before := range map[match.Seat]time.Duration{match.First: c.first, match.Second: c.second} {
			if before == 0 {
				continue
			}
			if err := tour.ProposeTime(playerAt(tour, 1, 1, seat), 1, 1, fixture.Offer{At: last.Add(-time.Minute), Now: last.Add(-before)}); err != nil {
				t.Fatal(name, err)
			}
		}
		tour.SettleFixtures(ids(), never, last)
		tour.SettleFixtures(ids(), never, last.Add(tournament.ObjectWithin))
		if got := board(t, tour, 1, 1).Result.Kind; got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestWhoeverWinsByForfeitGivesItUpOnce(t *testing.T) {
	t.Parallel()
	tour := arrangedEvent(t)
	first, second := playerAt(tour, 1, 1, match.First), playerAt(tour, 1, 1, match.Second)
	if err := tour.ProposeTime(first, 1, 1, fixture.Offer{At: start.Add(time.Hour), Now: start}); err != nil {
		t.Fatal(err)
	}
	if err := tour.GiveUpForfeit(first, 1, 1, start); !errors.Is(err, fixture.ErrNotNow) {
		t.Error("without a forfeit:", err)
	}
	last := start.Add(week - tour.WorstRound())
	tour.SettleFixtures(ids(), never, last)
	objected := last.Add(20 * time.Hour)
	if err := tour.Object(second, 1, 1, "I was ill", objected); err != nil {
		t.Fatal(err)
	}
	if err := tour.GiveUpForfeit(second, 1, 1, objected); !errors.Is(err, fixture.ErrNotAllowed) {
		t.Error("by whoever would lose:", err)
	}
	if err := tour.GiveUpForfeit(first, 1, 1, objected); err != nil {
		t.Fatal(err)
	}
	f := board(t, tour, 1, 1).Fixture
	if until := objected.Add(72 * time.Hour); f.Status != fixture.Arranging || !f.PlayBy.Equal(until) || !f.Due.Equal(until) || f.Text != "" || f.Winner != 0 {
		t.Fatalf("it is arranged anew: %+v", f)
	}
	if kind := board(t, tour, 1, 1).Claimed(); kind != tournament.Pending {
		t.Errorf("%v is claimed still", kind)
	}
	// Who proposed at first has proposed still: if the other is silent again, they win, and cannot give it up again.
	tour.SettleFixtures(ids(), never, f.Due)
	if p := board(t, tour, 1, 1); p.Fixture.Status != fixture.Claimed || p.Claimed() != tournament.FirstByForfeit {
		t.Fatalf("%+v", p.Fixture)
	}
	if err := tour.GiveUpForfeit(first, 1, 1, f.Due); !errors.Is(err, fixture.ErrNotNow) {
		t.Error("given up twice:", err)
	}
}

func TestAVoidMatchIsArrangedAnew(t *testing.T) {
	t.Parallel()
	tour := arrangedEvent(t)
	first, second := playerAt(tour, 1, 1, match.First), playerAt(tour, 1, 1, match.Second)
	if err := errors.Join(tour.ProposeTime(first, 1, 1, fixture.Offer{At: start, Now: start}), tour.AgreeTime(second, 1, 1, start, start)); err != nil {
		t.Fatal(err)
	}
	opened, _ := tour.SettleFixtures(ids(), never, start)
	if !tour.FixtureEnded(opened[0].Match, match.Result{Outcome: match.Void, Reason: match.Voided}, start) {
		t.Fatal("a void match counts")
	}
	if p := board(t, tour, 1, 1); p.Match != "" || p.Fixture.Status != fixture.Arranging {
		t.Errorf("%+v %+v", p, p.Fixture)
	}
}

func TestRoundsFollowTheirWindows(t *testing.T) {
	t.Parallel()
	tour := arrangedEvent(t)
	if at, due := tour.NextRoundAt(); !due || !at.Equal(start.Add(week)) {
		t.Errorf("round 2 opens at %v (%v), want with its window, whatever is open then", at, due)
	}
	for n := range 2 {
		if err := tour.Enter(host, 1, n+1, tournament.FirstWins, true, start.Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	if at, due := tour.NextRoundAt(); !due || !at.Equal(start.Add(week)) {
		t.Errorf("round 2 opens at %v (%v), want when its window begins", at, due)
	}
}

// Board 1 of round 1 is given more time, until two days into round 2. In a round robin round 2 opens all the same, a week
// after round 1, and round 3 a week after that; the event ends once the late board is decided. A Swiss waits for it.
func TestABoardThatIsLateHoldsUpARoundOnlyWherePairingsDependOnIt(t *testing.T) {
	t.Parallel()
	for _, format := range []tournament.Format{tournament.RoundRobin, tournament.Swiss} {
		tour := newTournament(t, format, func(s *tournament.Settings) { arranged(s); s.Rounds = 3 })
		enter(t, tour, 4)
		open := func(n int, at time.Time) {
			t.Helper()
			if _, err := tour.PairNext(system(tour), ids(), at); err != nil || len(tour.Rounds) != n {
				t.Fatalf("%s: round %d: %v", format, n, err)
			}
		}
		if err := tour.Start(host, lowest, start); err != nil {
			t.Fatal(err)
		}
		open(1, start)
		late := start.Add(week + 48*time.Hour)
		if err := errors.Join(tour.Extend(host, 1, 1, late, start), tour.Enter(host, 1, 2, tournament.FirstWins, true, start)); err != nil {
			t.Fatal(err)
		}
		if _, err := tour.PairNext(system(tour), ids(), start.Add(week-time.Second)); !errors.Is(err, tournament.ErrRoundOpen) {
			t.Errorf("%s: round 2 within the window of round 1: %v", format, err)
		}
		if at, due := tour.NextRoundAt(); due != (format == tournament.RoundRobin) || due && !at.Equal(start.Add(week)) {
			t.Errorf("%s: round 2 opens at %v (%v)", format, at, due)
		}
		if err := tour.MayPair(); !errors.Is(err, tournament.ErrRoundOpen) {
			t.Errorf("%s: staff can open round 2 ahead: %v", format, err)
		}
		if format == tournament.Swiss {
			if _, err := tour.PairNext(system(tour), ids(), start.Add(week)); !errors.Is(err, tournament.ErrRoundOpen) {
				t.Errorf("a Swiss was paired with a board to go: %v", err)
			}
			continue
		}
		open(2, start.Add(week))
		open(3, start.Add(2*week))
		end := start.Add(3 * week)
		if _, err := tour.PairNext(system(tour), ids(), end); !errors.Is(err, tournament.ErrNoRoundsLeft) {
			t.Errorf("a round 4: %v", err)
		}
		for n := 2; n <= 3; n++ {
			for b := 1; b <= 2; b++ {
				if err := tour.Enter(host, n, b, tournament.Drawn, true, end); err != nil {
					t.Fatal(err)
				}
			}
		}
		if tour.Conclude(end) {
			t.Error("it is over without board 1 of round 1")
		}
		if _, changed := tour.SettleFixtures(ids(), never, end); !changed || !tour.Conclude(end) {
			t.Errorf("the late board: %+v", board(t, tour, 1, 1))
		}
	}
}

func TestWhoeverLeavesForfeitsWhatTheyHaveNotArranged(t *testing.T) {
	t.Parallel()
	tour := arrangedEvent(t)
	p := board(t, tour, 1, 1)
	if err := tour.Withdraw(playerAt(tour, 1, 1, match.First), p.First); err != nil {
		t.Fatal(err)
	}
	if at, due := tour.NextFixtureAt(); !due || at.After(start) {
		t.Errorf("due %v (%v)", at, due)
	}
	tour.SettleFixtures(ids(), never, start)
	if got := board(t, tour, 1, 1).Result.Kind; got != tournament.SecondByForfeit {
		t.Errorf("the board is %v", got)
	}
}

func TestWindowsAreRefusedThatDoNotHoldAMatch(t *testing.T) {
	t.Parallel()
	s := tournament.DefaultSettings(tournament.RoundRobin)
	s.Name = "League"
	for window, ok := range map[time.Duration]bool{0: false, s.WorstRound(): false, s.WorstRound() + tournament.ArrangeIn: true, week: true,
		61 * 24 * time.Hour: false} {
		s.Pace, s.Window = tournament.Arranged, window
		if err := s.Validate(); (err == nil) != ok {
			t.Errorf("a window of %v: %v", window, err)
		}
	}
	s.Window, s.Format = week, tournament.KnockOut
	if s.Validate() == nil {
		t.Error("a bracket is arranged")
	}
	s = tournament.DefaultSettings(tournament.Swiss)
	s.Name, s.Rounds, s.DrawUnmet = "Swiss", 5, true
	if s.Validate() == nil {
		t.Error("an event that nobody arranges has draws for times not found")
	}
}

func TestWhoPlaysDoesNotGiveThemselvesTime(t *testing.T) {
	t.Parallel()
	tour := arrangedEvent(t)
	me := playerAt(tour, 1, 1, match.First)
	tour.Staff = append(tour.Staff, tournament.Member{Player: me.ID, Duty: tournament.Arbiter})
	for n, own := range map[int]bool{1: true, 2: false} {
		after := tour.Clone()
		if err := after.Extend(me, 1, n, start.Add(2*week), start); err != nil {
			t.Fatal(err)
		}
		if err := party(tour, after, me, tournament.ActExtend); errors.Is(err, fairplay.ErrParty) != own {
			t.Errorf("board %d: %v", n, err)
		}
	}
	after := tour.Clone()
	if err := after.ProposeTime(me, 1, 1, fixture.Offer{At: start.Add(time.Hour), Now: start}); err != nil {
		t.Fatal(err)
	}
	if err := party(tour, after, me, tournament.ActArrange); err != nil {
		t.Error("staff who play cannot propose times:", err)
	}
}

// Whatever its players do, every board of an arranged event is decided in the end, and no match opens so late that it
// could outlast its window.
func TestEveryFixtureIsDecided(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		chance := rand.New(rand.NewPCG(seed, 5))
		tour := arrangedEvent(t, func(s *tournament.Settings) { s.DrawUnmet = chance.IntN(2) == 0 })
		now, newID := start, ids()
		for step := 0; tour.Status == tournament.Running; step++ {
			if step > 3000 {
				t.Fatalf("seed %d: it does not end", seed)
			}
			for _, x := range tour.FixturesOf(0) {
				seat := match.Seats[chance.IntN(2)]
				me := playerAt(tour, x.Round, x.Board, seat)
				f := x.Fixture
				switch chance.IntN(6) {
				case 0:
					_ = tour.ProposeTime(me, x.Round, x.Board, fixture.Offer{At: now.Add(time.Duration(chance.IntN(200)) * time.Hour), Now: now})
				case 1:
					for _, p := range f.Times {
						_ = tour.AgreeTime(me, x.Round, x.Board, p.At, now)
					}
				case 2:
					if x.Match != "" && f.Status == fixture.Playing {
						end := match.Result{Outcome: match.FirstWins, Reason: []match.Reason{match.Resignation, match.Forfeit, match.Voided}[chance.IntN(3)]}
						if end.Reason == match.Voided {
							end.Outcome = match.Void
						}
						if !tour.FixtureEnded(x.Match, end, now) {
							tour.Record(x.Match, tournament.ResultOf(end, now))
						}
					}
				case 3:
					_ = tour.Object(me, x.Round, x.Board, "I was there", now)
				case 4:
					_ = tour.GiveUpForfeit(me, x.Round, x.Board, now)
				case 5:
					if f.Status == fixture.Disputed && chance.IntN(2) == 0 {
						if err := tour.Enter(host, x.Round, x.Board, tournament.SecondWins, true, now); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
			opened, _ := tour.SettleFixtures(newID, never, now)
			for _, p := range opened {
				if p.Fixture.At.After(p.Fixture.PlayBy) {
					t.Fatalf("seed %d: a match at %v, after the last start %v", seed, p.Fixture.At, p.Fixture.PlayBy)
				}
			}
			tour.Conclude(now)
			if at, due := tour.NextRoundAt(); due && !at.After(now) {
				if _, err := tour.PairNext(system(tour), newID, now); err != nil {
					t.Fatal(err)
				}
			}
			now = now.Add(time.Duration(1+chance.IntN(12)) * time.Hour)
		}
		for round, p := range tour.AllBoards() {
			if p.Result.IsPending() {
				t.Fatalf("seed %d: board %d.%d is not decided", seed, round, p.Board)
			}
		}
	}
}

// Rounds of whole days keep their hour through both changes of the clocks, wherever that is half an hour or happens at midnight.
func TestWindowsOfWholeDaysKeepTheirHour(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		zone   string
		opened string // local
		days   int
		want   []string
	}{
		{"Europe/Kyiv", "2026-10-23 18:00", 7, []string{"2026-10-30T16:00:00Z", "2026-11-06T16:00:00Z"}},         // UTC+3, then +2
		{"America/New_York", "2027-03-10 20:00", 7, []string{"2027-03-18T00:00:00Z", "2027-03-25T00:00:00Z"}},    // UTC-5, then -4
		{"Australia/Lord_Howe", "2027-04-01 19:00", 3, []string{"2027-04-04T08:30:00Z", "2027-04-07T08:30:00Z"}}, // UTC+11, then +10:30
		{"America/Santiago", "2026-09-05 00:00", 1, []string{"2026-09-06T04:00:00Z", "2026-09-07T03:00:00Z"}},    // no midnight on the 6th: 01:00
	} {
		zone := civil.Zone(c.zone)
		opened, err := time.ParseInLocation("2006-01-02 15:04", c.opened, zone)
		if err != nil {
			t.Fatal(err)
		}
		s := tournament.DefaultSettings(tournament.RoundRobin)
		s.Pace, s.Zone, s.Window = tournament.Arranged, c.zone, time.Duration(c.days)*24*time.Hour
		for n, want := range c.want {
			if got := s.WindowsAfter(opened, n+1).UTC().Format(time.RFC3339); got != want {
				t.Errorf("%s: window %d ends at %s, want %s", c.zone, n+1, got, want)
			}
		}
		if got := s.LastStart(opened).Add(s.WorstRound()); !got.Equal(s.WindowsAfter(opened, 1)) {
			t.Errorf("%s: the last match ends at %s", c.zone, got)
		}
	}
}

// Windows follow one another: a round is not brought forward into the one before it, and is put off together with those after it.
func TestWindowsDoNotOverlap(t *testing.T) {
	t.Parallel()
	tour := arrangedEvent(t)
	for _, c := range []struct {
		round int
		to    time.Time
		want  error
	}{
		{2, start.Add(week - time.Minute), tournament.ErrOverlap}, {2, start.Add(week), nil}, {2, start.Add(2 * week), nil},
		{3, start.Add(3*week - time.Minute), tournament.ErrOverlap}, {3, start.Add(3 * week), nil}, {2, start.Add(2*week + time.Minute), tournament.ErrOverlap},
	} {
		if err := tour.Postpone(host, c.round, c.to, false, start); !errors.Is(err, c.want) {
			t.Errorf("round %d at %v: %v, want %v", c.round, c.to, err, c.want)
		}
	}
	if from, to, known := tour.WindowOf(2); !known || !from.Equal(start.Add(2*week)) || !to.Equal(tour.LastStart(from)) {
		t.Errorf("round 2 is open %v…%v", from, to)
	}
}
