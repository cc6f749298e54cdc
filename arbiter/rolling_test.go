package arbiter_test

import (
	"slices"
	"testing"
	"time"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/contest"
)

// playing are the names on the boards without a result.
func (h *hall) playing(id tournament.ID) (pairs []string) {
	t := h.tournament(id)
	for _, p := range t.Rounds.Pending() {
		names := []string{t.Entries[p.First-1].Name, t.Entries[p.Second-1].Name}
		slices.Sort(names)
		pairs = append(pairs, names[0]+"-"+names[1])
	}
	return pairs
}

// TestAKnockOutGoesOnMatchByMatch: after a break the next match opens though another is
// played, and a node that died with a result in its hands is made up for by the sweep.
func TestAKnockOutGoesOnMatchByMatch(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.create(tournament.KnockOut, func(s *tournament.Settings) {
			s.Pace, s.Break, s.Losers, s.Tie = tournament.Rolling, 20*time.Second, contest.Out, []contest.Step{contest.Seed}
		}, "ana", "bob", "cyn", "dan", "eve", "fay")
		wants := func(when string, want ...string) {
			t.Helper()
			if got := h.playing(id); !slices.Equal(got, want) {
				t.Fatalf("%s: %v, want %v", when, got, want)
			}
		}
		h.ok(h.Rounds.Start(t.Context(), h.host, id))
		wants("at the start", "dan-eve", "cyn-fay")
		h.beats(id, "dan", "eve")
		wants("in the break", "cyn-fay")
		h.clock.advance(20 * time.Second)
		h.ok(h.Sweep(t.Context()))
		wants("after the break", "cyn-fay", "ana-dan")
		h.live.OnFinish(nil) // the process dies before it is told
		h.beats(id, "fay", "cyn")
		wants("nothing is recorded", "cyn-fay", "ana-dan")
		again := arbiter.New(h.store, h.live, arbiter.Config{Now: h.clock.now}, nil)
		h.clock.advance(20 * time.Second)
		for range 2 { // the second finds nothing to do
			h.ok(again.Sweep(t.Context()))
			wants("after the sweep", "ana-dan", "bob-fay")
		}
		h.live.OnFinish(again.OnFinish)
		h.beats(id, "bob", "fay")
		h.beats(id, "ana", "dan")
		h.clock.advance(20 * time.Second)
		h.ok(again.Sweep(t.Context()))
		wants("the final", "ana-bob")
		h.beats(id, "ana", "bob")
		if tour := h.tournament(id); tour.Status != tournament.Finished || tour.RatedAt.IsZero() || len(tour.Rounds) != 3 {
			t.Errorf("after the final it is %v, %d rounds", tour.Status, len(tour.Rounds))
		}
	})
}
