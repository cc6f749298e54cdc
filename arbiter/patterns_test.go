package arbiter_test

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chpok.org/chpok/arbiter/judges"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// signals are the kinds noted about a player, the first first, after a sweep.
func (h *hall) signals(handle string) (kinds []string) {
	h.t.Helper()
	h.ok(h.Sweep(h.t.Context()))
	h.ok(h.store.Read(h.t.Context(), func(tx *store.Tx) error {
		list, err := tx.SignalsOf(h.player(handle).ID)
		for _, s := range list {
			kinds = append([]string{string(s.Kind) + " " + s.Detail}, kinds...)
		}
		return err
	}))
	return kinds
}

// quick is a rated match that the loser resigns at once.
func (h *hall) quick(winner, loser string) {
	h.t.Helper()
	h.plays(winner, loser)
	h.clock.advance(time.Second)
	h.ok(h.Sweep(h.t.Context()))
}

func TestQuickLossesOfOnePlayer(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		h.quick("bob", "ana")
		h.quick("ana", "gus")
		h.quick("cyn", "ana")
		if got := h.signals("ana"); got != nil {
			t.Fatalf("after two: %v", got)
		}
		h.quick("dan", "ana")
		h.ok(h.Sweep(t.Context())) // once more changes nothing
		if diff := cmp.Diff([]string{"quick-losses 3/7"}, h.signals("ana")); diff != "" {
			t.Fatalf("wanted (-), noted (+):\n%s", diff)
		}
		tour := h.create(tournament.RoundRobin, func(s *tournament.Settings) { s.Rated = true }, "ana", "eve", "fay", "gus")
		h.clock.advance(time.Second)
		h.ok(h.Rounds.Start(t.Context(), h.host, tour))
		h.clock.advance(time.Second)
		h.ok(h.resign(h.matchOf(h.tournament(tour), "ana")))
		if diff := cmp.Diff([]string{"quick-losses 3/7", "quick-losses-more 4/7"}, h.signals("ana")); diff != "" {
			t.Fatalf("wanted (-), noted (+):\n%s", diff)
		}
		list := h.reviewsOf("ana")
		if len(list) != 1 || list[0].Place != tour.Place() || list[0].Steps[0].Word != string(review.OpenedByResults) {
			t.Errorf("the concern has opened %+v", list)
		}
		for _, other := range []string{"bob", "eve", "gus"} {
			if got := h.signals(other); got != nil {
				t.Errorf("%s: %v", other, got)
			}
		}
	})
}

func TestShortWinsAreNotedWithBoth(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		for range 2 {
			h.quick("ana", "bob")
			h.quick("bob", "cyn") // bob's other matches are no quick losses
			h.quick("bob", "dan")
			h.quick("bob", "eve")
		}
		if got := h.signals("ana"); got != nil {
			t.Fatalf("after two: %v", got)
		}
		h.quick("ana", "bob")
		for _, who := range []string{"ana", "bob"} {
			if diff := cmp.Diff([]string{"short-wins 3/7"}, h.signals(who)); diff != "" {
				t.Errorf("%s: wanted (-), noted (+):\n%s", who, diff)
			}
		}
		if list := h.reviewsOf("ana"); len(list) != 0 {
			t.Errorf("outside of a tournament a review opens: %+v", list)
		}
	})
}

func TestUnratedMatchesAreNoPattern(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		for range 5 {
			c, err := h.Challenges.Accept(t.Context(), h.viewer("ana"), h.challenge("bob", "ana", friendly(false)).ID)
			h.ok(err)
			h.wins(c, "bob")
			h.clock.advance(time.Second)
		}
		if got := h.signals("ana"); got != nil {
			t.Errorf("%v", got)
		}
	})
}

func TestTheSurpriseOfAPairStandsInTheDossier(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		tour := h.lost()
		ana := h.player("ana").ID
		id, _ := h.matchOf(tour, "ana")
		other := string(h.head(id).Players[0])
		if other == string(ana) {
			other = string(h.head(id).Players[1])
		}
		pairs := func() []judges.PairRecord {
			t.Helper()
			d, err := h.Judges.Dossier(t.Context(), h.host, tour.ID.Place(), ana)
			h.ok(err)
			return d.Pairs
		}
		for range 3 {
			h.quick("ana", other)
		}
		if got := pairs(); len(got) != 0 {
			t.Fatalf("three matches are shown: %+v", got)
		}
		h.quick("ana", other)
		// By table 8.1.2 from 1500 each at K 40: 0.50, 0.56, 0.60, 0.65.
		got := pairs()
		if len(got) != 1 || string(got[0].Opponent) != other || got[0].Matches != 4 || got[0].Halves != 8 || got[0].Expected != 231 || math.Abs(got[0].Z-1.7214) > 0.0001 {
			t.Errorf("%+v", got)
		}
		if d, err := h.Judges.Dossier(t.Context(), h.viewer("ana"), tour.ID.Place(), ana); err != nil || len(d.Pairs) != 1 {
			t.Errorf("the player himself reads %+v, %v", d.Pairs, err)
		}
	})
}
