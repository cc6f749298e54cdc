package persons

import (
	"context"
	"errors"
	"math/rand/v2"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/house"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// OpenHouse creates the house's missing bots; every node calls it as it starts. A handle
// that somebody has is left to them.
func (a *Office) OpenHouse(ctx context.Context) error {
	for _, b := range house.Bots() {
		err := a.Store.Write(ctx, func(tx *store.Tx) error {
			if _, err := tx.PlayerByHandle(b.Handle); !errors.Is(err, store.ErrNotFound) {
				return err
			}
			return tx.AddPlayer(player.Player{ID: player.ID(store.NewID()), Handle: b.Handle, Role: player.Plain, Bot: true, Created: a.Now()}, "")
		})
		if err != nil && !errors.Is(err, store.ErrTaken) { // another node was quicker
			return err
		}
	}
	return nil
}

// Guest creates a guest. Their number has four digits as long as free ones can be found.
func (a *Office) Guest(ctx context.Context) (player.Player, error) {
	p := player.Player{ID: player.ID(store.NewID()), Role: player.Plain, Guest: true, Created: a.Now()}
	for try := range 3 {
		numbers := 9_000
		for range try {
			numbers *= 10
		}
		p.Handle = player.GuestHandle(1_000 + rand.IntN(numbers))
		err := a.Store.Write(ctx, func(tx *store.Tx) error { return tx.AddPlayer(p, "") })
		if !errors.Is(err, store.ErrTaken) {
			return p, err
		}
	}
	return p, store.ErrTaken
}

// SweepGuests schedules the erasure of guests who have not come back.
func (a *Office) SweepGuests(ctx context.Context) error {
	now := a.Now()
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		idle, err := tx.IdleGuests(now.Add(-player.GuestLife), kernel.SweepSize)
		if err != nil {
			return err
		}
		for _, id := range idle {
			if err := tx.AskErasure(id, now, now); err != nil {
				return err
			}
		}
		return nil
	})
}

// AcceptText notes that the viewer accepts the present fair-play text as they read it: in a language, with its hash.
func (a *Office) AcceptText(ctx context.Context, by player.Viewer, lang, hash string) error {
	if !by.IsSignedIn() || by.Bot {
		return tournament.ErrNotAllowed
	}
	return a.Store.Write(ctx, func(tx *store.Tx) error { return tx.AcceptText(by.ID, lang, hash, a.Now()) })
}

// Forget deletes fair-play data past its term, see store.Terms.
func (a *Office) Forget(ctx context.Context) error {
	now := a.Now()
	var failed []error
	for _, t := range store.Terms {
		failed = append(failed, a.Store.Write(ctx, func(tx *store.Tx) error { return tx.Forget(t, now) }))
	}
	return errors.Join(failed...)
}
