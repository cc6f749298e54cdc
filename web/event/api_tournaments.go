package event

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/page"
)

// HeadsOf returns the matches of a tournament.
func (s Frame) HeadsOf(ctx context.Context, t *tournament.Tournament) (map[match.ID]store.Head, error) {
	return store.Get(ctx, s.Store, func(tx *store.Tx) (map[match.ID]store.Head, error) { return tx.Matches(t.Matches()) })
}

// APILastRound answers with the last round.
func (s Frame) APILastRound(c echo.Context, id tournament.ID) error {
	t, err := s.Arbiter.Tournament(c.Request().Context(), id)
	if err != nil {
		return err
	}
	heads, err := s.HeadsOf(c.Request().Context(), t)
	if err != nil {
		return err
	}
	names, err := s.Rulers(c, t)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusCreated, page.APIRoundOf(t, t.Rounds[len(t.Rounds)-1], heads, names))
}
