package web

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/web/page"
)

// session identifies the viewer by the token of an API request or by the session cookie.
func (s *Server) session(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if page.IsStatic(c) {
			return next(c)
		}
		if secret, ok := strings.CutPrefix(c.Request().Header.Get(echo.HeaderAuthorization), "Bearer "); ok &&
			strings.HasPrefix(c.Request().URL.Path, "/api/") {
			note, err := s.byToken(c, player.Secret(secret))
			if err != nil {
				return err
			}
			return s.noted(c, player.Secret(secret), note, next)
		}
		secret := page.Cookie(c, s.SessionCookie(c))
		if secret == "" {
			return next(c)
		}
		note, err := s.bySession(c, player.Secret(secret))
		if err != nil {
			return err
		}
		return s.noted(c, player.Secret(secret), note, next)
	}
}

// noted runs next while the last use of the secret is written, so that a move does not wait for that; the response
// ends after both. Streams, which do not end, wait first. If the write fails the request succeeds anyway.
func (s *Server) noted(c echo.Context, secret player.Secret, note *batch[useNotes], next echo.HandlerFunc) error {
	if note == nil {
		return next(c)
	}
	wait := func() {
		if err := note.wait(); err != nil {
			s.Log.Warn("use not noted", "request", page.RequestID(c), "err", err)
			return
		}
		s.visitors.used(secret, note.of.at)
	}
	if page.IsStream(c) || page.IsFeed(c) {
		wait()
		return next(c)
	}
	defer wait()
	return next(c)
}

// byToken identifies the viewer by a token. The returned write of its last use is nil if none is due.
func (s *Server) byToken(c echo.Context, secret player.Secret) (*batch[useNotes], error) {
	who, err := s.visitors.of(secret, s.Now())
	token := who.token
	if err == nil && token.ID == "" { // the secret of a session
		err = store.ErrNotFound
	}
	if err == nil && token.IsOver(s.Now()) {
		return nil, page.ErrSignIn
	}
	if errors.Is(err, store.ErrNotFound) {
		// s.Limit comes later and is not reached; count guesses here, by address.
		if err := s.Count(c, page.LimitAPI, "ip "+page.Network(c)); err != nil {
			return nil, err
		}
		return nil, page.ErrSignIn
	}
	if err != nil {
		return nil, err
	}
	c.Set(page.ViewerKey, player.Viewer{Player: who.player})
	c.Set(page.TokenKey, token)
	if now := s.Now(); now.Sub(token.Used) > player.SessionTouch {
		return s.uses.note(token.ID, "", now), nil
	}
	return nil, nil
}

// bySession is byToken for the session cookie; a session that is over leaves a visitor.
func (s *Server) bySession(c echo.Context, secret player.Secret) (*batch[useNotes], error) {
	now := s.Now()
	who, err := s.visitors.of(secret, now)
	session := who.session
	if err == nil && session.ID == "" { // the secret of a token
		err = store.ErrNotFound
	}
	if errors.Is(err, store.ErrNotFound) || err == nil && session.IsOver(now) {
		s.SetCookie(c, s.SessionCookie(c), "", -1, true)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	c.Set(page.ViewerKey, player.Viewer{Player: who.player})
	c.Set(page.SessionKey, session.ID)
	c.Set(page.SinceKey, session.Created)
	if now.Sub(session.Used) <= player.SessionTouch {
		return nil, nil
	}
	s.SetCookie(c, s.SessionCookie(c), string(secret), player.SessionLife, true)
	return s.uses.note("", session.ID, now), nil
}

// shownWithin bounds the read that identifies visitors.
const shownWithin = 5 * time.Second

// shown reads the visitors of many secrets at once.
func (s *Server) shown(secrets []player.Secret) (map[player.Secret]visitor, error) {
	ctx, cancel := context.WithTimeout(context.Background(), shownWithin)
	defer cancel()
	found, err := store.Get(ctx, s.Store, func(tx *store.Tx) (map[player.Secret]store.Shown, error) { return tx.Shown(secrets) })
	if err != nil {
		return nil, err
	}
	visitors := make(map[player.Secret]visitor, len(found))
	for secret, who := range found {
		visitors[secret] = visitor{player: who.Player, token: who.Token, session: who.Session}
	}
	return visitors, nil
}
