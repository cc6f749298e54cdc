package arbiter_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/tournament"
)

func TestATournamentWithAHandicapIsPlayedWithMoreChipsAndRatedApart(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		operator := h.host
		operator.Role = player.Operator
		// cyn has no rating: in the list of entries stands that of newcomers, 1500.
		h.ok(h.Ratings.Give(t.Context(), operator, rating.Main, []rating.Start{{Player: "ana", Rating: 2250, Games: 50}, {Player: "bob", Rating: 1600, Games: 50}}))
		before := h.ratings("ana", "bob", "cyn")
		id := h.create(tournament.RoundRobin, func(s *tournament.Settings) { s.Handicap, s.Rated, s.Lateness = true, true, 0 }, "ana", "bob", "cyn")
		h.ok(h.Rounds.Start(t.Context(), h.host, id))
		want := map[[2]string]int{{"ana", "bob"}: 6, {"ana", "cyn"}: 6, {"bob", "cyn"}: 1} // 650 and 750 points: the end of the table; 100
		for h.tournament(id).Status == tournament.Running {
			rounds := h.tournament(id).Rounds
			for _, p := range rounds[len(rounds)-1].Pairings {
				first, second := h.at(id, p, match.First), h.at(id, p, match.Second)
				more := [2]int{0, want[[2]string{string(first.ID), string(second.ID)}]}
				if first.ID > second.ID {
					more = [2]int{want[[2]string{string(second.ID), string(first.ID)}], 0}
				}
				bids, chips := h.state(p.Match).Game().Bids(), h.tournament(id).Envelope.Chips
				if got := [2]int{bids.Purse(match.First) - chips, bids.Purse(match.Second) - chips}; got != more {
					t.Errorf("%s and %s have %v chips more, want %v", first.ID, second.ID, got, more)
				}
				_, err := h.live.Do(t.Context(), p.Match, first.ID, live.Request{Command: match.Resign{Seat: match.First}})
				h.ok(err)
			}
			h.ok(h.Sweep(t.Context()))
		}
		if diff := cmp.Diff(before, h.ratings("ana", "bob", "cyn")); diff != "" {
			t.Errorf("the site's own list has changed: %s", diff)
		}
		// All are new there; everybody won once and lost once against 1500: K 40, nothing gained.
		if diff := cmp.Diff(map[string]int{"ana": 1500, "bob": 1500, "cyn": 1500}, h.inPool(rating.Handicap, "ana", "bob", "cyn")); diff != "" {
			t.Errorf("the list of handicaps: %s", diff)
		}
	})
}
