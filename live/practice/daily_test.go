package practice_test

import (
	"testing"
	"time"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/puzzle"
	"chpok.org/chpok/live/practice"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

func TestOnlyTheFirstAnswerOfEachDayMakesAStreak(t *testing.T) {
	t.Parallel()
	kyiv, err := time.LoadLocation("Europe/Kyiv")
	if err != nil {
		t.Fatal(err)
	}
	s := storetest.SQLite(t)
	storetest.Players(t, s, "anna")
	for _, x := range []struct {
		when   string
		solved bool
		streak int
	}{
		{"2026-10-23 10:00", true, 1},
		{"2026-10-24 23:59", true, 2},
		{"2026-10-25 00:01", true, 3},  // of 25 hours
		{"2026-10-25 23:30", false, 3}, // later answers change nothing
		{"2026-10-26 00:30", true, 4},
		{"2026-10-28 12:00", true, 1}, // a day was left out
		{"2026-10-29 12:00", false, 0},
		{"2026-10-29 12:01", true, 0},
		{"2026-10-30 12:00", true, 1},
	} {
		at, err := time.ParseInLocation("2006-01-02 15:04", x.when, kyiv)
		if err != nil {
			t.Fatal(err)
		}
		var got int
		err = s.Write(t.Context(), func(tx *store.Tx) (err error) {
			if err = practice.NoteDaily(tx, "anna", x.solved, at); err == nil {
				got, _, err = practice.Streak(tx, "anna", at)
			}
			return err
		})
		if err != nil || got != x.streak {
			t.Errorf("%s: %d days in a row, want %d (%v)", x.when, got, x.streak, err)
		}
	}
}

func TestEveryNodeHasOnePuzzleADayAndNoneTwiceBeforeAllHaveComeUp(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		one, other := practice.Daily{Store: s}, practice.Daily{Store: s}
		first := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
		if _, err := one.Puzzle(t.Context(), first); err == nil {
			t.Error("a site without puzzles has one")
		}
		err := s.Write(t.Context(), func(tx *store.Tx) error {
			for _, id := range []string{"0a", "7b", "ff"} {
				p := store.Puzzle{ID: id, What: puzzle.Puzzle{Features: board.DefaultFeatures(), Theme: puzzle.Save, Position: id},
					Rating: rating.Estimate{Rating: 1500, Deviation: 100, Volatility: 0.06}}
				if err := tx.AddPuzzle(p); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		var order []string
		for i := range 6 {
			day := first.AddDate(0, 0, i)
			a, err := one.Puzzle(t.Context(), day)
			if err != nil {
				t.Fatal(err)
			}
			if b, err := other.Puzzle(t.Context(), day); err != nil || a.ID != b.ID {
				t.Errorf("%s: %s here, %s there (%v)", day, a.ID, b.ID, err)
			}
			order = append(order, a.ID)
		}
		if order[0] == order[1] || order[1] == order[2] || order[0] == order[2] || order[3] != order[0] || order[4] != order[1] || order[5] != order[2] {
			t.Errorf("in the order %v", order)
		}
	})
}
