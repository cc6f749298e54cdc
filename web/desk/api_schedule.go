package desk

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s api) apiScheduleRoutes() []page.Route {
	return []page.Route{
		page.Post("/tournaments/:id/check-in", s.apiCheckIn, page.SignedIn),
		page.Post("/tournaments/:id/pause", s.apiPause, page.SignedIn),
		page.Post("/tournaments/:id/continue", s.apiContinue, page.SignedIn),
		page.Post("/tournaments/:id/postpone", s.apiPostpone, page.SignedIn),
	}
}

// apiCheckIn checks the caller in for the next round or, with a handle, another
// for staff.
func (s api) apiCheckIn(c echo.Context) error {
	var in struct {
		Handle string `json:"handle"`
		Out    bool   `json:"out"`
	}
	if err := page.ReadJSON(c, &in, true); err != nil {
		return err
	}
	ctx, by, id := c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id"))
	if in.Handle == "" {
		if err := s.Arbiter.Desk.CheckInOwn(ctx, by, id, !in.Out); err != nil {
			return err
		}
		return c.NoContent(http.StatusNoContent)
	}
	h, err := player.ParseHandle(in.Handle)
	if err != nil {
		return err
	}
	t, err := s.TournamentFor(c, tournament.ActCheckIn) // who is entered is not always for others to find out
	if err != nil {
		return err
	}
	p, err := store.Get(ctx, s.Store, func(tx *store.Tx) (player.Player, error) { return tx.PlayerByHandle(h) })
	if err != nil {
		return err
	}
	e, entered := t.EntryOf(p.ID)
	if !entered {
		return tournament.ErrNoEntry
	}
	if err := s.Arbiter.Desk.CheckIn(ctx, by, id, e.ID, !in.Out); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

func (s api) apiPause(c echo.Context) error {
	var in struct {
		Reason  string `json:"reason"`
		Matches bool   `json:"matches"`
	}
	if err := page.ReadJSON(c, &in, false); err != nil {
		return err
	}
	if err := s.Arbiter.Desk.PauseRounds(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")), in.Reason,
		in.Matches); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

func (s api) apiContinue(c echo.Context) error {
	if err := s.Arbiter.Desk.ContinueRounds(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id"))); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

func (s api) apiPostpone(c echo.Context) error {
	var in struct {
		Round  int       `json:"round"`
		To     time.Time `json:"to"`
		Shift  bool      `json:"shift"`
		Reason string    `json:"reason"`
	}
	if err := page.ReadJSON(c, &in, false); err != nil {
		return err
	}
	if err := s.Arbiter.Desk.Postpone(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")), in.Round, in.To, in.Shift,
		words.Shorten(in.Reason, tournament.MaxReason)); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}
