package desk

import (
	"context"
	"slices"

	"github.com/labstack/echo/v4"

	deskoffice "chpok.org/chpok/arbiter/desk"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	deskview "chpok.org/chpok/templates/desk"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s control) lifeRoutes() []page.Route {
	return []page.Route{
		page.Get("/tournaments/:id/life", s.life, page.SignedIn),
		page.Post("/tournaments/:id/life/:step", s.takeStep, page.SignedIn),
	}
}

// lifeStep is a step of a tournament's life, mostly backward.
type lifeStep struct {
	word  string
	act   tournament.Act
	isNow func(*tournament.Tournament) bool
	do    func(ctx context.Context, a *deskoffice.Office, by player.Viewer, id tournament.ID, reason string, lose bool) error
	back  bool // needs a reason
}

// plain adapts a step that loses nothing.
func plain(
	do func(*deskoffice.Office, context.Context, player.Viewer, tournament.ID, string) error,
) func(context.Context, *deskoffice.Office, player.Viewer, tournament.ID, string, bool) error {
	return func(ctx context.Context, a *deskoffice.Office, by player.Viewer, id tournament.ID, reason string, _ bool) error {
		return do(a, ctx, by, id, reason)
	}
}

var lifeSteps = []lifeStep{
	{"hide", tournament.ActHide, func(t *tournament.Tournament) bool { return t.Status == tournament.Registration },
		plain((*deskoffice.Office).Hide), true},
	{"unstart", tournament.ActUnstart, func(t *tournament.Tournament) bool { return t.Status == tournament.Running && len(t.Rounds) <= 1 },
		plain((*deskoffice.Office).Unstart), true},
	{"unpair", tournament.ActUnpair, func(t *tournament.Tournament) bool {
		return t.Status == tournament.Running && len(t.Rounds) > 0 && t.Draft == nil && (t.Pace != tournament.Rolling || len(t.Rounds) == 1)
	},
		func(ctx context.Context, a *deskoffice.Office, by player.Viewer, id tournament.ID, reason string, lose bool) error {
			return a.Unpair(ctx, by, id, lose, reason)
		}, true},
	{"finalize", tournament.ActFinalize, func(t *tournament.Tournament) bool { return t.Status == tournament.Finished },
		plain((*deskoffice.Office).Finalize), false},
	{"unfinish", tournament.ActUnfinish, func(t *tournament.Tournament) bool { return t.Status == tournament.Finished },
		plain((*deskoffice.Office).Unfinish), true},
	{"unfinalize", tournament.ActUnfinalize, func(t *tournament.Tournament) bool { return t.Status == tournament.Finalized },
		plain((*deskoffice.Office).Unfinalize), true},
}

func (s control) life(c echo.Context) error { return s.showLife(c, "", nil) }

func (s control) takeStep(c echo.Context) error {
	word := c.Param("step")
	i := slices.IndexFunc(lifeSteps, func(st lifeStep) bool { return st.word == word })
	if i < 0 {
		return store.ErrNotFound
	}
	id := tournament.ID(c.Param("id"))
	err := lifeSteps[i].do(c.Request().Context(), s.Arbiter.Desk, page.Viewer(c), id, reasonOf(c), c.FormValue("lose") != "")
	to := words.TournamentURL(id) + "/life"
	if word == "finalize" {
		to = ControlURL(id)
	}
	return s.Answer(c, err, func(c echo.Context, refused error) error { return s.showLife(c, word, refused) }, to, "flash.saved")
}

func (s control) showLife(c echo.Context, word string, refused error) error {
	t, err := s.Staffed(c)
	if err != nil {
		return err
	}
	p, v := s.Printer(c), page.Viewer(c)
	view := deskview.StepsView{Head: s.TournamentHead(c, t, "/life"), Title: p.T("desk.life"), Intro: p.T("desk.life-what")}
	if view.Facts, err = s.lifeFacts(c, p, t); err != nil {
		return err
	}
	for _, st := range lifeSteps {
		if !st.isNow(t) || !t.May(v, st.act) {
			continue
		}
		step := stepView(p, t, st)
		if st.word == "unpair" || st.word == "unstart" {
			if err := s.addLosses(c.Request().Context(), p, t, &step); err != nil {
				return err
			}
			if st.word == "unstart" && len(step.Lost) > 0 {
				continue // take the round back first
			}
		}
		if st.word == word && refused != nil {
			why := page.TextOf(p, refused)
			step.Problem, step.Reason.Value = why, words.Shorten(c.FormValue("reason"), tournament.MaxReason)
		}
		view.Steps = append(view.Steps, step)
	}
	return s.Render(c, page.StatusOf(refused), deskview.StepsPage(s.DeskShell(c, t, view.Title), view))
}

func stepView(p lang.Printer, t *tournament.Tournament, st lifeStep) deskview.StepView {
	step := deskview.StepView{
		ID: st.word, Title: p.T("desk.step." + st.word), Action: words.TournamentURL(t.ID) + "/life/" + st.word,
		Button: p.T("desk.do." + st.word), IsDanger: st.back,
		Reason: templates.Field{ID: "reason-" + st.word, Name: "reason", Label: p.T("desk.reason"), Max: tournament.MaxReason, Required: st.back,
			Hint: p.T("desk.reason-hint")},
	}
	if !st.back {
		step.Reason.Label, step.Reason.Hint = p.T("desk.note"), p.T("desk.note-hint")
	}
	step.What = append(step.What, p.T("desk.what."+st.word, "Round", len(t.Rounds)))
	switch {
	case st.word == "unfinish" && !t.RatedAt.IsZero():
		step.What = append(step.What, p.T("desk.what.unrated"))
	case st.word == "unfinish" && t.Pace != tournament.Manual && len(t.Rounds) < t.Settings.Rounds:
		step.What = append(step.What, p.T("desk.what.goes-on"))
	case st.word == "unpair":
		step.What = append(step.What, p.T("desk.what.void"))
	}
	return step
}

// addLosses adds what would be lost with the last round.
func (s control) addLosses(ctx context.Context, p lang.Printer, t *tournament.Tournament, step *deskview.StepView) error {
	lost, err := s.Arbiter.Desk.Losses(ctx, t)
	if err != nil {
		return err
	}
	step.Lost = lostBoards(p, t, "", lost)
	if len(lost) > 0 {
		step.Confirm = p.T("desk.lose")
	}
	return nil
}

// lostBoards lists the boards whose play would be lost; each line begins with where.
func lostBoards(p lang.Printer, t *tournament.Tournament, where string, lost []tournament.Pairing) (lines []string) {
	for _, b := range lost {
		result, _ := words.ResultText(p, b.Result.Kind)
		if b.Result.IsPending() {
			result = p.T("desk.busy")
		}
		lines = append(lines, where+p.T("desk.lost-board", "Board", b.Board, "First", words.NameOf(p, t, b.First), "Second", words.NameOf(p, t, b.Second),
			"Result", result))
	}
	return lines
}

// lifeFacts says how far the tournament is, and since when.
func (s control) lifeFacts(c echo.Context, p lang.Printer, t *tournament.Tournament) ([]templates.TournamentFact, error) {
	facts := []templates.TournamentFact{words.Fact(p.T("tournament.state"), p.T("home.status."+t.Status.String())),
		words.Fact(p.T("desk.created"), p.When(t.CreatedAt))}
	if !t.StartedAt.IsZero() {
		facts = append(facts, words.Fact(p.T("desk.started"), p.When(t.StartedAt)))
	}
	if !t.EndedAt.IsZero() {
		facts = append(facts, words.Fact(p.T("desk.ended"), p.When(t.EndedAt)))
	}
	if !t.RatedAt.IsZero() {
		facts = append(facts, words.Fact(p.T("desk.rated"), p.When(t.RatedAt)))
	}
	if t.Signed != nil {
		names, err := s.NamesOf(c.Request().Context(), t.Signed.By)
		if err != nil {
			return nil, err
		}
		signed := words.Fact(p.T("desk.signed"), p.T("desk.signed-by", "When", p.When(t.Signed.At), "Name", names[t.Signed.By]))
		signed.Hint = t.Signed.Note
		facts = append(facts, signed)
	}
	return facts, nil
}
