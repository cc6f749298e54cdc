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

var ErrWrongPassword = refusal.Invalid("account.error.wrong-password", "web: wrong handle or password")

const settingKnown = "known-key" // of the marks of browsers that have signed in

// FormError is the text for a refusal of one of these errors, empty for others.
func (s *Site) FormError(c echo.Context, err error, about ...error) string {
	for _, a := range about {
		if err != nil && errors.Is(err, a) {
			_, key, _ := Explain(a)
			return ErrorText(s.Printer(c), key, err)
		}
	}
	return ""
}

// knownLife is how long a browser is known as one in which an account signed in.
const knownLife = 365 * 24 * time.Hour

func (s *Site) KnownCookie(c echo.Context) string {
	if s.IsSecure(c) {
		return "__Host-known"
	}
	return "known"
}

// KnownMark is what a browser keeps that has signed in to an account; nobody can
// make it without the site's key.
func KnownMark(tx *store.Tx, h player.Handle) (string, error) {
	key, err := tx.FirstSetting(settingKnown, rand.Text())
	if err != nil {
		return "", err
	}
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(h.Key()))
	return hex.EncodeToString(mac.Sum(nil)), nil
}

// NeedsSetup tells whether the site still lacks an operator.
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

const (
	ViewerKey  = "viewer"
	SessionKey = "session"
	TokenKey   = "token"
	SinceKey   = "session since"
)

// Viewer is whoever asks.
func Viewer(c echo.Context) player.Viewer {
	v, _ := c.Get(ViewerKey).(player.Viewer)
	return v
}

// SessionID is the session in which the viewer asks; empty for visitors and programs.
func SessionID(c echo.Context) string {
	id, _ := c.Get(SessionKey).(string)
	return id
}

// Token is with what a program asks; false for people.
func Token(c echo.Context) (player.Token, bool) {
	t, ok := c.Get(TokenKey).(player.Token)
	return t, ok
}

// SessionCookie is bound to this very host and to TLS where there is TLS.
func (s *Site) SessionCookie(c echo.Context) string {
	if s.IsSecure(c) {
		return "__Host-session"
	}
	return "session"
}

// StartSession signs an account in from the browser that asks.
func (s *Site) StartSession(c echo.Context, p player.Player) error {
	now, secret := s.Now(), store.NewSecret()
	session := player.Session{ID: store.NewID(), Player: p.ID, Created: now, Used: now, Device: words.Shorten(c.Request().UserAgent(), 200),
		Address: c.RealIP()}
	mark := ""
	err := s.Store.Write(c.Request().Context(), func(tx *store.Tx) (err error) {
		if mark, err = KnownMark(tx, p.Handle); err != nil {
			return err
		}
		if old := SessionID(c); old != "" {
			if err := tx.DropSession(Viewer(c).ID, old); err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
		// Whoever comes back keeps their account.
		if _, err := tx.CancelErasure(p.ID); err != nil {
			return err
		}
		return tx.AddSession(secret, session)
	})
	if err != nil {
		return err
	}
	s.SetCookie(c, s.SessionCookie(c), string(secret), player.SessionLife, true)
	if !p.Guest { // who has no password is known by the session alone
		s.SetCookie(c, s.KnownCookie(c), mark, knownLife, true)
	}
	return nil
}
