package analyst

import (
	"context"
	"errors"
	"time"

	"chpok.org/chpok/engine/analysis"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/puzzle"
	"chpok.org/chpok/engine/search"
	"chpok.org/chpok/live/practice"
	"chpok.org/chpok/store"
)

// The search for puzzles.
const (
	mineLease = time.Minute
	later     = 10 * time.Minute // until a match that may not be shown yet is tried again
	longest   = time.Hour        // that the end of a match is held back
)

// mine looks for puzzles in an analyzed match if all of it is public by now; more is
// false if there was none.
func (a *Analyst) mine(ctx context.Context) (more bool, err error) {
	var kept store.Analysis
	var h store.Head
	var isPublic, isGuarded bool
	err = a.store.Read(ctx, func(tx *store.Tx) (err error) {
		if kept, h, isPublic, err = tx.DueMine(a.now()); err != nil {
			return err
		}
		isGuarded, err = a.isGuarded(tx, h)
		return err
	})
	isStale := kept.Seq != h.Seq || !isPublic
	if err == nil {
		until := a.now().Add(mineLease)
		if isGuarded {
			until = a.now().Add(later)
		}
		err = a.store.Write(ctx, func(tx *store.Tx) error { return tx.LeaseAnalysis(kept, until) })
	}
	switch {
	case errors.Is(err, store.ErrNotFound), errors.Is(err, store.ErrConflict):
		return false, nil
	case err != nil || isGuarded && !isStale:
		return err == nil, err
	}
	var found []puzzle.Puzzle
	var game puzzle.Game
	if !isStale {
		var state match.State
		if game, state, err = a.gameOf(ctx, kept); err == nil {
			found, err = a.puzzles(ctx, game, state)
		}
		if ctx.Err() != nil {
			return false, nil // the lease runs out
		}
		if err != nil {
			a.log.Error("search for puzzles failed", "match", kept.Match, "err", err)
		}
	}
	err = a.store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.EndMine(kept); err != nil {
			return err
		}
		for _, p := range found {
			rated := practice.Rated(p)
			rated.Match, rated.Ply = h.ID, plyOf(game, p)
			if p.Table != nil {
				rated.Ply = len(p.Table.Bids)
			}
			if err := tx.AddPuzzle(rated); err != nil {
				return err
			}
		}
		return nil
	})
	if errors.Is(err, store.ErrConflict) {
		err = nil
	}
	return err == nil, err
}

// isGuarded reports whether part of a match may still be secret: spectators do not see
// its end yet, or a match at Declared or above that began before its end may still reach
// the same positions.
func (a *Analyst) isGuarded(tx *store.Tx, h store.Head) (bool, error) {
	now := a.now()
	if h.Status != match.Over || now.Before(h.Feed.Until(h.LastAt)) {
		return true, nil
	}
	guarded, err := tx.Guarded(now.Add(-longest))
	for _, other := range guarded {
		if other.ID != h.ID && !other.OpenedAt.After(h.LastAt) && (other.Status != match.Over || now.Before(other.Feed.Until(other.LastAt))) {
			return true, err
		}
	}
	return false, err
}

// gameOf returns a match in the form in which puzzles are sought.
func (a *Analyst) gameOf(ctx context.Context, kept store.Analysis) (g puzzle.Game, state match.State, err error) {
	if state, _, err = a.live.State(ctx, kept.Match); err != nil {
		return g, state, err
	}
	report, err := read(kept)
	g.Roots, g.Moves = analysis.Roots(state.Game())
	for _, p := range report.Points {
		g.White = append(g.White, p.White)
	}
	return g, state, err
}

func (a *Analyst) puzzles(ctx context.Context, g puzzle.Game, state match.State) ([]puzzle.Puzzle, error) {
	e := a.engines.Get().(*search.Engine)
	defer a.engines.Put(e)
	start := time.Now()
	defer func() { a.share.Spend(time.Since(start)) }()
	found, err := puzzle.Mine(Polite(ctx), e, g)
	if err != nil {
		return nil, err
	}
	var bids []bidding.Bid // before the first draw
	for _, step := range state.BidSteps() {
		if !step.Seat.Valid() {
			break
		}
		bids = append(bids, step.Bid)
	}
	if p, ok := puzzle.Raise(Polite(ctx), state.Options().Envelope, state.Options().Extra, bids); ok {
		found = append(found, p)
	}
	return found, ctx.Err()
}

// plyOf returns after how many plies the position of a puzzle occurred.
func plyOf(g puzzle.Game, p puzzle.Puzzle) int {
	var last board.Action
	for i, root := range g.Roots {
		if last == p.Last && root.Position.CFEN() == p.Position {
			return i
		}
		if i < len(g.Moves) {
			last = g.Moves[i]
		}
	}
	return 0
}
