package arbiter

import (
	"context"
	"errors"
	"math/rand/v2"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

// Guest makes a guest who is in use nowhere yet. Numbers are four digits long
// while there are free ones to be found.
func (a *Arbiter) Guest(ctx context.Context) (player.Player, error) {
	p := player.Player{ID: player.ID(store.NewID()), Role: player.Plain, Guest: true, Created: a.now()}
	for try := range 3 {
		numbers := 9_000
		for range try {
			numbers *= 10
		}
		p.Handle = player.GuestHandle(1_000 + rand.IntN(numbers))
		err := a.store.Write(ctx, func(tx *store.Tx) error { return tx.AddPlayer(p, "") })
		if !errors.Is(err, store.ErrTaken) {
			return p, err
		}
	}
	return p, store.ErrTaken
}

// mayBegin is nil, or player.ErrGuestPlays for one who plays already and may not begin
// another match.
func mayBegin(tx *store.Tx, p player.Player) error {
	if !p.Guest {
		return nil
	}
	heads, err := tx.MatchesOf(p.ID, 1) // running ones come first
	if err != nil {
		return err
	}
	running := 0
	if len(heads) > 0 && heads[0].Status != match.Over {
		running = 1
	}
	if !p.MayBegin(running) {
		return player.ErrGuestPlays
	}
	return nil
}

// SweepGuests has the guests erased who have not come back.
func (a *Arbiter) SweepGuests(ctx context.Context) error {
	now := a.now()
	return a.store.Write(ctx, func(tx *store.Tx) error {
		idle, err := tx.IdleGuests(now.Add(-player.GuestLife), sweepSize)
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
