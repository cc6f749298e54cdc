// Package practice hands out puzzles and rates those who solve them, and the
// puzzles by them: a try is a game between the two.
//
// It refuses to rate a second try, and to judge moves: engine/puzzle does.
package practice

import (
	"context"
	"errors"
	"time"

	"chpok.org/chpok/engine/puzzle"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
)

// Of a puzzle that nobody has tried: its rating was guessed by how far bots must look.
const (
	guessed    = 200 // deviation
	volatility = 0.06
	tau        = 0.5
)

// newcomer is where everybody begins.
var newcomer = rating.Estimate{Rating: 1200, Deviation: 350, Volatility: volatility}

// Rated is a puzzle with the estimate it begins with.
func Rated(p puzzle.Puzzle) store.Puzzle {
	return store.Puzzle{ID: p.ID(), What: p, Rating: rating.Estimate{Rating: float64(p.Rating), Deviation: guessed, Volatility: volatility}}
}

// Open gives the site the puzzles that every site has; every node asks as it starts.
func Open(ctx context.Context, s *store.Store) error {
	var missing []puzzle.Puzzle
	err := s.Read(ctx, func(tx *store.Tx) error {
		for _, p := range puzzle.House() {
			if _, err := tx.Puzzle(p.ID()); errors.Is(err, store.ErrNotFound) {
				missing = append(missing, p)
			} else if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || len(missing) == 0 {
		return err
	}
	return s.Write(ctx, func(tx *store.Tx) error {
		for _, p := range missing {
			if err := tx.AddPuzzle(Rated(p)); err != nil {
				return err
			}
		}
		return nil
	})
}

// Standing is where a solver stands; the zero N: nothing was tried yet.
func Standing(tx *store.Tx, of player.ID) (store.PuzzleTry, error) {
	t, err := tx.LastTry(of)
	if errors.Is(err, store.ErrNotFound) {
		return store.PuzzleTry{Player: of, Rating: newcomer}, nil
	}
	return t, err
}

// Next is a puzzle about as hard as the solver can solve. store.ErrNotFound: they
// have tried all.
func Next(tx *store.Tx, of player.ID) (store.Puzzle, error) {
	now, err := Standing(tx, of)
	if err != nil {
		return store.Puzzle{}, err
	}
	return tx.NearestPuzzle(now.Rating.Rating, of)
}

// Note rates a try; a second one of the same puzzle counts for nothing. It is asked
// inside store.Write.
func Note(tx *store.Tx, p store.Puzzle, by player.ID, solved bool, at time.Time) error {
	if _, err := tx.TryOf(by, p.ID); !errors.Is(err, store.ErrNotFound) {
		return err
	}
	before, err := Standing(tx, by)
	if err != nil {
		return err
	}
	p, err = tx.Puzzle(p.ID)
	if err != nil {
		return err
	}
	t := store.PuzzleTry{Player: by, N: before.N + 1, Puzzle: p.ID, At: at, Solved: solved}
	points := 0.0
	if solved {
		points, t.Streak = 1, before.Streak+1
	}
	t.Rating = before.Rating.Period(tau, []rating.Score{{Opponent: p.Rating, Points: points}})
	after := p.Rating.Period(tau, []rating.Score{{Opponent: before.Rating, Points: 1 - points}})
	t.Rating.Rating, after.Rating = max(lowest, t.Rating.Rating), max(lowest, after.Rating)
	return tx.AddTry(t, after)
}

// lowest is a rating below which nobody falls.
const lowest = 100
