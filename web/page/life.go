package page

import (
	"context"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

// Named returns the account whose handle a field of the form gives, or store.ErrNotFound. No page tells more of an account.
func (s *Site) Named(c echo.Context, field string) (player.Player, error) {
	return s.Arbiter.Account(c.Request().Context(), c.FormValue(field))
}

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
