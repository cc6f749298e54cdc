package arbiter_test

import (
	"sync"
	"testing"
	"time"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/arbiter/rounds"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/fixture"
)

const week = 7 * 24 * time.Hour

// arranged starts a round robin in which players arrange their matches, a week for each round.
func (h *hall) arranged(handles ...string) tournament.ID {
	h.t.Helper()
	id := h.create(tournament.RoundRobin, func(s *tournament.Settings) { s.Pace, s.Window, s.Lateness = tournament.Arranged, week, 15*time.Minute }, handles...)
	h.ok(h.Rounds.Start(h.t.Context(), h.host, id))
	return id
}

// boardOf is the open board of somebody, and where it is.
func (h *hall) boardOf(id tournament.ID, handle string) (tournament.Pairing, rounds.At) {
	h.t.Helper()
	t := h.tournament(id)
	for n, p := range t.Rounds.Pending() {
		for _, e := range [...]tournament.EntryID{p.First, p.Second} {
			if x, _ := t.Entry(e); x.Player == player.ID(handle) {
				return p, rounds.At{Tournament: id, Round: n, Board: p.Board}
			}
		}
	}
	h.t.Fatalf("%s has no open board", handle)
	return tournament.Pairing{}, rounds.At{}
}

func (h *hall) sweepRounds() {
	h.t.Helper()
	h.ok(h.Rounds.Sweep(h.t.Context()))
}

// agree has two agree on a time.
func (h *hall) agree(id tournament.ID, one, other string, in time.Duration) rounds.At {
	h.t.Helper()
	_, x := h.boardOf(id, one)
	at := h.clock.now().Add(in)
	h.ok(h.Rounds.ProposeTime(h.t.Context(), h.viewer(one), x, at))
	h.ok(h.Rounds.AgreeTime(h.t.Context(), h.viewer(other), x, at))
	return x
}

func TestAnArrangedMatchFromTheProposalToTheResult(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.arranged("ana", "bob", "cyn", "dan")
		board, _ := h.boardOf(id, "ana")
		other := "dan" // by the Berger table of four the first number meets the last
		tour := h.tournament(id)
		for _, e := range tour.Entries {
			if board.SeatOf(e.ID).Valid() && e.Player != "ana" {
				other = string(e.Player)
			}
		}
		x := h.agree(id, "ana", other, 2*time.Hour)
		if !h.hasTold(other, notice.LadderTimes) || !h.hasTold("ana", notice.Appointment) {
			t.Error("nobody was told of the time")
		}
		h.clock.advance(2*time.Hour - fixture.Doors - time.Second)
		h.sweepRounds()
		if p, _ := h.boardOf(id, "ana"); p.Match != "" {
			t.Fatal("it opened before its time")
		}
		h.clock.advance(time.Second)
		h.sweepRounds()
		h.sweepRounds()
		p, _ := h.boardOf(id, "ana")
		if p.Match == "" || p.Fixture.Status != fixture.Playing {
			t.Fatalf("it did not open: %+v %+v", p, p.Fixture)
		}
		state, head, err := h.live.State(t.Context(), p.Match)
		h.ok(err)
		lateness := h.tournament(id).Lateness
		if deadline, _ := state.Deadline(); !deadline.Equal(h.clock.now().Add(fixture.Doors + lateness)) {
			t.Errorf("it waits until %v", deadline)
		}
		for _, seat := range match.Seats {
			_, err := h.live.Do(t.Context(), p.Match, head.Players[seat.Index()], live.Request{Command: match.Ready{Seat: seat}})
			h.ok(err)
		}
		h.ok(h.resign(p.Match, match.Second))
		h.ok(h.Sweep(t.Context()))
		got, err := h.tournament(id).BoardAt(x.Round, x.Board)
		h.ok(err)
		if got.Result.Kind != tournament.FirstWins {
			t.Errorf("the result is %v", got.Result.Kind)
		}
		// The others never find a time: at the last start both lose, and the next round opens with its window.
		h.clock.advance(week)
		h.sweepRounds()
		h.sweepRounds()
		tour = h.tournament(id)
		if len(tour.Rounds) != 2 || tour.Rounds[0].Pairings[2-x.Board].Result.Kind != tournament.DoubleForfeit {
			t.Errorf("%d rounds, the other board %v", len(tour.Rounds), tour.Rounds[0].Pairings[2-x.Board].Result.Kind)
		}
		h.logsAreWhole()
	})
}

func TestAnAbsentPlayerObjectsAndTheHostDecides(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.arranged("ana", "bob", "cyn")
		p, _ := h.boardOf(id, "bob")
		two := [2]string{}
		for i, e := range [...]tournament.EntryID{p.First, p.Second} {
			x, _ := h.tournament(id).Entry(e)
			two[i] = string(x.Player)
		}
		x := h.agree(id, two[0], two[1], time.Hour)
		h.clock.advance(time.Hour)
		h.sweepRounds()
		p, _ = h.boardOf(id, two[0])
		_, err := h.live.Do(t.Context(), p.Match, player.ID(two[0]), live.Request{Command: match.Ready{Seat: match.First}})
		h.ok(err)
		h.clock.advance(h.tournament(id).Lateness + fixture.Doors)
		h.ok(h.live.SweepDue(t.Context()))
		h.ok(h.Sweep(t.Context()))
		p, _ = h.boardOf(id, two[0])
		if p.Fixture.Status != fixture.Claimed || !p.Result.IsPending() {
			t.Fatalf("the forfeit: %+v %+v", p.Result, p.Fixture)
		}
		h.ok(h.Rounds.Object(t.Context(), h.viewer(two[1]), x, "My train stood still"))
		if !h.hasTold("host", notice.LadderDispute) {
			t.Error("the host does not know")
		}
		h.clock.advance(6 * 24 * time.Hour)
		h.sweepRounds()
		at := func() tournament.Pairing {
			p, err := h.tournament(id).BoardAt(x.Round, x.Board)
			h.ok(err)
			return p
		}
		if p = at(); p.Fixture.Status != fixture.Disputed || !p.Result.IsPending() {
			t.Fatalf("it is %s", p.Fixture.Status)
		}
		h.clock.advance(23 * time.Hour) // the window of round 2 begins, a day before the dispute is due
		h.sweepRounds()
		h.sweepRounds()
		if n := len(h.tournament(id).Rounds); n != 2 || !at().Result.IsPending() {
			t.Errorf("%d rounds, and the dispute is %v", n, at().Result.Kind)
		}
		h.ok(h.Rounds.EnterResult(t.Context(), h.host, id, rounds.Seen{Round: x.Round, Board: x.Board}, tournament.Drawn))
		h.logsAreWhole()
	})
}

func TestTwoNodesOpenOneArrangedMatch(t *testing.T) {
	t.Parallel()
	storetest.ManyAtOnce(t)
	each(t, func(t *testing.T, h *hall) {
		id := h.arranged("ana", "bob", "cyn")
		p, _ := h.boardOf(id, "bob")
		var two []string
		for _, e := range [...]tournament.EntryID{p.First, p.Second} {
			x, _ := h.tournament(id).Entry(e)
			two = append(two, string(x.Player))
		}
		h.agree(id, two[0], two[1], time.Hour)
		other := arbiter.New(h.store, h.live, arbiter.Config{Now: h.clock.now}, nil)
		h.clock.advance(time.Hour)
		var nodes sync.WaitGroup
		for _, node := range []*arbiter.Arbiter{h.Arbiter, other, h.Arbiter, other} {
			nodes.Go(func() {
				if err := node.Rounds.Sweep(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		nodes.Wait()
		if n := h.running(id); n != 1 {
			t.Errorf("%d matches for one appointment", n)
		}
		h.logsAreWhole()
	})
}
