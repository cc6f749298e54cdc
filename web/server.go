// Package web is the root of the site: the site map, middleware, sessions, the home page and search. The other
// pages are in the packages below. It holds no rules and no SQL, and keeps only caches between requests.
package web

import (
	"context"
	"net/http"
	"sync/atomic"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/live"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/desk"
	"chpok.org/chpok/web/fairplay"
	"chpok.org/chpok/web/outside"
	"chpok.org/chpok/web/page"
)

type (
	// Config is the configuration of the site.
	Config = page.Config
	// Deps is what the site needs; only Mail is optional.
	Deps = page.Deps
)

// Server is the site as an http.Handler.
type Server struct {
	*page.Site
	echo     *echo.Echo
	handler  http.Handler
	static   *assets
	showcase showcase
	outside  outside.Outside
	visitors *visitors
	uses     *uses
	tries    *tries
	leaving  atomic.Bool
}

// News returns what chats read of something that happened.
func (s *Server) News(ctx context.Context, m notice.HookMessage, l lang.Lang) (notice.News, error) {
	return s.outside.News(ctx, m, l)
}

// New returns the site. Call CloseStreams before http.Server.Shutdown, which would wait for open streams.
func New(d Deps) *Server {
	s := &Server{echo: echo.New(), static: newAssets(), uses: newUses(d.Store), tries: newTries(d.Store)}
	s.Site = page.New(d, s.static.prefix)
	s.outside = outside.New(s.Site)
	s.visitors = newVisitors(s.shown)
	d.Store.OnAccounts(func() {
		s.visitors.forget()
		d.Live.Nudge(live.AccountsTopic, 0)
	})
	d.Live.On(live.AccountsTopic, s.visitors.forget)
	desk.Link(s.Site)
	fairplay.Link(s.Site)
	s.echo.HideBanner, s.echo.HidePort = true, true
	s.echo.HTTPErrorHandler = s.Fail
	s.echo.IPExtractor = ipExtractor(d.Config.TrustedProxies)
	s.middleware()
	s.routes()
	s.handler = s.outermost(s.echo)
	return s
}

// Streams returns the number of event streams open on this node.
func (s *Server) Streams() int { return page.Streams(s.Site) }

// SharedPages returns how many pages were rendered for all visitors, and how often they were reused.
func (s *Server) SharedPages() (made, again int64) { return page.SharedPages(s.Site) }

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }
