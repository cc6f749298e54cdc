package match

import (
	"cmp"
	"context"
	"errors"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
	"golang.org/x/time/rate"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/search"
	"chpok.org/chpok/live/analyst"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	matchview "chpok.org/chpok/templates/match"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/scene"
	"chpok.org/chpok/web/words"
)

func (s asking) explorerRoutes() []page.Route {
	return []page.Route{
		page.Get("/analyse", s.explorerPage, page.Anyone),
		page.Post("/analyse", s.askExplorer, page.Anyone),
		page.Get("/analyse/feed", s.explorerFeed, page.Anyone),
	}
}

func (s asking) explorerOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("POST /analyse", player.ScopeRead, s.analyse, "What our engine says of a position",
			"Refused for positions that are being played, or nearly are by the asker. Ask no more often than every two seconds."),
	}
}

type (
	analyseIn struct {
		Position string          `json:"position" doc:"the position, in CFEN" example:"4k3/8/8/8/8/8/4R3/4K3 w - 1/1 0/0 0/0 1"`
		Features *board.Features `json:"features,omitempty" doc:"what it is played on"`
	}
	apiAnalysis struct {
		Act   *board.Action     `json:"act" doc:"the best act; null if there is none"`
		Lines []apiAnalysedLine `json:"lines" doc:"the best first"`
	}
	apiAnalysedLine struct {
		Expected float64        `json:"expected" doc:"what White is expected to score, from 0 to 1" example:"0.55"`
		Acts     []board.Action `json:"acts" doc:"how play goes on"`
	}
)

// Questions to the engine are limited by account or guest, those of visitors by network: nobody slows matches down. Whoever
// has no account asks more slowly than the engine answers, so that it is free for others in between.
var (
	limitAnalysis         = page.LimitClass{Name: "analysis", Rate: rate.Every(2 * time.Second), Burst: 10}
	limitVisitorsAnalysis = page.LimitClass{Name: "visitors' analysis", Rate: rate.Every(12 * time.Second), Burst: 8}
)

// How long the engine looks: at a place that stays on the screen, deeper for accounts, or for an answer at once.
var (
	longLook     = analyst.Look{For: 8 * time.Second}
	visitorsLook = analyst.Look{For: 4 * time.Second}
	shortLook    = analyst.Look{For: 3 * time.Second, Nodes: 40_000}
)

// askAgain is after how long a page asks by itself again where the engine is busy.
const askAgain = 4 * time.Second

// enter admits a question about a place, or says why not. The caller has to call leave.
func (s asking) enter(c echo.Context, x scene.Explored) (leave func(), err error) {
	class, key, v := limitVisitorsAnalysis, "ip "+page.Network(c), page.Viewer(c)
	if v.IsSignedIn() {
		key = "player " + string(v.ID)
	}
	if v.HasAccount() {
		class = limitAnalysis
	}
	if err := s.Count(c, class, key); err != nil {
		return nil, err
	}
	by, err := s.Asker(c)
	if err != nil {
		return nil, err
	}
	by.ByLink = !isPressed(c)
	if x.IsBidding {
		err = s.Arbiter.Seats.MayExploreBids(c.Request().Context(), by, x.Bids())
	} else {
		err = s.Arbiter.Seats.MayAnalyse(c.Request().Context(), by, x.Root().Position)
	}
	if err != nil {
		return nil, err
	}
	return s.Analyst.Enter(key)
}

// fieldPressed says that the place was reached by a press inside the explorer.
const fieldPressed = "pressed"

// isPressed reports whether somebody asked: by a form or a program, or by a stream that our script opened after a press.
// Anybody can send a link, so following one, even one that says so, is not asking.
func isPressed(c echo.Context) bool {
	r := c.Request()
	return r.Method == http.MethodPost || c.QueryParam(fieldPressed) == "on" &&
		r.Header.Get("Sec-Fetch-Site") == "same-origin" && r.Header.Get("Sec-Fetch-Mode") != "navigate"
}

// look lets the engine look at a place, and reports what it says as it goes on.
func (s asking) look(ctx context.Context, p lang.Printer, x scene.Explored, limits analyst.Look, report func(matchview.FoundView)) {
	if x.IsBidding {
		s.Analyst.ExploreBids(ctx, x.Bids(), x.Envelope, limits, func(options []search.Option, ahead int) {
			report(scene.FoundBids(p, x, options, ahead))
		})
		return
	}
	s.Analyst.Explore(ctx, x.Root(), limits, func(lines []search.Line) { report(scene.Found(p, x, lines)) })
}

// refusedLook is what the page shows of a question that is refused, and its status; an error that is no refusal stays one.
func (s asking) refusedLook(c echo.Context, err error) (v matchview.FoundView, status int, failed error) {
	p := s.Printer(c)
	status, isTold := page.InPlace(err)
	if !isTold {
		return v, 0, err
	}
	v.Trouble = page.TextOf(p, err)
	switch {
	case errors.Is(err, analyst.ErrBusy):
		v.Again = strconv.Itoa(int(askAgain / time.Second))
	case errors.Is(err, page.ErrTooMany):
		v.Again = c.Response().Header().Get(echo.HeaderRetryAfter)
		seconds, _ := strconv.Atoi(v.Again) // the site wrote it
		v.Trouble = p.N("explorer.enough", seconds)
	}
	return v, status, nil
}

// place reads the place of a request. A place that cannot be is trouble, told on the page of the nearest one.
func (s asking) place(c echo.Context, q url.Values) (x scene.Explored, trouble string, err error) {
	p := s.Printer(c)
	x, fits, err := scene.ParseExplored(q)
	setup, isSetup := errors.AsType[*board.SetupError](err)
	features, isFeatures := errors.AsType[*board.FeatureError](err)
	switch {
	case isSetup:
		trouble = p.T("fairplay.analyse.bad", "Why", words.FaultsText(p, setup.Problems))
	case isFeatures:
		trouble = p.T("fairplay.analyse.bad", "Why", words.FaultsText(p, features.Problems))
	case err != nil:
		return x, "", page.ErrBadRequest
	case !fits:
		trouble = p.T("explorer.unfit")
	}
	x.IsSetUp = x.IsSetUp || isSetup || isFeatures
	return x, trouble, nil
}

// explorerPage shows a place. Given the address of a match it redirects to its replay.
func (s asking) explorerPage(c echo.Context) error {
	q := c.QueryParams()
	if link := q.Get("match"); link != "" {
		return s.openMatch(c, link)
	}
	x, trouble, err := s.place(c, q)
	if err != nil {
		return err
	}
	if trouble == "" && (q.Has(scene.FieldSet) || q.Has(scene.FieldAct)) {
		return c.Redirect(http.StatusSeeOther, x.URL())
	}
	found := matchview.FoundView{IsOff: true}
	if x.IsAsked && s.Analyst != nil {
		found = matchview.FoundView{Feed: x.FeedURL()}
	}
	code := http.StatusOK
	if trouble != "" {
		code = http.StatusUnprocessableEntity
	}
	return s.showExplorer(c, code, x, trouble, found)
}

// askExplorer shows a place with what the engine says at once, for readers without scripts.
func (s asking) askExplorer(c echo.Context) error {
	q := c.QueryParams()
	if act := c.FormValue(scene.FieldAct); act != "" {
		q.Set(scene.FieldAct, act)
	}
	x, trouble, err := s.place(c, q)
	if err != nil {
		return err
	}
	if trouble != "" {
		return s.showExplorer(c, http.StatusUnprocessableEntity, x, trouble, matchview.FoundView{IsOff: true})
	}
	if s.Analyst == nil {
		return s.showExplorer(c, http.StatusOK, x, "", matchview.FoundView{})
	}
	leave, err := s.enter(c, x)
	if err != nil {
		found, status, err := s.refusedLook(c, err)
		if err != nil {
			return err
		}
		return s.showExplorer(c, status, x, found.Trouble, matchview.FoundView{IsOff: true})
	}
	defer leave()
	var found matchview.FoundView
	s.look(c.Request().Context(), s.Printer(c), x, shortLook, func(v matchview.FoundView) { found = v })
	if len(found.Lines)+len(found.Bids) == 0 {
		found.Trouble = s.Printer(c).T("explorer.none")
	}
	return s.showExplorer(c, http.StatusOK, x, "", found)
}

func (s asking) showExplorer(c echo.Context, status int, x scene.Explored, trouble string, found matchview.FoundView) error {
	p := s.Printer(c)
	found.IsNone = s.Analyst == nil
	view := scene.ViewExplorer(p, x)
	view.Trouble, view.Found = trouble, found
	if view.SetUp != nil {
		view.SetUp.Text = templates.Field{Name: "position", Label: p.T("explorer.text.position"), Hint: p.T("explorer.text.hint"), Max: 300,
			Value: words.Shorten(view.SetUp.Position, 300), Autocomplete: "off"}
		if trouble != "" {
			view.SetUp.Text.Error = trouble
			scene.KeepFeatures(&view.SetUp.Features, c.QueryParams())
		}
		view.SetUp.Match = s.matchField(c)
	}
	sh := s.Shell(c, p.T("explorer.title"))
	sh.Section, sh.Styles, sh.Scripts = "learn", []string{"board.css", "bidding.css", "explorer.css"}, []string{"explorer.js"}
	sh.NoIndex = len(c.QueryParams()) > 0
	c.Response().Header().Set("Cache-Control", "no-store")
	return s.Render(c, status, matchview.ExplorerPage(sh, view))
}

func (s asking) matchField(c echo.Context) templates.Field {
	p := s.Printer(c)
	return templates.Field{Name: "match", Label: p.T("explorer.match.link"), Hint: p.T("explorer.match.hint"), Max: 300, Required: true,
		Autocomplete: "off"}
}

// openMatch redirects to the replay of the match with a link, where each move is analyzed.
func (s asking) openMatch(c echo.Context, link string) error {
	_, at, _ := strings.Cut(words.Shorten(link, 300), "/matches/")
	id, _, _ := strings.Cut(strings.NewReplacer("?", "/", "#", "/").Replace(at), "/")
	look, err := s.Look(c, match.ID(id)) // as its replay does: of other matches nobody learns here that they exist
	if errors.Is(err, store.ErrNotFound) {
		x := scene.Explored{Features: board.DefaultFeatures(), IsSetUp: true}
		return s.showExplorer(c, http.StatusNotFound, x, s.Printer(c).T("explorer.match.none"), matchview.FoundView{})
	}
	if err != nil {
		return err
	}
	return s.Redirect(c, words.MatchURL(look.Head.ID)+"/replay", "")
}

// explorerFeed tells what the engine says of a place, deeper and deeper, while its reader waits.
func (s asking) explorerFeed(c echo.Context) error {
	x, trouble, err := s.place(c, c.QueryParams())
	if err != nil || trouble != "" || x.IsSetUp || s.Analyst == nil {
		return cmp.Or(err, error(echo.NewHTTPError(http.StatusNotFound)))
	}
	ctx, p := c.Request().Context(), s.Printer(c) // the engine may go on when c serves another request
	var mu sync.Mutex
	var found matchview.FoundView
	var done bool
	x.IsAsked = true
	snapshot := func() page.Snapshot {
		mu.Lock()
		defer mu.Unlock()
		return page.Snapshot{Over: done, Fragments: []page.Fragment{
			{ID: "expected", What: matchview.Expected(found.Score)},
			{ID: "found", What: matchview.Found(found, x.URL())},
		}}
	}
	leave, err := s.enter(c, x)
	if err != nil {
		if found, _, err = s.refusedLook(c, err); err != nil {
			return err
		}
		done = true
		return s.Push(c, func(wake func()) { wake() }, snapshot)
	}
	leave = sync.OnceFunc(leave)
	context.AfterFunc(ctx, leave) // in case the stream does not begin
	limits := visitorsLook
	if page.Viewer(c).HasAccount() {
		limits = longLook
	}
	tell := func(wake func(), change func()) {
		mu.Lock()
		defer mu.Unlock()
		change()
		wake()
	}
	explore := func(wake func()) {
		defer leave()
		s.look(ctx, p, x, limits, func(v matchview.FoundView) { tell(wake, func() { found = v }) })
		none := p.T("explorer.none")
		tell(wake, func() {
			if done = true; len(found.Lines)+len(found.Bids) == 0 {
				found.Trouble = none
			}
		})
	}
	return s.Push(c, func(wake func()) { go explore(wake) }, snapshot)
}

// apiAnalyse tells programs what the engine says of a position.
func (s asking) analyse(c echo.Context, in analyseIn) (out apiAnalysis, err error) {
	features := board.DefaultFeatures()
	if in.Features != nil {
		features = *in.Features
	}
	position, err := board.ParseCFEN(features, in.Position)
	if err != nil {
		return out, page.BadField("position", "%v", err)
	}
	if s.Analyst == nil {
		return out, analyst.ErrNone
	}
	x := scene.ExploredRoot(search.Root{Position: position})
	leave, err := s.enter(c, x)
	if err != nil {
		return out, err
	}
	defer leave()
	out.Lines = []apiAnalysedLine{}
	s.Analyst.Explore(c.Request().Context(), x.Root(), shortLook, func(lines []search.Line) {
		out.Lines = out.Lines[:0]
		for _, l := range lines {
			out.Lines = append(out.Lines, apiAnalysedLine{math.Round(100*search.Expected(l.Score)) / 100, l.Actions})
		}
		out.Act = &out.Lines[0].Acts[0]
	})
	return out, nil
}
