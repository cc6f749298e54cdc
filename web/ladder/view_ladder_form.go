package ladder

import (
	"net/http"
	"net/url"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/club"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
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

type rules = ladder.Settings

// ladderFields are the settings of a ladder but bidding and fair play.
var ladderFields = form.Table[rules]{Labels: "ladder.form.", Fields: []form.Field[rules]{
	{Name: "name", Input: templates.Field{Required: true, Max: ladder.MaxNameLength},
		Value: form.Text(300, func(s *rules) *string { return &s.Name })},
	{Name: "club", Value: form.Text(40, func(s *rules) *club.ID { return &s.Club })},
	{Name: "members", Value: form.Yes(func(s *rules) *bool { return &s.MembersOnly })},
	{Name: "about", Value: form.Paragraphs(func(s *rules) *string { return &s.About })},
	{Name: "placement", Words: "ladder.placement.", Choices: []string{string(ladder.AtBottom), string(ladder.ByRating)},
		Input: templates.Field{Type: "select"}, Value: form.Text(40, func(s *rules) *ladder.Placement { return &s.Placement })},
	{Name: "climb", Words: "ladder.climb.", Choices: []string{string(ladder.Insert), string(ladder.Swap)},
		Input: templates.Field{Type: "select"}, Value: form.Text(40, func(s *rules) *ladder.Climb { return &s.Climb })},
	{Name: "first", Value: form.Yes(func(s *rules) *bool { return &s.FirstFree })},
	number("places", form.Number(func(s *rules) *int { return &s.Places })),
	number("percent", form.Number(func(s *rules) *int { return &s.Percent })),
	number("outgoing", form.Number(func(s *rules) *int { return &s.Outgoing })),
	number("incoming", form.Number(func(s *rules) *int { return &s.Incoming })),
	number("sink", form.Number(func(s *rules) *int { return &s.Sink })),
	number("reply", form.Whole(time.Hour, func(s *rules) *time.Duration { return &s.Reply })),
	number("schedule", form.Whole(ladder.Day, func(s *rules) *time.Duration { return &s.Schedule })),
	number("play", form.Whole(ladder.Day, func(s *rules) *time.Duration { return &s.Play })),
	number("dispute", form.Whole(time.Hour, func(s *rules) *time.Duration { return &s.Dispute })),
	number("rest", form.Whole(ladder.Day, func(s *rules) *time.Duration { return &s.Rest })),
	number("idle", form.Whole(ladder.Day, func(s *rules) *time.Duration { return &s.Inactivity })),
	number("notice", form.Whole(ladder.Day, func(s *rules) *time.Duration { return &s.Notice })),
	number("credit", form.Whole(ladder.Day, func(s *rules) *time.Duration { return &s.Credit })),
	number("vacation", form.Whole(ladder.Day, func(s *rules) *time.Duration { return &s.Vacation })),
	number("lateness", form.Whole(time.Minute, func(s *rules) *time.Duration { return &s.Lateness })),
	number("bidTime", form.Whole(time.Hour, func(s *rules) *time.Duration { return &s.BidTime })),
	{Name: "rated", Value: form.Yes(func(s *rules) *bool { return &s.Rated })},
	{Name: "claims", Label: "tournament.form.claims", Words: "tournament.claims.", Choices: []string{"automatic", "manual"},
		Value: form.OneOf(match.ParseClaims, func(s *rules) *match.Claims { return &s.Claims })},
}}

// number is a number whose hint is its unit.
func number(name string, value form.Value[rules]) form.Field[rules] {
	return form.Field[rules]{Name: name, Hint: "ladder.unit." + name, Value: value}
}

// ladderValues is what the form shows for settings.
func ladderValues(p lang.Printer, s rules) url.Values {
	v := ladderFields.Values(p, s, s)
	form.PlayValues(v, s.Envelope, s.Policy)
	return v
}

// readLadderForm is what was filled in; problems are what cannot be read.
func readLadderForm(p lang.Printer, was fairplay.Policy, v url.Values) (rules, []tournament.Problem) {
	r, s := form.FormReader{Printer: p, Values: v}, ladder.DefaultSettings()
	ladderFields.Read(&r, &s, &s)
	s.Envelope, s.Policy = r.Envelope(), r.Policy(was)
	if len(r.Problems) == 0 {
		r.Problems = words.ProblemsOf(s.Validate())
	}
	return s, r.Problems
}

func (s pages) newLadderForm(c echo.Context) error {
	settings := ladder.DefaultSettings()
	settings.Envelope = form.EnvelopeNamed("evening")
	settings.Club = club.ID(c.QueryParam("club"))
	return s.showLadderForm(c, nil, ladderValues(s.Printer(c), settings), nil)
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
	return s.showLadderForm(c, f.ladder, ladderValues(s.Printer(c), f.ladder.Settings), nil)
}

// directedLadder is the ladder of the address, if the viewer runs it.
func (s pages) directedLadder(c echo.Context) (ladderFacts, error) {
	f, err := s.readLadder(c.Request().Context(), page.Viewer(c), ladder.ID(c.Param("id")))
	if err == nil && !f.me.Directs {
		err = ladder.ErrNotAllowed
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
	sh.Section, sh.Styles = "ladders", []string{"tournament.css"}
	return s.Render(c, status, ladderview.LadderFormPage(sh, view))
}

// ladderForm is the form with what was filled in and what is wrong with it.
func ladderForm(p lang.Printer, v url.Values, problems []tournament.Problem) ladderview.LadderFormView {
	view := ladderview.LadderFormView{Fields: ladderFields.Inputs(p, v, func(name string) string {
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

// ladderProblem is one fault in the viewer's language.
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
