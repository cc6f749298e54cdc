package ratings

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
)

const (
	// eventsAtOnce is how many events are folded between two checkpoints.
	eventsAtOnce = 1000
	// refoldAtOnce is how many changes of a list are recomputed in one transaction;
	// beyond that a second fold is made beside the shown one.
	refoldAtOnce = 20_000
)

// How many checkpoints work may take before it leaves the rest to the next sweep.
const (
	atOnce   = 4
	perSweep = 40
	toTheEnd = 1 << 30
)

// Progress reports how far a list is: events folded, and all.
type Progress func(pool rating.Pool, done, all int64)

// folding extends one fold. It caches the standings it has read or made.
type folding struct {
	fold  store.RatingFold
	list  *rating.List
	known map[string]bool
	bots  map[string]bool
}

func newFolding(f store.RatingFold) (*folding, error) {
	list, err := rating.NewList(f.Pool.Rules, nil)
	return &folding{f, list, map[string]bool{}, map[string]bool{}}, err
}

// read is the next events of the fold, and the ordinal the fold reaches with them.
func (g *folding) read(tx *store.Tx) (events []store.RatedGames, upto int64, err error) {
	last, err := tx.LastOrdinal()
	if err != nil {
		return nil, 0, err
	}
	if events, err = tx.RatedGames(g.fold.Pool, g.fold.UpTo, eventsAtOnce); err != nil {
		return nil, 0, err
	}
	if len(events) == eventsAtOnce {
		last = events[len(events)-1].Ordinal
	}
	var strangers []string
	for _, e := range events {
		for _, name := range e.Event.Players() {
			if !g.known[name] {
				g.known[name] = true
				strangers = append(strangers, name)
			}
		}
	}
	standings, err := tx.FoldStandings(g.fold, strangers)
	if err != nil {
		return nil, 0, err
	}
	births, err := tx.BirthYears(strangers...)
	if err != nil {
		return nil, 0, err
	}
	bots, err := tx.BotsAmong(strangers)
	if err != nil {
		return nil, 0, err
	}
	for name, p := range standings {
		g.list.Restore(name, p)
	}
	for name, year := range births {
		g.list.SetProfile(name, rating.Profile{BirthYear: year})
	}
	for name := range bots {
		g.bots[name] = true
	}
	return events, last, nil
}

func (g *folding) apply(events []store.RatedGames) ([]store.RatingChange, error) {
	var out []store.RatingChange
	for _, e := range events {
		changes, err := g.list.Rate(e.Event)
		if err != nil {
			return nil, err
		}
		for _, c := range changes {
			out = append(out, store.RatingChange{
				Change: c, RatedEvent: e.RatedEvent, Ordinal: e.Ordinal, Provisional: c.Standing.IsProvisional(g.fold.Pool.Rules), At: e.At,
			})
		}
	}
	return out, nil
}

func (g *folding) write(tx *store.Tx, upto int64, changes []store.RatingChange) error {
	if err := tx.ExtendFold(g.fold, upto, changes, g.bots); err != nil {
		return err
	}
	g.fold.UpTo = upto
	return nil
}

// extend folds the events rated since, checkpoint by checkpoint; false: more is left than
// it may do. ErrConflict means somebody else works on the same fold.
func (a *Office) extend(ctx context.Context, f store.RatingFold, checkpoints int, tell Progress) (done bool, err error) {
	g, err := newFolding(f)
	if err != nil {
		return false, err
	}
	for range checkpoints {
		var events []store.RatedGames
		var upto, all int64
		err := a.Store.Read(ctx, func(tx *store.Tx) (err error) {
			if events, upto, err = g.read(tx); err != nil {
				return err
			}
			all, err = tx.LastOrdinal()
			return err
		})
		if err != nil {
			return false, err
		}
		if upto == g.fold.UpTo {
			return true, nil
		}
		changes, err := g.apply(events)
		if err != nil {
			return false, err
		}
		err = a.Store.Write(ctx, func(tx *store.Tx) error { return tx.ExtendFold(g.fold, upto, changes, g.bots) })
		if err != nil {
			return false, err
		}
		g.fold.UpTo = upto
		if tell != nil {
			tell(f.Pool, upto, all)
		}
		if upto == all {
			return true, nil
		}
	}
	return false, nil
}

// refold recomputes a fold from the event on from which it is stale, in one transaction:
// nobody sees half of it.
func (a *Office) refold(ctx context.Context, f store.RatingFold) error {
	return a.Store.Write(ctx, func(tx *store.Tx) error { return refold(tx, f) })
}

func refold(tx *store.Tx, f store.RatingFold) error {
	// No event gets an ordinal meanwhile.
	if err := tx.SetSetting(ratingLock, string(f.Pool.ID)); err != nil {
		return err
	}
	rewound, err := tx.RewindFold(f)
	if err != nil {
		return err
	}
	g, err := newFolding(rewound)
	if err != nil {
		return err
	}
	for {
		events, upto, err := g.read(tx)
		if err != nil || upto == g.fold.UpTo {
			return err
		}
		changes, err := g.apply(events)
		if err != nil {
			return err
		}
		if err := g.write(tx, upto, changes); err != nil {
			return err
		}
	}
}

// bringUp makes a pool show everything rated so far: it folds new events, recomputes
// stale ones, continues a fold in the making and shows it once complete. What takes more
// checkpoints is left to the next sweep.
func (a *Office) bringUp(ctx context.Context, id rating.PoolID, checkpoints int) error {
	err := a.bringUpWith(ctx, id, checkpoints, nil)
	if errors.Is(err, store.ErrConflict) {
		return nil
	}
	return err
}

// bringUpWith tries again while another node, or another event, is quicker.
func (a *Office) bringUpWith(ctx context.Context, id rating.PoolID, checkpoints int, tell Progress) error {
	return store.Retry(ctx, func() error {
		done, err := a.tryBringUp(ctx, id, checkpoints, tell)
		if err == nil && !done {
			return store.ErrConflict
		}
		return err
	})
}

// tryBringUp is one attempt; false: try again.
func (a *Office) tryBringUp(ctx context.Context, id rating.PoolID, checkpoints int, tell Progress) (done bool, err error) {
	var shown, making store.RatingFold
	var changes int
	err = a.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if shown, err = tx.RatingFold(id); err != nil {
			return err
		}
		if shown.IsStale() {
			if changes, err = tx.ChangesFrom(shown, shown.StaleFrom); err != nil {
				return err
			}
		}
		making, err = tx.FoldInTheMaking(id)
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		return err
	})
	if err != nil {
		return false, err
	}
	isMade := making.ID != 0
	switch {
	case isMade && making.IsStale(), !isMade && shown.IsStale() && changes > refoldAtOnce:
		if making, err = a.beginFold(ctx, id); err != nil {
			return false, err
		}
		isMade = true
	case shown.IsStale() && changes <= refoldAtOnce:
		if err := a.refold(ctx, shown); err != nil || isMade {
			return false, err
		}
		return true, a.publish(ctx, id)
	}
	if !shown.IsStale() {
		if done, err = a.extend(ctx, shown, checkpoints, nil); err != nil || !isMade {
			return done, err
		}
	}
	whole, err := a.extend(ctx, making, checkpoints, tell)
	if err != nil || !whole {
		return true, err // the next sweep goes on
	}
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.SetSetting(ratingLock, string(id)); err != nil {
			return err
		}
		return tx.ShowFold(making)
	})
	if err != nil {
		return false, err
	}
	return true, a.publish(ctx, id)
}

func (a *Office) beginFold(ctx context.Context, id rating.PoolID) (f store.RatingFold, err error) {
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.SetSetting(ratingLock, string(id)); err != nil {
			return err
		}
		f, err = tx.BeginFold(id, a.Now())
		return err
	})
	return f, err
}

// Recompute recomputes every list from the results, in the order of their ordinals. What
// is shown stays until the new numbers are complete; an interrupted Recompute is
// continued.
func (a *Office) Recompute(ctx context.Context, tell Progress) error {
	pools, err := store.Get(ctx, a.Store, func(tx *store.Tx) ([]rating.Pool, error) { return tx.RatingPools() })
	if err != nil {
		return err
	}
	for _, p := range pools {
		if err := a.recompute(ctx, p.ID, toTheEnd, tell); err != nil {
			return fmt.Errorf("recompute %s: %w", p.ID, err)
		}
	}
	return nil
}

// BeginRecompute is Recompute of one pool for callers who cannot wait: what takes long is
// left to Sweep.
func (a *Office) BeginRecompute(ctx context.Context, id rating.PoolID) error {
	return a.recompute(ctx, id, atOnce, nil)
}

func (a *Office) recompute(ctx context.Context, id rating.PoolID, checkpoints int, tell Progress) error {
	begun, err := store.Get(ctx, a.Store, func(tx *store.Tx) (store.RatingFold, error) { return tx.FoldInTheMaking(id) })
	switch {
	case errors.Is(err, store.ErrNotFound):
		if begun, err = a.beginFold(ctx, id); err != nil {
			return err
		}
	case err != nil:
		return err
	}
	if err := a.bringUpWith(ctx, id, checkpoints, tell); err != nil {
		return fmt.Errorf("fold %d: %w", begun.ID, err)
	}
	return nil
}

// Sweep brings every list up to date, publishes the monthly lists that are due and
// deletes what is no longer needed.
func (a *Office) Sweep(ctx context.Context) error {
	err := kernel.Sweep(ctx, a.Kernel, kernel.Work{Of: "pool", Trouble: "ratings not folded"},
		func(tx *store.Tx) (pools []rating.PoolID, err error) {
			folds, err := tx.PendingFolds()
			for _, f := range folds {
				if !slices.Contains(pools, f.Pool.ID) {
					pools = append(pools, f.Pool.ID)
				}
			}
			return pools, err
		}, func(ctx context.Context, id rating.PoolID) error { return a.bringUp(ctx, id, perSweep) })
	return errors.Join(err, a.publishAll(ctx), a.purge(ctx))
}

// purge deletes a part of what dropped folds have left.
func (a *Office) purge(ctx context.Context) error {
	for range perSweep {
		more := false
		err := a.Store.Write(ctx, func(tx *store.Tx) (err error) {
			more, err = tx.PurgeFolds(2000)
			return err
		})
		if err != nil || !more {
			return err
		}
	}
	return nil
}
