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
