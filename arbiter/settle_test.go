package arbiter_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/player/year"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
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
		h.ok(errors.Join(h.Ratings.ReadDoneAnew(t.Context()), h.Sweep(t.Context())))
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

// takesKing plays a match until White has taken the king; it returns who that was.
func (h *hall) takesKing(id match.ID) (winner, loser player.ID) {
	h.t.Helper()
	_, head, err := h.live.State(h.t.Context(), id)
	h.ok(err)
	h.bidOut(id, func(seat match.Seat) player.ID { return head.Players[seat.Index()] })
	h.clock.advance(time.Minute) // past the delay of White's start
	for _, act := range []string{"e2e4", "a7a6", "d1h5", "a6a5", "h5f7", "a5a4", "f7e8"} {
		a, err := board.ParseAction(act)
		h.ok(err)
		seat, _ := h.state(id).ToAct()
		winner, loser = head.Players[seat.Index()], head.Players[seat.Other().Index()]
		_, err = h.live.Do(h.t.Context(), id, winner, live.Request{Command: match.Play{Seat: seat, Action: a}, Admit: admitted})
		h.ok(err)
	}
	h.ok(h.Sweep(h.t.Context()))
	return winner, loser
}

// TestTheYearOfAPlayer has kings taken in a rated match and an unrated one, and a club's event from which one of four was
// absent once.
func TestTheYearOfAPlayer(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		began := h.clock.now()
		of := func(id player.ID) year.Year {
			f, err := store.Get(t.Context(), h.store, func(tx *store.Tx) (year.Facts, error) { return tx.YearOf(id, began, began.AddDate(1, 0, 0)) })
			h.ok(err)
			return year.Of(f)
		}
		accepted := func(rated bool) match.ID {
			c, err := h.Challenges.Accept(t.Context(), h.viewer("bob"), h.challenge("ana", "bob", friendly(rated)).ID)
			h.ok(err)
			return c.Match
		}
		h.takesKing(accepted(false))
		for _, who := range []player.ID{"ana", "bob"} {
			if y := of(who); y.Matches() != 1 || y.Achievements != nil {
				t.Errorf("after an unrated match %s has %+v", who, y)
			}
		}
		rated := accepted(true)
		winner, loser := h.takesKing(rated)
		if y := of(winner); len(y.Achievements) != 1 || y.Achievements[0].Kind != year.Kind(match.KingTaken) || y.Achievements[0].Match != rated {
			t.Errorf("the winner has %+v", y.Achievements)
		}
		if y := of(loser); y.Achievements != nil || y.Matches() != 2 {
			t.Errorf("the loser has %+v", y)
		}
		raises, err := store.Get(t.Context(), h.store, func(tx *store.Tx) ([]store.Raise, error) {
			return tx.RaisesOf(winner, began, began.AddDate(1, 0, 0), 9)
		})
		h.ok(err)
		for _, r := range raises {
			if bidding.Target(r.Target) != bidding.Time || r.Outcome != "5+0" {
				t.Errorf("a raise %+v", r)
			}
		}

		h.ok(h.store.Write(t.Context(), func(tx *store.Tx) error { return tx.AddClub(club.New("dragon", "Dragon", "", "host", began)) }))
		id := h.create(tournament.RoundRobin, func(s *tournament.Settings) { s.ClubID = "dragon" }, "ana", "bob", "cyn", "dan")
		h.ok(h.Rounds.Start(t.Context(), h.host, id))
		for range 3 {
			for _, p := range h.tournament(id).Rounds.Pending() {
				h.beats(id, string(h.at(id, p, match.First).ID), string(h.at(id, p, match.Second).ID))
			}
		}
		h.ok(h.Sweep(t.Context()))
		h.ok(h.store.Write(t.Context(), func(tx *store.Tx) error {
			return tx.AddNoShow(player.NoShow{ID: "n", Player: "cyn", Tournament: string(id), Round: 1, Board: 2, Match: "m", At: h.clock.now()})
		}))
		for who, evenings := range map[player.ID]int{"ana": 1, "bob": 1, "cyn": 0, "dan": 1} {
			if y := of(who); y.Evenings != evenings {
				t.Errorf("%s has %d evenings, want %d", who, y.Evenings, evenings)
			}
		}
		first, last, err := spanOf(h, "dan")
		h.ok(err)
		if first.IsZero() || last.Before(first) {
			t.Errorf("dan played from %s to %s", first, last)
		}
		if first, last, err := spanOf(h, "host"); err != nil || !first.IsZero() || !last.IsZero() {
			t.Errorf("who never played: %s, %s, %v", first, last, err)
		}
	})
}

func spanOf(h *hall, of player.ID) (first, last time.Time, err error) {
	err = h.store.Read(h.t.Context(), func(tx *store.Tx) (err error) {
		first, last, err = tx.YearsOf(of)
		return err
	})
	return first, last, err
}
