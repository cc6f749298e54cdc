package swiss_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/swiss"
)

// Round 1 of four players: one score group, 1-3 and 2-4 by rank, seats by the
// pairing numbers.
func TestExplainsAPlainRound(t *testing.T) {
	t.Parallel()
	g := swiss.Generator{Players: 4, Rounds: 3, Lowest: 1000, Highest: 1000, Points: tournament.StandardPoints()}
	field, err := g.Play(rand.New(rand.NewPCG(1, 1)), swiss.Dutch{})
	if err != nil {
		t.Fatal(err)
	}
	before, _ := swiss.Before(field, 0)
	pairing, err := swiss.Dutch{}.Pair(before)
	if err != nil {
		t.Fatal(err)
	}
	got, err := swiss.Explain(before, pairing)
	if err != nil || len(got) != 2 {
		t.Fatalf("%v, %v", got, err)
	}
	for _, e := range got {
		var keys []string
		for _, r := range e.Reasons {
			keys = append(keys, r.Key)
		}
		if want := []string{swiss.SameScore, swiss.ByRank, swiss.SeatNumber}; !slices.Equal(keys, want) {
			t.Errorf("%d-%d: %v, want %v", e.First, e.Second, keys, want)
		}
	}
}

func TestExplainsWhyThoseWhoMetDoNotMeetAgain(t *testing.T) {
	t.Parallel()
	// All drew, 1 (First) with 3 and 2 (First) with 4. By rank 1 would meet 3
	// again; it meets 4, who is due First as 1 is due Second.
	field := tournament.Field{Rounds: 3, Played: 1, Points: tournament.StandardPoints(), Opening: 1}
	for n := range 4 {
		field.Players = append(field.Players, tournament.FieldPlayer{Number: n + 1})
	}
	draw := func(a, b int) {
		field.Players[a-1].Rounds = []tournament.RoundResult{{Opponent: b, Seat: 1, Outcome: tournament.Draw}}
		field.Players[b-1].Rounds = []tournament.RoundResult{{Opponent: a, Seat: 2, Outcome: tournament.Draw}}
	}
	draw(1, 3)
	draw(2, 4)
	pairing, err := swiss.Dutch{}.Pair(field)
	if err != nil {
		t.Fatal(err)
	}
	got, err := swiss.Explain(field, pairing)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, e := range got {
		found = found || slices.Contains(e.Reasons, swiss.Reason{Key: swiss.NotMet, Player: 1, Other: 3, Round: 1})
	}
	if !found {
		t.Errorf("%v: %+v", pairing, got)
	}
}

func TestEveryBoardHasAGroupAndASeatReason(t *testing.T) {
	t.Parallel()
	known := swiss.Keys()
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 2))
		field, err := swiss.Mixed(rng, 4, 40).Play(rng, swiss.Dutch{})
		if err != nil {
			t.Fatal(err)
		}
		for k := range field.Played {
			before, pairing := swiss.Before(field, k)
			list, err := swiss.Explain(before, pairing)
			if err != nil {
				t.Fatal(err)
			}
			want := len(pairing.Boards)
			if pairing.Bye != 0 {
				want++
			}
			if len(list) != want {
				t.Fatalf("seed %d, round %d: %d explanations of %d", seed, k+1, len(list), want)
			}
			for i, e := range list {
				for _, r := range e.Reasons {
					if !slices.Contains(known, r.Key) {
						t.Errorf("key %q", r.Key)
					}
				}
				if i < len(pairing.Boards) && len(e.Reasons) < 2 {
					t.Errorf("seed %d, round %d: %+v", seed, k+1, e)
				}
			}
		}
	}
}
