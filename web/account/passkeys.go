package account

import (
	"encoding/json"
	"net/http"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/passkey"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	accountview "chpok.org/chpok/templates/account"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s pages) passkeyRoutes() []page.Route {
	return []page.Route{
		page.Post("/sign-in/passkey/options", s.signInOptions, page.Anyone),
		page.Post("/sign-in/passkey", s.signInByPasskey, page.Anyone),
		page.Get("/settings/passkeys", s.passkeysPage, page.SignedIn),
		page.Post("/settings/passkeys/options", s.passkeyOptions, page.SignedIn),
		page.Post("/settings/passkeys", s.addPasskey, page.SignedIn),
		page.Post("/settings/passkeys/drop/options", s.ownOptions, page.SignedIn),
		page.Post("/settings/passkeys/drop", s.dropPasskey, page.SignedIn),
	}
}

func (s pages) signInOptions(c echo.Context) error {
	if err := s.Count(c, page.LimitSignIn, "ip "+page.Network(c)); err != nil {
		return c.JSON(http.StatusTooManyRequests, map[string]string{"message": s.FormError(c, err, page.ErrTooMany)})
	}
	return s.DeviceOptions(c, func(site *passkey.Site) (json.RawMessage, error) {
		challenge, err := s.Arbiter.Persons.BeginSignIn(c.Request().Context())
		if err != nil {
			return nil, err
		}
		return site.Request(nil, challenge)
	})
}

func (s pages) signInByPasskey(c echo.Context) error {
	site, err := s.Passkeys(c)
	var p player.Player
	if err == nil {
		p, err = s.Arbiter.Persons.SignIn(c.Request().Context(), site, []byte(c.FormValue("answer")))
	}
	if text := s.PasskeyTrouble(c, err); text != "" {
		return s.showSignInWith(c, err, text)
	}
	if err != nil {
		return err
	}
	if err := s.StartSession(c, p); err != nil {
		return err
	}
	return s.Redirect(c, page.LocalPath(c.FormValue("return")), "")
}

func (s pages) passkeysPage(c echo.Context) error { return s.showPasskeys(c, nil, "") }

// showPasskeys renders the page. refused is the refusal of a new passkey or, if of is not empty, of removing that one.
func (s pages) showPasskeys(c echo.Context, refused error, of string) error {
	p, v := s.Printer(c), page.Viewer(c)
	var keys []player.Passkey
	var has player.Credential
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if _, has, err = tx.PlayerCredential(v.Handle); err == nil {
			keys, err = tx.Passkeys(v.ID)
		}
		return err
	})
	if err != nil {
		return err
	}
	view := accountview.PasskeysView{
		Name: templates.Field{Name: "name", Label: p.T("passkey.name"), Hint: p.T("passkey.name-hint"), Max: 40, Autocomplete: "off",
			Value: words.Shorten(c.FormValue("name"), 80)},
		MayAdd:  len(keys) < player.MostPasskeys,
		HasWord: has != "",
	}
	view.Password = templates.Field{Name: "password", Label: p.T("passkey.password"), Hint: p.T("passkey.password-hint"), Type: "password",
		Autocomplete: "current-password", Required: true}
	if _, err := s.Passkeys(c); err != nil {
		view.NoName = p.T("passkey.error.no-name")
	}
	trouble := s.PasskeyTrouble(c, refused)
	if of == "" {
		view.Trouble = trouble
	}
	for _, k := range keys {
		line := accountview.PasskeyLine{ID: k.ID, Name: k.Name, Since: p.Day(k.Created), Used: p.T("passkey.unused"), Synced: k.Syncable}
		if line.Name == "" {
			line.Name = p.T("passkey.unnamed")
		}
		if !k.Used.IsZero() {
			line.Used = p.Ago(k.Used)
		}
		if k.ID == of {
			line.Trouble = trouble
		}
		view.Keys = append(view.Keys, line)
	}
	sh := s.Shell(c, p.T("passkey.title"))
	sh.Path, sh.Styles, sh.Scripts = "/settings/passkeys", []string{"settings.css"}, []string{"passkeys.js"}
	return s.Render(c, page.StatusOf(refused), accountview.PasskeysPage(sh, view))
}

// passkeyOptions checks the password before a device makes a passkey, so that nobody who finds an open page can add
// their own.
func (s pages) passkeyOptions(c echo.Context) error {
	v := page.Viewer(c)
	return s.DeviceOptions(c, func(site *passkey.Site) (json.RawMessage, error) {
		if err := s.checkOwnPassword(c, c.FormValue("password")); err != nil {
			return nil, err
		}
		challenge, known, err := s.Arbiter.Persons.BeginPasskey(c.Request().Context(), v.Player, page.SessionID(c))
		if err != nil {
			return nil, err
		}
		return site.Registration(v.Player, known, challenge)
	})
}

func (s pages) addPasskey(c echo.Context) error {
	site, err := s.Passkeys(c)
	if err == nil {
		err = s.Arbiter.Persons.AddPasskey(c.Request().Context(), page.Viewer(c).Player, c.FormValue("name"), page.Said(c, site))
	}
	if s.PasskeyTrouble(c, err) != "" {
		return s.showPasskeys(c, err, "")
	}
	if err != nil {
		return err
	}
	return s.Redirect(c, "/settings/passkeys", "flash.passkey-added")
}

// ownOptions asks for any passkey of the account in place of its password.
func (s pages) ownOptions(c echo.Context) error {
	return s.DeviceOptions(c, func(site *passkey.Site) (json.RawMessage, error) {
		challenge, keys, err := s.Arbiter.Persons.BeginOwn(c.Request().Context(), page.Viewer(c).Player, page.SessionID(c))
		if err != nil {
			return nil, err
		}
		return site.Request(keys, challenge)
	})
}

func (s pages) dropPasskey(c echo.Context) error {
	v, ctx, id := page.Viewer(c), c.Request().Context(), c.FormValue("id")
	var err error
	if c.FormValue("answer") != "" {
		var site *passkey.Site
		if site, err = s.Passkeys(c); err == nil {
			err = s.Arbiter.Persons.ProveOwn(ctx, v.Player, page.Said(c, site))
		}
	} else {
		err = s.checkOwnPassword(c, c.FormValue("password"))
	}
	if s.PasskeyTrouble(c, err) != "" {
		return s.showPasskeys(c, err, id)
	}
	if err == nil {
		err = s.Arbiter.Persons.DropPasskey(ctx, v.ID, id)
	}
	if err != nil {
		return err
	}
	return s.Redirect(c, "/settings/passkeys", "flash.passkey-dropped")
}
