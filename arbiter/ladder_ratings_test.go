package arbiter_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament/fixture"
	"chpok.org/chpok/tournament/ladder"
)

// duel opens the match of a challenge on a ladder; both are ready.
func (h *hall) duel(id ladder.ID, challenger, defender string) store.LadderRef {
	h.t.Helper()
	ref := h.appoint(id, challenger, defender)
	h.clock.advance(2*time.Hour - fixture.Doors)
	h.sweepLadders()
	for i, who := range []string{challenger, defender} {
		_, err := h.live.Do(h.t.Context(), h.ladderChallenge(ref).Match, h.playerOf(who), live.Request{Command: match.Ready{Seat: match.Seats[i]}})
		h.ok(err)
	}
	return ref
}

func (h *hall) resigns(id match.ID, who string, seat match.Seat) {
	h.t.Helper()
	_, err := h.live.Do(h.t.Context(), id, h.playerOf(who), live.Request{Command: match.Resign{Seat: seat}})
	h.ok(err)
}

func (h *hall) inPool(id rating.PoolID, handles ...string) map[string]int {
	h.t.Helper()
	found := map[string]int{}
	h.ok(h.store.Read(h.t.Context(), func(tx *store.Tx) error {
		for _, name := range handles {
			now, err := tx.PoolRatings(id, h.playerOf(name))
			if err != nil {
				return err
			}
			found[name] = now[h.playerOf(name)].Rating.Whole()
		}
		return nil
	}))
	return found
}

func TestMatchesOfARatedLadderCountOnceInEveryListThatTakesThem(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		operator := h.host
		operator.Role = player.Operator
		h.ok(h.store.Write(t.Context(), func(tx *store.Tx) error {
			return tx.AddClub(club.New("c", "Club", "", h.host.ID, h.clock.now()))
		}))
		pool := func(name string, of string, counts rating.Counts) rating.PoolID {
			id, err := h.Ratings.AddPool(t.Context(), operator, rating.Pool{Name: name, Club: of, Zone: "UTC", Counts: counts, Rules: rating.Club(1500)})
			h.ok(err)
			return id
		}
		ofClub := pool("Of the club", "c", rating.Counts{Ladders: true})
		without := pool("Tournaments", "", rating.Counts{Tournaments: true})
		h.live.OnFinish(nil) // the process dies before it is told of any end
		id := h.ladder(func(s *ladder.Settings) { s.Club = "c" }, "ana", "bob", "cyn", "dan")
		ref := h.duel(id, "bob", "ana")
		h.resigns(h.ladderChallenge(ref).Match, "ana", match.Second)
		again := arbiter.New(h.store, h.live, arbiter.Config{Now: h.clock.now}, nil)
		want := map[string]int{"ana": 1480, "bob": 1520} // new at 1500, K 40, half expected
		check := func(when string) {
			t.Helper()
			for _, list := range []rating.PoolID{rating.Main, ofClub} {
				if diff := cmp.Diff(want, h.inPool(list, "ana", "bob")); diff != "" {
					t.Errorf("%s, %s: %s", when, list, diff)
				}
			}
			if got := h.inPool(without, "ana", "bob"); got["ana"] != 0 || got["bob"] != 0 {
				t.Errorf("%s, a list without ladders: %v", when, got)
			}
		}
		for range 2 {
			h.ok(again.Sweep(t.Context()))
			h.sweepLadders()
			check("swept")
		}
		h.stands(id, "bob ana cyn dan")
		h.ok(h.Ratings.Recompute(t.Context(), nil))
		check("made anew")

		// What counts is decided when the match opens.
		ref = h.duel(id, "dan", "cyn")
		s := h.readLadder(id).Settings
		s.Rated = false
		h.ok(h.Ladders.Change(t.Context(), h.host, id, s))
		h.resigns(h.ladderChallenge(ref).Match, "cyn", match.Second)
		h.ok(again.Sweep(t.Context()))
		h.sweepLadders()
		if diff := cmp.Diff(map[string]int{"cyn": 1480, "dan": 1520}, h.inPool(rating.Main, "cyn", "dan")); diff != "" {
			t.Errorf("opened while the ladder was rated: %s", diff)
		}
		h.clock.advance(8 * ladder.Day) // beyond the rest between the same two
		ref = h.duel(id, "cyn", "dan")
		h.resigns(h.ladderChallenge(ref).Match, "cyn", match.First)
		h.ok(again.Sweep(t.Context()))
		if diff := cmp.Diff(map[string]int{"cyn": 1480, "dan": 1520}, h.inPool(rating.Main, "cyn", "dan")); diff != "" {
			t.Errorf("opened while it was not: %s", diff)
		}
	})
}

// TestARatedChallengeThatIsReopenedIsRatedByItsSecondEnd: as if the first had not been.
func TestARatedChallengeThatIsReopenedIsRatedByItsSecondEnd(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		operator := h.host
		operator.Role = player.Operator
		c, err := h.Challenges.Accept(t.Context(), h.viewer("bob"), h.challenge("ana", "bob", friendly(true)).ID)
		h.ok(err)
		h.bidOut(c.Match, func(seat match.Seat) player.ID { return c.Seats()[seat.Index()] })
		h.wins(c, "ana")      // 1520 and 1480
		h.plays("ana", "cyn") // 1538.8 (0.53 expected) and 1481.2
		reopen := live.Request{CommandID: "again", Command: match.Reopen{Warrant: word(operator, "the wrong button")}}
		h.ok(h.Judges.Rule(t.Context(), operator, c.Match, reopen))
		h.ok(h.Judges.Rule(t.Context(), operator, c.Match, reopen)) // sent again
		if diff := cmp.Diff(map[string]int{"ana": 1520, "bob": 0, "cyn": 1480}, h.ratings("ana", "bob", "cyn")); diff != "" {
			t.Fatalf("while it is played on: %s", diff)
		}
		h.ok(h.Judges.Rule(t.Context(), operator, c.Match, live.Request{Command: match.Resume{Warrant: word(operator, "go")}}))
		h.wins(c, "bob")
		// ana at 1520 loses to bob, new at 1500: 0.53 expected, −21.2 and +21.2.
		want := map[string]int{"ana": 1499, "bob": 1521, "cyn": 1480}
		if diff := cmp.Diff(want, h.ratings("ana", "bob", "cyn")); diff != "" {
			t.Error(diff)
		}
		h.ok(h.Ratings.Recompute(t.Context(), nil))
		if diff := cmp.Diff(want, h.ratings("ana", "bob", "cyn")); diff != "" {
			t.Errorf("made anew: %s", diff)
		}
		h.ok(h.Judges.Rule(t.Context(), operator, c.Match, live.Request{Command: match.MakeVoid{Warrant: word(operator, "x")}}))
		if diff := cmp.Diff(map[string]int{"ana": 1520, "bob": 0, "cyn": 1480}, h.ratings("ana", "bob", "cyn")); diff != "" {
			t.Errorf("void: %s", diff)
		}
	})
}

func TestAResultThatHasMovedPlacesIsNotTakenBack(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		operator := h.host
		operator.Role = player.Operator
		id := h.ladder(nil, "ana", "bob")
		ref := h.duel(id, "bob", "ana")
		played := h.ladderChallenge(ref).Match
		h.resigns(played, "ana", match.Second)
		h.stands(id, "bob ana")
		if err := h.Judges.Rule(t.Context(), operator, played, live.Request{Command: match.Reopen{Warrant: word(operator, "x")}}); !errors.Is(err, assurance.ErrCounted) {
			t.Errorf("reopened: %v", err)
		}
	})
}
