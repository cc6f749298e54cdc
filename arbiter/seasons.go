package arbiter

import (
	"context"
	"time"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

// CountSeasons counts this month and the last one anew, for the numbers of the
// season. Older months stay as they are: of what they count, some is gone after
// its term. Every node may call it at any pace.
func (a *Arbiter) CountSeasons(ctx context.Context) error {
	this := fairplay.MonthOf(a.now())
	from, _ := this.Bounds()
	for _, m := range []fairplay.Month{fairplay.MonthOf(from.Add(-time.Hour)), this} {
		if err := a.countMonth(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

func (a *Arbiter) countMonth(ctx context.Context, m fairplay.Month) error {
	from, to := m.Bounds()
	var site fairplay.Counts
	var judges map[player.ID]fairplay.Counts
	err := a.store.Read(ctx, func(tx *store.Tx) (err error) {
		if site, err = tx.MatchCounts(from, to); err != nil {
			return err
		}
		alive, err := tx.ReviewsAlive(from, to)
		if err != nil {
			return err
		}
		list, looks := make([]fairplay.Review, len(alive)), map[string][]fairplay.Look{}
		for i, r := range alive {
			list[i] = r.Review
			if looks[r.ID], err = tx.Looks(r.Player, r.Event); err != nil {
				return err
			}
		}
		site.Add(fairplay.CountReviews(list, from, to))
		judges = fairplay.CountJudges(list, looks, from, to)
		return nil
	})
	if err != nil {
		return err
	}
	return a.store.Write(ctx, func(tx *store.Tx) error { return tx.SetCounts(m, site, judges) })
}
