package ratings

import (
	"context"
	"errors"
	"time"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// Settings are the rules of the site's own list.
func Settings(tx *store.Tx) (rating.Settings, error) {
	p, err := tx.RatingPool(rating.Main)
	return p.Rules, err
}

// MayRunPool reports whether somebody may change a pool and give ratings in it: operators
// all, owners and organizers those of their club.
func MayRunPool(tx *store.Tx, by player.Viewer, p rating.Pool) (bool, error) {
	if by.MayOperate() || p.Club == "" || !by.IsSignedIn() {
		return by.MayOperate(), nil
	}
	role, err := tx.ClubRole(by.ID, club.ID(p.Club))
	return club.May(by, role, club.ActHold), err
}

// AddPool opens a rating list of the site or of a club, and folds what was rated so far.
// Errors: tournament.ErrNotAllowed, rating.ErrPool and those of Settings.Validate.
func (a *Office) AddPool(ctx context.Context, by player.Viewer, p rating.Pool) (rating.PoolID, error) {
	p.ID, p.Name = rating.PoolID(store.NewID()), player.Tidy(p.Name)
	if err := p.Validate(); err != nil {
		return "", err
	}
	err := a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := runsPool(tx, by, p); err != nil {
			return err
		}
		return tx.AddRatingPool(p, a.Now())
	})
	if err != nil {
		return "", err
	}
	return p.ID, a.bringUp(ctx, p.ID, atOnce)
}

// SetPool changes a pool and recomputes its list; the old one is shown until then. Its
// club and id stay.
func (a *Office) SetPool(ctx context.Context, by player.Viewer, p rating.Pool) error {
	p.Name = player.Tidy(p.Name)
	if err := p.Validate(); err != nil {
		return err
	}
	err := a.Store.Write(ctx, func(tx *store.Tx) error {
		before, err := tx.RatingPool(p.ID)
		if err != nil {
			return err
		}
		if err := runsPool(tx, by, before); err != nil {
			return err
		}
		if err := tx.SetSetting(ratingLock, string(p.ID)); err != nil {
			return err
		}
		part := kernel.SiteStep{By: by, Part: "pool/" + string(p.ID), Act: "pool"}
		if err := a.OfSite(tx, part, func() error { return tx.SetRatingPool(p) }); err != nil {
			return err
		}
		_, err = tx.BeginFold(p.ID, a.Now())
		return err
	})
	if err != nil {
		return err
	}
	return a.BeginRecompute(ctx, p.ID)
}

// SetSettings changes the rules of the site's own list.
func (a *Office) SetSettings(ctx context.Context, by player.Viewer, s rating.Settings) error {
	p, err := store.Get(ctx, a.Store, func(tx *store.Tx) (rating.Pool, error) { return tx.RatingPool(rating.Main) })
	if err != nil {
		return err
	}
	p.Rules = s
	return a.SetPool(ctx, by, p)
}

func runsPool(tx *store.Tx, by player.Viewer, p rating.Pool) error {
	may, err := MayRunPool(tx, by, p)
	if err == nil && !may {
		err = tournament.ErrNotAllowed
	}
	return err
}

// Give sets ratings of players in a pool, for an import, as an event of its own: results
// rated before it stay as they are.
func (a *Office) Give(ctx context.Context, by player.Viewer, id rating.PoolID, starts []rating.Start) error {
	if len(starts) == 0 {
		return nil
	}
	err := a.Store.Write(ctx, func(tx *store.Tx) error {
		p, err := tx.RatingPool(id)
		if err != nil {
			return err
		}
		if err := runsPool(tx, by, p); err != nil {
			return err
		}
		if err := tx.SetSetting(ratingLock, string(id)); err != nil {
			return err
		}
		return a.OfSite(tx, kernel.SiteStep{By: by, Part: "starts/" + string(id), Act: "starts"}, func() error {
			ordinal, err := tx.MarkRated(store.RatedEvent{Pool: id}, p.Counts.Handicap, a.Now(), a.Now())
			if err != nil {
				return err
			}
			return tx.AddRatingStarts(ordinal, starts)
		})
	})
	if err != nil {
		return err
	}
	return a.bringUp(ctx, id, atOnce)
}

// SetBirthYear stores a player's birth year, for the K-factor of the young; 0 deletes it.
// The player and operators may.
func (a *Office) SetBirthYear(ctx context.Context, by player.Viewer, of player.ID, year int) error {
	if !by.Is(of) && !by.MayOperate() {
		return tournament.ErrNotAllowed
	}
	if year != 0 && (year < 1900 || year > a.Now().Year()) {
		return rating.ErrBirthYear
	}
	err := a.Store.Write(ctx, func(tx *store.Tx) error {
		part := kernel.SiteStep{By: by, Part: "birth-year/" + string(of), Act: "birth-year"}
		return a.OfSite(tx, part, func() error { return tx.SetBirthYear(of, year) })
	})
	if err != nil {
		return err
	}
	return a.Sweep(ctx)
}

// publishAll publishes the monthly lists that are due, of every pool.
func (a *Office) publishAll(ctx context.Context) error {
	return kernel.Sweep(ctx, a.Kernel, kernel.Work{Of: "pool", Trouble: "monthly list not published"},
		func(tx *store.Tx) (ids []rating.PoolID, err error) {
			pools, err := tx.RatingPools()
			for _, p := range pools {
				ids = append(ids, p.ID)
			}
			return ids, err
		}, a.publish)
}

// publish stores the monthly lists of a pool that are due or stale. A pool that is not up
// to date waits.
func (a *Office) publish(ctx context.Context, id rating.PoolID) error {
	var f store.RatingFold
	var due []rating.Month
	err := a.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if f, err = tx.RatingFold(id); err != nil || f.IsStale() {
			return err
		}
		due, err = monthsDue(tx, f, a.Now())
		return err
	})
	if err != nil {
		return err
	}
	for _, m := range due {
		err := a.Store.Write(ctx, func(tx *store.Tx) error {
			now, err := tx.RatingFold(id)
			if err != nil || now.IsStale() || now.ID != f.ID {
				return err
			}
			return tx.PublishMonth(now, m)
		})
		if err != nil && !errors.Is(err, store.ErrTaken) {
			return err
		}
	}
	return nil
}

// monthsDue are the months after the first rated event that have no list, or a stale one.
func monthsDue(tx *store.Tx, f store.RatingFold, now time.Time) ([]rating.Month, error) {
	first, err := tx.FirstRated(f)
	if err != nil || first.IsZero() {
		return nil, err
	}
	published, err := tx.MonthlyLists(f.Pool.ID)
	if err != nil {
		return nil, err
	}
	right := map[string]bool{}
	for _, l := range published {
		right[l.Month] = !l.IsStale()
	}
	var out []rating.Month
	for m := f.Pool.MonthOf(first).Add(1); !f.Pool.At(m).After(now); m = m.Add(1) {
		if !right[m.String()] {
			out = append(out, m)
		}
	}
	return out, nil
}
