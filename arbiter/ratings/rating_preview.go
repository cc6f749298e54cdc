package ratings

import (
	"context"
	"errors"
	"fmt"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// Effect is one player's rating in a pool before and after a change of
// results.
type Effect struct {
	Player        player.ID
	Pool          rating.Pool
	Before, After rating.Rating
}

// ErrManyRatings says that more ratings would be recomputed than a page can wait for.
var ErrManyRatings = errors.New("arbiter: too many ratings to recompute at once")

// errPreview undoes what was written to look at it.
var errPreview = errors.New("arbiter: only a preview")

// Preview is what a change of a rated tournament does to its players' ratings: exactly,
// because the lists are folded in a transaction that is then undone. A tournament that is
// not rated yet changes none.
func (a *Office) Preview(ctx context.Context, before, after *tournament.Tournament) ([]Effect, error) {
	if before.RatedAt.IsZero() {
		return nil, nil
	}
	var players []player.ID
	for _, e := range before.Entries {
		if !e.IsGuest() {
			players = append(players, e.Player)
		}
	}
	var list []Effect
	err := a.Store.Write(ctx, func(tx *store.Tx) error {
		list = list[:0]
		if err := tx.SaveTournament(before, after.Clone(), kernel.Step{Act: tournament.ActCorrect}.Deed(before, a.Now())); err != nil {
			return err
		}
		pools, err := tx.RatingPools()
		if err != nil {
			return err
		}
		for _, p := range pools {
			effects, err := previewPool(tx, p, players)
			if err != nil {
				return err
			}
			list = append(list, effects...)
		}
		return errPreview
	})
	if !errors.Is(err, errPreview) {
		return nil, fmt.Errorf("preview ratings of %s: %w", before.ID, err)
	}
	return list, nil
}

func previewPool(tx *store.Tx, p rating.Pool, players []player.ID) (list []Effect, err error) {
	shown, err := tx.RatingFold(p.ID)
	if err != nil || !shown.IsStale() {
		return nil, err
	}
	changes, err := tx.ChangesFrom(shown, shown.StaleFrom)
	if err != nil {
		return nil, err
	}
	if changes > refoldAtOnce {
		return nil, ErrManyRatings
	}
	was, err := tx.PoolRatings(p.ID, players...)
	if err != nil {
		return nil, err
	}
	if err := refold(tx, shown); err != nil {
		return nil, err
	}
	is, err := tx.PoolRatings(p.ID, players...)
	if err != nil {
		return nil, err
	}
	for _, id := range players {
		if was[id].Rating != is[id].Rating {
			list = append(list, Effect{id, p, was[id].Rating, is[id].Rating})
		}
	}
	return list, nil
}
