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

// APILastRound answers with the last round, just opened.
func (s Frame) APILastRound(c echo.Context, id tournament.ID) error {
	return s.APIRound(c, id, 0, http.StatusCreated)
}

// APIRound answers with a round; 0: the last.
func (s Frame) APIRound(c echo.Context, id tournament.ID, n, status int) error {
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
	if n == 0 {
		n = len(t.Rounds)
	}
	return c.JSON(status, page.APIRoundOf(t, t.Rounds[n-1], heads, names))
}
