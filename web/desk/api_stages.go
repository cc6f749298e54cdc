package desk

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/events"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/page"
)

func (s api) apiStageRoutes() []page.Route {
	return []page.Route{
		page.Post("/tournaments/:id/next", s.apiNextStage, page.SignedIn),
		page.Post("/tournaments/:id/groups", s.apiDivide, page.SignedIn),
		page.Post("/tournaments/:id/groups/step", s.apiStepGroups, page.SignedIn),
		page.Get("/tournaments/:id/origin", s.apiOrigin, page.SignedIn),
		page.Post("/tournaments/:id/origin", s.apiRetake, page.SignedIn),
		page.Post("/tournaments/:id/origin/exchange", s.apiExchange, page.SignedIn),
		page.Post("/tournaments/:id/origin/reopen", s.apiReopen, page.SignedIn),
	}
}

// apiNextStage makes a later stage and answers with its id.
func (s api) apiNextStage(c echo.Context) error {
	var in struct {
		Name   string          `json:"name"`
		Each   int             `json:"each"`
		Format string          `json:"format"`
		With   []tournament.ID `json:"with"`
		Carry  string          `json:"carry"`
		// Instead of a stage, make a play-off of those who share the last place that goes on.
		PlayOff bool `json:"playOff"`
	}
	if err := page.ReadJSON(c, &in, false); err != nil {
		return err
	}
	format, err := tournament.ParseFormat(in.Format)
	if err != nil {
		return page.ErrBadRequest
	}
	id, err := s.Arbiter.Events.Follow(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")),
		events.Stage{Name: in.Name, Each: in.Each, Format: format, With: in.With, Carry: in.Carry, PlayOff: in.PlayOff})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusCreated, map[string]tournament.ID{"id": id})
}

// apiDivide divides the players of a tournament into groups that qualify for it.
func (s api) apiDivide(c echo.Context) error {
	var in struct {
		Groups int  `json:"groups"`
		Each   int  `json:"each"`
		Pots   bool `json:"pots"`
	}
	if err := page.ReadJSON(c, &in, false); err != nil {
		return err
	}
	return page.NoContent(c, s.Arbiter.Events.Divide(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")),
		events.Division{Groups: in.Groups, Each: in.Each, Pots: in.Pots}))
}

// apiStepGroups takes a step in every group of a tournament that it is due in.
func (s api) apiStepGroups(c echo.Context) error {
	var in struct {
		Act  string                  `json:"act"`
		Seen map[tournament.ID]int64 `json:"seen"`
	}
	if err := page.ReadJSON(c, &in, false); err != nil {
		return err
	}
	return page.NoContent(c, s.Arbiter.Rounds.StepGroups(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")),
		tournament.Act(in.Act), in.Seen))
}

type (
	// apiRemedies is what staff can do about the seeds of a stage.
	apiRemedies struct {
		Moved     []apiMovedSeed  `json:"moved"`
		TooFew    bool            `json:"tooFew"`
		PlayOff   bool            `json:"playOff"`
		Retake    bool            `json:"retake"`
		Exchanges []apiExchanged  `json:"exchanges"`
		Reopen    bool            `json:"reopen"`
		Lost      []apiLostBoards `json:"lost"`
	}
	apiMovedSeed struct {
		Seed int    `json:"seed"` // from 1
		Was  string `json:"was"`
		Now  string `json:"now"`
	}
	apiExchanged struct {
		Seed    int    `json:"seed"`
		Out     string `json:"out"`
		In      string `json:"in"`
		Left    bool   `json:"left"`
		Refused string `json:"refused,omitempty"`
	}
	apiLostBoards struct {
		Round  int   `json:"round"`
		Boards []int `json:"boards"`
	}
)

// apiOrigin answers with what staff can do about the seeds of a stage.
func (s api) apiOrigin(c echo.Context) error {
	t, err := s.TournamentFor(c, tournament.ActStage)
	if err != nil {
		return err
	}
	r, err := s.Arbiter.Desk.Remedies(c.Request().Context(), page.Viewer(c), t)
	if err != nil {
		return err
	}
	v := apiRemedies{Moved: []apiMovedSeed{}, TooFew: r.TooFew, PlayOff: r.PlayOff, Retake: r.Retake, Exchanges: []apiExchanged{},
		Reopen: r.Reopen,
		Lost:   []apiLostBoards{}}
	for _, m := range r.Moved {
		v.Moved = append(v.Moved, apiMovedSeed{m.Seed, m.Was.Name, m.Now.Name})
	}
	for _, x := range r.Exchanges {
		out, err := t.Entry(t.Origin.Seeds[x.Seed].Own)
		if err != nil {
			return err
		}
		why := page.TextOf(lang.Printer{Lang: lang.English, Zone: time.UTC}, x.Refused)
		v.Exchanges = append(v.Exchanges, apiExchanged{x.Seed + 1, out.Name, x.Name, x.Left, why})
	}
	for _, n := range slices.Sorted(maps.Keys(r.Lost)) {
		boards := make([]int, len(r.Lost[n]))
		for i, p := range r.Lost[n] {
			boards[i] = p.Board
		}
		v.Lost = append(v.Lost, apiLostBoards{n, boards})
	}
	return c.JSON(http.StatusOK, v)
}

// apiRetake takes all seeds of a stage again, before its start.
func (s api) apiRetake(c echo.Context) error {
	var in struct {
		Reason string `json:"reason"`
	}
	if err := page.ReadJSON(c, &in, true); err != nil {
		return err
	}
	return page.NoContent(c, s.Arbiter.Events.Retake(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")),
		strings.TrimSpace(in.Reason)))
}

// apiExchange gives a seed, counted from 1, to another player.
func (s api) apiExchange(c echo.Context) error {
	var in struct {
		Seed   int    `json:"seed"`
		In     string `json:"in"`
		Reason string `json:"reason"`
	}
	if err := page.ReadJSON(c, &in, false); err != nil {
		return err
	}
	return page.NoContent(c, s.Arbiter.Desk.Exchange(c.Request().Context(), kernel.For(page.Viewer(c), strings.TrimSpace(in.Reason)),
		tournament.ID(c.Param("id")), in.Seed-1, in.In))
}

// apiReopen takes a stage back to before its start.
func (s api) apiReopen(c echo.Context) error {
	var in struct {
		Lose   bool   `json:"lose"`
		Reason string `json:"reason"`
	}
	if err := page.ReadJSON(c, &in, false); err != nil {
		return err
	}
	return page.NoContent(c, s.Arbiter.Desk.Reopen(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")), in.Lose,
		strings.TrimSpace(in.Reason)))
}
