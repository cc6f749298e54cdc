package web

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	accountview "chpok.org/chpok/templates/account"
	"chpok.org/chpok/templates/lang"
)

func (s *Server) settingsRoutes() []route {
	return []route{
		{post, "/preferences", s.preferences, anyone},
		{get, "/settings", s.settings, signedIn},
		{post, "/settings", s.saveSettings, signedIn},
		{post, "/settings/password", s.changePassword, signedIn},
		{post, "/settings/sessions/drop", s.dropSession, signedIn},
		{post, "/settings/tokens", s.addToken, signedIn},
		{post, "/settings/tokens/drop", s.dropToken, signedIn},
		{post, "/settings/bots", s.addBot, signedIn},
	}
}

const year = 365 * 24 * time.Hour

// preferences is the form below every page: language and appearance, for
// visitors too.
func (s *Server) preferences(c echo.Context) error {
	l, ok := lang.Parse(c.FormValue("lang"))
	if !ok {
		return errBadRequest
	}
	look := theme(c.FormValue("theme"))
	s.setCookie(c, cookieLang, string(l), year, true)
	s.setCookie(c, cookieTheme, look, year, true)
	if v := viewer(c); v.IsSignedIn() {
		set := v.Settings
		set.Lang, set.Theme = string(l), look
		if err := s.store.Write(c.Request().Context(), func(tx *store.Tx) error { return tx.SetPlayerSettings(v.ID, set) }); err != nil {
			return err
		}
	}
	return s.redirect(c, localPath(c.FormValue("return")), "")
}

func (s *Server) settings(c echo.Context) error { return s.showSettings(c, settingsForms{}) }

// settingsForms is what the settings page shows besides what is stored: refusals
// of its forms and a token just made.
type settingsForms struct {
	password, token error
	scope, bot      error
	proof           error // of who makes a token
	secret          player.Secret
}

func (s *Server) showSettings(c echo.Context, f settingsForms) error {
	v, p, now := viewer(c), s.printer(c), s.now()
	own, err := s.readKeys(c)
	if err != nil {
		return err
	}
	view := accountview.SettingsView{
		Themes: []templates.Choice{{Value: "", Text: p.T("core.theme.auto")}, {Value: "light", Text: p.T("core.theme.light")}, {Value: "dark", Text: p.T("core.theme.dark")}},
		Zone:   templates.Field{Name: "zone", Label: p.T("settings.zone"), Hint: p.T("settings.zone-hint"), Value: v.Settings.Zone, Max: 40, Autocomplete: "off"},
		Sounds: !v.Settings.Silent,
		Old:    templates.Field{Name: "old", Label: p.T("settings.password-old"), Hint: p.T("settings.password-old-hint"), Type: "password", Autocomplete: "current-password", Error: s.formError(c, f.password, errWrongPassword)},
		New:    templates.Field{Name: "new", Label: p.T("settings.password-new"), Type: "password", Autocomplete: "new-password", Hint: p.T("account.password-hint"), Required: true, Error: s.formError(c, f.password, passwordErrors...)},
		Name:   templates.Field{Name: "name", Label: p.T("settings.token-name"), Hint: p.T("settings.token-name-hint"), Max: 60, Autocomplete: "off", Required: true, Error: s.formError(c, f.token, player.ErrTokenName)},
		Secret: string(f.secret),
		Life:   tokenLifeChoices(p),
	}
	if !s.hasProven(c) {
		view.Proof = templates.Field{
			Name: "password", Label: p.T("passkey.password"), Hint: p.T("settings.token-proof"), Type: "password", Autocomplete: "current-password",
			Error: s.formError(c, f.proof, errWrongPassword, errTooMany, errProve),
		}
	}
	for _, l := range lang.All {
		view.Langs = append(view.Langs, templates.Choice{Value: string(l), Text: p.T("core.lang." + string(l)), Chosen: l == p.Lang})
	}
	for i := range view.Themes {
		view.Themes[i].Chosen = view.Themes[i].Value == v.Settings.Theme
	}
	own.show(p, sessionID(c), now, &view)
	for _, scope := range v.MostScopes() {
		view.Scopes = append(view.Scopes, templates.Choice{Value: string(scope), Text: p.T("fairplay.scope." + strings.ReplaceAll(string(scope), ":", "-")), Chosen: true})
	}
	view.MayAddBot = !v.Bot && len(own.bots) < player.MostBots
	view.ScopeError = s.formError(c, f.scope, player.ErrScope, player.ErrScopePerson, player.ErrScopeBot)
	view.BotHandle = templates.Field{
		Name: "handle", Label: p.T("fairplay.bots.handle"), Max: 20, Autocomplete: "off", Required: true, Value: shorten(c.FormValue("handle"), 40),
		Error: s.formError(c, f.bot, player.ErrHandle, errHandleTaken, player.ErrManyBots),
	}
	status := http.StatusOK
	if refused := errors.Join(f.password, f.token, f.scope, f.bot, f.proof); refused != nil {
		status, _, _ = explain(refused)
	}
	sh := s.shell(c, p.T("settings.title"))
	sh.Path, sh.Styles = "/settings", []string{"settings.css"}
	return s.render(c, status, accountview.SettingsPage(sh, view))
}

func (s *Server) saveSettings(c echo.Context) error {
	set := player.Settings{Theme: theme(c.FormValue("theme")), Silent: c.FormValue("sounds") == ""}
	l, ok := lang.Parse(c.FormValue("lang"))
	if !ok {
		return errBadRequest
	}
	set.Lang = string(l)
	if name := shorten(c.FormValue("zone"), 40); name != "" {
		set.Zone = zone(name).String()
	}
	if err := s.store.Write(c.Request().Context(), func(tx *store.Tx) error { return tx.SetPlayerSettings(viewer(c).ID, set) }); err != nil {
		return err
	}
	return s.redirect(c, "/settings", "flash.saved")
}

// changePassword ends what the form says besides; by default whoever knew the old
// one is out, with the programs that he let in.
func (s *Server) changePassword(c echo.Context) error {
	v, ctx := viewer(c), c.Request().Context()
	var current player.Credential
	err := s.store.Read(ctx, func(tx *store.Tx) (err error) {
		_, current, err = tx.PlayerCredential(v.Handle)
		return err
	})
	if err != nil {
		return err
	}
	if current != "" { // an account made on the command line has none yet
		if err := s.count(c, limitSignIn, "own "+string(v.ID)); err != nil {
			return err
		}
		ok, err := s.matches(ctx, current, shorten(c.FormValue("old"), 200))
		if err != nil {
			return err
		}
		if !ok {
			return s.showSettings(c, settingsForms{password: errWrongPassword})
		}
	}
	if err := player.CheckPassword(c.FormValue("new"), v.Handle); err != nil {
		return s.showSettings(c, settingsForms{password: err})
	}
	form, err := c.FormParams()
	if err != nil {
		return errBadRequest
	}
	credential, err := s.hash(ctx, c.FormValue("new"))
	if err != nil {
		return err
	}
	err = s.store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.SetCredential(v.ID, credential); err != nil {
			return err
		}
		return endKeys(tx, v.ID, sessionID(c), endingsOf(form))
	})
	if err != nil {
		return err
	}
	return s.redirect(c, "/settings", "flash.password")
}

func (s *Server) dropSession(c echo.Context) error {
	v, id := viewer(c), c.FormValue("id")
	err := s.store.Write(c.Request().Context(), func(tx *store.Tx) error {
		if id == "others" {
			return tx.DropSessions(v.ID, sessionID(c))
		}
		return tx.DropSession(v.ID, id)
	})
	if err != nil {
		return err
	}
	return s.redirect(c, "/settings", "flash.session-ended")
}

// addBot makes a bot that the viewer answers for.
func (s *Server) addBot(c echo.Context) error {
	v, ctx := viewer(c), c.Request().Context()
	handle, err := player.ParseNewHandle(c.FormValue("handle"))
	if err != nil {
		return s.showSettings(c, settingsForms{bot: err})
	}
	err = s.store.Write(ctx, func(tx *store.Tx) error {
		bots, err := tx.BotsOf(v.ID)
		if err != nil {
			return err
		}
		made, err := v.NewBot(player.ID(store.NewID()), handle, len(bots))
		if err != nil {
			return err
		}
		made.Created = s.now()
		return tx.AddPlayer(made, "")
	})
	switch {
	case errors.Is(err, store.ErrTaken):
		return s.showSettings(c, settingsForms{bot: errHandleTaken})
	case errors.Is(err, player.ErrManyBots):
		return s.showSettings(c, settingsForms{bot: err})
	case err != nil:
		return err
	}
	return s.redirect(c, "/settings", "flash.saved")
}

// managed is the account that a form is about: the viewer's own, or a bot of his.
func (s *Server) managed(c echo.Context) (player.Player, error) {
	v := viewer(c)
	if c.FormValue("bot") == "" {
		return v.Player, nil
	}
	var of player.Player
	err := s.store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		of, err = tx.PlayerByHandle(player.Handle(shorten(c.FormValue("bot"), 40)))
		return err
	})
	if err == nil && !v.MayManage(of) {
		err = errForbidden
	}
	return of, err
}
