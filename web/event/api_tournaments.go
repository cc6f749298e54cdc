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

// HeadsOf are the matches of a tournament.
func (s Frame) HeadsOf(ctx context.Context, t *tournament.Tournament) (heads map[match.ID]store.Head, err error) {
	err = s.Store.Read(ctx, func(tx *store.Tx) error {
		heads, err = tx.Matches(t.Matches())
		return err
	})
	return heads, err
}

// APILastRound answers with the round that was opened last.
func (s Frame) APILastRound(c echo.Context, id tournament.ID) error {
	t, err := s.ReadTournament(c.Request().Context(), id)
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
