package play

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/challenges"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/house"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	playview "chpok.org/chpok/templates/play"
	"chpok.org/chpok/tournament/challenge"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s pages) playRoutes() []page.Route {
	return []page.Route{
		page.Get("/play", s.play, page.Anyone),
		page.Get("/play/feed", s.playFeed, page.Anyone),
		page.Post("/play/now", s.guested(s.playNow), page.Anyone),
		page.Post("/play/pair", s.guested(s.pair), page.Anyone),
	}
}

// playLengths are the presets to choose from.
var playLengths = []string{"quick", "evening", "long"}

func (s pages) play(c echo.Context) error { return s.showPlay(c, nil) }

func (s pages) showPlay(c echo.Context, refused error) error {
	p, v := s.Printer(c), page.Viewer(c)
	view := playview.PlayView{Visitor: !v.IsSignedIn()}
	if v.Guest {
		view.Guest = words.HandleName(p, v.Handle)
	}
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if view.Bots, err = BotChoices(tx, p, c.QueryParam("bot")); err != nil {
			return err
		}
		if view.Lobby, err = lobbyView(tx, p, v, s.Now()); err != nil || !v.Guest {
			return err
		}
		heads, err := tx.MatchesOf(v.ID, 1)
		if len(heads) > 0 && heads[0].Status != match.Over {
			view.Running = words.MatchURL(heads[0].ID)
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, name := range playLengths {
		settings, _ := challenge.ForAnyone(name, challenge.SeekUnrated)
		view.Lengths = append(view.Lengths, playview.LengthChoice{
			Choice: templates.Choice{Value: name, Text: p.T("play.length." + name), Chosen: name == "quick"},
			About:  lengthText(p, settings),
		})
	}
	status := http.StatusOK
	if refused != nil {
		status, view.Trouble = page.RefusalStatus(p, refused)
	}
	sh := s.Shell(c, p.T("play.title"))
	sh.Path, sh.Section, sh.Styles, sh.Scripts = "/play", "play", []string{"board.css", "play.css"}, []string{"play.js"}
	sh.Feed = "/play/feed"
	return s.Render(c, status, playview.PlayPage(sh, view))
}

// BotChoices returns the site's house bots, the weakest first; the asked one is chosen, else the first.
func BotChoices(tx *store.Tx, p lang.Printer, asked string) ([]playview.BotChoice, error) {
	accounts, err := tx.Bots()
	if err != nil {
		return nil, err
	}
	has := map[string]bool{}
	for _, b := range accounts {
		has[b.Handle.Key()] = true
	}
	chosen := 0
	var list []playview.BotChoice
	for _, b := range house.Bots() {
		if !has[b.Handle.Key()] {
			continue
		}
		if b.Handle.Key() == player.Handle(asked).Key() {
			chosen = len(list)
		}
		list = append(list, playview.BotChoice{
			Handle: string(b.Handle), Name: p.T(b.NameKey()), Face: string(b.Face), About: p.T("house." + b.Handle.Key()),
			Level: b.Level, Levels: house.Levels, LevelText: p.T("play.level", "Level", b.Level, "Of", house.Levels),
			Play: p.T("house.play." + b.Handle.Key()),
		})
	}
	if len(list) > 0 {
		list[chosen].Chosen = true
	}
	return list, nil
}

// waitsCounted is the number of latest pairings for the usual wait.
const waitsCounted = 20

// lobbyShown limits the challenges in the lobby.
const lobbyShown = 8

func lobbyView(tx *store.Tx, p lang.Printer, v player.Viewer, now time.Time) (view playview.LobbyView, err error) {
	lobby, err := tx.Lobby(now, lobbyShown)
	if err != nil {
		return view, err
	}
	waits, err := tx.LobbyWaits(waitsCounted)
	if err != nil {
		return view, err
	}
	view.Text = p.N("play.lobby", len(lobby))
	if len(lobby) == 0 {
		view.Text = p.T("play.lobby.none")
	}
	if usual := usualWait(p, challenge.Typical(waits)); usual != "" {
		view.Text += " " + usual
	}
	ids := make([]player.ID, len(lobby))
	for i, c := range lobby {
		ids[i] = c.Challenger
	}
	who, err := tx.Players(ids...)
	if err != nil {
		return view, err
	}
	ratings, err := tx.Ratings(ids...)
	for _, c := range lobby {
		terms := p.T("play.casual")
		switch {
		case c.Settings.Either:
			terms = p.T("play.either")
		case c.Settings.Rated:
			terms = p.T("play.rated")
		}
		view.Open = append(view.Open, playview.LobbyLine{
			URL: words.ChallengeURL(c.ID), Name: string(who[c.Challenger].Handle), Rating: words.PublishedRating(p, ratings[c.Challenger].Rating),
			Terms: p.T("play.length."+c.Settings.Lobby) + " · " + terms,
			Mine:  v.Is(c.Challenger), Refused: errors.Is(c.MayAccept(v, now), challenge.ErrGuestRated) || c.Settings.Rated && !v.IsSignedIn(),
		})
	}
	return view, err
}

// lobbyPause is the least time between two updates of the lobby, as many come and go.
const lobbyPause = time.Second

// playFeed streams the lobby. Visitors share the stream.
func (s pages) playFeed(c echo.Context) error {
	p, v := s.Printer(c), page.Viewer(c)
	sheet := page.LivePage{Topics: []string{challenges.LobbyTopic}, Pause: lobbyPause}
	sheet.Look = func(ctx context.Context, _ []live.Nudge) (g page.Snapshot, err error) {
		lobby, err := store.Get(ctx, s.Store, func(tx *store.Tx) (playview.LobbyView, error) { return lobbyView(tx, p, v, s.Now()) })
		g.Fragments = []page.Fragment{{ID: "lobby", What: playview.LobbyFragment(lobby)}}
		return g, err
	}
	if v.IsSignedIn() {
		return s.Follow(c, sheet)
	}
	return s.Share(c, "lobby", p, sheet)
}

// seekOf returns whether the viewer seeks a rated match; guests and visitors seek unrated ones.
func seekOf(c echo.Context) challenge.Seek {
	if !page.Viewer(c).HasAccount() {
		return challenge.SeekUnrated
	}
	switch c.FormValue("seek") {
	case "rated":
		return challenge.SeekRated
	case "unrated":
		return challenge.SeekUnrated
	}
	return challenge.SeekAny
}

// pair pairs the viewer with a player who seeks the same, or puts them into the lobby.
func (s pages) pair(c echo.Context) error {
	settings, ok := challenge.ForAnyone(c.FormValue("preset"), seekOf(c))
	if !ok {
		return page.ErrBadRequest
	}
	made, err := s.Arbiter.Challenges.Pair(c.Request().Context(), page.Viewer(c), settings)
	return s.Answer(c, err, s.showPlay, whereTo(made), "")
}
