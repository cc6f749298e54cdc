package kernel

import (
	"context"
	"errors"
	"strings"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
)

// NewMatchID is a fresh id for a match.
func NewMatchID() match.ID { return match.ID(store.NewID()) }

// ErrNoPlayer refuses a handle that nobody has.
var ErrNoPlayer = refusal.Kindred(store.ErrNotFound, "error.no-player", "arbiter: no player has that handle")

// PlayerByHandle finds an account by a handle as it was typed, with or without @; ErrNoPlayer also for what is no handle.
func PlayerByHandle(tx *store.Tx, handle string) (player.Player, error) {
	h, err := player.ParseHandle(strings.TrimPrefix(strings.TrimSpace(handle), "@"))
	if err != nil {
		return player.Player{}, ErrNoPlayer
	}
	p, err := tx.PlayerByHandle(h)
	if errors.Is(err, store.ErrNotFound) {
		err = ErrNoPlayer
	}
	return p, err
}

// Account is PlayerByHandle in a read of its own.
func (a *Kernel) Account(ctx context.Context, handle string) (player.Player, error) {
	return store.Get(ctx, a.Store, func(tx *store.Tx) (player.Player, error) { return PlayerByHandle(tx, handle) })
}

// Plainly is an account as a viewer without a role on the site.
func Plainly(id player.ID) player.Viewer {
	return player.Viewer{Player: player.Player{ID: id, Role: player.Plain}}
}
