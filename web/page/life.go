package page

import (
	"context"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

// NamesOf returns the handles of players, without unknown IDs.
func (s *Site) NamesOf(ctx context.Context, ids ...player.ID) (map[player.ID]string, error) {
	names := map[player.ID]string{}
	err := s.Store.Read(ctx, func(tx *store.Tx) error {
		found, err := tx.Players(ids...)
		for id, x := range found {
			names[id] = string(x.Handle)
		}
		return err
	})
	return names, err
}
