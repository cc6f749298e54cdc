package web

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/roster"
)

func (s *Server) apiEntryRoutes() []route {
	return []route{
		{get, "/tournaments/:id/requests", s.apiRequests, signedIn},
		{post, "/tournaments/:id/requests/:handle", s.apiAnswerRequest, signedIn},
		{post, "/tournaments/:id/lists", s.apiEnterList, signedIn},
		{http.MethodPut, "/tournaments/:id/entries/:entry/board", s.apiFixBoard, signedIn},
		{http.MethodPut, "/tournaments/:id/entries/:entry/born", s.apiDeclareBorn, signedIn},
		{get, "/tournaments/:id/prizes", s.apiPrizes, anyone},
		{http.MethodPut, "/tournaments/:id/prizes", s.apiSetPrizes, signedIn},
	}
}

func (s *Server) apiEnter(c echo.Context) error {
	var in struct {
		Player string `json:"player"`
		Code   string `json:"code"`
		Reason string `json:"reason"`
	}
	if err := readJSON(c, &in, true); err != nil {
		return err
	}
	if err := s.mayTry(c, in.Code); err != nil {
		return err
	}
	e, err := s.arbiter.Register(c.Request().Context(), viewer(c), tournament.ID(c.Param("id")), arbiter.Application{Handle: in.Player, Code: in.Code, Reason: in.Reason})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusCreated, apiEntryOf(e))
}

// apiRequests is who has asked to enter and who waits, in the order of the list.
func (s *Server) apiRequests(c echo.Context) error {
	t, err := s.tournamentFor(c, tournament.ActDesk)
	if err != nil {
		return err
	}
	list := []apiEntry{}
	for _, e := range t.Entries {
		if e.Status == tournament.Requested {
			list = append(list, apiEntryOf(e))
		}
	}
	for _, e := range t.WaitingList() {
		list = append(list, apiEntryOf(e))
	}
	return c.JSON(http.StatusOK, map[string][]apiEntry{"requests": list})
}

// apiAnswerRequest accepts or refuses somebody who has asked or waits.
func (s *Server) apiAnswerRequest(c echo.Context) error {
	var in struct {
		Accept bool   `json:"accept"`
		Reason string `json:"reason"`
	}
	if err := readJSON(c, &in, false); err != nil {
		return err
	}
	t, err := s.tournamentFor(c, tournament.ActDesk) // who has asked is not for others to find out
	if err != nil {
		return err
	}
	name := c.Param("handle")
	for _, e := range t.Entries {
		if e.IsGuest() || e.Name != name {
			continue
		}
		if in.Accept {
			err = s.arbiter.Accept(c.Request().Context(), viewer(c), t.ID, e.ID)
		} else {
			err = s.arbiter.Refuse(c.Request().Context(), viewer(c), t.ID, e.ID, in.Reason)
		}
		if err != nil {
			return err
		}
		if t, err = s.readTournament(c.Request().Context(), t.ID); err != nil {
			return err
		}
		e, err = t.Entry(e.ID)
		if err != nil {
			return err
		}
		return c.JSON(http.StatusOK, apiEntryOf(e))
	}
	return tournament.ErrNoEntry
}

// apiFixBoard gives an entry the board that it sits at; 0: any.
func (s *Server) apiFixBoard(c echo.Context) error {
	var in struct {
		Board int `json:"board"`
	}
	entry, err := strconv.Atoi(c.Param("entry"))
	if err != nil {
		return store.ErrNotFound
	}
	if err := readJSON(c, &in, false); err != nil {
		return err
	}
	if err := s.arbiter.FixBoard(c.Request().Context(), viewer(c), tournament.ID(c.Param("id")), tournament.EntryID(entry), in.Board); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

// apiLine is what becomes of one line of a list.
type apiLine struct {
	Line   int    `json:"line"`
	Player string `json:"player"`
	Status string `json:"status,omitempty"` // active or waiting
	Error  string `json:"error,omitempty"`  // why nobody is entered by it
}

// apiEnterList enters a list of players, or with preview tells what it would do.
func (s *Server) apiEnterList(c echo.Context) error {
	var in struct {
		List    string `json:"list"`
		Reason  string `json:"reason"`
		Preview bool   `json:"preview"`
	}
	if err := readJSON(c, &in, false); err != nil {
		return err
	}
	if len(in.List) > maxRoster {
		return &apiError{http.StatusUnprocessableEntity, "list", "the list is longer than 256 KB"}
	}
	do := s.arbiter.RegisterAll
	if in.Preview {
		do = s.arbiter.PlanEntries
	}
	plan, err := do(c.Request().Context(), viewer(c), tournament.ID(c.Param("id")), roster.Read(in.List), in.Reason)
	if err != nil {
		return err
	}
	lines := []apiLine{}
	for _, p := range plan {
		l := apiLine{Line: p.Number, Player: rosterName(p)}
		switch {
		case p.Err == nil:
			l.Status = p.Status.String()
		case errors.Is(p.Err, store.ErrNotFound):
			l.Error = "no such player"
		default:
			l.Error = p.Err.Error()
		}
		lines = append(lines, l)
	}
	return c.JSON(http.StatusOK, map[string][]apiLine{"lines": lines})
}
