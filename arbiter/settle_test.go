package arbiter_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
)

func (h *hall) bids(id match.ID, by player.ID, seat match.Seat, b bidding.Bid) {
	h.t.Helper()
	_, err := h.live.Do(h.t.Context(), id, by, live.Request{Command: match.PlaceBid{Seat: seat, Bid: b}, Admit: admitted})
	h.ok(err)
}

func TestWhatPlayersPayIsKept(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		c := h.challenge("ana", "bob", friendly(false)) // ten chips each
		c, err := h.Challenges.Accept(t.Context(), h.viewer("bob"), c.ID)
		h.ok(err)
		// ana takes White with 2; bob pays 3 for the time; ana calls it with 3; bob raises White with 3; ana resigns.
		h.bids(c.Match, "ana", match.First, bidding.Bid{Target: bidding.White, Chips: 2})
		h.bids(c.Match, "bob", match.Second, bidding.Bid{Target: bidding.Time, Chips: 3, HasOutcome: true, Time: bidding.TimeControl{Minutes: 5, Increment: 3}})
		h.bids(c.Match, "ana", match.First, bidding.Bid{Target: bidding.Time, Chips: 3})
		h.bids(c.Match, "bob", match.Second, bidding.Bid{Target: bidding.White, Chips: 3})
		h.wins(c, "bob")
		h.ok(h.Sweep(t.Context()))
		look := func() (ana, bob []store.Spending) {
			h.ok(h.store.Read(t.Context(), func(tx *store.Tx) (err error) {
				if ana, err = tx.SpendingOf("ana"); err == nil {
					bob, err = tx.SpendingOf("bob")
				}
				return err
			}))
			return ana, bob
		}
		ana, bob := look()
		wantAna := []store.Spending{
			{Target: 1, Matches: 1, Chips: 2, Purses: 10, Lost: 1}, {Target: 2, Matches: 1, Chips: 3, Purses: 10}, {Target: 3, Matches: 1, Purses: 10}, {Target: 4, Matches: 1, Purses: 10},
		}
		wantBob := []store.Spending{
			{Target: 1, Matches: 1, Chips: 3, Purses: 10, Won: 1, WonHalves: 2}, {Target: 2, Matches: 1, Chips: 3, Purses: 10}, {Target: 3, Matches: 1, Purses: 10}, {Target: 4, Matches: 1, Purses: 10},
		}
		if diff := cmp.Diff([][]store.Spending{wantAna, wantBob}, [][]store.Spending{ana, bob}); diff != "" {
			t.Error(diff)
		}
		h.ok(errors.Join(h.Ratings.ReadBidsAnew(t.Context()), h.Sweep(t.Context())))
		if again, _ := look(); cmp.Diff(wantAna, again) != "" {
			t.Errorf("read anew: %+v", again)
		}
		var against store.Against
		h.ok(h.store.Read(t.Context(), func(tx *store.Tx) (err error) {
			against, err = tx.HeadToHead("bob", "ana")
			return err
		}))
		if against != (store.Against{Opponent: "ana", Wins: 1}) {
			t.Errorf("%+v", against)
		}
	})
}

func TestAHandicapIsChipsByTheTableAndARatingOfItsOwn(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		operator := h.host
		operator.Role = player.Operator
		h.ok(h.Ratings.Give(t.Context(), operator, rating.Main, []rating.Start{{Player: "ana", Rating: 1850, Games: 50}, {Player: "bob", Rating: 1500, Games: 50}}))
		s := friendly(true)
		s.Handicap = true
		c, err := h.Challenges.Accept(t.Context(), h.viewer("bob"), h.challenge("ana", "bob", s).ID)
		h.ok(err)
		state, _, err := h.live.State(t.Context(), c.Match)
		h.ok(err)
		// 350 points are three chips for bob, who sits second.
		if bids := state.Game().Bids(); bids.Purse(match.First) != 10 || bids.Purse(match.Second) != 13 {
			t.Errorf("purses of %d and %d", bids.Purse(match.First), bids.Purse(match.Second))
		}
		h.wins(c, "bob")
		if got := h.ratings("ana", "bob"); got["ana"] != 1850 || got["bob"] != 1500 {
			t.Errorf("the site's own list has changed: %v", got)
		}
		h.ok(h.store.Read(t.Context(), func(tx *store.Tx) error {
			list, _, err := tx.RatingList(store.RatingQuery{Pool: rating.Handicap, Limit: 10})
			// Both are new there: 1500, K 40, half of it for the win.
			if len(list) != 2 || list[0].Player != "bob" || list[0].Rating != rating.Points(1520) || list[1].Rating != rating.Points(1480) {
				t.Errorf("%+v", list)
			}
			return err
		}))
	})
}
