package ladder

import (
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	ladderview "chpok.org/chpok/templates/ladder"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ladder"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// readLadderForm reads the form of a ladder and returns its problems.
func readLadderForm(p lang.Printer, was fairplay.Policy, v url.Values) (ladder.Settings, []tournament.Problem) {
	r, s := form.FormReader{Printer: p, Values: v}, ladder.DefaultSettings()
	s.Policy = was
	form.Ladder.Read(&r, &s, &s)
	if len(r.Problems) == 0 {
		r.Problems = words.ProblemsOf(s.Validate())
	}
	return s, r.Problems
}

func (s pages) newLadderForm(c echo.Context) error {
	settings := ladder.DefaultSettings()
	settings.Envelope = form.EnvelopeNamed("evening")
	settings.Club = club.ID(c.QueryParam("club"))
	return s.showLadderForm(c, nil, form.Ladder.Values(s.Printer(c), settings, settings), nil)
}

func (s pages) createLadder(c echo.Context) error {
	values, err := c.FormParams()
	if err != nil {
		return page.ErrBadRequest
	}
	settings, problems := readLadderForm(s.Printer(c), fairplay.Policy{}, values)
	if len(problems) > 0 {
		return s.showLadderForm(c, nil, values, problems)
	}
	id, err := s.Arbiter.Ladders.Create(c.Request().Context(), page.Viewer(c), settings)
	if err != nil {
		return err
	}
	return s.Redirect(c, words.LadderURL(id), "flash.ladder-created")
}

func (s pages) editLadderForm(c echo.Context) error {
	f, err := s.directedLadder(c)
	if err != nil {
		return err
	}
	return s.showLadderForm(c, f.ladder, form.Ladder.Values(s.Printer(c), f.ladder.Settings, f.ladder.Settings), nil)
}

// directedLadder returns the ladder in the address; ladder.ErrNotAllowed if the viewer does not run it.
func (s pages) directedLadder(c echo.Context) (ladderFacts, error) {
	f, err := s.readLadder(c.Request().Context(), page.Viewer(c), ladder.ID(c.Param("id")))
	if err == nil && !f.me.Directs {
		err = ladder.ErrNotAllowed
	}
	if err == nil {
		page.SetShown(c, f.ladder.Seq)
	}
	return f, err
}

func (s pages) editLadder(c echo.Context) error {
	f, err := s.directedLadder(c)
	if err != nil {
		return err
	}
	values, err := c.FormParams()
	if err != nil {
		return page.ErrBadRequest
	}
	values.Set("club", string(f.ladder.Settings.Club))
	settings, problems := readLadderForm(s.Printer(c), f.ladder.Settings.Policy, values)
	if len(problems) > 0 {
		return s.showLadderForm(c, f.ladder, values, problems)
	}
	if err := s.Arbiter.Ladders.Change(c.Request().Context(), page.Viewer(c), f.ladder.ID, settings); err != nil {
		return err
	}
	return s.Redirect(c, words.LadderURL(f.ladder.ID), "flash.saved")
}

func (s pages) showLadderForm(c echo.Context, l *ladder.Ladder, v url.Values, problems []tournament.Problem) error {
	p, by := s.Printer(c), page.Viewer(c)
	view := ladderForm(p, v, problems)
	view.Envelope = page.EnvelopeForm(s.Printer(c), v, problems)
	view.Policy = form.PolicyFields(p, fairplay.Preset(fairplay.Open), v, form.ProblemOf(p, problems, "policy"))
	if l != nil {
		view.Title, view.Action, view.Cancel = l.Settings.Name, words.LadderURL(l.ID), words.LadderURL(l.ID)
	} else {
		view.Title, view.Action, view.Cancel = p.T("ladder.new"), "/ladders", "/ladders"
		err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
			clubs, err := words.HeldClubs(tx, by)
			if err != nil {
				return err
			}
			if by.MayCreateTournament() {
				view.Clubs = append(view.Clubs, templates.Choice{Text: p.T("ladder.form.no-club")})
			}
			for _, of := range clubs {
				view.Clubs = append(view.Clubs, templates.Choice{Value: string(of.ID), Text: of.Name, Chosen: v.Get("club") == string(of.ID)})
			}
			return nil
		})
		if err != nil {
			return err
		}
		if len(view.Clubs) == 0 {
			return page.ErrForbidden
		}
	}
	status := http.StatusOK
	if len(problems) > 0 {
		status = http.StatusUnprocessableEntity
	}
	sh := s.Shell(c, view.Title)
	sh.Section, sh.Styles = "ladders", []string{"tournament.css", "event.css"}
	return s.Render(c, status, ladderview.LadderFormPage(sh, view))
}

// ladderForm returns the form with its values and problems.
func ladderForm(p lang.Printer, v url.Values, problems []tournament.Problem) ladderview.LadderFormView {
	view := ladderview.LadderFormView{Fields: form.Ladder.Inputs(p, v, func(name string) string {
		for _, problem := range problems {
			if problem.Field == name {
				return ladderProblem(p, problem)
			}
		}
		return ""
	})}
	for _, problem := range form.ByInput(p, problems) {
		view.Problems = append(view.Problems, templates.Link{Text: ladderProblem(p, problem), URL: "#" + problem.Field})
	}
	return view
}

// ladderProblem returns the text of a problem.
func ladderProblem(p lang.Printer, problem tournament.Problem) string {
	if problem.Why == form.EnvelopePart {
		return form.ProblemText(p, problem)
	}
	why := p.T("ladder.problem.other")
	if p.Has("ladder.problem." + problem.Why) {
		why = p.T("ladder.problem." + problem.Why)
	}
	if p.Has("ladder.form." + problem.Field) {
		return p.T("ladder.form."+problem.Field) + ": " + why
	}
	return form.FieldName(p, problem.Field) + ": " + why
}
