package store_test

import (
	"errors"
	"testing"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/puzzle"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

func TestTheNearestPuzzleThatWasNotTriedIsNext(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		storetest.Players(t, s, "olena")
		put := func(id string, points float64) store.Puzzle {
			return store.Puzzle{ID: id, What: puzzle.Puzzle{Features: board.DefaultFeatures(), Theme: puzzle.Save, Position: id},
				Rating: rating.Estimate{Rating: points, Deviation: 200, Volatility: 0.06}}
		}
		write(t, s, func(tx *store.Tx) error {
			return errors.Join(tx.AddPuzzle(put("a", 1000)), tx.AddPuzzle(put("b", 1250)), tx.AddPuzzle(put("c", 1300)),
				tx.AddPuzzle(put("a", 2000))) // the same position: it is there
		})
		nearest := func(to float64) (id string) {
			write(t, s, func(tx *store.Tx) error {
				p, err := tx.NearestPuzzle(to, "olena")
				if id = p.ID; errors.Is(err, store.ErrNotFound) {
					err = nil
				}
				return err
			})
			return id
		}
		if at := nearest(1140) + nearest(1110) + nearest(1290) + nearest(2000) + nearest(100); at != "bacca" {
			t.Errorf("nearest to 1140, 1110, 1290, 2000 and 100: %s", at)
		}
		try := func(n int, id string) {
			t.Helper()
			write(t, s, func(tx *store.Tx) error {
				return tx.AddTry(store.PuzzleTry{Player: "olena", N: n, Puzzle: id, At: noon, Solved: true, Streak: n,
					Rating: rating.Estimate{Rating: 1234.56, Deviation: 300, Volatility: 0.06}},
					rating.Estimate{Rating: 990, Deviation: 190, Volatility: 0.06})
			})
		}
		try(1, "a")
		write(t, s, func(tx *store.Tx) error {
			last, err := tx.LastTry("olena")
			if err == nil && (last.N != 1 || last.Rating.Rating != 1234.56 || !last.Solved || !last.At.Equal(noon)) {
				t.Errorf("%+v", last)
			}
			first, err2 := tx.PuzzleAfter(store.Puzzle{})
			again, err3 := tx.PuzzleAfter(put("c", 1300))
			if first.Rating.Rating != 990 || first.What.Position != "a" || again.ID != "a" {
				t.Errorf("%+v, %+v", first, again)
			}
			return errors.Join(err, err2, err3)
		})
		if err := s.Write(t.Context(), func(tx *store.Tx) error {
			return tx.AddTry(store.PuzzleTry{Player: "olena", N: 2, Puzzle: "a", At: noon}, rating.Estimate{})
		}); err == nil {
			t.Error("a second try of one puzzle is kept")
		}
		try(2, "b")
		try(3, "c")
		if id := nearest(1140); id != "" {
			t.Errorf("all are tried, and %s comes", id)
		}
	})
}
