package ladder

import (
	"net/http"
	"net/url"
	"strings"
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

// ladderLengths are the lengths of time of the form with the unit it asks for.
var ladderLengths = []struct {
	name  string
	unit  time.Duration
	field func(*ladder.Settings) *time.Duration
}{
	{"reply", time.Hour, func(s *ladder.Settings) *time.Duration { return &s.Reply }},
	{"schedule", ladder.Day, func(s *ladder.Settings) *time.Duration { return &s.Schedule }},
	{"play", ladder.Day, func(s *ladder.Settings) *time.Duration { return &s.Play }},
	{"dispute", time.Hour, func(s *ladder.Settings) *time.Duration { return &s.Dispute }},
	{"rest", ladder.Day, func(s *ladder.Settings) *time.Duration { return &s.Rest }},
	{"idle", ladder.Day, func(s *ladder.Settings) *time.Duration { return &s.Inactivity }},
	{"notice", ladder.Day, func(s *ladder.Settings) *time.Duration { return &s.Notice }},
	{"credit", ladder.Day, func(s *ladder.Settings) *time.Duration { return &s.Credit }},
	{"vacation", ladder.Day, func(s *ladder.Settings) *time.Duration { return &s.Vacation }},
	{"lateness", time.Minute, func(s *ladder.Settings) *time.Duration { return &s.Lateness }},
	{"bidTime", time.Hour, func(s *ladder.Settings) *time.Duration { return &s.BidTime }},
}

// ladderNumbers are its other numbers.
var ladderNumbers = []struct {
	name  string
	field func(*ladder.Settings) *int
}{
	{"places", func(s *ladder.Settings) *int { return &s.Places }},
	{"percent", func(s *ladder.Settings) *int { return &s.Percent }},
	{"outgoing", func(s *ladder.Settings) *int { return &s.Outgoing }},
	{"incoming", func(s *ladder.Settings) *int { return &s.Incoming }},
	{"sink", func(s *ladder.Settings) *int { return &s.Sink }},
}

// ladderValues is what the form shows for settings.
func ladderValues(p lang.Printer, s ladder.Settings) url.Values {
	// The envelope is filled in as a tournament's is.
	v := form.ValuesOf(p, tournament.Settings{Envelope: s.Envelope, Claims: s.Claims, Policy: s.Policy})
	v.Set("name", s.Name)
	v.Set("about", s.About)
	v.Set("club", string(s.Club))
	v.Set("placement", string(s.Placement))
	v.Set("climb", string(s.Climb))
	form.Flag(v, "members", s.MembersOnly)
	form.Flag(v, "first", s.FirstFree)
	form.Flag(v, "rated", s.Rated)
	for _, f := range ladderNumbers {
		v.Set(f.name, words.Itoa(*f.field(&s)))
	}
	for _, f := range ladderLengths {
		v.Set(f.name, words.Itoa(int(*f.field(&s)/f.unit)))
	}
	return v
}

// readLadderForm is what was filled in; problems are what cannot be read.
func readLadderForm(p lang.Printer, was fairplay.Policy, v url.Values) (ladder.Settings, []tournament.Problem) {
	r := form.FormReader{Values: v}
	s := ladder.DefaultSettings()
	s.Name, s.Club = strings.TrimSpace(words.Shorten(v.Get("name"), 300)), club.ID(v.Get("club"))
	s.About = strings.TrimSpace(strings.ReplaceAll(words.Shorten(v.Get("about"), 5000), "\r\n", "\n"))
	s.Placement, s.Climb = ladder.Placement(v.Get("placement")), ladder.Climb(v.Get("climb"))
	s.MembersOnly, s.FirstFree, s.Rated = v.Get("members") != "", v.Get("first") != "", v.Get("rated") != ""
	for _, f := range ladderNumbers {
		*f.field(&s) = r.Number(f.name)
	}
	for _, f := range ladderLengths {
		*f.field(&s) = time.Duration(r.Number(f.name)) * f.unit
	}
	s.Claims, s.Envelope, s.Policy = form.Named(&r, "claims", match.ParseClaims), r.Envelope(), r.Policy(p, was)
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
	wrong := func(name string) string {
		for _, problem := range problems {
			if problem.Field == name {
				return ladderProblem(p, problem)
			}
		}
		return ""
	}
	number := func(names ...string) []templates.Field {
		list := make([]templates.Field, len(names))
		for i, name := range names {
			list[i] = templates.Field{Name: name, Label: p.T("ladder.form." + name), Type: "number", Value: v.Get(name), Error: wrong(name),
				Autocomplete: "off", Hint: p.T("ladder.unit." + name)}
		}
		return list
	}
	view := ladderview.LadderFormView{
		Name: templates.Field{Name: "name", Label: p.T("ladder.form.name"), Value: v.Get("name"), Error: wrong("name"), Required: true,
			Max: ladder.MaxNameLength, Autocomplete: "off"},
		About: v.Get("about"), AboutError: wrong("about"), Members: v.Get("members") != "", First: v.Get("first") != "",
		Rated:      v.Get("rated") != "",
		Placements: words.Options(p, "ladder.placement.", v.Get("placement"), string(ladder.AtBottom), string(ladder.ByRating)),
		Climbs:     words.Options(p, "ladder.climb.", v.Get("climb"), string(ladder.Insert), string(ladder.Swap)),
		Claims:     words.Options(p, "tournament.claims.", v.Get("claims"), "automatic", "manual"),
		Range:      number("places", "percent"), Limits: number("outgoing", "incoming", "rest"),
		Deadlines: number("reply", "schedule", "play", "dispute"), Silence: number("idle", "notice", "sink", "credit", "vacation"),
		Lateness: number("lateness")[0], BidTime: number("bidTime")[0],
	}
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
