package account

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/fold"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	accountview "chpok.org/chpok/templates/account"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

var (
	errWrongCode    = refusal.Invalid("account.error.wrong-code", "web: wrong setup code")
	errHandleTaken  = refusal.Invalid("account.error.handle-taken", "web: handle in use")
	errSignUpClosed = refusal.Forbidden("account.error.sign-up-closed", "web: sign-up is closed")
	errLinkUsed     = refusal.Gone("account.error.link-used", "web: link used or expired")
)

// Names of the site's settings.
const (
	settingSignUp = "sign-up" // "open" or "closed"
	settingSetup  = "setup-code"
)

func (s pages) accountRoutes() []page.Route {
	return []page.Route{
		page.Get("/sign-in", s.signInForm, page.Anyone),
		page.Post("/sign-in", s.signIn, page.Anyone),
		page.Post("/sign-out", s.signOut, page.Anyone),
		page.Get("/sign-up", s.signUpForm, page.Anyone),
		page.Post("/sign-up", s.signUp, page.Anyone),
		page.Get("/link", s.linkForm, page.Anyone),
		page.Post("/link", s.link, page.Anyone),
		page.Get("/setup", s.setupForm, page.Anyone),
		page.Post("/setup", s.setup, page.Anyone),
	}
}

// hash returns the stored form of a password. It waits for a slot, as hashing is expensive.
func (s pages) hash(ctx context.Context, password string) (player.Credential, error) {
	release, err := s.hashSlot(ctx)
	if err != nil {
		return "", err
	}
	defer release()
	var salt [player.SaltBytes]byte
	rand.Read(salt[:])
	return player.HashPassword(password, salt), nil
}

func (s pages) matches(ctx context.Context, c player.Credential, password string) (bool, error) {
	release, err := s.hashSlot(ctx)
	if err != nil {
		return false, err
	}
	defer release()
	return c.Matches(password), nil
}

func (s pages) hashSlot(ctx context.Context) (release func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	select {
	case s.Hashing <- struct{}{}:
		return func() { <-s.Hashing }, nil
	case <-ctx.Done():
		return nil, page.ErrBusy
	}
}

var passwordErrors = []error{player.ErrPasswordShort, player.ErrPasswordLong, player.ErrPasswordPlain, player.ErrPasswordMost}

func (s pages) signInForm(c echo.Context) error { return s.showSignIn(c, nil) }

func (s pages) showSignIn(c echo.Context, refused error) error {
	return s.showSignInWith(c, refused, "")
}

// showSignInWith is showSignIn with the refusal of a passkey.
func (s pages) showSignInWith(c echo.Context, refused error, passkeyTrouble string) error {
	p := s.Printer(c)
	if page.Viewer(c).HasAccount() {
		return s.Redirect(c, page.LocalPath(c.FormValue("return")), "")
	}
	open, err := s.isSignUpOpen(c.Request().Context())
	if err != nil {
		return err
	}
	view := accountview.SignInView{
		Return: page.LocalPath(c.FormValue("return")),
		Handle: templates.Field{Name: "handle", Label: p.T("account.handle"), Value: words.Shorten(c.FormValue("handle"), 40),
			Autocomplete: "username", Required: true, Focus: true},
		Password: templates.Field{Name: "password", Label: p.T("account.password"), Type: "password", Autocomplete: "current-password",
			Required: true, Error: s.FormError(c, refused, page.ErrWrongPassword, page.ErrTooMany)},
	}
	if _, err := s.Passkeys(c); err == nil {
		view.HasPasskeys, view.PasskeyTrouble = true, passkeyTrouble
	}
	if page.Viewer(c).MaySignUp(open) {
		view.SignUpURL = "/sign-up?return=" + url.QueryEscape(view.Return)
	}
	sh := s.Shell(c, p.T("account.sign-in"))
	if view.HasPasskeys {
		sh.Scripts = []string{"passkeys.js"}
	}
	return s.Render(c, page.StatusOf(refused), accountview.SignInPage(sh, view))
}

func (s pages) signIn(c echo.Context) error {
	p, err := s.checkSignIn(c, c.FormValue("handle"), c.FormValue("password"))
	if errors.Is(err, page.ErrWrongPassword) || errors.Is(err, page.ErrTooMany) {
		return s.showSignIn(c, err)
	}
	if err != nil {
		return err
	}
	if err := s.StartSession(c, p); err != nil {
		return err
	}
	return s.Redirect(c, page.LocalPath(c.FormValue("return")), "")
}

// checkSignIn counts the try, then checks handle and password, in the same time whether or not the account exists.
func (s pages) checkSignIn(c echo.Context, handle, password string) (player.Player, error) {
	ctx := c.Request().Context()
	h := player.Handle(words.Shorten(strings.TrimSpace(handle), 40))
	if err := s.countSignIn(c, h); err != nil {
		return player.Player{}, err
	}
	var p player.Player
	var credential player.Credential
	err := s.Store.Read(ctx, func(tx *store.Tx) (err error) {
		p, credential, err = tx.PlayerCredential(h)
		return err
	})
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return player.Player{}, err
	}
	ok, err := s.matches(ctx, credential, words.Shorten(password, 200))
	if err != nil {
		return player.Player{}, err
	}
	if !ok || p.Bot {
		return player.Player{}, page.ErrWrongPassword
	}
	return p, nil
}

// countSignIn counts a try. A browser in which the account has signed in has a count of its own; others count by
// address and by handle. When strangers have used up the tries for a handle, each new address still has a few.
func (s pages) countSignIn(c echo.Context, h player.Handle) error {
	known, err := s.HasSignedIn(c, h)
	if err != nil {
		return err
	}
	if known {
		return s.Count(c, page.LimitSignIn, "known "+h.Key())
	}
	if err := s.Count(c, page.LimitSignIn, "ip "+page.Network(c)); err != nil {
		return err
	}
	own := s.Limits.Take(page.LimitOwnTries, h.Key()+" "+page.Network(c), s.Now())
	if s.Limits.Take(page.LimitHandle, h.Key(), s.Now()) == 0 || own == 0 {
		return nil
	}
	return page.TooMany(c, own)
}

func (s pages) signOut(c echo.Context) error {
	if id := page.SessionID(c); id != "" {
		err := s.Store.Write(c.Request().Context(), func(tx *store.Tx) error { return tx.DropSession(page.Viewer(c).ID, id) })
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
	}
	s.SetCookie(c, s.SessionCookie(c), "", -1, true)
	return s.Redirect(c, "/", "flash.signed-out")
}

func (s pages) isSignUpOpen(ctx context.Context) (open bool, err error) {
	return store.Get(ctx, s.Store, IsSignUpOpen)
}

// IsSignUpOpen reports whether everybody may make an account for themselves.
func IsSignUpOpen(tx *store.Tx) (bool, error) {
	v, err := tx.Setting(settingSignUp, "open")
	return v == "open", err
}

// newAccount returns the fields that sign-up and setup share.
func (s pages) newAccount(c echo.Context, refused error) accountview.NewAccountView {
	p := s.Printer(c)
	return accountview.NewAccountView{
		Return: page.LocalPath(c.FormValue("return")),
		Handle: templates.Field{Name: "handle", Label: p.T("account.handle"), Hint: p.T("account.handle-hint"),
			Value: words.Shorten(c.FormValue("handle"), 40), Autocomplete: "username", Max: 20, Required: true, Focus: true,
			Error: s.FormError(c, refused, player.ErrHandle, errHandleTaken)},
		Password: templates.Field{Name: "password", Label: p.T("account.password"), Hint: p.T("account.password-hint"), Type: "password",
			Autocomplete: "new-password", Required: true, Error: s.FormError(c, refused, passwordErrors...)},
	}
}

// createAccount creates an account with the form's handle and password and signs it in. alone checks, in the same
// transaction, whether that is allowed.
func (s pages) createAccount(c echo.Context, role player.Role, alone func(*store.Tx) error) error {
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
	p := player.Player{ID: player.ID(store.NewID()), Handle: h, Role: role, Created: s.Now()}
	guest := page.Viewer(c)
	if (guest.Guest || guest.MayClaim()) && role == player.Plain {
		p.ID, p.Created = guest.ID, guest.Created // keeps their matches
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		if err := alone(tx); err != nil {
			return err
		}
		if p.ID == guest.ID {
			// Others who signed in as the guest are signed out.
			return errors.Join(tx.ClaimGuest(p.ID, h, credential), endKeys(tx, p.ID, page.SessionID(c), endings{}))
		}
		return tx.AddPlayer(p, credential)
	})
	if errors.Is(err, store.ErrTaken) {
		return errHandleTaken
	}
	if err != nil {
		return err
	}
	return s.StartSession(c, p)
}

func (s pages) signUpForm(c echo.Context) error { return s.showSignUp(c, nil) }

func (s pages) showSignUp(c echo.Context, refused error) error {
	p := s.Printer(c)
	v := page.Viewer(c)
	if v.HasAccount() && !v.MayClaim() {
		return s.Redirect(c, "/", "")
	}
	open, err := s.isSignUpOpen(c.Request().Context())
	if err != nil {
		return err
	}
	view := s.newAccount(c, refused)
	title := p.T("account.sign-up")
	view.Keeps, view.Do = v.Guest && v.MaySignUp(open), p.T("account.sign-up-do")
	if v.MayClaim() {
		title, view.Do = p.T("core.nav.claim"), p.T("core.save")
	}
	view.Closed = !v.MaySignUp(open)
	if v.MayClaim() && refused == nil {
		view.Handle.Value = string(v.Handle)
	}
	return s.Render(c, page.StatusOf(refused), accountview.SignUpPage(s.Shell(c, title), view))
}

func (s pages) signUp(c echo.Context) error {
	open, err := s.isSignUpOpen(c.Request().Context())
	if err != nil {
		return err
	}
	if !page.Viewer(c).MaySignUp(open) {
		return errSignUpClosed
	}
	if err := s.Count(c, page.LimitSignUp, "ip "+page.Network(c)); err != nil {
		return err
	}
	err = s.createAccount(c, player.Plain, func(*store.Tx) error { return nil })
	return s.Answer(c, err, s.showSignUp, page.LocalPath(c.FormValue("return")), "flash.welcome")
}

// linkForm asks before it signs in; otherwise programs that open the links in mail and chats would use them up.
func (s pages) linkForm(c echo.Context) error {
	secret := player.Secret(c.QueryParam("key"))
	owner, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (player.Player, error) {
		return tx.SignInLink(secret, s.Now())
	})
	if errors.Is(err, store.ErrNotFound) {
		return errLinkUsed
	}
	if err != nil {
		return err
	}
	if s.Config.InstantLinks {
		if err := s.StartSession(c, owner); err != nil {
			return err
		}
		return s.Redirect(c, page.LocalPath(c.QueryParam("return")), "")
	}
	p := s.Printer(c)
	return s.Render(c, http.StatusOK, accountview.SignInLinkPage(s.Shell(c, p.T("account.sign-in")), accountview.SignInLinkView{
		Key: string(secret), Return: page.LocalPath(c.QueryParam("return")), Handle: string(owner.Handle),
	}))
}

func (s pages) link(c echo.Context) error {
	if err := s.Count(c, page.LimitSignIn, "link "+page.Network(c)); err != nil {
		return err
	}
	var owner player.Player
	err := s.Store.Write(c.Request().Context(), func(tx *store.Tx) (err error) {
		owner, err = tx.UseSignInLink(player.Secret(c.FormValue("key")), s.Now())
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return errLinkUsed
	}
	if err != nil {
		return err
	}
	if err := s.StartSession(c, owner); err != nil {
		return err
	}
	return s.Redirect(c, page.LocalPath(c.FormValue("return")), "")
}

// SignInLinkPath returns the path of a sign-in link.
func SignInLinkPath(secret player.Secret) string {
	return "/link?key=" + url.QueryEscape(string(secret))
}

// SetupPath returns the path at which to create the first operator's account; empty if there is one. Its code keeps
// strangers from being first: only those who see the server's console, or use its machine, can go on.
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

// isAtServer reports whether a request comes directly from the server's own machine. A proxy there would show in a
// header or in Host.
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

func (s pages) setupForm(c echo.Context) error { return s.showSetup(c, nil) }

func (s pages) showSetup(c echo.Context, refused error) error {
	needed, err := s.NeedsSetup(c.Request().Context())
	if err != nil {
		return err
	}
	if !needed {
		return s.Redirect(c, "/", "")
	}
	p := s.Printer(c)
	view := s.newAccount(c, refused)
	view.Code = templates.Field{Name: "code", Label: p.T("account.setup-code"), Hint: p.T("account.setup-code-hint"),
		Value: words.Shorten(c.FormValue("code"), 40), Autocomplete: "off", Required: true, Error: s.FormError(c, refused, errWrongCode)}
	view.NeedsCode = !isAtServer(c.Request())
	return s.Render(c, page.StatusOf(refused), accountview.SetupPage(s.Shell(c, p.T("account.setup")), view))
}

func (s pages) setup(c echo.Context) error {
	if err := s.Count(c, page.LimitSignIn, "setup "+page.Network(c)); err != nil {
		return err
	}
	err := s.createAccount(c, player.Operator, func(tx *store.Tx) error {
		n, err := tx.CountOperators()
		if err != nil {
			return err
		}
		if !player.MaySetUp(n) {
			return page.ErrForbidden
		}
		if isAtServer(c.Request()) {
			return nil
		}
		code, err := tx.Setting(settingSetup, "")
		if err != nil {
			return err
		}
		given := fold.Code(c.FormValue("code"))
		if code == "" || subtle.ConstantTimeCompare([]byte(code), []byte(given)) != 1 {
			return errWrongCode
		}
		return nil
	})
	if err == nil {
		s.IsSetUp.Store(true)
	}
	return s.Answer(c, err, s.showSetup, "/", "flash.set-up")
}
