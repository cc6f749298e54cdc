package arbiter_test

import (
	"errors"
	"slices"
	"testing"

	"chpok.org/chpok/arbiter/judges"
	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/tournament"
)

// TestAPlayingArbiterDoesNotCorrectTheirOwnResult: not in a finished event either;
// another of the staff does, and is named.
func TestAPlayingArbiterDoesNotCorrectTheirOwnResult(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		id := h.create(tournament.RoundRobin, nil, "ana", "bob", "cyn")
		ana, gus := h.viewer("ana"), h.viewer("gus")
		h.giveDuty(id, ana)
		h.giveDuty(id, gus)
		h.ok(h.Rounds.Start(ctx, h.host, id))
		// Numbers 1 ana, 2 bob, 3 cyn: 2-3, 1-2, 3-1.
		h.beats(id, "bob", "cyn")
		h.beats(id, "bob", "ana")
		h.beats(id, "ana", "cyn")
		c := tables.Correction{Round: 2, Board: 1, Kind: tournament.FirstByForfeit, Reach: tournament.FromNow}
		_, _, previewed := tables.Preview(h.tournament(id), ana, c, h.clock.now())
		if !errors.Is(previewed, fairplay.ErrParty) {
			t.Errorf("the preview: %v", previewed)
		}
		for what, err := range map[string]error{
			"corrects":        h.Correct(ctx, ana, id, c, "bob was late"),
			"for the ratings": h.Correct(ctx, ana, id, tables.Correction{Round: 2, Board: 1, Kind: tournament.Drawn, Reach: tournament.RatingsOnly}, "bob was late"),
		} {
			var party *fairplay.PartyError
			if !errors.As(err, &party) || !slices.Contains(party.Names, "gus") || slices.Contains(party.Names, "ana") {
				t.Errorf("a playing arbiter %s their own result: %v, %+v", what, err, party)
			}
		}
		var party *fairplay.PartyError
		err := h.Correct(ctx, ana, id, tables.Correction{Round: 1, Board: 1, Kind: tournament.Drawn, Reach: tournament.FromNow}, "the scoresheet says so")
		if !errors.As(err, &party) || party.Stake != fairplay.StakeRival || party.Rival != "bob" {
			t.Errorf("bob, who stands above, would lose half a point: %v, %+v", err, party)
		}
		h.ok(h.Correct(ctx, gus, id, c, "bob was late"))
		if r := h.tournament(id).Rounds[1].Pairings[0].Result; r.Kind != tournament.FirstByForfeit || r.By != gus.ID {
			t.Errorf("corrected by another: %+v", r)
		}
	})
}

// TestAnOpponentDoesNotDropAReview: whoever played the player,
// decides nothing in it; another of the staff does.
func TestAnOpponentDoesNotDropAReview(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		id := h.create(tournament.RoundRobin, nil, "ana", "bob", "cyn")
		ana, gus := h.viewer("ana"), h.viewer("gus")
		h.giveDuty(id, ana)
		h.giveDuty(id, gus)
		h.ok(h.Rounds.Start(ctx, h.host, id))
		// Numbers 1 ana, 2 bob, 3 cyn: 2-3, 1-2, 3-1.
		opened, err := h.Judges.OpenReview(ctx, gus, id.Place(), h.viewer("bob").ID)
		h.ok(err)
		drop := judges.ReviewCommand{Seen: readAll, Kind: review.StepPropose, Proposal: review.Proposal{Decision: review.DecideNothing, Why: "a beginner"}}
		h.beats(id, "bob", "cyn")
		h.beats(id, "bob", "ana")
		var party *fairplay.PartyError
		if err := h.Judges.Execute(ctx, ana, opened, drop); !errors.As(err, &party) || !slices.Contains(party.Names, "gus") || slices.Contains(party.Names, "ana") {
			t.Errorf("an opponent drops it: %v, %+v", err, party)
		}
		h.ok(h.Judges.Execute(ctx, gus, opened, drop))
	})
}
