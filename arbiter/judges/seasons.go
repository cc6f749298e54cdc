package judges

import (
	"context"
	"time"

	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

// CountSeasons counts this month and the last one again, for the season's numbers. Older
// months stay: some of what they counted has been deleted by its term. Every node may
// call it at any pace.
func (a *Office) CountSeasons(ctx context.Context) error {
	this := review.MonthOf(a.Now())
	from, _ := this.Bounds()
	for _, m := range []review.Month{review.MonthOf(from.Add(-time.Hour)), this} {
		if err := a.countMonth(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

func (a *Office) countMonth(ctx context.Context, m review.Month) error {
	from, to := m.Bounds()
	var site review.Counts
	var judges map[player.ID]review.Counts
	err := a.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if site, err = tx.MatchCounts(from, to); err != nil {
			return err
		}
		alive, err := tx.ReviewsAlive(from, to)
		if err != nil {
			return err
		}
		list, looks := make([]review.Review, len(alive)), map[string][]review.Access{}
		for i, r := range alive {
			list[i] = r.Review
			if looks[r.ID], err = tx.Accesses(r.Player, r.Place); err != nil {
				return err
			}
		}
		site.Add(review.CountReviews(list, from, to))
		judges = review.CountJudges(list, looks, from, to)
		return nil
	})
	if err != nil {
		return err
	}
	return a.Store.Write(ctx, func(tx *store.Tx) error { return tx.SetCounts(m, site, judges) })
}
