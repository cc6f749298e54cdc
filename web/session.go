package web

import (
	"errors"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/web/page"
)

// session finds out who asks: by a token on the API, by the cookie everywhere.
func (s *Server) session(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if page.IsStatic(c) {
			return next(c)
		}
		if secret, ok := strings.CutPrefix(c.Request().Header.Get(echo.HeaderAuthorization), "Bearer "); ok &&
			strings.HasPrefix(c.Request().URL.Path, "/api/") {
			if err := s.byToken(c, player.Secret(secret)); err != nil {
				return err
			}
			return next(c)
		}
		if secret := page.Cookie(c, s.SessionCookie(c)); secret != "" {
			if err := s.bySession(c, player.Secret(secret)); err != nil {
				return err
			}
		}
		return next(c)
	}
}

func (s *Server) byToken(c echo.Context, secret player.Secret) error {
	ctx := c.Request().Context()
	who, err := s.visitors.of(secret, s.Now(), func() (v visitor, err error) {
		err = s.Store.Read(ctx, func(tx *store.Tx) (err error) {
			v.token, v.player, err = tx.Token(secret)
			return err
		})
		return v, err
	})
	token := who.token
	if err == nil && token.IsOver(s.Now()) {
		return page.ErrSignIn
	}
	if errors.Is(err, store.ErrNotFound) {
		// Requests are counted after this; who guesses is counted here, as a visitor.
		if err := s.Count(c, page.LimitAPI, "ip "+page.Network(c)); err != nil {
			return err
		}
		return page.ErrSignIn
	}
	if err != nil {
		return err
	}
	c.Set(page.ViewerKey, player.Viewer{Player: who.player})
	c.Set(page.TokenKey, token)
	if now := s.Now(); now.Sub(token.Used) > player.SessionTouch {
		defer s.visitors.used(secret)
		s.noteUse(c, token.ID, "")
	}
	return nil
}

func (s *Server) bySession(c echo.Context, secret player.Secret) error {
	ctx, now := c.Request().Context(), s.Now()
	who, err := s.visitors.of(secret, now, func() (v visitor, err error) {
		err = s.Store.Read(ctx, func(tx *store.Tx) (err error) {
			v.session, v.player, err = tx.Session(secret)
			return err
		})
		return v, err
	})
	session := who.session
	if errors.Is(err, store.ErrNotFound) || err == nil && session.IsOver(now) {
		s.SetCookie(c, s.SessionCookie(c), "", -1, true)
		return nil
	}
	if err != nil {
		return err
	}
	c.Set(page.ViewerKey, player.Viewer{Player: who.player})
	c.Set(page.SessionKey, session.ID)
	c.Set(page.SinceKey, session.Created)
	if now.Sub(session.Used) <= player.SessionTouch {
		return nil
	}
	defer s.visitors.used(secret)
	s.SetCookie(c, s.SessionCookie(c), string(secret), player.SessionLife, true)
	s.noteUse(c, "", session.ID)
	return nil
}

// noteUse writes when something was last used; a page can be read without.
func (s *Server) noteUse(c echo.Context, token, session string) {
	if err := s.uses.note(token, session, s.Now()); err != nil {
		s.Log.Warn("use not noted", "request", page.RequestID(c), "err", err)
	}
}
