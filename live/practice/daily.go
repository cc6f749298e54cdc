package practice

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"sync/atomic"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

// Daily is the puzzle of the day, the same for the whole site: days begin at midnight in
// the site's zone. What has been chosen stays, so every node remembers the last one.
type Daily struct {
	Store *store.Store
	last  atomic.Pointer[today]
}

type today struct {
	day    string
	puzzle store.Puzzle
}

// dayOf is the name of the day of a moment, YYYY-MM-DD in the moment's zone.
func dayOf(at time.Time) string { return at.Format(time.DateOnly) }

// Puzzle is the puzzle of the day of a moment. The first who asks chooses it: a hash of the day says
// where among their ids to begin, so the days follow no order.
// It is store.ErrNotFound on a site without puzzles.
func (d *Daily) Puzzle(ctx context.Context, now time.Time) (store.Puzzle, error) {
	day := dayOf(now)
	if l := d.last.Load(); l != nil && l.day == day {
		return l.puzzle, nil
	}
	p, err := store.Get(ctx, d.Store, func(tx *store.Tx) (store.Puzzle, error) { return tx.DailyPuzzle(day) })
	if errors.Is(err, store.ErrNotFound) {
		err = d.Store.Write(ctx, func(tx *store.Tx) error {
			sum := sha256.Sum256([]byte(day))
			if p, err = tx.FreshPuzzle(hex.EncodeToString(sum[:6])); err != nil {
				return err
			}
			if err = tx.SetDailyPuzzle(day, p.ID); err != nil {
				return err
			}
			p, err = tx.DailyPuzzle(day)
			return err
		})
	}
	if err != nil {
		return store.Puzzle{}, err
	}
	d.last.Store(&today{day, p})
	return p, nil
}

// Streak is how many days in a row, up to the day of a moment or the one before, a player
// has solved the puzzle of the day with their first answer, and their answer of that day.
func Streak(tx *store.Tx, of player.ID, now time.Time) (n int, today store.DailyTry, err error) {
	last, err := tx.LastDailyTry(of)
	if errors.Is(err, store.ErrNotFound) {
		return 0, today, nil
	}
	switch last.Day {
	case dayOf(now):
		return last.Streak, last, err
	case dayOf(now.AddDate(0, 0, -1)):
		return last.Streak, today, err
	}
	return 0, today, err
}

// NoteDaily stores the first answer to the puzzle of the day of a moment, also by who has met
// the puzzle before its day; later ones change nothing. Call it inside store.Write.
func NoteDaily(tx *store.Tx, by player.ID, solved bool, now time.Time) error {
	streak, today, err := Streak(tx, by, now)
	if err != nil || today.Day != "" {
		return err
	}
	t := store.DailyTry{Player: by, Day: dayOf(now), Solved: solved}
	if solved {
		t.Streak = streak + 1
	}
	return tx.AddDailyTry(t)
}
