package kernel

import (
	"context"
	"errors"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/store"
)

// JudgesNamed gives a *fairplay.PartyError the names of those who can decide; other
// errors pass.
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

// JudgesNamed is the same outside of a transaction.
func (a *Kernel) JudgesNamed(ctx context.Context, err error) error {
	var own *fairplay.PartyError
	if !errors.As(err, &own) {
		return err
	}
	return a.Store.Read(ctx, func(tx *store.Tx) error { return JudgesNamed(tx, err) })
}
