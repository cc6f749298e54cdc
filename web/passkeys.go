package web

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/passkey"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	accountview "chpok.org/chpok/templates/account"
)

func (s *Server) passkeyRoutes() []route {
	return []route{
		{post, "/sign-in/passkey/options", s.signInOptions, anyone},
		{post, "/sign-in/passkey", s.signInByPasskey, anyone},
		{get, "/settings/passkeys", s.passkeysPage, signedIn},
		{post, "/settings/passkeys/options", s.passkeyOptions, signedIn},
		{post, "/settings/passkeys", s.addPasskey, signedIn},
		{post, "/settings/passkeys/drop/options", s.ownOptions, signedIn},
		{post, "/settings/passkeys/drop", s.dropPasskey, signedIn},
	}
}

// passkeys is the site as devices know it, at the address at which it is visited.
func (s *Server) passkeys(c echo.Context) (*passkey.Site, error) {
	u, err := url.Parse(s.address(c, ""))
	if err != nil {
		return nil, err
	}
	return passkey.NewSite(u.Scheme + "://" + u.Host)
}

// passkeyErrors are told beside the form of a device.
var passkeyErrors = []error{
	passkey.ErrAnswer, passkey.ErrUnverified, passkey.ErrCounter, passkey.ErrNoName, arbiter.ErrNoPasskey, arbiter.ErrTooLong,
	player.ErrPasskeyName, player.ErrManyPasskeys, store.ErrTaken, errWrongPassword, errTooMany,
}

// passkeyTrouble is the text for one of them; empty for others.
func (s *Server) passkeyTrouble(c echo.Context, err error) string {
	if errors.Is(err, store.ErrTaken) {
		return s.printer(c).T("passkey.error.taken")
	}
	return s.formError(c, err, passkeyErrors...)
}

// deviceOptions answers a page's script with what it is to ask the device, or with
// why not.
func (s *Server) deviceOptions(c echo.Context, options func(*passkey.Site) (json.RawMessage, error)) error {
	site, err := s.passkeys(c)
	var raw json.RawMessage
	if err == nil {
		raw, err = options(site)
	}
	if err == nil {
		return c.JSON(http.StatusOK, map[string]json.RawMessage{"options": raw})
	}
	text := s.passkeyTrouble(c, err)
	if text == "" {
		if text = s.doorTrouble(c, err); text == "" {
			return err
		}
	}
	status, _, _ := explain(err)
	return c.JSON(status, map[string]string{"message": text})
}

func (s *Server) signInOptions(c echo.Context) error {
	if err := s.count(c, limitSignIn, "ip "+network(c)); err != nil {
		return c.JSON(http.StatusTooManyRequests, map[string]string{"message": s.formError(c, err, errTooMany)})
	}
	return s.deviceOptions(c, func(site *passkey.Site) (json.RawMessage, error) {
		challenge, err := s.arbiter.BeginSignIn(c.Request().Context())
		if err != nil {
			return nil, err
		}
		return site.Request(nil, challenge)
	})
}

func (s *Server) signInByPasskey(c echo.Context) error {
	site, err := s.passkeys(c)
	var p player.Player
	if err == nil {
		p, err = s.arbiter.SignIn(c.Request().Context(), site, []byte(c.FormValue("answer")))
	}
	if text := s.passkeyTrouble(c, err); text != "" {
		return s.showSignInWith(c, err, text)
	}
	if err != nil {
		return err
	}
	if err := s.startSession(c, p); err != nil {
		return err
	}
	return s.redirect(c, localPath(c.FormValue("return")), "")
}

func (s *Server) passkeysPage(c echo.Context) error { return s.showPasskeys(c, nil, "") }

// showPasskeys is the page; refused is about the form of a new key, or, where of
// names one, of taking that away.
func (s *Server) showPasskeys(c echo.Context, refused error, of string) error {
	p, v := s.printer(c), viewer(c)
	var keys []player.Passkey
	var has player.Credential
	err := s.store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if _, has, err = tx.PlayerCredential(v.Handle); err == nil {
			keys, err = tx.Passkeys(v.ID)
		}
		return err
	})
	if err != nil {
		return err
	}
	view := accountview.PasskeysView{
		Name:    templates.Field{Name: "name", Label: p.T("passkey.name"), Hint: p.T("passkey.name-hint"), Max: 40, Autocomplete: "off", Value: shorten(c.FormValue("name"), 80)},
		MayAdd:  len(keys) < player.MostPasskeys,
		HasWord: has != "",
	}
	view.Password = templates.Field{Name: "password", Label: p.T("passkey.password"), Hint: p.T("passkey.password-hint"), Type: "password", Autocomplete: "current-password", Required: true}
	if _, err := s.passkeys(c); err != nil {
		view.NoName = p.T("passkey.error.no-name")
	}
	trouble := s.passkeyTrouble(c, refused)
	if of == "" {
		view.Trouble = trouble
	}
	for _, k := range keys {
		line := accountview.PasskeyLine{ID: k.ID, Name: k.Name, Since: p.Date(k.Created), Used: p.T("passkey.unused"), Synced: k.Syncable}
		if line.Name == "" {
			line.Name = p.T("passkey.unnamed")
		}
		if !k.Used.IsZero() {
			line.Used = p.Ago(k.Used, s.now())
		}
		if k.ID == of {
			line.Trouble = trouble
		}
		view.Keys = append(view.Keys, line)
	}
	status := http.StatusOK
	if refused != nil {
		status, _, _ = explain(refused)
	}
	sh := s.shell(c, p.T("passkey.title"))
	sh.Path, sh.Styles, sh.Scripts = "/settings/passkeys", []string{"settings.css"}, []string{"passkeys.js"}
	return s.render(c, status, accountview.PasskeysPage(sh, view))
}

// passkeyOptions asks for the password before a device makes a key: who has found
// an open page is not to bring his own.
func (s *Server) passkeyOptions(c echo.Context) error {
	v := viewer(c)
	return s.deviceOptions(c, func(site *passkey.Site) (json.RawMessage, error) {
		if err := s.checkOwnPassword(c, c.FormValue("password")); err != nil {
			return nil, err
		}
		challenge, known, err := s.arbiter.BeginPasskey(c.Request().Context(), v.Player, sessionID(c))
		if err != nil {
			return nil, err
		}
		return site.Registration(v.Player, known, challenge)
	})
}

func (s *Server) addPasskey(c echo.Context) error {
	site, err := s.passkeys(c)
	if err == nil {
		err = s.arbiter.AddPasskey(c.Request().Context(), site, viewer(c).Player, sessionID(c), c.FormValue("name"), []byte(c.FormValue("answer")))
	}
	if s.passkeyTrouble(c, err) != "" {
		return s.showPasskeys(c, err, "")
	}
	if err != nil {
		return err
	}
	return s.redirect(c, "/settings/passkeys", "flash.passkey-added")
}

// ownOptions asks any passkey of the account, in place of its password.
func (s *Server) ownOptions(c echo.Context) error {
	return s.deviceOptions(c, func(site *passkey.Site) (json.RawMessage, error) {
		challenge, keys, err := s.arbiter.BeginOwn(c.Request().Context(), viewer(c).Player, sessionID(c))
		if err != nil {
			return nil, err
		}
		return site.Request(keys, challenge)
	})
}

func (s *Server) dropPasskey(c echo.Context) error {
	v, ctx, id := viewer(c), c.Request().Context(), c.FormValue("id")
	var err error
	if answer := c.FormValue("answer"); answer != "" {
		var site *passkey.Site
		if site, err = s.passkeys(c); err == nil {
			err = s.arbiter.ProveOwn(ctx, site, v.Player, sessionID(c), []byte(answer))
		}
	} else {
		err = s.checkOwnPassword(c, c.FormValue("password"))
	}
	if s.passkeyTrouble(c, err) != "" {
		return s.showPasskeys(c, err, id)
	}
	if err == nil {
		err = s.arbiter.DropPasskey(ctx, v.ID, id)
	}
	if err != nil {
		return err
	}
	return s.redirect(c, "/settings/passkeys", "flash.passkey-dropped")
}
