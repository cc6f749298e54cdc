package store_test

import (
	"fmt"
	"testing"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

// TestAListKnowsHowLongItIs: its length is not counted for every page, and is right after
// every change of ratings, whoever asks.
func TestAListKnowsHowLongItIs(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		length := func(want int) {
			t.Helper()
			ask := func(tx *store.Tx) error {
				for _, limit := range []int{1, 2} {
					list, n, err := tx.RatingList(store.RatingQuery{Limit: limit})
					if err != nil || n != want || len(list) != min(limit, want) {
						t.Errorf("%d of %d: %v; want %d", len(list), n, err, want)
					}
				}
				if _, n, err := tx.RatingList(store.RatingQuery{MinGames: 41, Limit: 1}); err != nil || n != 0 {
					t.Errorf("%d have played 41 games: %v", n, err)
				}
				return nil
			}
			for range 2 {
				if err := s.Read(t.Context(), ask); err != nil {
					t.Error(err)
				}
			}
			write(t, s, ask)
		}
		length(0)
		for grown, more := range []int{3, 2} {
			g := store.Growth{From: noon, To: noon.AddDate(1, 0, 0), Seed: 1}
			for i := range more {
				g.Players = append(g.Players, someone(player.Handle(fmt.Sprintf("Player%d%d", grown, i))))
			}
			if err := s.Grow(t.Context(), g); err != nil {
				t.Fatal(err)
			}
			length([]int{3, 5}[grown])
		}
	})
}
