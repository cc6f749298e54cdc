package arbiter

import (
	"context"
	"errors"

	"chpok.org/chpok/house"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

// OpenHouse gives the site the bots that it lacks; every node asks as it starts.
// A handle that somebody has is left to them.
func (a *Arbiter) OpenHouse(ctx context.Context) error {
	for _, b := range house.Bots() {
		err := a.store.Write(ctx, func(tx *store.Tx) error {
			if _, err := tx.PlayerByHandle(b.Handle); !errors.Is(err, store.ErrNotFound) {
				return err
			}
			return tx.AddPlayer(player.Player{ID: player.ID(store.NewID()), Handle: b.Handle, Role: player.Plain, Bot: true, Created: a.now()}, "")
		})
		if err != nil && !errors.Is(err, store.ErrTaken) { // another node was quicker
			return err
		}
	}
	return nil
}
