package web

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

const (
	viewerKey  = "viewer"
	sessionKey = "session"
	tokenKey   = "token"
	sinceKey   = "session since"
)

// viewer is whoever asks.
func viewer(c echo.Context) player.Viewer {
	v, _ := c.Get(viewerKey).(player.Viewer)
	return v
}

// sessionID is the session in which the viewer asks; empty for visitors and programs.
func sessionID(c echo.Context) string {
	id, _ := c.Get(sessionKey).(string)
	return id
}

// token is with what a program asks; false for people.
func token(c echo.Context) (player.Token, bool) {
	t, ok := c.Get(tokenKey).(player.Token)
	return t, ok
}

// sessionCookie is bound to this very host and to TLS where there is TLS.
func (s *Server) sessionCookie(c echo.Context) string {
	if s.isSecure(c) {
		return "__Host-session"
	}
	return "session"
}

// session finds out who asks: by a token on the API, by the cookie everywhere.
func (s *Server) session(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if isStatic(c) {
			return next(c)
		}
		if secret, ok := strings.CutPrefix(c.Request().Header.Get(echo.HeaderAuthorization), "Bearer "); ok && strings.HasPrefix(c.Request().URL.Path, "/api/") {
			if err := s.byToken(c, player.Secret(secret)); err != nil {
				return err
			}
			return next(c)
		}
		if secret := cookie(c, s.sessionCookie(c)); secret != "" {
			if err := s.bySession(c, player.Secret(secret)); err != nil {
				return err
			}
		}
		return next(c)
	}
}

func (s *Server) byToken(c echo.Context, secret player.Secret) error {
	ctx := c.Request().Context()
	var token player.Token
	var p player.Player
	err := s.store.Read(ctx, func(tx *store.Tx) (err error) {
		token, p, err = tx.Token(secret)
		return err
	})
	if err == nil && token.IsOver(s.now()) {
		return errSignIn
	}
	if errors.Is(err, store.ErrNotFound) {
		// Requests are counted after this; who guesses is counted here, as a visitor.
		if err := s.count(c, limitAPI, "ip "+network(c)); err != nil {
			return err
		}
		return errSignIn
	}
	if err != nil {
		return err
	}
	c.Set(viewerKey, player.Viewer{Player: p})
	c.Set(tokenKey, token)
	if now := s.now(); now.Sub(token.Used) > player.SessionTouch {
		s.noteUse(c, func(tx *store.Tx) error { return tx.TouchToken(token.ID, now) })
	}
	return nil
}

func (s *Server) bySession(c echo.Context, secret player.Secret) error {
	ctx, now := c.Request().Context(), s.now()
	var session player.Session
	var p player.Player
	err := s.store.Read(ctx, func(tx *store.Tx) (err error) {
		session, p, err = tx.Session(secret)
		return err
	})
	if errors.Is(err, store.ErrNotFound) || err == nil && session.IsOver(now) {
		s.setCookie(c, s.sessionCookie(c), "", -1, true)
		return nil
	}
	if err != nil {
		return err
	}
	c.Set(viewerKey, player.Viewer{Player: p})
	c.Set(sessionKey, session.ID)
	c.Set(sinceKey, session.Created)
	if now.Sub(session.Used) <= player.SessionTouch {
		return nil
	}
	s.setCookie(c, s.sessionCookie(c), string(secret), player.SessionLife, true)
	s.noteUse(c, func(tx *store.Tx) error { return tx.TouchSession(session.ID, now) })
	return nil
}

// noteUse writes when something was last used; a page can be read without.
func (s *Server) noteUse(c echo.Context, touch func(*store.Tx) error) {
	if err := s.store.Write(c.Request().Context(), touch); err != nil {
		s.log.Warn("use not noted", "request", requestID(c), "err", err)
	}
}

// startSession signs an account in from the browser that asks.
func (s *Server) startSession(c echo.Context, p player.Player) error {
	now, secret := s.now(), store.NewSecret()
	session := player.Session{ID: store.NewID(), Player: p.ID, Created: now, Used: now, Device: shorten(c.Request().UserAgent(), 200), Address: c.RealIP()}
	mark := ""
	err := s.store.Write(c.Request().Context(), func(tx *store.Tx) (err error) {
		if mark, err = knownMark(tx, p.Handle); err != nil {
			return err
		}
		if old := sessionID(c); old != "" {
			if err := tx.DropSession(viewer(c).ID, old); err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
		// Whoever comes back keeps his account.
		if _, err := tx.CancelErasure(p.ID); err != nil {
			return err
		}
		return tx.AddSession(secret, session)
	})
	if err != nil {
		return err
	}
	s.setCookie(c, s.sessionCookie(c), string(secret), player.SessionLife, true)
	if !p.Guest { // who has no password is known by the session alone
		s.setCookie(c, s.knownCookie(c), mark, knownLife, true)
	}
	return nil
}

// shorten cuts a text that someone else wrote; broken encoding is dropped.
func shorten(text string, most int) string {
	text = strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "")
	if utf8.RuneCountInString(text) > most {
		return string([]rune(text)[:most])
	}
	return text
}
