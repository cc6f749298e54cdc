package ratings

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// ratingLock is the setting whose row is the lock for giving ordinals.
const ratingLock = "rating.lock"

// Due is how an event is to be rated; not Ok: not now.
type Due struct {
	Ok       bool
	Ended    time.Time
	Handicap bool
}

// Rate applies a finished tournament's results to the ratings, once.
func (a *Office) Rate(ctx context.Context, id tournament.ID) error {
	done, err := a.RateEvent(ctx, store.RatedEvent{Tournament: id}, func(tx *store.Tx) (Due, error) {
		t, err := tx.Tournament(id)
		if err != nil {
			return Due{}, err
		}
		return Due{Ok: t.Rated && t.Status.IsOver() && t.RatedAt.IsZero(), Ended: t.EndedAt, Handicap: t.Handicap}, nil
	})
	if err != nil || !done {
		return err
	}
	return a.NudgeByID(ctx, id)
}

// RateEvent gives an event its ordinal, if it is due, and folds it into the lists it
// belongs to; false: it is not due, or another node has done it. What a crash leaves
// between the two, Sweep does.
func (a *Office) RateEvent(ctx context.Context, e store.RatedEvent, isDue func(*store.Tx) (Due, error)) (done bool, err error) {
	var pools []rating.Pool
	d, err := store.Get(ctx, a.Store, func(tx *store.Tx) (Due, error) { return isDue(tx) })
	if err != nil || !d.Ok {
		return false, err
	}
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.SetSetting(ratingLock, e.String()); err != nil {
			return err
		}
		ordinal, err := tx.MarkRated(e, d.Handicap, d.Ended, a.Now())
		if err != nil {
			return err
		}
		pools, err = tx.PoolsOfEvent(ordinal)
		return err
	})
	if errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrTaken) {
		return false, nil // another node was quicker
	}
	if err != nil {
		return false, fmt.Errorf("rate %s: %w", e, err)
	}
	for _, p := range pools {
		if !p.Counts.Takes(e.Kind(), d.Handicap) {
			continue
		}
		if err := a.bringUp(ctx, p.ID, atOnce); err != nil {
			return true, fmt.Errorf("rate %s in %s: %w", e, p.ID, err)
		}
	}
	return true, nil
}

// IsPlayed reports whether a match was played to an end; a forfeit was not.
func IsPlayed(h store.Head) bool {
	return h.Status == match.Over && h.Result.Outcome <= match.Draw && h.Result.Reason != match.Forfeit
}

// SweepUnrated rates the finished tournaments that a crash has left unrated.
func (a *Office) SweepUnrated(ctx context.Context) error {
	return kernel.Sweep(ctx, a.Kernel, kernel.Work{Of: "tournament", Trouble: "ratings not applied"},
		func(tx *store.Tx) ([]tournament.ID, error) { return tx.UnratedTournaments(kernel.SweepSize) }, a.Rate)
}
