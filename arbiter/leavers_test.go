package arbiter_test

import (
	"testing"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/tournament"
)

// TestAMatchThatWentOnAfterALeaverLeftIsForfeited like their others, whether it was
// over before or after they left.
func TestAMatchThatWentOnAfterALeaverLeftIsForfeited(t *testing.T) {
	one(t, func(t *testing.T, h *hall) {
		id := h.create(tournament.Swiss, func(s *tournament.Settings) { s.Rounds, s.Leave, s.Lateness = 1, tournament.LeaveForfeits, 0 }, "ana", "bob")
		h.ok(h.Rounds.Start(t.Context(), h.host, id))
		board := h.tournament(id).Rounds[0].Pairings[0]
		winner := h.at(id, board, match.First)
		e, _ := h.tournament(id).EntryOf(winner.ID)
		h.ok(h.Entries.Withdraw(t.Context(), winner, id, e.ID))
		_, err := h.live.Do(t.Context(), board.Match, h.at(id, board, match.Second).ID, live.Request{Command: match.Resign{Seat: match.Second}})
		h.ok(err)
		tour := h.tournament(id)
		if r := tour.Rounds[0].Pairings[0].Result; r.Kind != tournament.SecondByForfeit || r.Was != tournament.FirstWins || !tour.Status.IsOver() {
			t.Errorf("won by who had left: %+v, %v", r, tour.Status)
		}
	})
}
