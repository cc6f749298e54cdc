package web

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	homeview "chpok.org/chpok/templates/home"
	playview "chpok.org/chpok/templates/play"
	"chpok.org/chpok/web/match"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/play"
)

func (s *Server) styleRoutes() []page.Route {
	return []page.Route{page.Get("/styleguide", s.styleGuide, player.Viewer.MayOperate)}
}

// styleColors are the semantic colors of tokens.css.
var styleColors = []string{"paper", "surface", "sunken", "ink", "ink-2", "brand", "brand-soft", "chip", "live", "mine", "foe", "wrong",
	"good"}

// styleGuide renders all components in all states.
func (s *Server) styleGuide(c echo.Context) error {
	p, v := s.Printer(c), page.Viewer(c)
	view := homeview.StyleGuideView{
		Colors: styleColors,
		Field:  templates.Field{Name: "right", Label: p.T("style.field"), Value: "Chpok", Hint: p.T("style.hint")},
		Wrong:  templates.Field{Name: "wrong", Label: p.T("style.field"), Error: p.T("style.error")}, Matches: match.StyledStates(),
	}
	view.Lobby = playview.LobbyView{Text: p.N("play.lobby", 3), Open: []playview.LobbyLine{
		{URL: "/challenges", Name: "Mila", Rating: "1702", Terms: p.T("play.length.quick") + " · " + p.T("play.rated")},
		{URL: "/challenges", Name: "Ivan", Rating: "1644?", Terms: p.T("play.length.long") + " · " + p.T("play.casual"), Mine: true},
		{URL: "/challenges", Name: "Guest-4821", Terms: p.T("play.length.evening") + " · " + p.T("play.rated"), Refused: true}}}
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if view.Bots, err = play.BotChoices(tx, p, ""); err != nil {
			return err
		}
		view.Setup, err = s.setupView(tx, p, v)
		return err
	})
	if err != nil {
		return err
	}
	if view.Card, _, err = s.homeBoard(c.Request().Context(), p, nil); err != nil {
		return err
	}
	sh := s.Shell(c, p.T("style.title"))
	sh.NoIndex, sh.Styles, sh.Scripts = true, []string{"board.css", "live.css", "play.css", "home.css", "styleguide.css"}, []string{"home.js"}
	return s.Render(c, http.StatusOK, homeview.StyleGuidePage(sh, view))
}
