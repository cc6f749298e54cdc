package live_test

import (
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/store/storetest"
)

// The wait for a first bid is in the log: every node knows it, and one that starts later.
func TestEveryNodeWaitsForANewcomersFirstBid(t *testing.T) {
	t.Parallel()
	dsn, clock, bus := storetest.PostgresDSN(t), newClock(), live.NewInProcess()
	start := func() node { return newNode(t, storetest.Open(t, dsn), bus, live.Config{Now: clock.now}) }
	a, b := start(), start()
	storetest.Players(t, a.store, string(anna), string(bohdan))
	o := quick()
	o.Newcomer = [2]bool{false, true}
	id := a.open(t, o, anna, bohdan)
	white := chipOnWhite(match.First)
	a.do(t, id, anna, white)
	began := clock.now()
	clock.advance(299 * time.Second)
	again := start() // as after a restart
	for _, n := range []node{a, b, again} {
		s := n.state(t, id)
		if due, _ := s.Deadline(); !due.Equal(began.Add(400*time.Second)) || !s.IsFirstBidAwaited(match.Second) {
			t.Errorf("the flag falls after %v", due.Sub(began))
		}
	}
	clock.advance(100 * time.Second)
	for _, n := range []node{b, again} {
		if err := n.SweepDue(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if s := a.state(t, id); s.Status() == match.Over {
		t.Fatal("the flag fell before 400 s")
	}
	clock.advance(2 * time.Second)
	if err := again.SweepDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r := a.state(t, id).Result(); r.Outcome != match.FirstWins || r.Reason != match.FlagBidding {
		t.Errorf("%+v", r)
	}
}
