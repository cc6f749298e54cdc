package kernel

import (
	"context"
	"fmt"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

func NewMatchID() match.ID { return match.ID(store.NewID()) }

func PlayerByHandle(tx *store.Tx, handle string) (player.Player, error) {
	h, err := player.ParseHandle(handle)
	if err != nil {
		return player.Player{}, fmt.Errorf("%w: %w", store.ErrNotFound, err)
	}
	return tx.PlayerByHandle(h)
}

// Account is the account with a handle; what is no handle is nobody's.
func (a *Kernel) Account(ctx context.Context, handle string) (p player.Player, err error) {
	err = a.Store.Read(ctx, func(tx *store.Tx) error {
		p, err = PlayerByHandle(tx, handle)
		return err
	})
	return p, err
}

// Plainly is an account as a viewer without any role on the site.
func Plainly(id player.ID) player.Viewer {
	return player.Viewer{Player: player.Player{ID: id, Role: player.Plain}}
}
