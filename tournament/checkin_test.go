package tournament_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
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
	is("late, as it is not paired yet", tour.Check(plain(2), 2, true, at(59)), nil)
	is("and out again", tour.Check(plain(2), 2, false, at(59)), nil)
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
	now := at(15)
	next := func() (tournament.Round, error) { return tour.PairNext(system(tour), ids(), now) }
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
	now = at(30)
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
		var list *refusal.Error
		if errors.As(s.Validate(), &list) {
			got = list.Faults[0].Why
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// timed is a tournament of four at set times, its first round in play since 19:00; the window of
// the second, at 20:00, is 19:45 to 19:58. One miss withdraws.
func timed(t testing.TB) *tournament.Tournament {
	t.Helper()
	tour := newTournament(t, tournament.Swiss, func(s *tournament.Settings) {
		withCheckIn(s)
		s.Rounds, s.Pace, s.Times, s.CheckIn.Misses = 3, tournament.Times, []time.Time{at(60), at(120), at(180)}, 1
	})
	enter(t, tour, 4)
	if err := tour.Start(host, lowest, start); err != nil {
		t.Fatal(err)
	}
	for id := range tournament.EntryID(4) {
		if err := tour.Check(host, id+1, true, at(50)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := tour.PairNext(system(tour), ids(), at(60)); err != nil {
		t.Fatal(err)
	}
	return tour
}

// endBoard ends a board of the last round.
func endBoard(tour *tournament.Tournament, board int, when time.Time) {
	p := tour.Rounds[len(tour.Rounds)-1].Pairings[board-1]
	tour.Record(p.Match, tournament.Result{Kind: tournament.FirstWins, At: when})
}

func TestNobodyIsMissedWhoCouldNotCheckIn(t *testing.T) {
	t.Parallel()
	first := [2]tournament.EntryID{1, 3} // at board 1, by the Dutch system: the upper half meets the lower
	for _, c := range []struct {
		name string
		do   func(*tournament.Tournament) // after the first board ended at 19:30
		at   int                          // when the second round opens
		here []tournament.EntryID         // who is present then
	}{
		{"the other board ended before the window", func(tour *tournament.Tournament) { endBoard(tour, 2, at(100)) }, 120, nil},
		{"the other board ended in the window", func(tour *tournament.Tournament) { endBoard(tour, 2, at(110)) }, 120, []tournament.EntryID{2, 4}},
		{"the other board ended after the window", func(tour *tournament.Tournament) { endBoard(tour, 2, at(150)) }, 165, []tournament.EntryID{2, 4}},
		{"and one of the first board checks in late", func(tour *tournament.Tournament) {
			endBoard(tour, 2, at(150))
			_ = tour.Check(plain(1), 1, true, at(164))
		}, 165, []tournament.EntryID{1, 2, 4}},
		{"one of those who played goes home", func(tour *tournament.Tournament) {
			endBoard(tour, 2, at(110))
			_ = tour.Check(plain(2), 2, false, at(111))
		}, 120, []tournament.EntryID{4}},
		{"a pause ends while the round is in play", func(tour *tournament.Tournament) {
			_ = tour.PauseRounds(host, "no light", nil, at(106))
			_ = tour.Continue(host, at(119))
			endBoard(tour, 2, at(118))
		}, 134, nil},
		{"an outage took the last eight minutes of the window", func(tour *tournament.Tournament) {
			endBoard(tour, 2, at(100))
			tour.GiveBack(at(110), at(130))
		}, 140, nil},
		{"an outage took five minutes, told twice", func(tour *tournament.Tournament) {
			endBoard(tour, 2, at(100))
			tour.GiveBack(at(106), at(111))
			tour.GiveBack(at(106), at(111))
		}, 125, nil},
		{"an outage before the window", func(tour *tournament.Tournament) {
			endBoard(tour, 2, at(100))
			tour.GiveBack(at(101), at(105))
		}, 120, nil},
	} {
		tour := timed(t)
		if b := tour.Rounds[0].Pairings[0]; (b.First != first[0] || b.Second != first[1]) && (b.First != first[1] || b.Second != first[0]) {
			t.Fatalf("board 1 is %d–%d", b.First, b.Second)
		}
		endBoard(tour, 1, at(90))
		c.do(tour)
		if got, due := tour.NextRoundAt(); !due || !got.Equal(at(c.at)) {
			t.Errorf("%s: round 2 at %v (%v), want %v", c.name, got, due, at(c.at))
		}
		if got := tour.Attendance().Present; !slices.Equal(got, c.here) {
			t.Errorf("%s: present are %v, want %v", c.name, got, c.here)
		}
	}
}

func TestARoundIsNotBroughtForwardOverItsCheckIn(t *testing.T) {
	t.Parallel()
	tour := timed(t)
	for minutes, want := range map[int]error{104: tournament.ErrNoWindow, 105: nil} { // 15 minutes after 19:30
		if err := tour.Clone().Postpone(host, 2, at(minutes), false, at(90)); !errors.Is(err, want) {
			t.Errorf("to minute %d: %v, want %v", minutes, err, want)
		}
	}
}

// Whatever happens to a tournament at set times, nobody is left out or withdrawn by itself who sat
// at a board while others could check in, or who had less than the whole window.
func TestNoCheckInHitsThoseWhoCouldNotAct(t *testing.T) {
	t.Parallel()
	hits := 0
	rapid.Check(t, func(rt *rapid.T) {
		minutes := func(from, to int, what string) int { return rapid.IntRange(from, to).Draw(rt, what) }
		const rounds = 3
		opens, closes := minutes(3, 30, "opens"), minutes(0, 2, "closes")
		kind := rapid.SampledFrom([]tournament.Format{tournament.Swiss, tournament.RoundRobin, tournament.Keizer, tournament.KnockOut}).Draw(rt, "kind")
		review := rapid.Bool().Draw(rt, "review")
		tour := newTournament(rt, kind, func(s *tournament.Settings) {
			s.CheckIn = tournament.CheckIn{Scope: tournament.ForRound, Opens: time.Duration(opens) * time.Minute,
				Closes: time.Duration(closes) * time.Minute, Misses: 1}
			s.Review = review
			s.Rounds, s.Pace = rounds, rapid.SampledFrom([]tournament.Pace{tournament.Times, tournament.Auto}).Draw(rt, "pace")
			if kind == tournament.KnockOut {
				s.Pace = tournament.Auto // its rounds are not known in advance
			}
			for n, when := 0, 40; s.Pace == tournament.Times && n < rounds; n, when = n+1, when+minutes(1, 60, "gap") {
				s.Times = append(s.Times, at(when))
			}
		})
		enter(rt, tour, minutes(4, 8, "players"))
		if err := tour.Start(host, lowest, start); err != nil {
			rt.Fatal(err)
		}
		diligent := map[tournament.EntryID]bool{}
		for _, e := range tour.Entries {
			diligent[e.ID] = rapid.Bool().Draw(rt, "diligent")
		}
		pauseAt, pauseFor := minutes(1, 200, "pause"), minutes(1, 40, "paused for")
		postponeAt, postponeBy, shifts := minutes(1, 200, "postponed"), minutes(-40, 40, "by"), rapid.Bool().Draw(rt, "later rounds, too")
		publishAt := 0 // when a draft is published
		downAt, downFor := minutes(1, 200, "outage"), minutes(1, 40, "down for")
		could, sat := map[tournament.EntryID]int{}, map[tournament.EntryID]bool{} // in this window
		until := map[int]int{}                                                    // when each board ends
		for m := 0; m < 600 && len(tour.Rounds) < rounds; m++ {
			if m >= downAt && m < downAt+downFor {
				continue
			}
			now, paused := at(m), tour.Timetable.IsPaused()
			switch {
			case m == pauseAt && !paused:
				if err := tour.PauseRounds(host, "no light", nil, now); err != nil {
					rt.Fatal(err)
				}
			case paused && m >= pauseAt+pauseFor:
				if err := tour.Continue(host, now); err != nil {
					rt.Fatal(err)
				}
			}
			if n := len(tour.Rounds) + 1; m == postponeAt {
				if was, known := tour.RoundAt(n); known {
					_ = tour.Postpone(host, n, was.Add(time.Duration(postponeBy)*time.Minute), shifts, now)
				}
			}
			if n := len(tour.Rounds); n > 0 {
				for board, end := range until {
					if m >= end {
						endBoard(tour, board, now)
						delete(until, board)
					}
				}
			}
			next, due := tour.NextRoundAt()
			if due && !next.After(now) && m >= downAt+downFor && tour.GiveBack(at(downAt), at(downAt+downFor)) {
				next, due = tour.NextRoundAt()
			}
			var r tournament.Round
			var err error
			switch {
			case tour.Draft != nil && m >= publishAt && !tour.Timetable.IsPaused():
				if err = tour.PairDraftAgain(format.System(&tour.Table)); err == nil {
					r, err = tour.Publish(format.System(&tour.Table), nil, ids(), now)
				}
			case tour.Draft == nil && due && !next.After(now) && review:
				err, publishAt = tour.DraftNext(format.System(&tour.Table), "", now), m+minutes(1, 20, "draft")
			case tour.Draft == nil && due && !next.After(now):
				r, err = tour.PairNext(format.System(&tour.Table), ids(), now)
			}
			if errors.Is(err, tournament.ErrNoPairing) || errors.Is(err, tournament.ErrNoRoundsLeft) {
				return
			} else if err != nil {
				rt.Fatal(err)
			}
			if r.Number > 0 {
				for _, e := range tour.Entries {
					if id := e.ID; isLeftOut(tour, r, e) {
						hits++
						// Rounds at set times may follow one another faster than a window is long: who had no board had what there was.
						whole := could[id] >= opens-closes || tour.Pace == tournament.Times && could[id] > 0 && !slices.Contains(e.Missed, r.Number)
						if diligent[id] && could[id] > 0 || sat[id] || !whole {
							rt.Fatalf("round %d at %v leaves out %d, who sat: %v, could check in for %d of %d minutes", r.Number, now,
								id, sat[id], could[id], opens-closes)
						}
					}
				}
				for _, p := range r.Pairings {
					if p.Result.IsPending() {
						until[p.Board] = m + minutes(1, 90, "length")
					}
				}
				clear(could)
				clear(sat)
			}
			w, known := tour.CheckInWindow()
			if !known || !w.IsOpen(now) {
				continue
			}
			for _, e := range tour.Entries {
				if e.Status != tournament.Active {
					continue
				}
				if plays(tour, e.ID) {
					sat[e.ID] = true
					continue
				}
				could[e.ID]++
				if diligent[e.ID] && could[e.ID] == 1 {
					if err := tour.Check(plain(int(e.ID)), e.ID, true, now); err != nil {
						rt.Fatal(err)
					}
				}
			}
		}
	})
	if hits == 0 {
		t.Error("nobody was ever left out, so nothing was tried")
	}
}

// isLeftOut reports whether a round has passed over an entry for want of a check-in.
func isLeftOut(tour *tournament.Tournament, r tournament.Round, e tournament.Entry) bool {
	for _, b := range r.Byes {
		if b.Entry == e.ID && b.Kind == tournament.ZeroBye && !tour.Format.HasTable() { // where everybody meets everybody, somebody rests
			return true
		}
	}
	return slices.Contains(e.Missed, r.Number)
}

// plays reports whether an entry sits at a board without a result.
func plays(tour *tournament.Tournament, id tournament.EntryID) bool {
	for _, p := range tour.Pending() {
		if p.SeatOf(id).Valid() {
			return true
		}
	}
	return false
}

// Who waited for a place while the others checked in, and gets it then, could not have checked in.
func TestWhoGetsAPlaceDuringTheCheckInIsPresent(t *testing.T) {
	t.Parallel()
	for name, give := range map[string]func(tour *tournament.Tournament, now time.Time) error{
		"somebody leaves": func(tour *tournament.Tournament, now time.Time) error { return tour.Withdraw(plain(1), 1) },
		"more room": func(tour *tournament.Tournament, now time.Time) error {
			s := tour.Settings
			s.Capacity = 3
			return tour.Change(host, s, now)
		},
	} {
		for _, x := range []struct {
			now     int
			present bool
		}{{44, false}, {45, true}, {59, true}} { // before the window they can do as the others
			tour := newTournament(t, tournament.Swiss, func(s *tournament.Settings) {
				withCheckIn(s)
				s.Rounds, s.Pace, s.Times, s.Capacity = 2, tournament.Times, []time.Time{at(60), at(120)}, 2
			})
			enter(t, tour, 3)
			if e := tour.Entries[2]; e.Status != tournament.Waiting {
				t.Fatalf("%+v does not wait", e)
			}
			if err := give(tour, at(x.now)); err != nil {
				t.Fatal(err)
			}
			tour.Promote(anybody, at(x.now))
			if got := slices.Contains(tour.Attendance().Present, 3); tour.Entries[2].Status != tournament.Active || got != x.present {
				t.Errorf("%s at %d: %v, present %v, want %v", name, x.now, tour.Entries[2].Status, got, x.present)
			}
		}
	}
}

// A team is at its boards while any of its players is, and its captains cannot check it in while all of them sit elsewhere.
func TestATeamThatPlaysIsPresent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		lineUps time.Duration
		do      func(*tournament.Tournament)
		here    []string
	}{
		{"all boards ended before the window", 0, func(tour *tournament.Tournament) { endBoard(tour, 4, at(100)) }, nil},
		{"one board is in play", 0, func(*tournament.Tournament) {}, []string{"B", "D"}},
		{"one board ended in the window", 0, func(tour *tournament.Tournament) { endBoard(tour, 4, at(110)) }, []string{"B", "D"}},
		{"one of the teams goes home", 0, func(tour *tournament.Tournament) {
			endBoard(tour, 4, at(110))
			_ = tour.Check(captain(3), teamID(tour, "D"), false, at(111))
		}, []string{"B"}},
		{"one of the teams forfeits its last board in the window", 0, func(tour *tournament.Tournament) {
			p := tour.Rounds[0].Pairings[3] // board 2 of the match B – D
			kind := tournament.FirstByForfeit
			if p.First == teamID(tour, "D")+2 {
				kind = tournament.SecondByForfeit
			}
			tour.Record(p.Match, tournament.Result{Kind: kind, At: at(110)})
		}, []string{"B"}},
		{"line-ups are awaited", time.Hour, func(*tournament.Tournament) {}, []string{"A", "B", "C", "D"}},
		{"a captain sits elsewhere", 0, func(tour *tournament.Tournament) {
			endBoard(tour, 4, at(100))
			tour.Seated(func(id player.ID) bool { return id == captain(0).ID })
		}, []string{"A"}},
		{"one of two captains sits elsewhere", 0, func(tour *tournament.Tournament) {
			endBoard(tour, 4, at(100))
			_ = tour.SetCaptains(host, teamID(tour, "A"), []player.ID{captain(0).ID, "second"})
			tour.Seated(func(id player.ID) bool { return id == captain(0).ID })
		}, nil},
	} {
		tour := teamEvent(t, tournament.Swiss, 4, 2, func(s *tournament.Settings) {
			withCheckIn(s)
			s.Teams.LineUps = c.lineUps
			s.Rounds, s.Pace, s.Times, s.CheckIn.Misses = 3, tournament.Times, []time.Time{at(60), at(120), at(180)}, 1
		})
		begin(t, tour)
		for _, e := range tour.Sides() {
			if err := tour.Check(host, e.ID, true, at(50)); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := tour.PairNext(system(tour), ids(), at(60)); err != nil { // A – C and B – D, each on two boards
			t.Fatal(err)
		}
		for board := range len(tour.Rounds[0].Pairings) - 1 {
			endBoard(tour, board+1, at(90))
		}
		c.do(tour)
		var here []string
		for _, id := range tour.Attendance().Present {
			here = append(here, nameOf(tour, id))
		}
		if !slices.Equal(here, c.here) {
			t.Errorf("%s: present are %v, want %v", c.name, here, c.here)
		}
	}
}

// Rounds at set times follow one another faster than players can check in: before the round before was published, they checked in for
// that one, so who rested in it did not have the whole window.
func TestAWindowBeginsAfterTheRoundBefore(t *testing.T) {
	t.Parallel()
	tour := newTournament(t, tournament.RoundRobin, func(s *tournament.Settings) {
		s.CheckIn = tournament.CheckIn{Scope: tournament.ForRound, Opens: 30 * time.Minute, Misses: 1}
		s.Pace, s.Times = tournament.Times, []time.Time{at(60), at(70), at(150), at(230), at(310)}
	})
	enter(t, tour, 5)
	if err := tour.Start(host, lowest, start); err != nil {
		t.Fatal(err)
	}
	for _, e := range tour.Entries {
		if err := tour.Check(host, e.ID, true, at(50)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := tour.PairNext(system(tour), ids(), at(60)); err != nil {
		t.Fatal(err)
	}
	endBoard(tour, 1, at(65))
	endBoard(tour, 2, at(65))
	if w, ok := tour.CheckInWindow(); !ok || !w.Opens.Equal(at(60)) || !w.Closes.Equal(at(70)) {
		t.Errorf("the window is %+v (%v)", w, ok)
	}
	if _, err := tour.PairNext(system(tour), ids(), at(70)); err != nil {
		t.Fatal(err)
	}
	for _, e := range tour.Entries {
		if len(e.Missed) > 0 || e.Status != tournament.Active {
			t.Errorf("%s is %v, and has missed %v", e.Name, e.Status, e.Missed)
		}
	}
}
