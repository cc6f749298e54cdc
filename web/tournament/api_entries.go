package tournament

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/intake"
	"chpok.org/chpok/tournament/roster"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s api) apiEntryRoutes() []page.Route {
	return []page.Route{
		page.Get("/tournaments/:id/requests", s.apiRequests, page.SignedIn),
		page.Post("/tournaments/:id/requests/:handle", s.apiAnswerRequest, page.SignedIn),
		page.Post("/tournaments/:id/arena", s.apiArena, page.SignedIn),
		page.Post("/tournaments/:id/lists", s.apiEnterList, page.SignedIn),
		page.Put("/tournaments/:id/entries/:entry/particulars", s.apiCorrectEntry, page.SignedIn),
		page.Post("/tournaments/:id/entries/:entry/withdrawal", s.apiWithdrawEntry, page.SignedIn),
		page.Put("/tournaments/:id/entries/:entry/board", s.apiFixBoard, page.SignedIn),
		page.Put("/tournaments/:id/entries/:entry/born", s.apiDeclareBorn, page.SignedIn),
		page.Get("/tournaments/:id/prizes", s.apiPrizes, page.Anyone),
		page.Put("/tournaments/:id/prizes", s.apiSetPrizes, page.SignedIn),
	}
}

func (s api) apiEnter(c echo.Context) error {
	var in struct {
		Player string `json:"player"`
		Code   string `json:"code"`
		Reason string `json:"reason"`
	}
	if err := page.ReadJSON(c, &in, true); err != nil {
		return err
	}
	if err := s.MayTry(c, in.Code); err != nil {
		return err
	}
	e, err := s.Arbiter.Entries.Register(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")),
		entries.Application{Handle: in.Player, Code: in.Code, Reason: in.Reason})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusCreated, apiEntryOf(e))
}

// apiRequests lists those who ask to enter, then those who wait, in their order.
func (s api) apiRequests(c echo.Context) error {
	t, err := s.TournamentFor(c, tournament.ActDesk)
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

// apiAnswerRequest accepts or refuses a player who asks to enter or waits.
func (s api) apiAnswerRequest(c echo.Context) error {
	var in struct {
		Accept bool   `json:"accept"`
		Reason string `json:"reason"`
	}
	if err := page.ReadJSON(c, &in, false); err != nil {
		return err
	}
	t, err := s.TournamentFor(c, tournament.ActDesk) // others must not learn who has asked
	if err != nil {
		return err
	}
	name := c.Param("handle")
	for _, e := range t.Entries {
		if e.IsGuest() || e.Name != name {
			continue
		}
		if in.Accept {
			err = s.Arbiter.Entries.Accept(c.Request().Context(), page.Viewer(c), t.ID, e.ID, in.Reason)
		} else {
			err = s.Arbiter.Entries.Refuse(c.Request().Context(), page.Viewer(c), t.ID, e.ID, in.Reason)
		}
		if err != nil {
			return err
		}
		if t, err = s.Arbiter.Tournament(c.Request().Context(), t.ID); err != nil {
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

// apiWithdrawEntry withdraws an entry, which need not have an account.
func (s api) apiWithdrawEntry(c echo.Context) error {
	id, entry, err := page.EntryOfPath(c)
	if err == nil {
		err = s.Arbiter.Entries.Withdraw(c.Request().Context(), page.Viewer(c), id, entry)
	}
	return page.NoContent(c, err)
}

// apiFixBoard gives an entry a fixed board; 0 takes it away.
func (s api) apiFixBoard(c echo.Context) error {
	var in struct {
		Board int `json:"board"`
	}
	id, entry, err := page.EntryOfPath(c)
	if err == nil {
		err = page.ReadJSON(c, &in, false)
	}
	if err == nil {
		err = s.Arbiter.Entries.FixBoard(c.Request().Context(), page.Viewer(c), id, entry, in.Board)
	}
	return page.NoContent(c, err)
}

// apiCorrectEntry corrects the name, club or rating of an entry, or where they play; what is left out stays.
func (s api) apiCorrectEntry(c echo.Context) error {
	var in struct {
		Name         *string `json:"name"`
		Club         *string `json:"club"`
		Rating       *int    `json:"rating"`
		OverTheBoard *bool   `json:"overTheBoard"`
		Another      bool    `json:"another"`
		Reason       string  `json:"reason"`
	}
	id, entry, err := page.EntryOfPath(c)
	if err == nil {
		err = page.ReadJSON(c, &in, false)
	}
	if err != nil {
		return err
	}
	t, err := s.TournamentFor(c, tournament.ActParticulars)
	if err != nil {
		return err
	}
	e, err := t.Entry(entry)
	if err != nil {
		return err
	}
	x := tournament.Particulars{Name: e.Name, Club: e.Club, Rating: e.Rating, OverTheBoard: e.OverTheBoard, Another: in.Another}
	if in.OverTheBoard != nil {
		x.OverTheBoard = *in.OverTheBoard
	}
	for _, of := range []struct{ from, to *string }{{in.Name, &x.Name}, {in.Club, &x.Club}} {
		if of.from != nil {
			*of.to = *of.from
		}
	}
	if in.Rating != nil {
		x.Rating = *in.Rating
	}
	return page.NoContent(c, s.Arbiter.Entries.CorrectEntry(c.Request().Context(), kernel.For(page.Viewer(c), in.Reason), id, entry, x))
}

// apiLine is what becomes of a line of a list.
type apiLine struct {
	Line   int    `json:"line"`
	Player string `json:"player"`
	Status string `json:"status,omitempty"` // active or waiting
	Error  string `json:"error,omitempty"`  // why it enters nobody
	Handle string `json:"handle,omitempty"` // of the person whom the club knows by that name
}

// apiEnterList enters a list of players, or previews that.
func (s api) apiEnterList(c echo.Context) error {
	var in struct {
		List    string `json:"list"`
		Reason  string `json:"reason"`
		Preview bool   `json:"preview"`
		Play    bool   `json:"play"` // names without an account get one
		Another []int  `json:"another"`
	}
	if err := page.ReadJSON(c, &in, false); err != nil {
		return err
	}
	if len(in.List) > words.MaxRoster {
		return page.BadValue("list", "the list is longer than 256 KB")
	}
	text, err := intake.Clean(in.List)
	if err != nil {
		return err
	}
	do := s.Arbiter.Entries.RegisterAll
	if in.Preview {
		do = s.Arbiter.Entries.Plan
	}
	another := map[int]bool{}
	for _, line := range in.Another {
		another[line] = true
	}
	plan, err := do(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")),
		entries.Listed{Lines: roster.Read(text), Reason: in.Reason, Play: in.Play, Another: another})
	if err != nil {
		return err
	}
	lines := []apiLine{}
	for _, p := range plan {
		l := apiLine{Line: p.Number, Player: words.RosterName(p)}
		if p.IsSame() {
			l.Handle = string(p.Known[0].Handle)
		}
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
