package web

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

func (s *Server) apiScheduleRoutes() []route {
	return []route{
		{post, "/tournaments/:id/check-in", s.apiCheckIn, signedIn},
		{post, "/tournaments/:id/pause", s.apiPause, signedIn},
		{post, "/tournaments/:id/continue", s.apiContinue, signedIn},
		{post, "/tournaments/:id/postpone", s.apiPostpone, signedIn},
	}
}

// apiCheckIn checks the caller in for the next round or, with a handle, another
// for staff.
func (s *Server) apiCheckIn(c echo.Context) error {
	var in struct {
		Handle string `json:"handle"`
		Out    bool   `json:"out"`
	}
	if err := readJSON(c, &in, true); err != nil {
		return err
	}
	ctx, by, id := c.Request().Context(), viewer(c), tournament.ID(c.Param("id"))
	if in.Handle == "" {
		if err := s.arbiter.CheckInOwn(ctx, by, id, !in.Out); err != nil {
			return err
		}
		return c.NoContent(http.StatusNoContent)
	}
	h, err := player.ParseHandle(in.Handle)
	if err != nil {
		return err
	}
	t, err := s.tournamentFor(c, tournament.ActCheckIn) // who is entered is not always for others to find out
	if err != nil {
		return err
	}
	var p player.Player
	err = s.store.Read(ctx, func(tx *store.Tx) error {
		p, err = tx.PlayerByHandle(h)
		return err
	})
	if err != nil {
		return err
	}
	e, entered := t.EntryOf(p.ID)
	if !entered {
		return tournament.ErrNoEntry
	}
	if err := s.arbiter.CheckIn(ctx, by, id, e.ID, !in.Out); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

func (s *Server) apiPause(c echo.Context) error {
	var in struct {
		Reason  string `json:"reason"`
		Matches bool   `json:"matches"`
	}
	if err := readJSON(c, &in, false); err != nil {
		return err
	}
	if err := s.arbiter.PauseRounds(c.Request().Context(), viewer(c), tournament.ID(c.Param("id")), in.Reason, in.Matches); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

func (s *Server) apiContinue(c echo.Context) error {
	if err := s.arbiter.ContinueRounds(c.Request().Context(), viewer(c), tournament.ID(c.Param("id"))); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

func (s *Server) apiPostpone(c echo.Context) error {
	var in struct {
		Round  int       `json:"round"`
		To     time.Time `json:"to"`
		Shift  bool      `json:"shift"`
		Reason string    `json:"reason"`
	}
	if err := readJSON(c, &in, false); err != nil {
		return err
	}
	if err := s.arbiter.Postpone(c.Request().Context(), viewer(c), tournament.ID(c.Param("id")), in.Round, in.To, in.Shift, shorten(in.Reason, tournament.MaxReason)); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}
