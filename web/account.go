package web

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	accountview "chpok.org/chpok/templates/account"
)

var (
	errWrongPassword = refusal.Invalid("account.error.wrong-password", "web: wrong handle or password")
	errWrongCode     = refusal.Invalid("account.error.wrong-code", "web: wrong setup code")
	errHandleTaken   = refusal.Invalid("account.error.handle-taken", "web: handle in use")
	errSignUpClosed  = refusal.Forbidden("account.error.sign-up-closed", "web: sign-up is closed")
	errLinkUsed      = refusal.Gone("account.error.link-used", "web: link used or out of date")
)

// Names of the site's settings.
const (
	settingSignUp = "sign-up" // "open" or "closed"
	settingSetup  = "setup-code"
	settingKnown  = "known-key" // of the marks of browsers that have signed in
)

func (s *Server) accountRoutes() []route {
	return []route{
		{get, "/sign-in", s.signInForm, anyone},
		{post, "/sign-in", s.signIn, anyone},
		{post, "/sign-out", s.signOut, anyone},
		{get, "/sign-up", s.signUpForm, anyone},
		{post, "/sign-up", s.signUp, anyone},
		{get, "/link", s.linkForm, anyone},
		{post, "/link", s.link, anyone},
		{get, "/setup", s.setupForm, anyone},
		{post, "/setup", s.setup, anyone},
	}
}

// hash makes a stored password, when fewer than the site can bear are in the making.
func (s *Server) hash(ctx context.Context, password string) (player.Credential, error) {
	release, err := s.hashSlot(ctx)
	if err != nil {
		return "", err
	}
	defer release()
	var salt [player.SaltBytes]byte
	rand.Read(salt[:])
	return player.HashPassword(password, salt), nil
}

func (s *Server) matches(ctx context.Context, c player.Credential, password string) (bool, error) {
	release, err := s.hashSlot(ctx)
	if err != nil {
		return false, err
	}
	defer release()
	return c.Matches(password), nil
}

func (s *Server) hashSlot(ctx context.Context) (release func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	select {
	case s.hashing <- struct{}{}:
		return func() { <-s.hashing }, nil
	case <-ctx.Done():
		return nil, errBusy
	}
}

// formError is the text for a refusal of one of these errors, empty for others.
func (s *Server) formError(c echo.Context, err error, about ...error) string {
	for _, a := range about {
		if err != nil && errors.Is(err, a) {
			_, key, _ := explain(a)
			return errorText(s.printer(c), key, err)
		}
	}
	return ""
}

var passwordErrors = []error{player.ErrPasswordShort, player.ErrPasswordLong, player.ErrPasswordPlain, player.ErrPasswordMost}

func (s *Server) signInForm(c echo.Context) error { return s.showSignIn(c, nil) }

func (s *Server) showSignIn(c echo.Context, refused error) error {
	return s.showSignInWith(c, refused, "")
}

// showSignInWith is the page after a passkey was refused, and why.
func (s *Server) showSignInWith(c echo.Context, refused error, passkeyTrouble string) error {
	p := s.printer(c)
	if viewer(c).HasAccount() {
		return s.redirect(c, localPath(c.FormValue("return")), "")
	}
	open, err := s.isSignUpOpen(c.Request().Context())
	if err != nil {
		return err
	}
	view := accountview.SignInView{
		Return:   localPath(c.FormValue("return")),
		Handle:   templates.Field{Name: "handle", Label: p.T("account.handle"), Value: shorten(c.FormValue("handle"), 40), Autocomplete: "username", Required: true, Focus: true},
		Password: templates.Field{Name: "password", Label: p.T("account.password"), Type: "password", Autocomplete: "current-password", Required: true, Error: s.formError(c, refused, errWrongPassword, errTooMany)},
	}
	if _, err := s.passkeys(c); err == nil {
		view.HasPasskeys, view.PasskeyTrouble = true, passkeyTrouble
	}
	if viewer(c).MaySignUp(open) {
		view.SignUpURL = "/sign-up?return=" + url.QueryEscape(view.Return)
	}
	status := http.StatusOK
	if refused != nil {
		status, _, _ = explain(refused)
	}
	sh := s.shell(c, p.T("account.sign-in"))
	if view.HasPasskeys {
		sh.Scripts = []string{"passkeys.js"}
	}
	return s.render(c, status, accountview.SignInPage(sh, view))
}

func (s *Server) signIn(c echo.Context) error {
	p, err := s.checkSignIn(c, c.FormValue("handle"), c.FormValue("password"))
	if errors.Is(err, errWrongPassword) || errors.Is(err, errTooMany) {
		return s.showSignIn(c, err)
	}
	if err != nil {
		return err
	}
	if err := s.startSession(c, p); err != nil {
		return err
	}
	return s.redirect(c, localPath(c.FormValue("return")), "")
}

// checkSignIn judges a handle and password in the same time whether or not the
// account exists, and counts tries first.
func (s *Server) checkSignIn(c echo.Context, handle, password string) (player.Player, error) {
	ctx := c.Request().Context()
	h := player.Handle(shorten(strings.TrimSpace(handle), 40))
	if err := s.countSignIn(c, h); err != nil {
		return player.Player{}, err
	}
	var p player.Player
	var credential player.Credential
	err := s.store.Read(ctx, func(tx *store.Tx) (err error) {
		p, credential, err = tx.PlayerCredential(h)
		return err
	})
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return player.Player{}, err
	}
	ok, err := s.matches(ctx, credential, shorten(password, 200))
	if err != nil {
		return player.Player{}, err
	}
	if !ok || p.Bot {
		return player.Player{}, errWrongPassword
	}
	return p, nil
}

// countSignIn counts a try. A browser in which the account has signed in counts
// by itself, others by address and by handle: once strangers have used the handle
// up, every address that has not tried it before still has a few tries.
func (s *Server) countSignIn(c echo.Context, h player.Handle) error {
	known, err := s.isKnown(c, h)
	if err != nil {
		return err
	}
	if known {
		return s.count(c, limitSignIn, "known "+h.Key())
	}
	if err := s.count(c, limitSignIn, "ip "+network(c)); err != nil {
		return err
	}
	own := s.limits.take(limitOwnTries, h.Key()+" "+network(c), s.now())
	if s.limits.take(limitHandle, h.Key(), s.now()) == 0 || own == 0 {
		return nil
	}
	return tooMany(c, own)
}

// knownLife is how long a browser is known as one in which an account signed in.
const knownLife = 365 * 24 * time.Hour

func (s *Server) knownCookie(c echo.Context) string {
	if s.isSecure(c) {
		return "__Host-known"
	}
	return "known"
}

// knownMark is what a browser keeps that has signed in to an account; nobody can
// make it without the site's key.
func knownMark(tx *store.Tx, h player.Handle) (string, error) {
	key, err := tx.FirstSetting(settingKnown, rand.Text())
	if err != nil {
		return "", err
	}
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(h.Key()))
	return hex.EncodeToString(mac.Sum(nil)), nil
}

func (s *Server) isKnown(c echo.Context, h player.Handle) (known bool, err error) {
	mark := cookie(c, s.knownCookie(c))
	if mark == "" {
		return false, nil
	}
	err = s.store.Write(c.Request().Context(), func(tx *store.Tx) error {
		right, err := knownMark(tx, h)
		known = hmac.Equal([]byte(mark), []byte(right))
		return err
	})
	return known, err
}

func (s *Server) signOut(c echo.Context) error {
	if id := sessionID(c); id != "" {
		err := s.store.Write(c.Request().Context(), func(tx *store.Tx) error { return tx.DropSession(viewer(c).ID, id) })
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
	}
	s.setCookie(c, s.sessionCookie(c), "", -1, true)
	return s.redirect(c, "/", "flash.signed-out")
}

func (s *Server) isSignUpOpen(ctx context.Context) (open bool, err error) {
	err = s.store.Read(ctx, func(tx *store.Tx) error {
		v, err := tx.Setting(settingSignUp, "open")
		open = v == "open"
		return err
	})
	return open, err
}

// newAccount is what the forms of sign-up and setup have in common.
func (s *Server) newAccount(c echo.Context, refused error) accountview.NewAccountView {
	p := s.printer(c)
	return accountview.NewAccountView{
		Return:   localPath(c.FormValue("return")),
		Handle:   templates.Field{Name: "handle", Label: p.T("account.handle"), Hint: p.T("account.handle-hint"), Value: shorten(c.FormValue("handle"), 40), Autocomplete: "username", Max: 20, Required: true, Focus: true, Error: s.formError(c, refused, player.ErrHandle, errHandleTaken)},
		Password: templates.Field{Name: "password", Label: p.T("account.password"), Hint: p.T("account.password-hint"), Type: "password", Autocomplete: "new-password", Required: true, Error: s.formError(c, refused, passwordErrors...)},
	}
}

// createAccount makes an account of the form's handle and password and signs it in.
func (s *Server) createAccount(c echo.Context, role player.Role, alone func(*store.Tx) error) error {
	ctx := c.Request().Context()
	h, err := player.ParseNewHandle(c.FormValue("handle"))
	if err != nil {
		return err
	}
	if err := player.CheckPassword(c.FormValue("password"), h); err != nil {
		return err
	}
	credential, err := s.hash(ctx, c.FormValue("password"))
	if err != nil {
		return err
	}
	p := player.Player{ID: player.ID(store.NewID()), Handle: h, Role: role, Created: s.now()}
	guest := viewer(c)
	if guest.Guest && role == player.Plain {
		p.ID, p.Created = guest.ID, guest.Created // with all that was played
	}
	err = s.store.Write(ctx, func(tx *store.Tx) error {
		if err := alone(tx); err != nil {
			return err
		}
		if p.ID == guest.ID {
			return tx.ClaimGuest(p.ID, h, credential)
		}
		return tx.AddPlayer(p, credential)
	})
	if errors.Is(err, store.ErrTaken) {
		return errHandleTaken
	}
	if err != nil {
		return err
	}
	return s.startSession(c, p)
}

func (s *Server) signUpForm(c echo.Context) error { return s.showSignUp(c, nil) }

func (s *Server) showSignUp(c echo.Context, refused error) error {
	p := s.printer(c)
	if viewer(c).HasAccount() {
		return s.redirect(c, "/", "")
	}
	open, err := s.isSignUpOpen(c.Request().Context())
	if err != nil {
		return err
	}
	view := s.newAccount(c, refused)
	view.Closed = !open
	status := http.StatusOK
	if refused != nil {
		status, _, _ = explain(refused)
	}
	return s.render(c, status, accountview.SignUpPage(s.shell(c, p.T("account.sign-up")), view))
}

func (s *Server) signUp(c echo.Context) error {
	open, err := s.isSignUpOpen(c.Request().Context())
	if err != nil {
		return err
	}
	if !viewer(c).MaySignUp(open) {
		return errSignUpClosed
	}
	if err := s.count(c, limitSignUp, "ip "+network(c)); err != nil {
		return err
	}
	err = s.createAccount(c, player.Plain, func(*store.Tx) error { return nil })
	if isRefusal(err) {
		return s.showSignUp(c, err)
	}
	if err != nil {
		return err
	}
	return s.redirect(c, localPath(c.FormValue("return")), "flash.welcome")
}

// linkForm asks before it signs in: programs that look at addresses in mail and
// chats would use the link up otherwise.
func (s *Server) linkForm(c echo.Context) error {
	secret := player.Secret(c.QueryParam("key"))
	var owner player.Player
	err := s.store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		owner, err = tx.SignInLink(secret, s.now())
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return errLinkUsed
	}
	if err != nil {
		return err
	}
	if s.config.InstantLinks {
		if err := s.startSession(c, owner); err != nil {
			return err
		}
		return s.redirect(c, localPath(c.QueryParam("return")), "")
	}
	p := s.printer(c)
	return s.render(c, http.StatusOK, accountview.SignInLinkPage(s.shell(c, p.T("account.sign-in")), accountview.SignInLinkView{
		Key: string(secret), Return: localPath(c.QueryParam("return")), Handle: string(owner.Handle),
	}))
}

func (s *Server) link(c echo.Context) error {
	if err := s.count(c, limitSignIn, "link "+network(c)); err != nil {
		return err
	}
	var owner player.Player
	err := s.store.Write(c.Request().Context(), func(tx *store.Tx) (err error) {
		owner, err = tx.UseSignInLink(player.Secret(c.FormValue("key")), s.now())
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return errLinkUsed
	}
	if err != nil {
		return err
	}
	if err := s.startSession(c, owner); err != nil {
		return err
	}
	return s.redirect(c, localPath(c.FormValue("return")), "")
}

// SignInLinkPath is where a sign-in link leads.
func SignInLinkPath(secret player.Secret) string {
	return "/link?key=" + url.QueryEscape(string(secret))
}

// SetupPath is where the first operator's account is created; empty when the
// site has one. The code in it keeps strangers from being first: only who sees
// the server's console, or sits at the server's own machine, may go on.
func SetupPath(ctx context.Context, db *store.Store) (string, error) {
	var path string
	err := db.Write(ctx, func(tx *store.Tx) error {
		n, err := tx.CountOperators()
		if err != nil || !player.MaySetUp(n) {
			return err
		}
		code, err := tx.FirstSetting(settingSetup, strings.ToLower(rand.Text()[:12]))
		path = "/setup?code=" + url.QueryEscape(code)
		return err
	})
	return path, err
}

// needsSetup tells whether the site still lacks an operator.
func (s *Server) needsSetup(ctx context.Context) (bool, error) {
	if s.isSetUp.Load() {
		return false, nil
	}
	var n int
	err := s.store.Read(ctx, func(tx *store.Tx) (err error) {
		n, err = tx.CountOperators()
		return err
	})
	if err != nil {
		return false, err
	}
	if !player.MaySetUp(n) {
		s.isSetUp.Store(true)
		return false, nil
	}
	return true, nil
}

// isAtServer tells whether a request comes straight from the server's own
// machine: a proxy there would name itself in a header or by the site's address.
func isAtServer(r *http.Request) bool {
	for _, h := range []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip", "Via"} {
		if r.Header.Get(h) != "" {
			return false
		}
	}
	return isLoopback(r.RemoteAddr) && isLoopback(r.Host)
}

func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = address
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func (s *Server) setupForm(c echo.Context) error { return s.showSetup(c, nil) }

func (s *Server) showSetup(c echo.Context, refused error) error {
	needed, err := s.needsSetup(c.Request().Context())
	if err != nil {
		return err
	}
	if !needed {
		return s.redirect(c, "/", "")
	}
	p := s.printer(c)
	view := s.newAccount(c, refused)
	view.Code = templates.Field{Name: "code", Label: p.T("account.setup-code"), Hint: p.T("account.setup-code-hint"), Value: shorten(c.FormValue("code"), 40), Autocomplete: "off", Required: true, Error: s.formError(c, refused, errWrongCode)}
	view.NeedsCode = !isAtServer(c.Request())
	status := http.StatusOK
	if refused != nil {
		status, _, _ = explain(refused)
	}
	return s.render(c, status, accountview.SetupPage(s.shell(c, p.T("account.setup")), view))
}

func (s *Server) setup(c echo.Context) error {
	if err := s.count(c, limitSignIn, "setup "+network(c)); err != nil {
		return err
	}
	err := s.createAccount(c, player.Operator, func(tx *store.Tx) error {
		n, err := tx.CountOperators()
		if err != nil {
			return err
		}
		if !player.MaySetUp(n) {
			return errForbidden
		}
		if isAtServer(c.Request()) {
			return nil
		}
		code, err := tx.Setting(settingSetup, "")
		if err != nil {
			return err
		}
		given := strings.ToLower(strings.TrimSpace(c.FormValue("code")))
		if code == "" || subtle.ConstantTimeCompare([]byte(code), []byte(given)) != 1 {
			return errWrongCode
		}
		return nil
	})
	if isRefusal(err) {
		return s.showSetup(c, err)
	}
	if err != nil {
		return err
	}
	s.isSetUp.Store(true)
	return s.redirect(c, "/", "flash.set-up")
}
