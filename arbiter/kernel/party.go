package kernel

import (
	"context"
	"errors"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/store"
)

// JudgesNamed adds the names of those who can decide to a *fairplay.PartyError; other
// errors pass unchanged.
func JudgesNamed(tx *store.Tx, err error) error {
	var own *fairplay.PartyError
	if !errors.As(err, &own) {
		return err
	}
	full := *own
	full.Names = nil
	for _, id := range own.Judges {
		p, err := tx.Player(id)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		full.Names = append(full.Names, string(p.Handle))
	}
	return &full
}

// JudgesNamed is the function of that name in a read of its own.
func (a *Kernel) JudgesNamed(ctx context.Context, err error) error {
	var own *fairplay.PartyError
	if !errors.As(err, &own) {
		return err
	}
	return a.Store.Read(ctx, func(tx *store.Tx) error { return JudgesNamed(tx, err) })
}
