package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
)

func (s *Server) wizardRoutes() []route {
	return []route{
		{get, "/tournaments/:id/setup/:step", s.setupTournament, signedIn},
		{post, "/tournaments/:id/setup/:step", s.saveStep, signedIn},
		{post, "/tournaments/:id/clone", s.cloneTournament, signedIn},
	}
}

// steps of the making of a tournament. Each saves the draft.
var steps = []string{"format", "envelope", "entry", "schedule", "integrity", "staff", "review"}

func setupURL(id tournament.ID, step string) string { return tournamentURL(id) + "/setup/" + step }

func nextStep(step string) string {
	i := slices.Index(steps, step)
	return steps[min(i+1, len(steps)-1)]
}

// What the fields of the steps are called; the rest belong to the schedule.
var stepFields = map[string][]string{
	"format":   {"name", "club", "clubId", "about", "format", "double", "rounds", "accelerated", "numbering", "rated", "tiebreaks", "tiebreaks_of", "leave", "expulsion"},
	"envelope": {"chips", "default_points", "presets", "default_limit", "any_row", "widths", "switches"},
	"entry": {
		"capacity", "membersOnly", "entry_opens", "entry_closes", "entry_code", "approval", "min_rating", "max_rating", "min_games", "min_age",
		"entry_list", "late_until", "late_bye", "bye_limit", "half_byes", "half_until",
	},
}

// stepOf is where a field stands.
func stepOf(field string) string {
	for step, names := range stepFields {
		if slices.Contains(names, field) {
			return step
		}
	}
	switch {
	case strings.HasSuffix(field, "_low"), strings.HasSuffix(field, "_high"), slices.ContainsFunc(envelopeSpans, func(x envelopeSpan) bool { return x.name == field }):
		return "envelope"
	case strings.HasPrefix(field, "policy"):
		return "integrity"
	}
	return "schedule"
}

// overlay is a whole form of which one step was filled in; no step: all of it.
func overlay(base, filled url.Values, step string) url.Values {
	if step == "" {
		return filled
	}
	out := url.Values{}
	for name, list := range base {
		if stepOf(name) != step {
			out[name] = list
		}
	}
	for name, list := range filled {
		if stepOf(name) == step {
			out[name] = list
		}
	}
	return out
}

// setupStep is the tournament and the step of the address.
func (s *Server) setupStep(c echo.Context) (*tournament.Tournament, string, error) {
	t, err := s.directed(c)
	step := c.Param("step")
	switch {
	case err != nil:
		return nil, "", err
	case !slices.Contains(steps, step) || t.Format == tournament.ClubMatch:
		return nil, "", store.ErrNotFound
	case t.Status >= tournament.Running:
		return nil, "", tournament.ErrStarted
	}
	return t, step, nil
}

func (s *Server) setupTournament(c echo.Context) error {
	t, step, err := s.setupStep(c)
	if err != nil {
		return err
	}
	switch step {
	case "staff":
		return s.showSetupStaff(c, nil)
	case "review":
		return s.showReview(c, t)
	}
	return s.showStep(c, t, step, valuesOf(s.printer(c), t.Settings), nil)
}

func (s *Server) saveStep(c echo.Context) error {
	t, step, err := s.setupStep(c)
	if err != nil {
		return err
	}
	if step == "staff" || step == "review" {
		return store.ErrNotFound
	}
	filled, err := c.FormParams()
	if err != nil {
		return errBadRequest
	}
	p := s.printer(c)
	values := overlay(valuesOf(p, t.Settings), filled, step)
	settings, problems := readTournamentForm(p, t.Settings, values)
	if len(problems) == 0 {
		err = s.arbiter.Change(c.Request().Context(), viewer(c), t.ID, settings)
		problems = problemsOf(err)
	}
	if len(problems) > 0 {
		return s.showStep(c, t, step, values, problems)
	}
	if err != nil {
		return err
	}
	return s.redirect(c, setupURL(t.ID, nextStep(step)), "flash.draft-saved")
}

// stepTabs lead to every step; those of a tournament that is not saved yet are
// not there.
func stepTabs(p lang.Printer, t *tournament.Tournament, current string) []templates.TabLink {
	tabs := make([]templates.TabLink, len(steps))
	for i, step := range steps {
		tabs[i] = templates.TabLink{Text: itoa(i+1) + ". " + p.T("wizard.step."+step), Current: step == current}
		if t != nil {
			tabs[i].URL = setupURL(t.ID, step)
		} else if tabs[i].Current {
			tabs[i].URL = "/tournaments/new"
		}
	}
	return tabs
}

// showStep shows one step of the form, or without a step all of it; t is nil
// for a tournament that is to be made.
func (s *Server) showStep(c echo.Context, t *tournament.Tournament, step string, values url.Values, problems []tournament.Problem) error {
	p := s.printer(c)
	problems = byInput(p, problems)
	view := s.tournamentForm(c, values, problems)
	var err error
	if view.Clubs, err = s.clubChoices(c, values.Get("clubId")); err != nil {
		return err
	}
	view.Entry.HasClubs = values.Get("clubId") != ""
	view.Title, view.Action, view.Cancel, view.Step = p.T("tournament.new"), "/tournaments", "/tournaments", step
	if t != nil {
		view.Title, view.Action, view.Cancel = t.Name, tournamentURL(t.ID), tournamentURL(t.ID)
		if step != "" {
			view.Action = setupURL(t.ID, step)
		}
	}
	if step != "" {
		view.Steps = stepTabs(p, t, step)
		for i, problem := range problems {
			if t != nil && stepOf(problem.Field) != step {
				view.Problems[i].URL = tournamentURL(t.ID) + "/edit#" + fieldAnchor(problem.Field)
			}
		}
	}
	status := http.StatusOK
	if len(problems) > 0 {
		status = http.StatusUnprocessableEntity
	}
	return s.render(c, status, tournamentview.TournamentFormPage(s.setupShell(c, view.Title), view))
}

func (s *Server) setupShell(c echo.Context, title string) templates.Shell {
	sh := s.shell(c, title)
	sh.Section, sh.Styles, sh.Scripts = "tournaments", []string{"tournament.css"}, []string{"tournament.js"}
	return sh
}

// showSetupStaff is the step that invites; refused is why nobody was.
func (s *Server) showSetupStaff(c echo.Context, refused error) error {
	t, err := s.directed(c)
	if err != nil {
		return err
	}
	staff, err := s.staffView(c, t)
	if err != nil {
		return err
	}
	staff.Back = "setup"
	p := s.printer(c)
	view := tournamentview.SetupStaffView{Title: t.Name, URL: tournamentURL(t.ID), Next: setupURL(t.ID, "review"), Steps: stepTabs(p, t, "staff")}
	status := s.refuseStaff(c, &staff, refused)
	view.Staff = staff
	return s.render(c, status, tournamentview.SetupStaffPage(s.setupShell(c, t.Name), view))
}

func (s *Server) showReview(c echo.Context, t *tournament.Tournament) error {
	p := s.printer(c)
	entry := entryFacts(p, t, true)
	for _, line := range conditionLines(p, t, nil, t.Verdicts(tournament.Candidate{Player: "visitor"}, s.now())) {
		entry = append(entry, fact(p.T("entry.conditions"), line.Text))
	}
	if len(entry) == 0 {
		entry = append(entry, fact(p.T("entry.conditions"), p.T("wizard.free-entry")))
	}
	part := func(step string, facts ...templates.TournamentFact) tournamentview.ReviewPart {
		return tournamentview.ReviewPart{Title: p.T("wizard.step." + step), URL: setupURL(t.ID, step), Facts: facts}
	}
	view := tournamentview.ReviewView{
		Title: t.Name, URL: tournamentURL(t.ID), Steps: stepTabs(p, t, "review"), Estimate: estimateFacts(p, t),
		Parts: []tournamentview.ReviewPart{
			part("format", fact(p.T("tournament.form.format"), formatText(p, t))), part("envelope", envelopeFacts(p, t.MatchOptions().Envelope)...),
			part("entry", entry...), part("schedule", settingFacts(p, t)...),
			part("integrity", fact(p.T("fairplay.title"), levelText(p, t.Policy.OrOpen().Level))),
		},
	}
	if t.Status == tournament.Draft {
		view.Publish = p.T("wizard.publish")
	}
	return s.render(c, http.StatusOK, tournamentview.ReviewPage(s.setupShell(c, t.Name), view))
}

// guessedPlayers is how many a round robin is estimated for while nobody knows.
const guessedPlayers = 8

// estimateFacts is how long a round and the whole can take, with the breaks
// between rounds that open by themselves.
func estimateFacts(p lang.Printer, t *tournament.Tournament) []templates.TournamentFact {
	rounds := t.Settings.Rounds
	hint := ""
	if t.Format == tournament.RoundRobin {
		n := guessedPlayers
		if t.Capacity > 0 {
			n = t.Capacity
		}
		if rounds = n - 1 + n%2; t.Double {
			rounds *= 2
		}
		hint = p.T("wizard.rounds-unknown", "N", p.N("player.count", n))
	}
	usual, worst := t.UsualRound(), t.WorstRound()
	breaks := t.Break * time.Duration(rounds-1)
	facts := []templates.TournamentFact{
		fact(p.T("wizard.round-usual"), p.Duration(usual)), fact(p.T("wizard.round-worst"), p.Duration(worst)),
		{Name: p.T("wizard.all-usual"), Value: p.Duration(usual*time.Duration(rounds) + breaks), Hint: hint},
		{Name: p.T("wizard.all-worst"), Value: p.Duration(worst*time.Duration(rounds) + breaks), Hint: hint},
	}
	if n := len(t.Times); n > 0 {
		facts[2].Value, facts[3].Value = p.Duration(t.Times[n-1].Sub(t.Times[0])+usual), p.Duration(t.Times[n-1].Sub(t.Times[0])+worst)
	}
	return facts
}

// cloneTournament makes a draft of the same kind.
func (s *Server) cloneTournament(c echo.Context) error {
	id, err := s.arbiter.CloneTournament(c.Request().Context(), viewer(c), tournament.ID(c.Param("id")), s.printer(c).Zone, c.FormValue("staff") != "")
	if err != nil {
		return err
	}
	return s.redirect(c, setupURL(id, "format"), "flash.draft-saved")
}
