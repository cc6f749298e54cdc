package kernel

import (
	"context"
	"errors"
	"slices"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

// JudgesNamed adds to a *fairplay.PartyError what its advice depends on: the names of those who
// can decide, and who runs the site. Other errors pass unchanged.
func JudgesNamed(tx *store.Tx, err error) error {
	var own *fairplay.PartyError
	if !errors.As(err, &own) {
		return err
	}
	full := *own
	full.Names = nil
	for _, id := range own.CanDecide() {
		p, err := tx.Player(id)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		full.Names = append(full.Names, string(p.Handle))
	}
	if own.RivalID != "" {
		p, err := tx.Player(own.RivalID)
		if err != nil {
			return err
		}
		full.Rival = string(p.Handle)
	}
	operators, err := tx.Operators()
	if err != nil {
		return err
	}
	full.Operates = slices.Contains(operators, own.By)
	full.Others = slices.ContainsFunc(operators, func(id player.ID) bool { return !own.IsParty(id) })
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
