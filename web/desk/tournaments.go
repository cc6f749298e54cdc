package desk

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/events"
	"chpok.org/chpok/player"
	"chpok.org/chpok/templates"
	deskview "chpok.org/chpok/templates/desk"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/intake"
	"chpok.org/chpok/tournament/resume"
	"chpok.org/chpok/tournament/trf"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// organizeRoutes make and change tournaments; see also new_event.go.
func (s organizer) organizeRoutes() []page.Route {
	return slices.Concat(s.newEventRoutes(), []page.Route{
		page.Post("/tournaments/estimate", s.estimateRound, page.SignedIn),
		page.Get("/tournaments/import", s.importForm, player.Viewer.MayCreateTournament),
		page.Post("/tournaments/import", s.importTournament, player.Viewer.MayCreateTournament),
		page.Get("/tournaments/:id/edit", s.editTournamentForm, page.SignedIn),
		page.Post("/tournaments/:id", s.editTournament, page.SignedIn),
	})
}

func (s organizer) editTournamentForm(c echo.Context) error {
	t, err := s.Directed(c)
	if err != nil {
		return err
	}
	return s.showTournamentForm(c, t, form.ValuesOf(s.Printer(c), t.Settings), nil)
}

func (s organizer) editTournament(c echo.Context) error {
	t, err := s.Directed(c)
	if err != nil {
		return err
	}
	values, err := c.FormParams()
	if err != nil {
		return page.ErrBadRequest
	}
	settings, problems := readTournamentForm(s.Printer(c), t.Settings, values)
	if len(problems) == 0 {
		err = s.Arbiter.Events.Change(c.Request().Context(), page.Viewer(c), t.ID, settings)
		problems = words.ProblemsOf(err)
	}
	if len(problems) > 0 {
		return s.showTournamentForm(c, t, values, problems)
	}
	if err != nil {
		return err
	}
	return s.Redirect(c, words.TournamentURL(t.ID), "flash.saved")
}

// showTournamentForm shows the long form; t is nil for a new tournament whose long form came alone.
func (s organizer) showTournamentForm(c echo.Context, t *tournament.Tournament, values url.Values, problems []tournament.Problem) error {
	p := s.Printer(c)
	problems = form.ByInput(p, problems)
	view := s.tournamentForm(c, values, problems)
	var err error
	if view.Clubs, err = s.ClubChoices(c, values.Get("clubId")); err != nil {
		return err
	}
	view.Title, view.Action, view.Cancel = p.T("tournament.new"), "/tournaments", "/tournaments"
	settings := tournament.DefaultSettings(tournament.RoundRobin)
	if t != nil {
		view.Title, view.Action, view.Cancel, settings = p.Event(t.Name), words.TournamentURL(t.ID), words.TournamentURL(t.ID), t.Settings
	}
	view.Sections = sectionsOf(p, settings, view)
	view.Sections[0].Open = true
	status := http.StatusOK
	if len(problems) > 0 {
		status = http.StatusUnprocessableEntity
	}
	sh := s.setupShell(c, view.Title)
	sh.Styles = append(sh.Styles, "event.css")
	return s.Render(c, status, deskview.TournamentFormPage(sh, view))
}

// estimateRound says, while the form is filled in, how long a round can take.
func (s organizer) estimateRound(c echo.Context) error {
	values, err := c.FormParams()
	if err != nil {
		return page.ErrBadRequest
	}
	return s.Render(c, http.StatusOK, templates.EstimateFragment(page.Estimate(s.Printer(c), values)))
}

func (s organizer) importForm(c echo.Context) error {
	return s.showImport(c, page.Brought{}, nil, nil)
}

// showImport shows the form of an import, with what the report would make if it can be read.
func (s organizer) showImport(c echo.Context, brought page.Brought, t *tournament.Tournament, problems []string) error {
	p := s.Printer(c)
	view := deskview.ImportView{
		Another: c.FormValue("another") != "", Problems: problems, Text: brought.Text, Encoding: brought.View(p),
		Name: templates.Field{Name: "name", Label: p.T("tournament.import.name"), Hint: p.T("tournament.import.name-hint"),
			Value: words.Shorten(c.FormValue("name"), 100), Max: tournament.MaxNameLength},
		Rounds: templates.Field{Name: "rounds", Label: p.T("tournament.form.rounds"), Hint: p.T("tournament.import.rounds-hint"),
			Value: words.Shorten(c.FormValue("rounds"), 3), Type: "number"},
	}
	if t != nil {
		view.Title, view.Name.Value = p.Event(t.Name), t.Name
		view.Facts = []templates.TournamentFact{
			words.Fact(p.T("files.players"), words.Itoa(len(t.Players()))), words.Fact(p.T("files.rounds"), words.Itoa(len(t.Rounds))),
			words.Fact(p.T("files.stands"), p.T("home.status."+t.Status.String())),
		}
		for _, x := range []struct{ name, text string }{{"city", t.Report.City}, {"federation", t.Report.Federation},
			{"chief", t.Report.Chief}, {"deputies", strings.Join(t.Report.Deputies, ", ")}, {"timeControl", t.Report.TimeControl}} {
			if x.text != "" {
				view.Facts = append(view.Facts, words.Fact(p.T("files.report."+x.name), x.text))
			}
		}
		for _, e := range t.Entries {
			view.Players = append(view.Players, deskview.RosterLine{Number: words.Itoa(e.Number), Name: e.Name, Rating: words.NumberText(e.Rating)})
		}
	}
	status := http.StatusOK
	if len(problems) > 0 {
		status = http.StatusUnprocessableEntity
	}
	sh := s.Shell(c, p.T("tournament.import"))
	sh.Section, sh.Styles = "tournaments", []string{"tournament.css", "desk.css"}
	return s.Render(c, status, deskview.ImportPage(sh, view))
}

// importTournament previews a report, and imports it once confirmed. In between the form holds its text.
func (s organizer) importTournament(c echo.Context) error {
	brought, err := page.BroughtText(c, "text", 0)
	report := events.Report{Text: brought.Text, Name: player.Tidy(c.FormValue("name")), Rounds: words.AtoiOr(c.FormValue("rounds"), 0),
		Another: c.FormValue("another") != ""}
	if header, err := c.FormFile("file"); err == nil && report.Name == "" {
		report.Name = strings.TrimSuffix(header.Filename, ".trf")
	}
	if err == nil && strings.TrimSpace(brought.Text) == "" {
		return s.showImport(c, brought, nil, []string{s.Printer(c).T("tournament.import.no-file")})
	}
	if err == nil && c.FormValue("do") == "import" {
		var id tournament.ID
		if id, err = s.Arbiter.Events.Import(c.Request().Context(), page.Viewer(c), report); err == nil {
			return s.Redirect(c, words.TournamentURL(id), "flash.tournament-imported")
		}
	}
	var t *tournament.Tournament
	if err == nil {
		t, err = s.Arbiter.Events.PreviewReport(page.Viewer(c), report)
	}
	if problems := importProblems(s.Printer(c), err); problems != nil {
		return s.showImport(c, brought, nil, problems)
	} else if err != nil {
		return err
	}
	return s.showImport(c, brought, t, nil)
}

// importProblems lists the faults of a report in a language; nil for any other error.
func importProblems(p lang.Printer, err error) []string {
	var texts []string
	var syntax *trf.SyntaxError
	var field *resume.FieldError
	var team *trf.TeamError
	switch {
	case errors.As(err, &syntax):
		for _, problem := range syntax.Problems {
			texts = append(texts, problem.String())
		}
	case errors.As(err, &field):
		texts = slices.Clone(field.Problems)
		for _, x := range field.Names {
			why := page.TextOf(p, x.Err)
			texts = append(texts, words.Itoa(x.Number)+", “"+x.Name+"”: "+why)
		}
	case errors.As(err, &team):
		texts = []string{p.T("trf.error.teams", "Record", team.Record, "Line", team.Line)}
	case words.ProblemsOf(err) != nil:
		for _, problem := range form.ByInput(p, words.ProblemsOf(err)) {
			texts = append(texts, form.ProblemText(p, problem))
		}
	case errors.Is(err, events.ErrSystemReport), errors.Is(err, intake.ErrNotText), errors.Is(err, intake.ErrSheet),
		errors.Is(err, trf.ErrEmpty):
		texts = []string{page.TextOf(p, err)}
	}
	if len(texts) > words.MostProblems {
		texts = append(texts[:words.MostProblems:words.MostProblems], p.N("tournament.import.more", len(texts)-words.MostProblems))
	}
	return texts
}

// setupShell is Shell for pages that set up a tournament.
func (s organizer) setupShell(c echo.Context, title string) templates.Shell {
	sh := s.Shell(c, title)
	sh.Section, sh.Styles, sh.Scripts = "tournaments", []string{"tournament.css"}, []string{"tournament.js"}
	return sh
}
