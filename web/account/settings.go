package account

import (
	"context"
	"errors"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	accountview "chpok.org/chpok/templates/account"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s pages) settingsRoutes() []page.Route {
	return []page.Route{
		page.Post("/preferences", s.preferences, page.Anyone),
		page.Post("/preferences/play", s.savePlay, page.Anyone),
		page.Get("/settings", s.settings, page.SignedIn),
		page.Post("/settings", s.saveSettings, page.SignedIn),
		page.Post("/settings/password", s.changePassword, page.SignedIn),
		page.Post("/settings/sessions/drop", s.dropSession, page.SignedIn),
		page.Post("/settings/tokens", s.addToken, page.SignedIn),
		page.Post("/settings/tokens/drop", s.dropToken, page.SignedIn),
		page.Post("/settings/bots", s.addBot, page.SignedIn),
		page.Post("/settings/bots/rules", s.saveBotRules, page.SignedIn),
	}
}

// preferences saves the form at the bottom of each page: language and appearance, for visitors too.
func (s pages) preferences(c echo.Context) error {
	l, ok := lang.Parse(c.FormValue("lang"))
	if !ok {
		return page.ErrBadRequest
	}
	look := page.Theme(c.FormValue("theme"))
	s.SetCookie(c, page.CookieLang, string(l), page.Year, true)
	s.SetCookie(c, page.CookieTheme, look, page.Year, true)
	if v := page.Viewer(c); v.IsSignedIn() {
		set := v.Settings
		set.Lang, set.Theme = string(l), look
		if err := s.Store.Write(c.Request().Context(), func(tx *store.Tx) error { return tx.SetPlayerSettings(v.ID, set) }); err != nil {
			return err
		}
	}
	return s.Redirect(c, page.LocalPath(c.FormValue("return")), "")
}

func (s pages) settings(c echo.Context) error { return s.showSettings(c, settingsForms{}) }

// settingsForms is what the settings page shows about its forms.
type settingsForms struct {
	password, token error
	scope, bot      error
	rules           error         // of the bot that the form names
	proof           error         // refused password for a new token
	secret          player.Secret // new token
	of              player.Player // whose
}

// botCommand is what lets the example play with a bot's new token; empty: there is none.
func botCommand(site string, f settingsForms) string {
	if !f.of.Bot {
		return ""
	}
	return "python3 bot.py " + site + " " + string(f.secret)
}

func (s pages) showSettings(c echo.Context, f settingsForms) error {
	v, p, now := page.Viewer(c), s.Printer(c), s.Now()
	own, err := s.readKeys(c)
	if err != nil {
		return err
	}
	view := accountview.SettingsView{
		Themes: []templates.Choice{{Value: "", Text: p.T("core.theme.auto")}, {Value: "light", Text: p.T("core.theme.light")},
			{Value: "dark", Text: p.T("core.theme.dark")}},
		Zone: templates.Field{Name: "zone", IsZone: true, Label: p.T("settings.zone"), Hint: p.T("settings.zone-hint"), Value: v.Settings.Zone,
			Max: 40},
		Comforts: s.Comforts(c),
		Old: templates.Field{Name: "old", Label: p.T("settings.password-old"), Hint: p.T("settings.password-old-hint"), Type: "password",
			Autocomplete: "current-password", Error: s.FormError(c, f.password, page.ErrWrongPassword)},
		New: templates.Field{Name: "new", Label: p.T("settings.password-new"), Type: "password", Autocomplete: "new-password",
			Hint: p.T("account.password-hint"), Required: true, Error: s.FormError(c, f.password, passwordErrors...)},
		Name: templates.Field{Name: "name", Label: p.T("settings.token-name"), Hint: p.T("settings.token-name-hint"), Max: 60,
			Autocomplete: "off", Required: true, Error: s.FormError(c, f.token, player.ErrTokenName)},
		Secret: string(f.secret), Command: botCommand(s.Address(c, ""), f),
		Life:  tokenLifeChoices(p),
		Proof: s.proof(c, f.proof),
	}
	for _, l := range lang.All {
		view.Langs = append(view.Langs, templates.Choice{Value: string(l), Text: l.Name(), Chosen: l == p.Lang})
	}
	for i := range view.Themes {
		view.Themes[i].Chosen = view.Themes[i].Value == v.Settings.Theme
	}
	own.show(p, page.SessionID(c), now, &view)
	if f.rules != nil {
		s.showWrongRules(c, &view, f.rules)
	}
	for _, scope := range v.MostScopes() {
		view.Scopes = append(view.Scopes, templates.Choice{Value: string(scope), Text: scopeText(p, scope),
			Chosen: scope != player.ScopeOperate})
	}
	view.MayAddBot = !v.Bot && len(own.bots) < player.MostBots
	view.ScopeError = s.FormError(c, f.scope, player.ErrScope, player.ErrScopePerson, player.ErrScopeBot)
	view.BotHandle = templates.Field{
		Name: "handle", Label: p.T("fairplay.bots.handle"), Max: 20, Autocomplete: "off", Required: true,
		Value: words.Shorten(c.FormValue("handle"), 40),
		Error: s.FormError(c, f.bot, player.ErrHandle, errHandleTaken, player.ErrManyBots),
	}
	sh := s.Shell(c, p.T("settings.title"))
	sh.Path, sh.Styles, sh.Scripts = "/settings", []string{"board.css", "settings.css"}, []string{"preferences.js"}
	return s.Render(c, page.StatusOf(errors.Join(f.password, f.token, f.scope, f.bot, f.rules, f.proof)), accountview.SettingsPage(sh, view))
}

func (s pages) saveSettings(c echo.Context) error {
	set := player.Settings{Theme: page.Theme(c.FormValue("theme")), Play: page.Viewer(c).Settings.Play}
	l, ok := lang.Parse(c.FormValue("lang"))
	if !ok {
		return page.ErrBadRequest
	}
	set.Lang = string(l)
	if name := words.Shorten(c.FormValue("zone"), 40); name != "" {
		set.Zone = s.Zone(name).String()
	}
	err := s.Store.Write(c.Request().Context(), func(tx *store.Tx) error { return tx.SetPlayerSettings(page.Viewer(c).ID, set) })
	if err != nil {
		return err
	}
	return s.Redirect(c, "/settings", "flash.saved")
}

// changePassword also ends the keys chosen in the form; by default all that someone with the old password could have
// made.
func (s pages) changePassword(c echo.Context) error {
	v, ctx := page.Viewer(c), c.Request().Context()
	var current player.Credential
	err := s.Store.Read(ctx, func(tx *store.Tx) (err error) {
		_, current, err = tx.PlayerCredential(v.Handle)
		return err
	})
	if err != nil {
		return err
	}
	if current != "" { // accounts made on the command line have none
		if err := s.Count(c, page.LimitSignIn, "own "+string(v.ID)); err != nil {
			return err
		}
		ok, err := s.matches(ctx, current, words.Shorten(c.FormValue("old"), 200))
		if err != nil {
			return err
		}
		if !ok {
			return s.showSettings(c, settingsForms{password: page.ErrWrongPassword})
		}
	}
	if err := player.CheckPassword(c.FormValue("new"), v.Handle); err != nil {
		return s.showSettings(c, settingsForms{password: err})
	}
	form, err := c.FormParams()
	if err != nil {
		return page.ErrBadRequest
	}
	credential, err := s.hash(ctx, c.FormValue("new"))
	if err != nil {
		return err
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.SetCredential(v.ID, credential); err != nil {
			return err
		}
		return endKeys(tx, v.ID, page.SessionID(c), endingsOf(form))
	})
	if err != nil {
		return err
	}
	return s.Redirect(c, "/settings", "flash.password")
}

func (s pages) dropSession(c echo.Context) error {
	v, id := page.Viewer(c), c.FormValue("id")
	err := s.Store.Write(c.Request().Context(), func(tx *store.Tx) error {
		if id == "others" {
			return tx.DropSessions(v.ID, page.SessionID(c))
		}
		return tx.DropSession(v.ID, id)
	})
	if err != nil {
		return err
	}
	return s.Redirect(c, "/settings", "flash.session-ended")
}

// addBot creates a bot for which the viewer is responsible.
func (s pages) addBot(c echo.Context) error {
	switch _, err := s.makeBot(c.Request().Context(), page.Viewer(c), c.FormValue("handle")); {
	case errors.Is(err, player.ErrHandle), errors.Is(err, errHandleTaken), errors.Is(err, player.ErrManyBots):
		return s.showSettings(c, settingsForms{bot: err})
	case err != nil:
		return err
	}
	return s.Redirect(c, "/settings#bots", "flash.saved")
}

func (s pages) makeBot(ctx context.Context, by player.Viewer, name string) (made player.Player, err error) {
	handle, err := player.ParseNewHandle(name)
	if err != nil {
		return made, err
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		bots, err := tx.BotsOf(by.ID)
		if err != nil {
			return err
		}
		if made, err = by.NewBot(player.ID(store.NewID()), handle, len(bots)); err != nil {
			return err
		}
		made.Created = s.Now()
		return tx.AddPlayer(made, "")
	})
	if errors.Is(err, store.ErrTaken) {
		err = errHandleTaken
	}
	return made, err
}

// managed returns the account that a form is about: the viewer's or one of their bots.
func (s pages) managed(c echo.Context) (player.Player, error) {
	if c.FormValue("bot") == "" {
		return page.Viewer(c).Player, nil
	}
	return s.managedBy(c.Request().Context(), page.Viewer(c), player.Handle(words.Shorten(c.FormValue("bot"), 40)))
}

// managedBy returns the account with a handle if a viewer manages it.
func (s pages) managedBy(ctx context.Context, by player.Viewer, handle player.Handle) (player.Player, error) {
	of, err := store.Get(ctx, s.Store, func(tx *store.Tx) (player.Player, error) { return kernel.PlayerByHandle(tx, string(handle)) })
	if err == nil && !by.MayManage(of) {
		err = page.ErrForbidden
	}
	return of, err
}
