package arbiter_test

import (
	"testing"
	"time"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
)

// letters is a match by correspondence in which whoever is to act does so after six days.
type letters struct {
	id   match.ID
	acts []string // moves; empty: bids for White, each just above the last
	next int
}

func (h *hall) goesOn(l *letters) {
	h.t.Helper()
	s, head, err := h.live.State(h.t.Context(), l.id)
	h.ok(err)
	seat, lives := s.ToAct()
	if !lives {
		h.t.Fatalf("%s has ended: %+v", l.id, s.Result())
	}
	var c match.Command
	if l.acts == nil {
		bids := s.Game().Bids()
		c = match.PlaceBid{Seat: seat, Bid: bidding.Bid{Target: bidding.White, Chips: max(0, bids.Gap(bidding.White, seat)) + 1}}
	} else {
		a, err := board.ParseAction(l.acts[l.next])
		h.ok(err)
		c = match.Play{Seat: seat, Action: a}
		l.next++
	}
	_, err = h.live.Do(h.t.Context(), l.id, head.Players[seat.Index()], live.Request{Command: c, Admit: admitted})
	h.ok(err)
}

// isPatient lets the site be unheard of for weeks without an outage, so that a test need not beat through them.
func (h *hall) isPatient(t *testing.T) {
	t.Helper()
	runner, err := live.New(h.store, live.NewInProcess(), live.Config{Now: h.clock.now, OutageAfter: 400 * 24 * time.Hour}, nil)
	h.ok(err)
	t.Cleanup(runner.Close)
	h.live, h.Arbiter = runner, arbiter.New(h.store, runner, arbiter.Config{Now: h.clock.now}, nil)
	runner.OnFinish(h.OnFinish)
}

// Four play by correspondence, seven days for each bid and move, seventy in all. Of six matches four are abandoned and lost on time; in
// one White leads by a pawn when the event ends, in one they are still bidding. Nobody is there when it ends, two nodes are.
func TestARoundRobinByCorrespondenceFromItsStartToTheEndByForce(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		const day = 24 * time.Hour
		h.isPatient(t)
		id := h.create(tournament.RoundRobin, func(s *tournament.Settings) {
			s.Pace, s.BidTime, s.Window = tournament.Correspondence, 7*day, 70*day
		}, "ana", "bob", "cyn", "dan")
		h.ok(h.Rounds.Start(t.Context(), h.host, id))
		began := h.clock.now()
		tour := h.tournament(id)
		if len(tour.Rounds) != 3 {
			t.Fatalf("%d rounds are open", len(tour.Rounds))
		}
		opened := 0
		for _, n := range h.told("ana") {
			if n.Kind == notice.RoundPaired {
				t.Error("a letter about each match")
			}
			if n.Kind == notice.MatchOpened {
				opened++
			}
		}
		if opened != 3 {
			t.Errorf("told of %d matches", opened)
		}
		board1, _ := tour.BoardAt(1, 1)
		board2, _ := tour.BoardAt(3, 2)
		onBoard := &letters{id: board1.Match, acts: []string{"e2e4", "a7a6", "d1h5", "a6a5", "h5f7", "a5a4", "f7f3", "a8a6", "f3f4", "a6a5", "f4f5"}}
		inBids := &letters{id: board2.Match}
		h.bidAll(id, board1)
		white := h.state(board1.Match).Game().SeatOf(board.White)
		for range 11 { // to day 66
			h.clock.advance(6 * day)
			h.ok(h.live.SweepDue(t.Context()))
			h.ok(h.Sweep(t.Context()))
			h.goesOn(onBoard)
			h.goesOn(inBids)
		}
		tour = h.tournament(id)
		left := map[match.ID]bool{}
		for _, p := range tour.Rounds.Pending() {
			left[p.Match] = true
		}
		if len(left) != 2 || !left[board1.Match] || !left[board2.Match] {
			t.Fatalf("left are %v", left)
		}
		for _, p := range tour.AllBoards() {
			if !left[p.Match] && (p.Result.Kind != tournament.SecondWins || p.Result.Reason != match.FlagBidding) {
				t.Errorf("who never bid: %+v", p.Result)
			}
		}
		other := arbiter.New(h.store, h.live, arbiter.Config{Now: h.clock.now}, nil)
		sweep := func() {
			t.Helper()
			h.ok(other.Sweep(t.Context()))
			h.ok(h.Sweep(t.Context()))
		}
		h.clock.advance(began.Add(70*day - time.Minute).Sub(h.clock.now()))
		sweep()
		if h.tournament(id).Status != tournament.Running {
			t.Fatal("it ended a minute early")
		}
		h.clock.advance(time.Minute)
		sweep()
		sweep()
		tour = h.tournament(id)
		if tour.Status != tournament.Finished {
			t.Fatalf("at its end it is %v", tour.Status)
		}
		won := map[match.Seat]tournament.ResultKind{match.First: tournament.FirstWins, match.Second: tournament.SecondWins}[white]
		p1, _ := tour.BoardAt(1, 1)
		p2, _ := tour.BoardAt(3, 2)
		if p1.Result.Kind != won || p1.Result.Reason != match.Adjudicated || p1.Result.By != "" || p1.Result.Rated != tournament.Pending {
			t.Errorf("White leads by a pawn: %+v", p1.Result)
		}
		if p2.Result.Kind != tournament.Drawn || p2.Result.Reason != match.Adjudicated || p2.Result.Rated != tournament.DoubleForfeit {
			t.Errorf("in the bidding: %+v", p2.Result)
		}
		if s := h.state(board1.Match); s.Status() != match.Over || s.Seq() != h.head(board1.Match).Seq {
			t.Error("the match goes on")
		}
		if e, _ := tour.EntryOf(player.ID("ana")); e.Status != tournament.Active {
			t.Error(e.Status)
		}
		h.logsAreWhole()
	})
}
