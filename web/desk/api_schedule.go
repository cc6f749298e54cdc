package desk

import (
	"time"

	"github.com/labstack/echo/v4"

	deskoffice "chpok.org/chpok/arbiter/desk"
	"chpok.org/chpok/arbiter/kernel"
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
		page.Put("/tournaments/:id/rounds-count", s.apiSetRounds, page.SignedIn),
	}
}

// apiCheckIn checks the caller in for the next round; staff may name another player by handle.
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
		return page.NoContent(c, s.Arbiter.Desk.CheckInOwn(ctx, by, id, !in.Out))
	}
	h, err := player.ParseHandle(in.Handle)
	if err != nil {
		return err
	}
	t, err := s.TournamentFor(c, tournament.ActCheckIn) // others must not learn who has entered
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
	return page.NoContent(c, s.Arbiter.Desk.CheckIn(ctx, by, id, e.ID, !in.Out))
}

func (s api) apiPause(c echo.Context) error {
	var in struct {
		Reason  string `json:"reason"`
		Matches bool   `json:"matches"`
	}
	if err := page.ReadJSON(c, &in, false); err != nil {
		return err
	}
	return page.NoContent(c, s.Arbiter.Desk.PauseRounds(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")), in.Reason,
		in.Matches))
}

func (s api) apiContinue(c echo.Context) error {
	return page.NoContent(c, s.Arbiter.Desk.ContinueRounds(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id"))))
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
	return page.NoContent(c, s.Arbiter.Desk.Postpone(c.Request().Context(),
		kernel.For(page.Viewer(c), words.Shorten(in.Reason, tournament.MaxReason)), tournament.ID(c.Param("id")),
		deskoffice.NewTime{Round: in.Round, To: in.To, Shift: in.Shift}))
}

// apiSetRounds changes how many rounds a running Swiss has.
func (s api) apiSetRounds(c echo.Context) error {
	var in struct {
		Rounds int    `json:"rounds"`
		Sure   bool   `json:"sure"`
		Reason string `json:"reason"`
	}
	if err := page.ReadJSON(c, &in, false); err != nil {
		return err
	}
	return page.NoContent(c, s.Arbiter.Desk.SetRounds(c.Request().Context(),
		kernel.For(page.Viewer(c), words.Shorten(in.Reason, tournament.MaxReason)), tournament.ID(c.Param("id")), in.Rounds, in.Sure))
}
