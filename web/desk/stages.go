package desk

import (
	"cmp"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	deskoffice "chpok.org/chpok/arbiter/desk"
	"chpok.org/chpok/arbiter/events"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	deskview "chpok.org/chpok/templates/desk"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/draw"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/tournament/stage"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// first returns the handler that shows a page on which nothing was refused yet.
func first(show func(c echo.Context, refused error) error) echo.HandlerFunc {
	return func(c echo.Context) error { return show(c, nil) }
}

func (s staging) stageRoutes() []page.Route {
	return []page.Route{
		page.Get("/tournaments/:id/next", first(s.showNextStage), page.SignedIn),
		page.Post("/tournaments/:id/next", s.makeStage, page.SignedIn),
		page.Get("/tournaments/:id/groups", first(s.showGroups), page.SignedIn),
		page.Post("/tournaments/:id/groups", s.divide, page.SignedIn),
		page.Get("/tournaments/:id/origin", first(s.showOrigin), page.Anyone),
		page.Post("/tournaments/:id/origin", s.retake, page.SignedIn),
		page.Post("/tournaments/:id/origin/exchange", s.exchange, page.SignedIn),
		page.Post("/tournaments/:id/origin/reopen", s.reopen, page.SignedIn),
	}
}

// Choices for how many of each event go on, and in which format.
var (
	eachChoices  = []int{1, 2, 4, 8, 16, 32}
	stageFormats = []string{"knock-out", "round-robin", "swiss"}
)

func (s staging) showNextStage(c echo.Context, refused error) error {
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
		for _, n := range eachChoices { // at most half of them
			if n <= 8 && 2*n <= len(t.Sides()) {
				chosen = n
			}
		}
	}
	view := deskview.NextStageView{
		Head: s.TournamentHead(c, t, "/next"), Action: words.TournamentURL(t.ID) + "/next",
		Name: templates.Field{Name: "name", Label: p.T("tournament.form.name"), Required: true, Max: tournament.MaxNameLength,
			Value: words.Shorten(c.FormValue("name"), tournament.MaxNameLength), Autocomplete: "off"},
		Formats: words.Options(p, "tournament.format.", cmp.Or(c.FormValue("format"), stageFormats[0]), stageFormats...),
	}
	for _, carry := range stage.Carries {
		view.Carry = append(view.Carry, templates.Choice{Value: carry, Text: p.T("stage.carry." + cmp.Or(carry, "none")),
			Chosen: carry == c.FormValue("carry")})
	}
	if view.Name.Value == "" {
		view.Name.Value = words.Shorten(p.T("stage.name", "Name", t.Name), tournament.MaxNameLength)
	}
	playOffs, err := s.Arbiter.Events.PlayOffs(c.Request().Context(), t.ID)
	if err != nil {
		return err
	}
	for _, x := range playOffs {
		if !x.Status.IsOver() {
			view.PlayOffs = append(view.PlayOffs, templates.Link{Text: x.Name, URL: words.TournamentURL(x.ID)})
		}
	}
	for _, n := range eachChoices {
		view.Each = append(view.Each, templates.Choice{Value: words.Itoa(n), Text: p.Int(n), Chosen: n == chosen})
		_, shared, err := tables.Order(t, playOffs, n)
		if err != nil {
			return err
		}
		if len(shared) > 0 {
			view.Shared = append(view.Shared, p.T("stage.shared", "Each", p.Int(n), "Names", strings.Join(namesOf(p, t, shared), ", ")))
		}
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

// namesOf returns the names of those in some lines.
func namesOf(p lang.Printer, t *tournament.Tournament, list []format.Standing) (names []string) {
	for _, l := range list {
		names = append(names, words.NameOf(p, t, l.Entry.ID))
	}
	return names
}

// sameTime is how far apart the groups of one event may end.
const sameTime = 60 * 24 * time.Hour

// otherEvents offers events of the same organizer or club that ended at about the same time.
func (s staging) otherEvents(c echo.Context, t *tournament.Tournament) (list []templates.Choice, err error) {
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
		if l.ID == t.ID || !l.Status.IsOver() || l.Event.Origin.IsPlayOff() || max(apart, -apart) > sameTime || len(list) == 12 {
			continue
		}
		list = append(list, templates.Choice{Value: string(l.ID), Text: l.Name, Chosen: slices.Contains(values["with"], string(l.ID))})
	}
	return list, err
}

// makeStage makes the next stage and leads there.
func (s staging) makeStage(c echo.Context) error {
	format, err := tournament.ParseFormat(c.FormValue("format"))
	values, fault := c.FormParams()
	if err != nil || fault != nil {
		return page.ErrBadRequest
	}
	asked := events.Stage{Name: strings.TrimSpace(words.Shorten(c.FormValue("name"), 300)), Format: format,
		Each: words.AtoiOr(c.FormValue("each"), 0), Carry: c.FormValue("carry"), PlayOff: c.FormValue("playOff") != ""}
	if asked.PlayOff {
		t, err := s.Staffed(c)
		if err != nil {
			return err
		}
		values.Del("with")
		asked.Name = words.Shorten(s.Printer(c).T("stage.play-off.name", "Name", t.Name), tournament.MaxNameLength)
	}
	for _, id := range values["with"] {
		if asked.With = append(asked.With, tournament.ID(id)); len(asked.With) >= tournament.MaxTables {
			break
		}
	}
	id, err := s.Arbiter.Events.Follow(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")), asked)
	return s.Answer(c, err, s.showNextStage, words.TournamentURL(id)+"/origin", "flash.tournament-created")
}

func (s staging) showOrigin(c echo.Context, refused error) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	of, playOffs, err := s.Arbiter.Events.Sources(c.Request().Context(), t)
	if t.Origin == nil || err != nil && !errors.Is(err, store.ErrNotFound) { // the events before an imported stage may be elsewhere
		return err
	}
	p, o := s.Printer(c), *t.Origin
	view := deskview.OriginView{Head: s.TournamentHead(c, t, "/origin"), Lead: p.T("stage.lead", "Date", p.When(o.At)),
		Facts: originFacts(p, o)}
	var moved []tables.SeedChange
	view.Title = p.T("stage.origin")
	switch {
	case o.IsAwaited():
		view.Title = p.N("stage.head.groups", len(o.Of))
		view.Lead = p.T("stage.awaited", "Each", p.Int(o.Each))
	case o.Part:
		view.Lead = p.T("stage.part")
	case o.PlayOff:
		view.Lead = p.T("stage.play-off.what")
	case tables.AreOver(of):
		moved, err = tables.Moved(o, of, playOffs)
		switch {
		case errors.Is(err, tournament.ErrFewPlaces): // some have been disqualified since
			view.Note = p.T("stage.few")
		case errors.Is(err, tournament.ErrPlayOffOpen):
			view.Note = p.T("stage.error.play-off-open")
		case err != nil:
			return err
		}
	}
	if view.Moved = len(moved) > 0; view.Moved {
		view.Note = p.N("stage.moved", len(moved))
	}
	if err := originLines(p, t, len(of) > 0, moved, &view); err != nil {
		return err
	}
	if o.Division != nil {
		if view.Groups, err = groupTables(p, o, of, playOffs); err != nil {
			return err
		}
	}
	if view.Moved && t.Status >= tournament.Running {
		view.Note += " " + p.T("stage.stays")
	}
	if t.May(page.Viewer(c), tournament.ActStage) && len(of) > 0 {
		if view.Steps, err = s.stageSteps(c, t); err != nil {
			return err
		}
	}
	status := http.StatusOK
	if refused != nil {
		status, view.Note = page.RefusalStatus(p, refused)
	}
	return s.Render(c, status, deskview.OriginPage(s.TournamentShell(c, t, p.T("stage.origin"), "info"), view))
}

// groupTables renders the current tables of the groups, in the order in which players go on.
func groupTables(p lang.Printer, o tournament.Origin, of, playOffs []*tournament.Tournament) (list []deskview.OriginGroup, err error) {
	for i, x := range of {
		g := deskview.OriginGroup{Link: templates.Link{Text: o.Of[i].Name, URL: words.TournamentURL(x.ID)},
			Status: p.T("home.status." + x.Status.String())}
		order, shared, err := tables.Order(x, playOffs, o.Each)
		if err != nil {
			return nil, err
		}
		for _, l := range order {
			g.Lines = append(g.Lines, deskview.GroupLine{Rank: words.Itoa(l.Rank), Score: words.ScoreText(p, l.Score),
				Player: words.StandingRef(x, l.Entry)})
		}
		if n := o.Each; n < len(g.Lines) && len(shared) == 0 {
			g.Lines[n-1].IsLast = true
		}
		for _, e := range x.Entries {
			if len(order) == 0 && e.Status == tournament.Active {
				g.Lines = append(g.Lines, deskview.GroupLine{Player: words.StandingRef(x, e)})
			}
		}
		list = append(list, g)
	}
	return list, nil
}

// originLines renders the seeds of a stage.
func originLines(p lang.Printer, t *tournament.Tournament, areHere bool, moved []tables.SeedChange, view *deskview.OriginView) error {
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
		line := deskview.OriginLine{
			Seed: words.Itoa(i + 1), Place: words.Itoa(q.Place), Player: words.EntryRefOf(t, own), ByLot: q.ByLot, Now: now[i+1],
			From: templates.Link{Text: from.Name},
		}
		if q.Score != 0 {
			line.Score, view.HasScores = words.ScoreText(p, q.Score), true
		}
		if areHere {
			line.From.URL = words.TournamentURL(from.ID) + "/standings"
		}
		view.Seeds = append(view.Seeds, line)
	}
	if len(t.Origin.Of) == 1 && len(view.Seeds) > 0 {
		view.Only = view.Seeds[0].From
	}
	return nil
}

// originFacts says how players were divided and which results they carry over.
func originFacts(p lang.Printer, o tournament.Origin) (facts []templates.TournamentFact) {
	if d := o.Division; d != nil {
		way, hint := p.T("stage.way.snake"), ""
		if d.Pots {
			way = p.T("stage.way.pots")
			if d.Rejected > 0 {
				hint = p.N("stage.rejected", d.Rejected)
			}
			if d.Beyond > 0 {
				hint += " " + p.N("stage.beyond", d.Beyond)
			}
		}
		facts = append(facts, templates.TournamentFact{Name: p.T("stage.way"), Value: way, Hint: hint})
		if given := draw.PromiseOf(d.Seed); given != "" {
			facts = append(facts, words.Fact(p.T("draw.promise"), given), words.Fact(p.T("stage.draw-seed"), d.Seed))
		}
	}
	if o.Equal {
		facts = append(facts, words.Fact(p.T("stage.equal"), p.T("stage.equal.what")))
	}
	if o.Carry != "" {
		facts = append(facts, words.Fact(p.T("stage.carry"), p.T("stage.carry."+o.Carry)))
	}
	for _, x := range o.PlayOffs {
		facts = append(facts, words.Fact(p.T("stage.play-off"), x.Name))
	}
	return facts
}

// stageSteps offers what staff can do about the seeds.
func (s staging) stageSteps(c echo.Context, t *tournament.Tournament) (steps []deskview.StepView, err error) {
	p := s.Printer(c)
	r, err := s.Arbiter.Desk.Remedies(c.Request().Context(), page.Viewer(c), t)
	if err != nil {
		return nil, err
	}
	if r.Retake {
		steps = append(steps, retakeStep(p, t))
	}
	for _, x := range r.Exchanges {
		steps = append(steps, exchangeStep(p, t, x))
	}
	if r.Reopen {
		step := deskview.StepView{ID: "reopen", Title: p.T("stage.reopen"), What: []string{p.T("stage.reopen.what")}, IsDanger: true,
			Action: words.TournamentURL(t.ID) + "/origin/reopen", Button: p.T("stage.reopen"), Reason: reasonField(p, "reopen")}
		for _, n := range slices.Sorted(maps.Keys(r.Lost)) {
			step.Lost = append(step.Lost, lostBoards(p, t, p.T("tournament.round-n", "Round", n)+": ", r.Lost[n])...)
		}
		if len(step.Lost) > 0 {
			step.Confirm = p.T("desk.lose")
		}
		steps = append(steps, step)
	}
	return steps, nil
}

// reasonField asks for the reason of a step.
func reasonField(p lang.Printer, step string) templates.Field {
	return templates.Field{ID: "reason-" + step, Name: "reason", Label: p.T("desk.reason"), Max: tournament.MaxReason, Required: true,
		Hint: p.T("desk.reason-hint")}
}

// exchangeStep gives a seed to another player, or says why that cannot be done.
func exchangeStep(p lang.Printer, t *tournament.Tournament, x deskoffice.Exchange) deskview.StepView {
	seed := t.Origin.Seeds[x.Seed]
	names := []any{
		"Out", words.NameOf(p, t, seed.Own), "In", x.Name, "Seed", p.Int(x.Seed + 1), "Place", p.Int(x.In.Place), "Of", t.Origin.Of[x.In.Of].Name}
	why := p.T("stage.exchange.corrected", names...)
	if x.Left {
		why = p.T("stage.exchange.left", names...)
	}
	id := "exchange-" + words.Itoa(x.Seed+1)
	step := deskview.StepView{ID: id, Title: p.T("stage.exchange", names...), What: []string{why}, Button: p.T("stage.exchange", names...),
		Action: words.TournamentURL(t.ID) + "/origin/exchange?" + url.Values{"seed": {words.Itoa(x.Seed)}, "name": {x.Name}}.Encode(),
		Reason: reasonField(p, id)}
	if x.Refused != nil {
		step.Problem = page.TextOf(p, x.Refused)
		step.Action = ""
		return step
	}
	step.What = append(step.What, p.T("stage.exchange.what", names...))
	return step
}

// retakeStep takes the seeds as they would be now.
func retakeStep(p lang.Printer, t *tournament.Tournament) deskview.StepView {
	step := deskview.StepView{
		ID: "retake", Title: p.T("stage.retake"), What: []string{p.T("stage.retake.what")}, Action: words.TournamentURL(t.ID) + "/origin",
		Button: p.T("stage.retake"), Reason: reasonField(p, "retake"),
	}
	if t.Origin.IsAwaited() {
		step.Title, step.Button, step.What = p.T("stage.take"), p.T("stage.take"), []string{p.T("stage.take.what")}
		step.Reason.Required = false
	}
	return step
}

// groupEach are the choices for how many of each group go on.
var groupEach = []int{1, 2, 3, 4, 8}

func (s staging) showGroups(c echo.Context, refused error) error {
	t, err := s.Staffed(c)
	if err == nil && t.Origin != nil {
		return s.Redirect(c, words.TournamentURL(t.ID)+"/origin", "") // divided already: whoever goes back finds the groups
	}
	if err == nil {
		err = stage.MayDivide(t, page.Viewer(c))
	}
	if err != nil {
		return err
	}
	p, n := s.Printer(c), t.Active()
	view := deskview.GroupsView{Head: s.TournamentHead(c, t, "/groups"), Action: words.TournamentURL(t.ID) + "/groups",
		Ways: words.Options(p, "stage.way.", cmp.Or(c.FormValue("way"), "snake"), "snake", "pots")}
	if t.Promise != "" {
		view.Facts = []templates.TournamentFact{words.Fact(p.T("draw.promise-groups"), t.Promise)}
	}
	chosen := words.AtoiOr(c.FormValue("groups"), cmp.Or(t.Groups, max(2, min(draw.MostGroups, n/4))))
	for g := 2; draw.Fits(n, g); g++ {
		text := p.T("stage.groups-of", "Groups", p.Int(g), "Least", p.Int(n/g))
		if n%g > 0 {
			text = p.T("stage.groups-of-two", "Groups", p.Int(g), "Least", p.Int(n/g), "Most", p.Int(n/g+1))
		}
		view.Groups = append(view.Groups, templates.Choice{Value: words.Itoa(g), Text: text, Chosen: g == chosen})
	}
	each := words.AtoiOr(c.FormValue("each"), 2)
	for _, k := range groupEach {
		view.Each = append(view.Each, templates.Choice{Value: words.Itoa(k), Text: p.Int(k), Chosen: k == each})
	}
	status := http.StatusOK
	if refused != nil {
		status, view.Problem = page.RefusalStatus(p, refused)
	}
	return s.Render(c, status, deskview.GroupsPage(s.TournamentShell(c, t, p.T("stage.groups"), ""), view))
}

// divide makes the groups and shows them.
func (s staging) divide(c echo.Context) error {
	id := tournament.ID(c.Param("id"))
	err := s.Arbiter.Events.Divide(c.Request().Context(), page.Viewer(c), id, events.Division{
		Groups: words.AtoiOr(c.FormValue("groups"), 0), Each: words.AtoiOr(c.FormValue("each"), 0), Pots: c.FormValue("way") == "pots"})
	if errors.Is(err, tournament.ErrFewPlaces) {
		return s.showGroups(c, err)
	}
	if err != nil {
		return err
	}
	return s.Redirect(c, words.TournamentURL(id)+"/origin", "flash.saved")
}

func (s staging) retake(c echo.Context) error {
	return s.afterStage(c, s.Arbiter.Events.Retake(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")), reasonOf(c)))
}

// exchange gives a seed to another player.
func (s staging) exchange(c echo.Context) error {
	id := tournament.ID(c.Param("id"))
	seed, err := strconv.Atoi(c.FormValue("seed"))
	if err != nil {
		return page.ErrBadRequest
	}
	return s.afterStage(c, s.Arbiter.Desk.Exchange(c.Request().Context(), kernel.For(page.Viewer(c), reasonOf(c)), id, seed,
		c.FormValue("name")))
}

// reopen takes a stage back to before its start.
func (s staging) reopen(c echo.Context) error {
	id := tournament.ID(c.Param("id"))
	return s.afterStage(c, s.Arbiter.Desk.Reopen(c.Request().Context(), page.Viewer(c), id, c.FormValue("lose") != "", reasonOf(c)))
}

// afterStage goes back to the seeds, or shows there why something was refused.
func (s staging) afterStage(c echo.Context, err error) error {
	return s.Answer(c, err, s.showOrigin, words.TournamentURL(tournament.ID(c.Param("id")))+"/origin", "flash.saved")
}
