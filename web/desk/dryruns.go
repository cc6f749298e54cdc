package desk

import (
	"errors"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/events"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	deskview "chpok.org/chpok/templates/desk"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s control) dryRun(c echo.Context) error { return s.showDryRun(c, nil) }

func (s control) showDryRun(c echo.Context, refused error) error {
	t, err := s.Staffed(c)
	if err != nil {
		return err
	}
	p, at := s.Printer(c), words.TournamentURL(t.ID)+"/dry-run"
	body, err := s.dryRunBody(c, t)
	if err != nil {
		return err
	}
	view := deskview.DryRunView{Head: s.TournamentHead(c, t, "/dry-run"), Body: body, Action: at,
		MayStart: t.Status < tournament.Running}
	number := func(name, label, hint, value string) templates.Field {
		if given := words.Shorten(c.FormValue(name), 12); given != "" {
			value = given
		}
		return templates.Field{Name: name, Label: label, Hint: hint, Value: value, Type: "number", Autocomplete: "off"}
	}
	view.Runs = number("runs", p.T("dryrun.form.runs"), "", words.Itoa(events.UsualDryRun.Runs))
	view.Extra = number("extra", p.T("dryrun.form.extra"), p.T("dryrun.form.extra-hint"), "0")
	view.First = number("first", p.T("dryrun.form.first"), p.T("dryrun.form.first-hint"), words.Itoa(events.UsualDryRun.First))
	view.Seed = number("seed", p.T("dryrun.form.seed"), p.T("dryrun.form.seed-hint"), "")
	status, why := page.RefusalStatus(p, refused)
	view.Runs.Error = why
	var kept []store.TournamentLine
	var bots []player.Player
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if kept, err = tx.Rehearsals(t.ID); err == nil {
			bots, err = tx.Bots()
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, r := range kept {
		view.Rehearsals = append(view.Rehearsals, templates.Link{Text: r.Name + ", " + p.When(r.CreatedAt), URL: words.TournamentURL(r.ID)})
	}
	if t.May(page.Viewer(c), tournament.ActStart) && t.Rehearsal == "" &&
		len(bots) >= tournament.MinRoundRobinPlayers {
		f := number("bots", p.T("dryrun.form.bots"), p.N("dryrun.form.bots-hint", len(bots)), words.Itoa(min(len(bots), 8)))
		view.Rehearse = &f
	}
	sh := s.TournamentShell(c, t, p.T("dryrun.title"), "dry-run")
	return s.Render(c, status, deskview.DryRunPage(sh, view))
}

// dryRunBody renders the last dry run as far as it has come.
func (s control) dryRunBody(c echo.Context, t *tournament.Tournament) (deskview.DryRunBody, error) {
	p := s.Printer(c)
	b := deskview.DryRunBody{Action: words.TournamentURL(t.ID) + "/dry-run"}
	r, err := s.Arbiter.Events.DryRun(c.Request().Context(), t.ID)
	if errors.Is(err, store.ErrNotFound) {
		return b, nil
	}
	if err != nil {
		return b, err
	}
	b.IsRunning, b.Percent = r.State == store.DryRunning, words.Itoa(100*r.Done/r.Total)
	b.State = p.T("dryrun.state."+dryRunStates[r.State], "Done", p.Int(r.Done), "Total", p.Int(r.Total), "Seed", r.Seed)
	if r.Report.Runs == 0 {
		return b, nil
	}
	players := len(r.Plan.Entries) + r.Plan.Extra
	b.HowMeasured = p.T("dryrun.how", "Absence", p.Decimal(100*r.Plan.Absence, 0), "Players", players)
	rep, worst := r.Report, ""
	if !rep.Worst.IsZero() {
		worst = p.T("dryrun.worst", "Time", p.When(rep.Worst))
	}
	b.Facts = []templates.TournamentFact{
		{Name: p.T("dryrun.start-at"), Value: p.When(r.Plan.StartAt)},
		{Name: p.T("dryrun.half"), Value: p.When(rep.P50), Hint: p.T("dryrun.likely", "From", p.When(rep.P10), "To",
			p.When(rep.P90))},
		{Name: p.T("dryrun.latest"), Value: p.When(rep.Latest), Hint: worst},
	}
	if !r.Plan.Settings.Until.IsZero() {
		b.Facts = append(b.Facts, templates.TournamentFact{Name: p.T("dryrun.over"), Value: p.T("dryrun.percent", "N", rep.Over),
			Hint: p.When(r.Plan.Settings.Until)})
	}
	b.Facts = append(b.Facts,
		words.Fact(p.T("dryrun.byes"), p.Decimal(rep.Byes, 1)), words.Fact(p.T("dryrun.peak"), p.Int(rep.Peak)),
		templates.TournamentFact{Name: p.T("dryrun.separated", "N", r.First), Value: p.T("dryrun.percent", "N", rep.Separated),
			Hint: p.T("dryrun.separated-hint")})
	if r.Plan.HasStrongest() {
		b.Facts = append(b.Facts, words.Fact(p.T("dryrun.strongest"), p.T("dryrun.percent", "N", rep.Strongest)))
	}
	if rep.Stuck > 0 {
		b.Facts = append(b.Facts, words.Fact(p.T("dryrun.stuck"), p.N("dryrun.runs-count", rep.Stuck)))
	}
	most := 1
	for _, bar := range rep.Bars {
		most = max(most, bar.Runs)
	}
	for _, bar := range rep.Bars {
		b.Bars = append(b.Bars, deskview.DryRunBar{From: p.When(bar.From), Runs: p.Int(bar.Runs),
			Width: words.Itoa(100 * bar.Runs / most)})
	}
	return b, nil
}

func (s control) startDryRun(c echo.Context) error {
	number := func(name string, otherwise int) int {
		if strings.TrimSpace(c.FormValue(name)) == "" {
			return otherwise
		}
		n, err := strconv.Atoi(strings.TrimSpace(c.FormValue(name)))
		if err != nil {
			return -1
		}
		return n
	}
	id := tournament.ID(c.Param("id"))
	err := s.Arbiter.Events.StartDryRun(c.Request().Context(), page.Viewer(c), id,
		events.DryRun{Runs: number("runs", events.UsualDryRun.Runs), Extra: number("extra", 0), First: number("first", events.UsualDryRun.First),
			Seed: int64(number("seed", 0))})
	return s.Answer(c, err, s.showDryRun, words.TournamentURL(id)+"/dry-run", "")
}

func (s control) cancelDryRun(c echo.Context) error {
	id := tournament.ID(c.Param("id"))
	if err := s.Arbiter.Events.CancelDryRun(c.Request().Context(), page.Viewer(c), id); err != nil {
		return err
	}
	return s.Redirect(c, words.TournamentURL(id)+"/dry-run", "")
}

// rehearse makes a rehearsal with house bots and leads there.
func (s control) rehearse(c echo.Context) error {
	n, err := strconv.Atoi(strings.TrimSpace(c.FormValue("bots")))
	if err != nil {
		return s.showDryRun(c, tournament.ErrTooFew)
	}
	to, err := s.Arbiter.Rounds.Rehearse(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")), n)
	return s.Answer(c, err, s.showDryRun, words.TournamentURL(to), "")
}
