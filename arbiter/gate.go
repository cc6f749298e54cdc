package arbiter

import (
	"context"
	"errors"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// OpenRegistration announces a tournament, or opens the registration of one
// that is announced.
func (a *Arbiter) OpenRegistration(ctx context.Context, by player.Viewer, id tournament.ID) error {
	_, err := a.change(ctx, id, act{By: by, Act: tournament.ActOpen},
		func(t *tournament.Tournament) error { return t.OpenRegistration(by, a.now()) })
	return err
}

// CloseRegistration stops entries.
func (a *Arbiter) CloseRegistration(ctx context.Context, by player.Viewer, id tournament.ID) error {
	_, err := a.change(ctx, id, act{By: by, Act: tournament.ActClose},
		func(t *tournament.Tournament) error { return t.CloseRegistration(by, a.now()) })
	return err
}

// sweepGates opens and closes the registrations whose time has come.
func (a *Arbiter) sweepGates(ctx context.Context) error {
	var due []tournament.ID
	err := a.store.Read(ctx, func(tx *store.Tx) (err error) {
		due, err = tx.DueGates(a.now(), sweepSize)
		return err
	})
	if err != nil {
		return err
	}
	return forEach(ctx, a, "tournament", "registration not opened or closed", due, func(ctx context.Context, id tournament.ID) error {
		t, err := a.read(ctx, id)
		if err != nil {
			return err
		}
		what := tournament.ActOpen
		if t.MoveGate(a.now()); t.Gate.Closed {
			what = tournament.ActClose
		}
		_, err = a.change(ctx, id, act{Act: what}, func(t *tournament.Tournament) error {
			if !t.MoveGate(a.now()) {
				return errNotDue
			}
			return nil
		})
		if errors.Is(err, errNotDue) {
			return nil
		}
		return err
	})
}
