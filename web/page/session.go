package page

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/web/words"
)

// ErrWrongPassword refuses a sign-in.
var ErrWrongPassword = refusal.Invalid("account.error.wrong-password", "web: wrong handle or password")

const settingKnown = "known-key" // the key of knownMark

// FormError returns the text of a refusal that is one of about; empty for other errors.
func (s *Site) FormError(c echo.Context, err error, about ...error) string {
	for _, a := range about {
		if err != nil && errors.Is(err, a) {
			return TextOf(s.Printer(c), partOf(err, a))
		}
	}
	return ""
}

// partOf returns which of joined errors is of a kind, also of those that stand joined inside another.
func partOf(err, kind error) error {
	for x := err; x != nil; x = errors.Unwrap(x) {
		all, joined := x.(interface{ Unwrap() []error })
		if !joined {
			continue
		}
		for _, part := range all.Unwrap() {
			if errors.Is(part, kind) {
				return partOf(part, kind)
			}
		}
	}
	return err
}

// knownLife is how long a browser keeps knownMark.
const knownLife = 365 * 24 * time.Hour

// KnownCookie returns the name of the cookie with knownMark.
func (s *Site) KnownCookie(c echo.Context) string {
	if s.IsSecure(c) {
		return "__Host-known"
	}
	return "known"
}

// knownMark returns what a browser keeps after it has signed in to an account, under the site's key.
func knownMark(key string, h player.Handle) string {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(h.Key()))
	return hex.EncodeToString(mac.Sum(nil))
}

// HasSignedIn reports whether the browser has signed in to an account before.
func (s *Site) HasSignedIn(c echo.Context, h player.Handle) (bool, error) {
	mark := Cookie(c, s.KnownCookie(c))
	if mark == "" {
		return false, nil
	}
	key, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (string, error) { return tx.Setting(settingKnown, "") })
	return key != "" && hmac.Equal([]byte(mark), []byte(knownMark(key, h))), err
}

// NeedsSetup reports whether the site still lacks an operator.
func (s *Site) NeedsSetup(ctx context.Context) (bool, error) {
	if s.IsSetUp.Load() {
		return false, nil
	}
	n, err := store.Get(ctx, s.Store, func(tx *store.Tx) (int, error) { return tx.CountOperators() })
	if err != nil {
		return false, err
	}
	if !player.MaySetUp(n) {
		s.IsSetUp.Store(true)
		return false, nil
	}
	return true, nil
}

// Keys of what the middleware session puts into the context of a request.
const (
	ViewerKey  = "viewer"
	SessionKey = "session"
	TokenKey   = "token"
	SinceKey   = "session since"
)

// Viewer returns the viewer of a request; the zero value for a visitor.
func Viewer(c echo.Context) player.Viewer {
	v, _ := c.Get(ViewerKey).(player.Viewer)
	return v
}

// SessionID returns the viewer's session; empty for visitors and programs.
func SessionID(c echo.Context) string {
	id, _ := c.Get(SessionKey).(string)
	return id
}

// Token returns the token of a program's request; false for people.
func Token(c echo.Context) (player.Token, bool) {
	t, ok := c.Get(TokenKey).(player.Token)
	return t, ok
}

// SessionCookie returns the name of the session cookie, which binds it to this host and to TLS if there is TLS.
func (s *Site) SessionCookie(c echo.Context) string {
	if s.IsSecure(c) {
		return "__Host-session"
	}
	return "session"
}

// StartSession signs an account in.
func (s *Site) StartSession(c echo.Context, p player.Player) error {
	now, secret := s.Now(), store.NewSecret()
	session := player.Session{ID: store.NewID(), Player: p.ID, Created: now, Used: now, Device: words.Shorten(c.Request().UserAgent(), 200),
		Address: c.RealIP()}
	key := ""
	err := s.Store.Write(c.Request().Context(), func(tx *store.Tx) (err error) {
		if key, err = tx.FirstSetting(settingKnown, rand.Text()); err != nil {
			return err
		}
		if old := SessionID(c); old != "" {
			if err := tx.DropSession(Viewer(c).ID, old); err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
		// Signing in keeps an account that was about to be erased.
		if err := tx.CancelErasure(p.ID, now); err != nil {
			return err
		}
		return tx.AddSession(secret, session)
	})
	if err != nil {
		return err
	}
	s.SetCookie(c, s.SessionCookie(c), string(secret), player.SessionLife, true)
	if !p.Guest { // guests have no password to sign in with
		s.SetCookie(c, s.KnownCookie(c), knownMark(key, p.Handle), knownLife, true)
	}
	return nil
}
