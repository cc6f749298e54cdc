package kernel

import (
	"context"
	"fmt"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

// NewMatchID is a fresh id for a match.
func NewMatchID() match.ID { return match.ID(store.NewID()) }

// PlayerByHandle finds an account by a handle as it was typed; store.ErrNotFound also for
// what is no handle.
func PlayerByHandle(tx *store.Tx, handle string) (player.Player, error) {
	h, err := player.ParseHandle(handle)
	if err != nil {
		return player.Player{}, fmt.Errorf("%w: %w", store.ErrNotFound, err)
	}
	return tx.PlayerByHandle(h)
}

// Account is PlayerByHandle in a read of its own.
func (a *Kernel) Account(ctx context.Context, handle string) (player.Player, error) {
	return store.Get(ctx, a.Store, func(tx *store.Tx) (player.Player, error) { return PlayerByHandle(tx, handle) })
}

// Plainly is an account as a viewer without a role on the site.
func Plainly(id player.ID) player.Viewer {
	return player.Viewer{Player: player.Player{ID: id, Role: player.Plain}}
}
