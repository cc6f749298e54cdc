package assurance

import (
	"context"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

// NoShowRecord is a player's no-shows and the ban they add up to.
type NoShowRecord struct {
	player.Ban
	NoShows []player.NoShow // the newest first
}

// NoShows is a player's record as it stands now.
func (a *Office) NoShows(ctx context.Context, id player.ID) (NoShowRecord, error) {
	return store.Get(ctx, a.Store, func(tx *store.Tx) (NoShowRecord, error) { return a.NoShowsOf(tx, id) })
}

// NoShowsOf is NoShows inside a transaction.
func (a *Office) NoShowsOf(tx *store.Tx, id player.ID) (NoShowRecord, error) {
	return noShowsAt(tx, id, a.Now())
}

// BanOf is how long a player's no-shows keep them out.
func BanOf(tx *store.Tx, id player.ID, now time.Time) (player.Ban, error) {
	r, err := noShowsAt(tx, id, now)
	return r.Ban, err
}

func noShowsAt(tx *store.Tx, id player.ID, now time.Time) (NoShowRecord, error) {
	list, err := tx.NoShowsOf(id, now.Add(-player.Remembered))
	if err != nil || len(list) == 0 {
		return NoShowRecord{}, err
	}
	played, err := tx.PlayedSince(id, list[len(list)-1].At)
	return NoShowRecord{player.BanOf(list, played), list}, err
}
