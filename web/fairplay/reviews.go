package fairplay

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/judges"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	fairplayview "chpok.org/chpok/templates/fairplay"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s pages) reviewRoutes() []page.Route {
	routes := []page.Route{
		page.Get("/fair-play/privacy", s.privacy, page.Anyone),
		page.Post("/matches/:id/telemetry", s.tellOfPage, page.SignedIn),
		page.Get("/matches/:id/report", s.reportPlay, page.SignedIn),
		page.Post("/matches/:id/report", s.sendReport, page.SignedIn),
		page.Get("/tournaments/:id/steward", s.stewards, page.SignedIn),
		page.Post("/tournaments/:id/steward", s.doWatch, page.SignedIn),
	}
	for _, at := range dossiers {
		routes = append(routes,
			page.Get(at, s.dossier, page.SignedIn),
			page.Post(at, s.execute, page.SignedIn),
			page.Get(at+"/moves", s.moves, page.SignedIn))
	}
	return routes
}

// dossiers are the addresses of what is recorded about somebody in a place, as judges.DossierPath makes them.
var dossiers = []string{"/tournaments/:id/fair-play/of/:player", "/ladders/:id/:season/fair-play/of/:player", "/challenges/:season/fair-play/of/:player"}

// about is whose play in which place an address is about.
type about struct {
	fairplay.Place
	of player.ID
}

// asked reads the address of a dossier. It is for the player and for those who judge there: the errors are
// store.ErrNotFound and tournament.ErrNotAllowed.
func (s pages) asked(c echo.Context) (a about, err error) {
	at, _, _ := strings.Cut(strings.TrimPrefix(c.Request().URL.Path, "/"), "/fair-play/")
	return s.about(c, fairplay.Place(at), player.Handle(c.Param("player")))
}

func (s pages) about(c echo.Context, in fairplay.Place, of player.Handle) (a about, err error) {
	v := page.Viewer(c)
	if of == "me" || of.Key() == v.Handle.Key() {
		return about{in, v.ID}, nil
	}
	a.Place = in
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		b, err := assurance.BenchOf(tx, in)
		switch {
		case err != nil:
			return err
		case b.Tournament != nil && !b.Tournament.MaySee(v):
			return store.ErrNotFound
		case !b.Sits(v):
			return tournament.ErrNotAllowed
		}
		who, err := tx.PlayerByHandle(of)
		a.of = who.ID
		return err
	})
	return a, err
}

// privacy renders the page of what is kept about players for fair play, why and how long.
func (s pages) privacy(c echo.Context) error {
	p := s.Printer(c)
	sh := s.Shell(c, p.T("review.privacy"))
	sh.Section, sh.Styles = "rules", []string{"rules.css"}
	return s.Render(c, http.StatusOK, fairplayview.PrivacyPage(sh, words.LongText("privacy", p.Lang)))
}

// tellOfPage records what a match page reports about itself and returns the text of what is kept.
func (s pages) tellOfPage(c echo.Context) error {
	v := page.Viewer(c)
	if err := s.Count(c, page.LimitTell, string(v.ID)); err != nil {
		return err
	}
	var in struct {
		Rows []struct {
			Kind   string `json:"kind"`
			Number int    `json:"number"`
		} `json:"rows"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(c.Response(), c.Request().Body, 16<<10)).Decode(&in); err != nil {
		return page.ErrBadRequest
	}
	list := make([]review.Telemetry, len(in.Rows))
	for i, r := range in.Rows {
		list[i] = review.Telemetry{Kind: review.TelemetryKind(r.Kind), Number: r.Number}
	}
	told, err := s.Arbiter.Seats.Tell(c.Request().Context(), v, match.ID(c.Param("id")), list)
	if errors.Is(err, live.ErrNotPlaying) {
		return page.ErrForbidden
	}
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, map[string]string{"text": words.ToldText(s.Printer(c), told)})
}

func (s pages) reportPlay(c echo.Context) error { return s.showReport(c, nil) }

func (s pages) showReport(c echo.Context, refused error) error {
	ctx, id, p := c.Request().Context(), match.ID(c.Param("id")), s.Printer(c)
	view := fairplayview.ReportView{URL: words.MatchURL(id) + "/report", Back: words.MatchURL(id),
		Text: words.Shorten(c.FormValue("text"), 1000)}
	err := s.Store.Read(ctx, func(tx *store.Tx) error {
		head, err := tx.Match(id)
		if err != nil {
			return err
		}
		who, err := tx.Players(head.Players[:]...)
		if err != nil {
			return err
		}
		view.Title = string(who[head.Players[0]].Handle) + " – " + string(who[head.Players[1]].Handle)
		for i, of := range head.Players {
			if of != page.Viewer(c).ID && !head.Bots[i] {
				view.Players = append(view.Players, templates.Choice{Value: words.Itoa(i + 1), Text: string(who[of].Handle),
					Chosen: c.FormValue("seat") == words.Itoa(i+1)})
			}
		}
		if len(view.Players) == 1 {
			view.Players[0].Chosen = true
		}
		if head.Status != match.Over {
			return judges.ErrReportWhat
		}
		return nil
	})
	if err != nil {
		return err
	}
	status, why := page.RefusalStatus(p, refused)
	page.SayWhen(c, refused, s.Now())
	view.Trouble = why
	return s.Render(c, status, fairplayview.ReportPage(s.Shell(c, p.T("review.report.title")), view))
}

func (s pages) sendReport(c echo.Context) error {
	id := match.ID(c.Param("id"))
	seat, _ := strconv.Atoi(c.FormValue("seat"))
	err := s.Arbiter.Judges.Report(c.Request().Context(), page.Viewer(c), id, match.Seat(min(max(seat, 0), 2)), c.FormValue("text"))
	if _, isTold := page.InPlace(err); isTold && !errors.Is(err, store.ErrNotFound) {
		return s.showReport(c, err)
	}
	if err != nil {
		return err
	}
	return s.Redirect(c, words.MatchURL(id), "flash.report-sent")
}

func (s pages) stewards(c echo.Context) error { return s.showStewards(c, nil) }

func (s pages) showStewards(c echo.Context, refused error) error {
	t, duties, err := s.dutiesSeen(c)
	if err != nil {
		return err
	}
	p, v := s.Printer(c), page.Viewer(c)
	view := fairplayview.StewardView{Head: s.TournamentHead(c, t, "/steward"), URL: words.TournamentURL(t.ID) + "/steward"}
	for _, d := range duties {
		if v.Is(d.Watch.Steward) {
			view.Mine = append(view.Mine, watchView(p, d))
		}
	}
	if t.May(v, tournament.ActSteward) {
		if view.Named, err = s.stewardLines(c, p, t, duties); err != nil {
			return err
		}
	}
	status, why := page.RefusalStatus(p, refused)
	view.Trouble = why
	sh := s.TournamentShell(c, t, p.T("review.steward.title"), "steward")
	sh.Feed = ""
	return s.Render(c, status, fairplayview.StewardPage(sh, view))
}

// dutiesSeen returns the watched boards of the tournament of the address, for its stewards and arbiters.
func (s pages) dutiesSeen(c echo.Context) (*tournament.Tournament, []assurance.Duty, error) {
	t, err := s.SeenTournament(c)
	if err != nil {
		return nil, nil, err
	}
	v := page.Viewer(c)
	duties, err := s.Arbiter.Assurance.Duties(c.Request().Context(), t, "")
	if err != nil {
		return nil, nil, err
	}
	mine := slices.ContainsFunc(duties, func(d assurance.Duty) bool { return v.Is(d.Watch.Steward) })
	if !mine && !t.IsSteward(v) && !t.May(v, tournament.ActSteward) {
		return nil, nil, page.ErrForbidden
	}
	return t, duties, nil
}

// doWatch carries out an act of a steward, or names one for an arbiter.
func (s pages) doWatch(c echo.Context) error {
	ctx, v, id := c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id"))
	var err error
	if do := c.FormValue("do"); do == "name" {
		n, _ := strconv.Atoi(c.FormValue("entry"))
		err = s.Arbiter.Judges.SetSteward(ctx, v, id, tournament.EntryID(n), strings.TrimSpace(c.FormValue("handle")))
	} else {
		seat, _ := strconv.Atoi(c.FormValue("seat"))
		err = s.Arbiter.Judges.Watch(ctx, v, match.ID(c.FormValue("match")), match.Seat(min(max(seat, 0), 3)), judges.WatchDeed{
			Kind: do, Note: c.FormValue("note"), Verdict: fairplay.FactKind(c.FormValue("verdict")),
		})
	}
	if _, isTold := page.InPlace(err); isTold {
		return s.showStewards(c, err)
	}
	if err != nil {
		return err
	}
	return s.Redirect(c, words.TournamentURL(id)+"/steward", "flash.saved")
}

func (s pages) dossier(c echo.Context) error {
	a, err := s.asked(c)
	if err != nil {
		return err
	}
	return s.showDossier(c, a, nil)
}

func (s pages) showDossier(c echo.Context, a about, refused error) error {
	p, v := s.Printer(c), page.Viewer(c)
	d, err := s.Arbiter.Judges.Dossier(c.Request().Context(), v, a.Place, a.of)
	if err != nil {
		return err
	}
	dv := dossierViewer{Printer: p, Dossier: d, me: v, own: v.Is(a.of), now: s.Now(), filled: c}
	status, why := page.RefusalStatus(p, refused)
	dv.trouble = why
	view := dv.view()
	sh := s.dossierShell(c, d, &view.Head, view.Title)
	return s.Render(c, status, fairplayview.DossierPage(sh, view))
}

// dossierShell returns the shell of a page about somebody in a place, and fills its head.
func (s pages) dossierShell(c echo.Context, d judges.Dossier, head *fairplayview.PlaceHead, title string) templates.Shell {
	c.Response().Header().Set("Cache-Control", "no-store")
	var sh templates.Shell
	if d.Tournament != nil {
		of := s.TournamentHead(c, d.Tournament, "/fair-play")
		head.Tournament = &of
		sh = s.TournamentShell(c, d.Tournament, title, "fair-play")
		sh.Feed = ""
	} else {
		p := s.Printer(c)
		head.Title = placeText(p, d.Place, d.Name())
		if d.Keeps {
			head.Back = templates.Link{URL: "/admin/fair-play", Text: p.T("fairplay.operator.title")}
		} else {
			head.Back = templates.Link{URL: "/fair-play/me", Text: p.T("fairplay.me.title")}
		}
		if d.Ladder != nil {
			head.Back = templates.Link{URL: words.LadderURL(d.Ladder.ID), Text: d.Ladder.Settings.Name}
			if d.Keeps {
				head.Back = templates.Link{URL: words.LadderURL(d.Ladder.ID) + "/fair-play", Text: p.T("fairplay.ladder.title")}
			}
		}
		sh = s.Shell(c, title+" · "+head.Title)
	}
	sh.Styles = append(sh.Styles, "fairplay.css")
	return sh
}

// placeText names a place; name is that of its tournament or ladder.
func placeText(p lang.Printer, in fairplay.Place, name string) string {
	kind, _, season, _ := in.Parts()
	when, _ := review.ParseSeason(season)
	switch kind {
	case fairplay.InTournament:
		return p.Event(name)
	case fairplay.OnLadder:
		return name + ", " + seasonTitle(p, when)
	}
	return p.T("review.challenges") + ", " + seasonTitle(p, when)
}

// dossierOf returns what is recorded about a player, for programs.
func (s pages) dossierOf(c echo.Context, a about) (out apiDossier, err error) {
	v := page.Viewer(c)
	d, err := s.Arbiter.Judges.Dossier(c.Request().Context(), v, a.Place, a.of)
	if err != nil {
		return out, err
	}
	c.Response().Header().Set("Cache-Control", "no-store")
	return (dossierViewer{Dossier: d, me: v, own: v.Is(a.of)}).document(), nil
}

// reviewDocument returns what is recorded about the viewer in a place. recorded is false if nothing was demanded,
// noticed or reported there.
func (s pages) reviewDocument(c echo.Context, in fairplay.Place) (document any, recorded bool, err error) {
	v := page.Viewer(c)
	d, err := s.Arbiter.Judges.Dossier(c.Request().Context(), v, in, v.ID)
	if err != nil {
		return nil, false, err
	}
	closed := func(r store.Review) bool { return r.Status != review.StatusOpen }
	recorded = len(d.Reports) > 0 || slices.ContainsFunc(d.Reviews, closed) || slices.ContainsFunc(d.Boards,
		func(b judges.BoardRecord) bool {
			return b.Policy.Level > fairplay.Open || len(b.Signals) > 0
		})
	return (dossierViewer{Dossier: d, me: v, own: true}).document(), recorded, nil
}

func (s pages) execute(c echo.Context) error {
	a, err := s.asked(c)
	if err != nil {
		return err
	}
	values, err := c.FormParams()
	if err != nil {
		return page.ErrBadRequest
	}
	ctx, v := c.Request().Context(), page.Viewer(c)
	if c.FormValue("do") == review.StepOpen {
		_, err = s.Arbiter.Judges.OpenReview(ctx, v, a.Place, a.of)
	} else {
		err = s.readAndExecute(ctx, v, a, values)
	}
	if _, isTold := page.InPlace(err); isTold && !errors.Is(err, store.ErrNotFound) &&
		!errors.Is(err, tournament.ErrNotAllowed) {
		return s.showDossier(c, a, err)
	}
	if err != nil {
		return err
	}
	return s.Redirect(c, c.Request().URL.Path, "flash.saved")
}

func (s pages) readAndExecute(ctx context.Context, v player.Viewer, a about, values map[string][]string) error {
	first := func(key string) string {
		if list := values[key]; len(list) > 0 {
			return list[0]
		}
		return ""
	}
	days, _ := strconv.Atoi(first("days"))
	cmd := judges.ReviewCommand{
		Kind: first("do"), Seen: words.AtoiOr(first("steps"), 0), Text: first("text"),
		Proposal: review.Proposal{Decision: review.Decision(first("decision")), Ground: review.Ground(first("ground")), Days: days,
			Why: first("text")},
	}
	for _, e := range values["explain"] {
		cmd.Explains = append(cmd.Explains, review.Explanation(e))
	}
	r, err := store.Get(ctx, s.Store, func(tx *store.Tx) (store.Review, error) { return tx.Review(first("review")) })
	if err == nil && (r.Player != a.of || r.Place != a.Place) {
		err = store.ErrNotFound
	}
	if err != nil {
		return err
	}
	return s.Arbiter.Judges.Execute(ctx, v, r.ID, cmd)
}
