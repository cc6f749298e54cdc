package arbiter_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/fixture"
)

// reminded is how often a player was told of a kind.
func (h *hall) reminded(handle string, kind notice.Kind) (n int) {
	h.t.Helper()
	for _, t := range h.told(handle) {
		if t.Kind == kind {
			n++
		}
	}
	return n
}

func (h *hall) remind() {
	h.t.Helper()
	h.ok(h.Remind(h.t.Context()))
}

// timed is a round robin whose first round is in so long.
func (h *hall) timed(in time.Duration, handles ...string) tournament.ID {
	h.t.Helper()
	return h.create(tournament.RoundRobin, func(s *tournament.Settings) {
		s.Pace = tournament.Times
		begin := h.clock.now().Add(in)
		s.Times = tournament.Moments{begin, begin.Add(24 * 7 * time.Hour), begin.Add(24 * 14 * time.Hour)}
	}, handles...)
}

func TestARoundIsAnnouncedADayAndAQuarterBeforeOnce(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		h.timed(25*time.Hour, "ana", "bob", "cyn", "dan")
		h.ok(h.store.Write(t.Context(), func(tx *store.Tx) error {
			return tx.SetLeads(h.player("bob").ID, notice.Leads{Late: time.Hour})
		}))
		steps := []struct {
			wait     time.Duration
			ana, bob int
		}{
			{0, 0, 0},
			{time.Hour - time.Second, 0, 0},
			{time.Second, 1, 0},
			{22 * time.Hour, 1, 0},
			{time.Hour, 1, 1},
			{44 * time.Minute, 1, 1},
			{time.Minute, 2, 1},
			{14 * time.Minute, 2, 1},
			{2 * time.Minute, 2, 1}, // it has begun
		}
		for i, step := range steps {
			h.clock.advance(step.wait)
			h.remind()
			h.remind()
			if ana, bob := h.reminded("ana", notice.RoundSoon), h.reminded("bob", notice.RoundSoon); ana != step.ana || bob != step.bob {
				t.Errorf("step %d: ana was told %d times, bob %d", i, ana, bob)
			}
		}
	})
}

func TestALateNodeRemindsOnceAndNotOfWhatHasBegun(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		h.timed(25*time.Hour, "ana", "bob", "cyn", "dan")
		h.clock.advance(25*time.Hour - 10*time.Minute) // nobody was up for a day
		h.remind()
		if n := h.reminded("ana", notice.RoundSoon); n != 1 {
			t.Errorf("told %d times at once", n)
		}
		h.timed(time.Hour, "eve", "fay", "gus")
		h.clock.advance(time.Hour)
		h.remind()
		if n := h.reminded("eve", notice.RoundSoon); n != 0 {
			t.Errorf("told %d times of a round that has begun", n)
		}
	})
}

func TestARoundThatMovesIsAnnouncedForItsNewTime(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.timed(10*time.Minute, "ana", "bob", "cyn", "dan")
		h.remind()
		s := h.tournament(id).Settings
		s.Times = slices.Clone(s.Times)
		s.Times[0] = s.Times[0].Add(2 * time.Hour)
		h.ok(h.Events.Change(t.Context(), h.host, id, s))
		h.remind()
		if n := h.reminded("ana", notice.Rescheduled); n != 1 {
			t.Errorf("told %d times of the new time", n)
		}
		h.clock.advance(115 * time.Minute)
		h.remind()
		if n := h.reminded("ana", notice.RoundSoon); n < 2 {
			t.Errorf("told %d times", n)
		}
	})
}

func TestManyNodesRemindOnce(t *testing.T) {
	t.Parallel()
	storetest.ManyAtOnce(t)
	each(t, func(t *testing.T, h *hall) {
		h.timed(10*time.Minute, "ana", "bob", "cyn", "dan")
		other := arbiter.New(h.store, h.live, arbiter.Config{Now: h.clock.now}, nil)
		var nodes sync.WaitGroup
		for _, node := range []*arbiter.Arbiter{h.Arbiter, other, other, h.Arbiter} {
			nodes.Go(func() {
				if err := node.Remind(context.Background()); err != nil {
					t.Error(err)
				}
			})
		}
		nodes.Wait()
		for _, handle := range []string{"ana", "bob", "cyn", "dan"} {
			if n := h.reminded(handle, notice.RoundSoon); n != 1 {
				t.Errorf("%s was told %d times", handle, n)
			}
		}
	})
}

func TestALadderRemindsOfAppointmentsAndDeadlines(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.ladder(nil, "ana", "bob", "cyn")
		_, err := h.Ladders.Challenge(t.Context(), h.viewer("cyn"), id, "ana")
		h.ok(err)
		h.clock.advance(23 * time.Hour) // of 36 to answer
		h.remind()
		if n := h.reminded("ana", notice.LadderDeadline); n != 0 {
			t.Errorf("told %d times with 13 hours to go", n)
		}
		h.clock.advance(time.Hour)
		h.remind()
		h.remind()
		if ana, cyn := h.reminded("ana", notice.LadderDeadline), h.reminded("cyn", notice.LadderDeadline); ana != 1 || cyn != 0 {
			t.Errorf("who is to answer was told %d times, the other %d", ana, cyn)
		}
		ref := store.LadderRef{Ladder: id, Number: 1}
		h.ok(h.Ladders.Accept(t.Context(), h.viewer("ana"), ref))
		at := h.clock.now().Add(2 * time.Hour)
		h.ok(h.Ladders.ProposeTime(t.Context(), h.viewer("cyn"), ref, at))
		h.ok(h.Ladders.AgreeTime(t.Context(), h.viewer("ana"), ref, at))
		h.remind() // in good time, a day late
		h.clock.advance(105 * time.Minute)
		h.remind()
		h.remind()
		if n := h.reminded("cyn", notice.AppointmentSoon); n != 2 {
			t.Errorf("told %d times of the appointment", n)
		}
		if c := h.ladderChallenge(ref); c.Status != fixture.Scheduled {
			t.Errorf("%s", c.Status)
		}
	})
}

func TestAChallengeThatExpiresIsAnnounced(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		long := friendly(false)
		long.Life = 24 * time.Hour
		h.challenge("ana", "bob", long)
		short := friendly(false)
		short.Life = 2 * time.Hour
		h.challenge("cyn", "dan", short)
		h.clock.advance(90 * time.Minute)
		h.remind()
		h.clock.advance(21*time.Hour + 30*time.Minute)
		h.remind()
		h.remind()
		if bob, dan := h.reminded("bob", notice.ChallengeExpiring), h.reminded("dan", notice.ChallengeExpiring); bob != 1 || dan != 0 {
			t.Errorf("bob %d, dan %d", bob, dan)
		}
	})
}

func TestAPlayerOfASlowMatchIsToldOfHisTurn(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		options := friendly(false).MatchOptions()
		options.StartDelay, options.BidTime = 0, 24*time.Hour
		var id match.ID
		h.ok(h.store.Write(t.Context(), func(tx *store.Tx) (err error) {
			id, err = h.live.OpenTx(tx, live.Opening{Players: [2]player.ID{"ana", "bob"}, Options: options})
			return err
		}))
		h.clock.advance(time.Minute) // they may be at the board
		h.remind()
		h.wasTold("ana")
		h.clock.advance(time.Minute)
		h.remind()
		h.remind()
		h.wasTold("ana", "turn /matches/"+string(id))
		h.wasTold("bob")
		h.clock.advance(21 * time.Hour)
		h.remind()
		h.remind()
		h.wasTold("ana", "turn /matches/"+string(id), "turn-soon /matches/"+string(id))
		h.wasTold("bob")
	})
}

func TestWhoHasNotCheckedInIsToldThatHeMayOnce(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.create(tournament.Swiss, func(s *tournament.Settings) {
			begin := h.clock.now().Add(5 * time.Hour)
			s.Rounds, s.Pace, s.Times = 2, tournament.Times, tournament.Moments{begin, begin.Add(time.Hour)}
			s.CheckIn = tournament.CheckIn{Scope: tournament.ForRound, Opens: time.Hour, Closes: 10 * time.Minute}
		}, "ana", "bob", "cyn", "dan")
		h.clock.advance(4*time.Hour - time.Second)
		h.remind()
		if n := h.reminded("ana", notice.CheckIn); n != 0 {
			t.Errorf("told %d times before it opens", n)
		}
		h.clock.advance(time.Second)
		h.ok(h.Desk.CheckInOwn(t.Context(), h.viewer("bob"), id, true))
		for range 2 {
			h.remind()
		}
		if ana, bob := h.reminded("ana", notice.CheckIn), h.reminded("bob", notice.CheckIn); ana != 1 || bob != 0 {
			t.Errorf("ana was told %d times, bob, who is there, %d", ana, bob)
		}
	})
}

func TestAnEventThatIsTakenBackIsToldToWhoHasEntered(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.create(tournament.Swiss, nil, "ana", "bob")
		h.ok(h.Entries.Withdraw(t.Context(), h.viewer("bob"), id, 2))
		h.ok(h.Desk.Hide(t.Context(), h.host, id, "no room"))
		if ana, bob := h.reminded("ana", notice.Cancelled), h.reminded("bob", notice.Cancelled); ana != 1 || bob != 0 {
			t.Errorf("ana was told %d times, bob, who had left, %d", ana, bob)
		}
	})
}

// Of a window of a week the last start is w = 7 days less the longest match. Two of four boards have no time: all are told at w/2
// and at 4w/5, once each however many nodes look, by what they can do; and what follows at w.
func TestThoseWithoutATimeAreTold(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		id := h.arranged("ana", "bob", "cyn", "dan")
		tour := h.tournament(id)
		board, x := h.boardOf(id, "ana")
		whole := board.Fixture.PlayBy.Sub(tour.Rounds[0].OpenedAt)
		other, rest := "", []string{}
		for _, name := range []string{"bob", "cyn", "dan"} {
			if e, _ := tour.EntryOf(player.ID(name)); board.SeatOf(e.ID).Valid() {
				other = name
			} else {
				rest = append(rest, name)
			}
		}
		said := func(handle string, kind notice.Kind) (list []string) {
			for _, n := range h.told(handle) {
				if n.Kind == kind {
					list = append(list, n.Args["Case"])
				}
			}
			return list
		}
		nodes := func() {
			var all sync.WaitGroup
			for range 3 {
				node := arbiter.New(h.store, h.live, arbiter.Config{Now: h.clock.now}, nil)
				all.Go(func() {
					if err := node.Remind(context.Background()); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
		}
		h.clock.advance(whole/2 - time.Second)
		nodes()
		if n := h.reminded("ana", notice.TimeWanted); n != 0 {
			t.Fatalf("told %d times before half of the time is over", n)
		}
		h.clock.advance(time.Second)
		nodes()
		nodes()
		h.ok(h.Rounds.ProposeTime(t.Context(), h.viewer("ana"), x, board.Fixture.PlayBy.Add(-time.Hour)))
		h.clock.advance(whole - whole/5 - whole/2)
		nodes()
		nodes()
		for handle, want := range map[string][]string{"ana": {"wait", "propose"}, other: {"answer", "propose"}, rest[0]: {"propose", "propose"}} {
			if got := said(handle, notice.TimeWanted); !slices.Equal(got, want) {
				t.Errorf("%s was told %q, want %q, the latest first", handle, got, want)
			}
		}
		h.clock.advance(whole / 5)
		h.sweepRounds()
		nodes()
		for handle, want := range map[string]int{"ana": 2, other: 2, rest[0]: 2, rest[1]: 2} {
			if got := h.reminded(handle, notice.TimeWanted); got != want {
				t.Errorf("%s was told %d times in all", handle, got)
			}
		}
		if got := said(rest[0], notice.Unplayed); !slices.Equal(got, []string{"both"}) {
			t.Errorf("of the end they were told %q", got)
		}
		if n := h.reminded(other, notice.LadderDeadline); n != 1 {
			t.Errorf("of the claim they were told %d times", n)
		}
		// The other objects. The host is told of that, and once more two days before it is decided without them.
		h.ok(h.Rounds.Object(t.Context(), h.viewer(other), x, "I was ill"))
		h.clock.advance(fixture.DecideWithin - notice.DisputeLead - time.Second)
		nodes()
		if n := h.reminded("host", notice.LadderDispute); n != 1 {
			t.Errorf("the host was told %d times", n)
		}
		h.clock.advance(time.Second)
		nodes()
		if n := h.reminded("host", notice.LadderDispute); n != 2 {
			t.Errorf("before the end the host was told %d times", n)
		}
		h.clock.advance(notice.DisputeLead)
		h.sweepRounds()
		if got, lost := said("ana", notice.Unplayed), said(other, notice.Unplayed); !slices.Equal(got, []string{"won"}) || !slices.Equal(lost, []string{"lost"}) {
			t.Errorf("of the end ana was told %q, %s %q", got, other, lost)
		}
	})
}

// Whoever wins by forfeit gives it up, and the other hears of it.
func TestAForfeitIsGivenUp(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.arranged("ana", "bob", "cyn")
		board, x := h.boardOf(id, "bob")
		e, _ := h.tournament(id).EntryOf("bob")
		them, _ := h.tournament(id).Entry(board.EntryAt(board.SeatOf(e.ID).Other()))
		h.ok(h.Rounds.ProposeTime(t.Context(), h.viewer("bob"), x, h.clock.now().Add(time.Hour)))
		h.clock.advance(board.Fixture.PlayBy.Sub(h.clock.now()).Truncate(time.Minute) + time.Minute) // times are whole minutes
		h.sweepRounds()
		h.ok(h.Rounds.GiveUpForfeit(t.Context(), h.viewer("bob"), x))
		if told, by := h.reminded(string(them.Player), notice.TimeWanted), h.reminded("bob", notice.TimeWanted); told != 1 || by != 0 {
			t.Errorf("they were told %d times, who gave it up %d", told, by)
		}
		h.agree(id, "bob", string(them.Player), 70*time.Hour)
		if n := h.reminded("bob", notice.Appointment); n != 1 {
			t.Errorf("told of %d appointments", n)
		}
	})
}
