// Package practice hands out puzzles and rates solvers and puzzles by each other: the
// first try at a puzzle is a game between the two. Moves are judged by engine/puzzle.
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

// The estimate of a new puzzle: its rating is guessed from how deep bots have to search.
const (
	guessed    = 200 // deviation
	volatility = 0.06
	tau        = 0.5
)

// newcomer is the estimate of a new solver.
var newcomer = rating.Estimate{Rating: 1200, Deviation: 350, Volatility: volatility}

// Rated returns a puzzle with its first estimate.
func Rated(p puzzle.Puzzle) store.Puzzle {
	return store.Puzzle{ID: p.ID(), What: p, Rating: rating.Estimate{Rating: float64(p.Rating), Deviation: guessed, Volatility: volatility}}
}

// Open adds the puzzles that every site has; every node calls it at its start.
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

// Standing returns the last try of a solver, whose N is 0 before the first.
func Standing(tx *store.Tx, of player.ID) (store.PuzzleTry, error) {
	t, err := tx.LastTry(of)
	if errors.Is(err, store.ErrNotFound) {
		return store.PuzzleTry{Player: of, Rating: newcomer}, nil
	}
	return t, err
}

// Next returns a puzzle about as hard as the solver can solve, or store.ErrNotFound after
// all are tried.
func Next(tx *store.Tx, of player.ID) (store.Puzzle, error) {
	now, err := Standing(tx, of)
	if err != nil {
		return store.Puzzle{}, err
	}
	return tx.NearestPuzzle(now.Rating.Rating, of)
}

// Note rates the first try of a puzzle; later ones do not count. Call it inside
// store.Write.
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

// lowest is the floor of ratings.
const lowest = 100
