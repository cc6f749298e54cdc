package web

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/trf"
)

func (s *Server) tournamentRoutes() []route {
	return []route{
		{get, "/tournaments", s.tournaments, anyone},
		{get, "/tournaments/:id", s.tournament, anyone}, // live_tournament.go
		{get, "/tournaments/:id/info", s.info, anyone},
		{get, "/tournaments/:id/feed", s.tournamentFeed, anyone},

		// rounds.go, standings.go: what came of it
		{get, "/tournaments/:id/rounds/:round", s.round, anyone},
		{get, "/tournaments/:id/rounds/:round/input.trf", s.roundInput, anyone},
		{get, "/tournaments/:id/standings", s.standings, anyone},
		{get, "/tournaments/:id/standings.csv", s.standingsCSV, anyone},
		{get, "/tournaments/:id/crosstable", s.crosstable, anyone},
		{get, "/tournaments/:id/entries/:entry", s.card, anyone},
		{get, "/tournaments/:id/report.trf", s.report, anyone},
		{get, "/tournaments/:id/tournament.json", s.tournamentJSON, anyone},
	}
}

// tournamentTabs are the lists of tournaments by where they stand.
var tournamentTabs = []struct {
	word     string
	statuses []tournament.Status
}{
	{"all", nil},
	{"running", []tournament.Status{tournament.Running}},
	{"registration", []tournament.Status{tournament.Registration}},
	{"finished", []tournament.Status{tournament.Finished, tournament.Finalized}},
}

func (s *Server) tournaments(c echo.Context) error {
	p, v, now := s.printer(c), viewer(c), s.now()
	q := store.TournamentQuery{
		Search: shorten(c.QueryParam("q"), 60), Drafts: v.ID, AllDrafts: v.MayOperate(),
		Limit: pageSize, Offset: (pageOf(c) - 1) * pageSize,
	}
	view := tournamentview.TournamentsView{Search: q.Search, MayCreate: s.mayHold(c) == nil}
	which := shorten(c.QueryParam("status"), 20)
	view.Which = which
	for i, tab := range tournamentTabs {
		link := templates.TabLink{Text: p.T("tournament.tab." + tab.word), URL: "/tournaments", Current: which == tab.word || i == 0 && which == ""}
		if i > 0 {
			link.URL += "?status=" + tab.word
		}
		if link.Current {
			q.Statuses = tab.statuses
		}
		view.Tabs = append(view.Tabs, link)
	}
	if v.IsSignedIn() {
		mine := which == "mine"
		if mine {
			q.Player = v.ID
		}
		view.Tabs = append(view.Tabs, templates.TabLink{Text: p.T("tournament.tab.mine"), URL: "/tournaments?status=mine", Current: mine})
	}
	var lines []store.TournamentLine
	var total int
	err := s.store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		lines, total, err = tx.Tournaments(q)
		return err
	})
	if err != nil {
		return err
	}
	for _, l := range lines {
		view.Lines = append(view.Lines, tournamentLine(p, l, now))
	}
	view.Paging = paging(c, total)
	sh := s.shell(c, p.T("core.nav.tournaments"))
	sh.Section = "tournaments"
	return s.render(c, http.StatusOK, tournamentview.TournamentsPage(sh, view))
}

// tournamentShell is the frame of a tournament's page; part names what its feed
// keeps up to date, empty: nothing.
func (s *Server) tournamentShell(c echo.Context, t *tournament.Tournament, title, part string) templates.Shell {
	sh := s.shell(c, title+" · "+t.Name)
	if title == "" {
		sh.Title = t.Name
	}
	sh.Section, sh.Styles = "tournaments", []string{"tournament.css"}
	if part != "" && t.Status < tournament.Finished {
		sh.Feed = tournamentFeedURL(t, part, strconv.FormatInt(t.Version, 10))
	}
	if e, entered := t.EntryOf(viewer(c).ID); entered {
		sh.Mine = entryURL(t.ID, e.ID)
	}
	return sh
}

// fillAddForm puts back what was written and says what is wrong with it.
func (s *Server) fillAddForm(c echo.Context, add *tournamentview.AddEntryView, refused error) {
	_, text := refusalStatus(s.printer(c), refused)
	if errors.Is(refused, store.ErrNotFound) {
		text = s.printer(c).T("tournament.error.no-player")
	}
	add.Handle.Value, add.Guest.Value = shorten(c.FormValue("handle"), 40), shorten(c.FormValue("guest"), 100)
	add.Rating.Value, add.Club.Value = shorten(c.FormValue("rating"), 5), shorten(c.FormValue("club"), 100)
	if errors.Is(refused, tournament.ErrConditions) {
		p := s.printer(c)
		text = p.T("entry.error.conditions-staff")
		add.Reason = &templates.Field{Name: "reason", Label: p.T("entry.override"), Hint: p.T("entry.override-hint"), Max: tournament.MaxReasonLength, Required: true, Autocomplete: "off"}
	}
	if add.Guest.Value != "" {
		add.Guest.Error = text
	} else {
		add.Handle.Error = text
	}
}

// organizeRoutes are how tournaments are made and changed; new ones: new_event.go.
func (s *Server) organizeRoutes() []route {
	return slices.Concat(s.newEventRoutes(), []route{
		{post, "/tournaments/estimate", s.estimateRound, signedIn},
		{get, "/tournaments/import", s.importForm, player.Viewer.MayCreateTournament},
		{post, "/tournaments/import", s.importTournament, player.Viewer.MayCreateTournament},
		{get, "/tournaments/:id/edit", s.editTournamentForm, signedIn},
		{post, "/tournaments/:id", s.editTournament, signedIn},
	})
}

// fragmentType is what page scripts ask for when they want a piece of a page.
const fragmentType = "text/html-fragment"

func (s *Server) editTournamentForm(c echo.Context) error {
	t, err := s.directed(c)
	if err != nil {
		return err
	}
	if t.Format == tournament.ClubMatch {
		return s.links.editClubMatchForm(c, t)
	}
	return s.showTournamentForm(c, t, valuesOf(s.printer(c), t.Settings), nil)
}

func (s *Server) editTournament(c echo.Context) error {
	t, err := s.directed(c)
	if err != nil {
		return err
	}
	values, err := c.FormParams()
	if err != nil {
		return errBadRequest
	}
	if t.Format == tournament.ClubMatch {
		return s.links.editClubMatch(c, t, values)
	}
	settings, problems := readTournamentForm(s.printer(c), t.Settings, values)
	if len(problems) == 0 {
		err = s.arbiter.Change(c.Request().Context(), viewer(c), t.ID, settings)
		problems = problemsOf(err)
	}
	if len(problems) > 0 {
		return s.showTournamentForm(c, t, values, problems)
	}
	if err != nil {
		return err
	}
	return s.redirect(c, tournamentURL(t.ID), "flash.saved")
}

// directed is the tournament of the address, if the viewer directs it.
func (s *Server) directed(c echo.Context) (*tournament.Tournament, error) {
	t, err := s.seenTournament(c)
	if err == nil && !t.May(viewer(c), tournament.ActSettings) {
		err = tournament.ErrNotAllowed
	}
	return t, err
}

// problemsOf are the faults of settings, nil for every other error.
func problemsOf(err error) []tournament.Problem {
	var list *tournament.SettingsError
	if errors.As(err, &list) {
		return list.Problems
	}
	return nil
}

// showTournamentForm is the long form; t is nil for a tournament that a program
// could not make.
func (s *Server) showTournamentForm(c echo.Context, t *tournament.Tournament, values url.Values, problems []tournament.Problem) error {
	p := s.printer(c)
	problems = byInput(p, problems)
	view := s.tournamentForm(c, values, problems)
	var err error
	if view.Clubs, err = s.clubChoices(c, values.Get("clubId")); err != nil {
		return err
	}
	view.Entry.HasClubs = values.Get("clubId") != ""
	view.Title, view.Action, view.Cancel = p.T("tournament.new"), "/tournaments", "/tournaments"
	settings := tournament.DefaultSettings(tournament.RoundRobin)
	if t != nil {
		view.Title, view.Action, view.Cancel, settings = t.Name, tournamentURL(t.ID), tournamentURL(t.ID), t.Settings
	}
	view.Sections = sectionsOf(p, settings, view)
	view.Sections[0].Open = true
	status := http.StatusOK
	if len(problems) > 0 {
		status = http.StatusUnprocessableEntity
	}
	sh := s.setupShell(c, view.Title)
	sh.Styles = append(sh.Styles, "event.css")
	return s.render(c, status, tournamentview.TournamentFormPage(sh, view))
}

func (s *Server) setupShell(c echo.Context, title string) templates.Shell {
	sh := s.shell(c, title)
	sh.Section, sh.Styles, sh.Scripts = "tournaments", []string{"tournament.css"}, []string{"tournament.js"}
	return sh
}

// estimateRound tells the form, while it is filled in, how long a round can last.
func (s *Server) estimateRound(c echo.Context) error {
	values, err := c.FormParams()
	if err != nil {
		return errBadRequest
	}
	return s.render(c, http.StatusOK, templates.EstimateFragment(s.estimate(c, values)))
}

func (s *Server) importForm(c echo.Context) error { return s.showImport(c, nil) }

func (s *Server) showImport(c echo.Context, problems []string) error {
	p := s.printer(c)
	view := tournamentview.ImportView{
		Problems: problems,
		Name:     templates.Field{Name: "name", Label: p.T("tournament.import.name"), Hint: p.T("tournament.import.name-hint"), Value: shorten(c.FormValue("name"), 100), Max: tournament.MaxNameLength},
		Rounds:   templates.Field{Name: "rounds", Label: p.T("tournament.form.rounds"), Hint: p.T("tournament.import.rounds-hint"), Value: shorten(c.FormValue("rounds"), 3), Type: "number"},
	}
	status := http.StatusOK
	if len(problems) > 0 {
		status = http.StatusUnprocessableEntity
	}
	sh := s.shell(c, p.T("tournament.import"))
	sh.Section, sh.Styles = "tournaments", []string{"tournament.css"}
	return s.render(c, status, tournamentview.ImportPage(sh, view))
}

func (s *Server) importTournament(c echo.Context) error {
	header, err := c.FormFile("file")
	if err != nil {
		return s.showImport(c, []string{s.printer(c).T("tournament.import.no-file")})
	}
	file, err := header.Open()
	if err != nil {
		return err
	}
	defer file.Close()
	settings := tournament.DefaultSettings(tournament.Swiss)
	settings.Pace = tournament.Manual
	settings.Name = strings.TrimSuffix(header.Filename, ".trf")
	settings.Tiebreaks = nil
	settings.Rounds, _ = strconv.Atoi(c.FormValue("rounds"))
	if name := strings.TrimSpace(c.FormValue("name")); name != "" {
		settings.Name = name
	}
	id, err := s.arbiter.Import(c.Request().Context(), viewer(c), file, settings)
	if problems := s.importProblems(c, err); problems != nil {
		return s.showImport(c, problems)
	}
	if err != nil {
		return err
	}
	return s.redirect(c, tournamentURL(id), "flash.tournament-imported")
}

// mostProblems is how many faults of a file a page shows.
const mostProblems = 30

// importProblems are the faults of a report, nil for any other error.
func (s *Server) importProblems(c echo.Context, err error) []string {
	p := s.printer(c)
	var texts []string
	var syntax *trf.SyntaxError
	var field *tournament.FieldError
	var settings *tournament.SettingsError
	switch {
	case errors.As(err, &syntax):
		for _, problem := range syntax.Problems {
			texts = append(texts, problem.String())
		}
	case errors.As(err, &field):
		texts = field.Problems
	case errors.As(err, &settings):
		for _, problem := range byInput(p, settings.Problems) {
			texts = append(texts, problemText(p, problem))
		}
	}
	if len(texts) > mostProblems {
		texts = append(texts[:mostProblems:mostProblems], p.N("tournament.import.more", len(texts)-mostProblems))
	}
	return texts
}
