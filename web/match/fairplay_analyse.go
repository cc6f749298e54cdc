package match

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"golang.org/x/time/rate"

	"chpok.org/chpok/arbiter/seats"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/search"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	fairplayview "chpok.org/chpok/templates/fairplay"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/scene"
	"chpok.org/chpok/web/words"
)

func (s asking) apiAnalysisRoutes() []page.Route {
	return []page.Route{
		page.Post("/analyse", s.apiAnalyse, page.SignedIn),
	}
}

func (s asking) analysisRoutes() []page.Route {
	return []page.Route{
		page.Get("/analyse", s.analysePage, page.SignedIn),
		page.Post("/analyse", s.analyse, page.SignedIn),
	}
}

// analysisNodes limits the positions of an analysis, to a moment's work.
const analysisNodes = 40_000

// limitAnalysis keeps analyses from slowing down matches.
var limitAnalysis = page.LimitClass{Name: "analysis", Rate: rate.Every(2 * time.Second), Burst: 10}

// readPosition reads a position from its CFEN and the JSON of its features; empty for the usual ones.
func readPosition(cfen, features string) (board.Position, error) {
	f := board.DefaultFeatures()
	if features = strings.TrimSpace(features); features != "" {
		var err error
		if f, err = board.ParseFeatures([]byte(features)); err != nil {
			return board.Position{}, err
		}
	}
	return board.ParseCFEN(f, strings.TrimSpace(cfen))
}

// best returns the engine's best action in a position, unless the position is being played.
func (s asking) best(c echo.Context, pos board.Position) (action board.Action, has bool, err error) {
	if err := s.Within(c, limitAnalysis); err != nil {
		return 0, false, err
	}
	by, err := pages(s).asker(c)
	if err != nil {
		return 0, false, err
	}
	if err := s.Arbiter.Seats.MayAnalyse(c.Request().Context(), by, pos); err != nil {
		return 0, false, err
	}
	action, has = search.Bot{Nodes: analysisNodes}.Best(c.Request().Context(), pos)
	return action, has, nil
}

// analysePage shows a position to set up. Given the address of a match it redirects to the replay, where each move is
// analyzed.
func (s asking) analysePage(c echo.Context) error {
	view := fairplayview.AnalyseView{Position: templates.Field{Value: words.Shorten(c.QueryParam("position"), 300)}}
	view.Match.Value = words.Shorten(c.QueryParam("match"), 300)
	if view.Match.Value == "" {
		return s.showAnalysis(c, http.StatusOK, view)
	}
	_, at, _ := strings.Cut(view.Match.Value, "/matches/")
	id, _, _ := strings.Cut(strings.NewReplacer("?", "/", "#", "/").Replace(at), "/")
	head, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (store.Head, error) { return tx.Match(match.ID(id)) })
	if errors.Is(err, store.ErrNotFound) {
		view.Match.Error = s.Printer(c).T("fairplay.analyse.no-match")
		return s.showAnalysis(c, http.StatusNotFound, view)
	}
	if err != nil {
		return err
	}
	return s.Redirect(c, words.MatchURL(head.ID)+"/replay", "")
}

func (s asking) analyse(c echo.Context) error {
	p := s.Printer(c)
	view := fairplayview.AnalyseView{
		Position: templates.Field{Value: words.Shorten(c.FormValue("position"), 300)},
		Features: templates.Field{Value: words.Shorten(c.FormValue("features"), 1000)},
	}
	pos, err := readPosition(view.Position.Value, view.Features.Value)
	if err != nil {
		if setup, ok := errors.AsType[*board.SetupError](err); ok {
			view.Position.Error = p.T("fairplay.analyse.bad", "Why", words.FaultsText(p, setup.Problems))
		} else if features, ok := errors.AsType[*board.FeatureError](err); ok {
			view.Features.Error = p.T("fairplay.analyse.bad", "Why", words.FaultsText(p, features.Problems))
		} else {
			return err
		}
		return s.showAnalysis(c, http.StatusUnprocessableEntity, view)
	}
	action, has, err := s.best(c, pos)
	switch {
	case errors.Is(err, seats.ErrBeingPlayed):
		view.Trouble = p.T("fairplay.error.being-played")
		return s.showAnalysis(c, http.StatusConflict, view)
	case err != nil:
		return err
	case !has:
		view.Trouble = p.T("fairplay.analyse.none")
		return s.showAnalysis(c, http.StatusOK, view)
	}
	next, _ := pos.PlayUnchecked(action)
	view.Move = scene.LineText(pos, []board.Action{action})
	if action.Kind() == board.Move {
		view.Squares = action.From().String() + action.To().String()
	}
	marked := scene.MiniBoard(p, pos, action, false)
	view.Start = &marked
	view.Points = p.T("fairplay.analyse.points", "White", p.Int(next.Points(board.White)), "Black", p.Int(next.Points(board.Black)))
	return s.showAnalysis(c, http.StatusOK, view)
}

func (s asking) showAnalysis(c echo.Context, status int, view fairplayview.AnalyseView) error {
	p := s.Printer(c)
	field := func(f *templates.Field, name string, most int, required bool) {
		f.Name, f.Label, f.Hint, f.Max, f.Required, f.Autocomplete = name, p.T("fairplay.analyse."+name), p.T("fairplay.analyse."+name+"-hint"),
			most, required, "off"
	}
	first, err := board.Start(board.DefaultFeatures(), board.StandardRow(board.DefaultFeatures().Width))
	if err != nil {
		return err
	}
	view.First = first.CFEN()
	if view.Position.Value == "" {
		view.Position.Value = view.First
	}
	if pos, err := readPosition(view.Position.Value, view.Features.Value); err == nil && view.Start == nil {
		start := scene.MiniBoard(p, pos, 0, false)
		view.Start = &start
	}
	field(&view.Position, "position", 300, true)
	field(&view.Features, "features", 1000, false)
	field(&view.Match, "link", 300, true)
	view.Match.Name = "match"
	sh := s.Shell(c, p.T("fairplay.analyse.title"))
	sh.Section, sh.Styles = "learn", []string{"board.css", "bidding.css", "fairplay.css"}
	c.Response().Header().Set("Cache-Control", "no-store")
	sh.Scripts = append(sh.Scripts, "analyse.js")
	return s.Render(c, status, fairplayview.AnalysePage(sh, view))
}

// apiAnalyse is analyse for programs.
func (s asking) apiAnalyse(c echo.Context) error {
	var in struct {
		Position string          `json:"position"`
		Features json.RawMessage `json:"features"`
	}
	if err := page.ReadJSON(c, &in, false); err != nil {
		return err
	}
	pos, err := readPosition(in.Position, string(in.Features))
	if err != nil {
		return page.BadInput("%v", err)
	}
	action, has, err := s.best(c, pos)
	if err != nil {
		return err
	}
	var act *string
	if has {
		text := action.String()
		act = &text
	}
	return c.JSON(http.StatusOK, map[string]*string{"act": act})
}
