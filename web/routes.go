package web

import (
	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/web/page"
)

func (s *Server) routes() {
	for _, r := range s.siteMap() {
		s.echo.Add(r.Method, r.Path, r.Handler, s.guard(r.May), s.scoped(r), page.ActsAsShown(r), s.WatchPolling(r), page.Detachable, page.ReadsOnce)
	}
}

// scoped refuses tokens without the scope of the route. What everybody may read is read with any token, but in sight of what its
// account may see only with the scope for that. Where players and staff share an operation, a token without the scope to organize acts as a
// player.
func (s *Server) scoped(r page.Route) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			t, ok := page.Token(c)
			switch {
			case ok && !r.Open(t):
				return page.ErrScope
			case ok && r.IsAPI && r.Scope == page.Everyone && !t.Has(player.ScopeRead):
				c.Set(page.ViewerKey, player.Viewer{})
			case ok && r.Scope == player.ScopeChallenge && !t.Has(player.ScopeOrganize):
				v := page.Viewer(c)
				v.AsPlayer = true
				c.Set(page.ViewerKey, v)
			}
			return next(c)
		}
	}
}

// guard refuses viewers who lack access; visitors are asked to sign in.
func (s *Server) guard(may page.Access) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			v := page.Viewer(c)
			switch {
			case may(v):
				return next(c)
			case !v.IsSignedIn():
				return page.ErrSignIn
			case v.Guest:
				return player.ErrGuest
			}
			return page.ErrForbidden
		}
	}
}
