package tournament_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
)

func withCheckIn(s *tournament.Settings) {
	s.CheckIn = tournament.CheckIn{Scope: tournament.ForRound, Opens: 15 * time.Minute, Closes: 2 * time.Minute}
}

func plain(n int) player.Viewer { return signedIn(player.ID(fmt.Sprintf("p%d", n)), player.Plain) }

func at(minutes int) time.Time { return start.Add(time.Duration(minutes) * time.Minute) }

func TestPlayersCheckInWhileTheWindowIsOpen(t *testing.T) {
	t.Parallel()
	tour := newTournament(t, tournament.Swiss, func(s *tournament.Settings) {
		withCheckIn(s)
		s.Rounds, s.Pace, s.Times = 2, tournament.Times, []time.Time{at(60), at(120)}
	})
	enter(t, tour, 4)
	is := func(what string, got, want error) {
		t.Helper()
		if !errors.Is(got, want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	w, ok := tour.CheckInWindow()
	if !ok || w != (tournament.Window{Round: 1, Opens: at(45), Closes: at(58)}) {
		t.Fatalf("window %v %+v", ok, w)
	}
	is("a second too early", tour.Check(plain(1), 1, true, at(45).Add(-time.Second)), tournament.ErrCheckInClosed)
	is("as it opens", tour.Check(plain(1), 1, true, at(45)), nil)
	is("another's entry", tour.Check(plain(1), 2, true, at(45)), tournament.ErrNotAllowed)
	is("as it closes", tour.Check(plain(2), 2, true, at(58)), tournament.ErrCheckInClosed)
	is("a second before", tour.Check(plain(2), 2, true, at(58).Add(-time.Second)), nil)
	is("and out again", tour.Check(plain(2), 2, false, at(57)), nil)
	is("staff, after it closed", tour.Check(host, 3, true, at(59)), nil)
	is("staff, an entry that is not there", tour.Check(host, 9, true, at(59)), tournament.ErrNoEntry)
	if a := tour.Attendance(); !slices.Equal(a.Present, []tournament.EntryID{1, 3}) || !slices.Equal(a.Absent, []tournament.EntryID{2, 4}) {
		t.Errorf("attendance %+v", a)
	}
	is("a player checks everybody out", tour.UncheckAll(plain(1)), tournament.ErrNotAllowed)
	is("staff do", tour.UncheckAll(host), nil)
	if a := tour.Attendance(); len(a.Present) != 0 {
		t.Errorf("present %v", a.Present)
	}
}

func TestWhoIsNotCheckedInIsNotPaired(t *testing.T) {
	t.Parallel()
	tour := newTournament(t, tournament.Swiss, func(s *tournament.Settings) { withCheckIn(s); s.Rounds = 3; s.CheckIn.Misses = 2 })
	enter(t, tour, 6)
	if err := tour.Start(host, lowest, start); err != nil {
		t.Fatal(err)
	}
	check := func(list ...tournament.EntryID) {
		for _, id := range list {
			if err := tour.Check(host, id, true, start); err != nil {
				t.Fatal(err)
			}
		}
	}
	next := func() (tournament.Round, error) { return tour.PairNext(system(tour), ids(), start) }
	check(1)
	if _, err := next(); !errors.Is(err, tournament.ErrFewPresent) || !errors.Is(err, tournament.ErrNoPairing) {
		t.Fatalf("one player is present: %v", err)
	}
	check(2, 3, 5)
	r, err := next()
	if err != nil || len(r.Pairings) != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	if want := []tournament.Bye{{Entry: 4, Kind: tournament.ZeroBye}, {Entry: 6, Kind: tournament.ZeroBye}}; !slices.Equal(r.Byes, want) {
		t.Errorf("byes %v, want %v", r.Byes, want)
	}
	if e, _ := tour.Entry(4); !slices.Equal(e.Missed, []int{1}) || e.Status != tournament.Active {
		t.Errorf("after one miss: %+v", e)
	}
	play(tour, firstWins)
	check(1, 2, 3, 6)
	if _, err := next(); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[tournament.EntryID]tournament.EntryStatus{4: tournament.Withdrawn, 5: tournament.Active, 6: tournament.Active} {
		if e, _ := tour.Entry(id); e.Status != want {
			t.Errorf("entry %d is %v after two rounds, missed %v", id, e.Status, e.Missed)
		}
	}
	if e, _ := tour.Entry(4); e.Until != 2 {
		t.Errorf("withdrawn after round %d, not 2", e.Until)
	}
}

func TestInARoundRobinTheAbsentForfeit(t *testing.T) {
	t.Parallel()
	tour := newTournament(t, tournament.RoundRobin, withCheckIn)
	enter(t, tour, 4)
	if err := tour.Start(host, lowest, start); err != nil {
		t.Fatal(err)
	}
	for _, id := range []tournament.EntryID{1, 2} {
		if err := tour.Check(host, id, true, start); err != nil {
			t.Fatal(err)
		}
	}
	r, err := tour.PairNext(system(tour), ids(), start)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range r.Pairings { // Berger, 4 players: 1–4, 2–3
		for _, id := range []tournament.EntryID{p.First, p.Second} {
			if o := p.Result.Outcome(p.SeatOf(id)); (id <= 2) != (o == tournament.ForfeitWin) {
				t.Errorf("entry %d has %v", id, o)
			}
		}
	}
}

func TestACheckInForTheEventIsForAllRounds(t *testing.T) {
	t.Parallel()
	tour := newTournament(t, tournament.Swiss, func(s *tournament.Settings) {
		s.Rounds, s.CheckIn = 2, tournament.CheckIn{Scope: tournament.ForEvent, Opens: time.Hour}
	})
	enter(t, tour, 4)
	if err := tour.Start(host, lowest, start); err != nil {
		t.Fatal(err)
	}
	if at, due := tour.NextRoundAt(); !due || !at.Equal(start.Add(time.Hour)) {
		t.Fatalf("the first round leaves the window its time: %v %v", at, due)
	}
	for id := range tournament.EntryID(4) {
		if err := tour.Check(plain(int(id)+1), id+1, true, start); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if _, err := tour.PairNext(system(tour), ids(), start.Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		play(tour, firstWins)
		if _, open := tour.CheckInWindow(); open {
			t.Error("a second check-in")
		}
	}
	if n := len(tour.Rounds[1].Pairings); n != 2 {
		t.Errorf("%d boards in round 2", n)
	}
}

// Whoever checks in, nobody is forgotten.
func TestEveryoneIsPairedByedOrMissed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		format := rapid.SampledFrom([]tournament.Format{tournament.Swiss, tournament.RoundRobin}).Draw(rt, "format")
		tour := newTournament(rt, format, func(s *tournament.Settings) {
			withCheckIn(s)
			s.CheckIn.Misses = rapid.IntRange(0, 3).Draw(rt, "misses")
		})
		enter(rt, tour, rapid.IntRange(4, 9).Draw(rt, "players"))
		if err := tour.Start(host, lowest, start); err != nil {
			rt.Fatal(err)
		}
		for tour.Status == tournament.Running {
			awaited := map[tournament.EntryID]bool{}
			for _, e := range tour.Entries {
				if !e.TakesPart(len(tour.Rounds) + 1) {
					continue
				}
				awaited[e.ID] = rapid.Bool().Draw(rt, "is there")
				if awaited[e.ID] {
					if err := tour.Check(host, e.ID, true, start); err != nil {
						rt.Fatal(err)
					}
				}
			}
			r, err := tour.PairNext(system(tour), ids(), start)
			if errors.Is(err, tournament.ErrNoPairing) {
				return
			} else if err != nil {
				rt.Fatal(err)
			}
			seen := map[tournament.EntryID]int{}
			for _, p := range r.Pairings {
				seen[p.First]++
				seen[p.Second]++
				for _, id := range []tournament.EntryID{p.First, p.Second} {
					if !awaited[id] && p.Result.IsPending() {
						rt.Fatalf("entry %d is not there and plays", id)
					}
				}
			}
			for _, b := range r.Byes {
				seen[b.Entry]++
			}
			for id := range awaited {
				if seen[id] != 1 {
					rt.Fatalf("entry %d stands %d times in round %d", id, seen[id], r.Number)
				}
			}
			play(tour, firstWins)
			tour.Conclude(start)
		}
	})
}

func TestCheckInSettings(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in   tournament.CheckIn
		want string
	}{
		"none":                         {tournament.CheckIn{}, ""},
		"a quarter of an hour":         {tournament.CheckIn{Scope: tournament.ForRound, Opens: 15 * time.Minute}, ""},
		"a window without a scope":     {tournament.CheckIn{Opens: time.Minute}, "unsuitable"},
		"it closes before it opens":    {tournament.CheckIn{Scope: tournament.ForRound, Opens: time.Minute, Closes: 2 * time.Minute}, "order"},
		"it is open for half a minute": {tournament.CheckIn{Scope: tournament.ForRound, Opens: 2 * time.Minute, Closes: 90 * time.Second}, "order"},
		"a month ahead":                {tournament.CheckIn{Scope: tournament.ForEvent, Opens: 30 * 24 * time.Hour}, "range"},
		"two misses of one check-in":   {tournament.CheckIn{Scope: tournament.ForEvent, Opens: time.Hour, Misses: 2}, "count"},
	} {
		s := tournament.DefaultSettings(tournament.Swiss)
		s.Name, s.CheckIn = "Friday", c.in
		got := ""
		var list *tournament.SettingsError
		if errors.As(s.Validate(), &list) {
			got = list.Problems[0].Why
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
