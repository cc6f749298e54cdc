package arbiter

import (
	"context"
	"fmt"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/store"
)

// readPositions remembers the positions of a finished match; a repetition changes
// nothing. It reads the log past the cache, which is for matches that somebody looks at.
func (a *Arbiter) readPositions(ctx context.Context, id match.ID) error {
	head, err := store.Get(ctx, a.Store, func(tx *store.Tx) (store.Head, error) { return tx.Match(id) })
	if err != nil || head.Status != match.Over {
		return err
	}
	log, err := a.Store.Tail(ctx, id, 0)
	if err != nil {
		return err
	}
	s, err := match.Fold(log)
	if err != nil {
		return fmt.Errorf("positions of %s: %w", id, err)
	}
	return a.Store.Write(ctx, func(tx *store.Tx) error { return tx.AddPositions(id, fairplay.Marks(s.Game())) })
}
