package desk

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/events"
	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	deskview "chpok.org/chpok/templates/desk"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/stage"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s control) stageRoutes() []page.Route {
	return []page.Route{
		page.Get("/tournaments/:id/next", s.nextStage, page.SignedIn),
		page.Post("/tournaments/:id/next", s.makeStage, page.SignedIn),
		page.Get("/tournaments/:id/origin", s.origin, page.Anyone),
		page.Post("/tournaments/:id/origin", s.retake, page.SignedIn),
	}
}

func (s api) apiStageRoutes() []page.Route {
	return []page.Route{page.Post("/tournaments/:id/next", s.apiNextStage, page.SignedIn)}
}

// How many of each event go on, as they are offered, and in which formats.
var (
	eachChoices  = []int{1, 2, 4, 8, 16, 32}
	stageFormats = []string{"knock-out", "round-robin", "swiss"}
)

func (s control) nextStage(c echo.Context) error { return s.showNextStage(c, nil) }

func (s control) showNextStage(c echo.Context, refused error) error {
	t, err := s.Staffed(c)
	if err == nil {
		err = t.MayFollow(page.Viewer(c))
	}
	if err != nil {
		return err
	}
	p := s.Printer(c)
	chosen := words.AtoiOr(c.FormValue("each"), 0)
	if chosen == 0 {
		for _, n := range eachChoices { // about half of them
			if n <= 8 && 2*n <= len(t.Entries) {
				chosen = n
			}
		}
	}
	view := deskview.NextStageView{
		Head: s.TournamentHead(c, t, "/next"), Action: words.TournamentURL(t.ID) + "/next",
		Name: templates.Field{Name: "name", Label: p.T("tournament.form.name"), Required: true, Max: tournament.MaxNameLength,
			Value: words.Shorten(c.FormValue("name"), tournament.MaxNameLength), Autocomplete: "off"},
		Formats: words.Options(p, "tournament.format.", stageFormats[0], stageFormats...),
	}
	if view.Name.Value == "" {
		view.Name.Value = words.Shorten(p.T("stage.name", "Name", t.Name), tournament.MaxNameLength)
	}
	for _, n := range eachChoices {
		view.Each = append(view.Each, templates.Choice{Value: words.Itoa(n), Text: p.Int(n), Chosen: n == chosen})
	}
	if view.With, err = s.otherEvents(c, t); err != nil {
		return err
	}
	status := http.StatusOK
	if refused != nil {
		status, view.Problem = page.RefusalStatus(p, refused)
	}
	return s.Render(c, status, deskview.NextStagePage(s.TournamentShell(c, t, p.T("stage.next"), "next"), view))
}

// sameTime is how far apart the groups of one event end.
const sameTime = 60 * 24 * time.Hour

// otherEvents are finished ones of the same hands and about the same time.
func (s control) otherEvents(c echo.Context, t *tournament.Tournament) (list []templates.Choice, err error) {
	var lines []store.TournamentLine
	var of []club.ID
	if t.ClubID != "" {
		of = []club.ID{t.ClubID}
	}
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		lines, err = tx.TournamentsRunBy(t.Organizer, of, 50)
		return err
	})
	values, _ := c.FormParams()
	for _, l := range lines {
		apart := l.EndedAt.Sub(t.EndedAt)
		if l.ID == t.ID || !l.Status.IsOver() || l.Format == tournament.ClubMatch || max(apart, -apart) > sameTime || len(list) == 12 {
			continue
		}
		list = append(list, templates.Choice{Value: string(l.ID), Text: l.Name, Chosen: slices.Contains(values["with"], string(l.ID))})
	}
	return list, err
}

// makeStage makes the next stage and goes there.
func (s control) makeStage(c echo.Context) error {
	format, err := tournament.ParseFormat(c.FormValue("format"))
	values, fault := c.FormParams()
	if err != nil || fault != nil {
		return page.ErrBadRequest
	}
	asked := events.Stage{Name: strings.TrimSpace(words.Shorten(c.FormValue("name"), 300)), Format: format,
		Each: words.AtoiOr(c.FormValue("each"), 0)}
	for _, id := range values["with"] {
		if asked.With = append(asked.With, tournament.ID(id)); len(asked.With) >= stage.MostTables {
			break
		}
	}
	id, err := s.Arbiter.Events.Follow(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")), asked)
	if page.IsRefusal(err) {
		return s.showNextStage(c, err)
	}
	if err != nil {
		return err
	}
	return s.Redirect(c, words.TournamentURL(id)+"/origin", "flash.tournament-created")
}

func (s control) origin(c echo.Context) error { return s.showOrigin(c, nil) }

func (s control) showOrigin(c echo.Context, refused error) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	of, err := s.Arbiter.Events.Sources(c.Request().Context(), t)
	var moved []tables.SeedChange
	if err == nil {
		moved, err = tables.Moved(*t.Origin, of)
	}
	p, note := s.Printer(c), ""
	switch {
	case err == nil, t.Origin != nil && errors.Is(err, store.ErrNotFound): // of an imported stage the others may be elsewhere
	case errors.Is(err, tournament.ErrFewPlaces): // some have been disqualified since
		note = p.T("stage.few")
	default:
		return err
	}
	view := deskview.OriginView{Head: s.TournamentHead(c, t, "/origin"), Lead: p.T("stage.lead", "Date", p.When(t.Origin.At)),
		Moved: len(moved) > 0, Note: note}
	now := map[int]string{}
	for _, m := range moved {
		now[m.Seed] = m.Now.Name
	}
	for i, q := range t.Origin.Seeds {
		own, err := t.Entry(q.Own)
		if err != nil {
			return err
		}
		from := t.Origin.Of[q.Of]
		view.Seeds = append(view.Seeds, deskview.OriginLine{
			Seed: words.Itoa(i + 1), Place: words.Itoa(q.Place), Player: words.EntryRefOf(t, own), ByLot: q.ByLot, Now: now[i+1],
			From: templates.Link{Text: from.Name},
		})
		if len(of) > 0 {
			view.Seeds[i].From.URL = words.TournamentURL(from.ID) + "/standings"
		}
	}
	if len(of) == 1 {
		view.Only = view.Seeds[0].From
	}
	if len(moved) > 0 {
		view.Note = p.N("stage.moved", len(moved))
	}
	status := http.StatusOK
	if len(moved) > 0 && t.Status < tournament.Running && t.May(page.Viewer(c), tournament.ActStage) {
		view.Step = &deskview.StepView{
			ID: "retake", Title: p.T("stage.retake"), What: []string{p.T("stage.retake.what")}, Action: words.TournamentURL(t.ID) + "/origin",
			Button: p.T("stage.retake"), Reason: templates.Field{Name: "reason", Label: p.T("desk.reason"), Max: tournament.MaxReason,
				Required: true, Hint: p.T("desk.reason-hint")},
		}
	}
	if refused != nil {
		status, view.Note = page.RefusalStatus(p, refused)
	}
	return s.Render(c, status, deskview.OriginPage(s.TournamentShell(c, t, p.T("stage.origin"), "info"), view))
}

func (s control) retake(c echo.Context) error {
	id := tournament.ID(c.Param("id"))
	err := s.Arbiter.Events.Retake(c.Request().Context(), page.Viewer(c), id, reasonOf(c))
	if page.IsRefusal(err) {
		return s.showOrigin(c, err)
	}
	if err != nil {
		return err
	}
	return s.Redirect(c, words.TournamentURL(id)+"/origin", "flash.saved")
}

// apiNextStage makes a later stage and answers its id.
func (s api) apiNextStage(c echo.Context) error {
	var in struct {
		Name   string          `json:"name"`
		Each   int             `json:"each"`
		Format string          `json:"format"`
		With   []tournament.ID `json:"with"`
	}
	if err := page.ReadJSON(c, &in, false); err != nil {
		return err
	}
	format, err := tournament.ParseFormat(in.Format)
	if err != nil {
		return page.ErrBadRequest
	}
	id, err := s.Arbiter.Events.Follow(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")),
		events.Stage{Name: in.Name, Each: in.Each, Format: format, With: in.With})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusCreated, map[string]tournament.ID{"id": id})
}
