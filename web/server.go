// Package web is the root of the site: the site map, sessions, what holds for
// every request, the home page and search. It refuses to hold rules or SQL, and
// to keep anything between two requests but caches; the other pages are in the
// sections below.
package web

import (
	"net/http"
	"sync/atomic"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/live"
	"chpok.org/chpok/web/club"
	"chpok.org/chpok/web/desk"
	"chpok.org/chpok/web/fairplay"
	"chpok.org/chpok/web/outside"
	"chpok.org/chpok/web/page"
)

type (
	// Config is what the surroundings say about the site.
	Config = page.Config
	// Deps is everything the site stands on; all of it but Mail must be there.
	Deps = page.Deps
)

// Server is the whole site as one http.Handler.
type Server struct {
	*page.Site
	echo     *echo.Echo
	handler  http.Handler
	static   assets
	showcase showcase
	outside  outside.Outside
	visitors *visitors
	uses     *uses
	trace    func(r *http.Request, route string) (traced *http.Request, ended func(status int)) // nil: nobody
	leaving  atomic.Bool
}

// New makes the site. Call CloseStreams before http.Server.Shutdown, which knows
// nothing of them.
func New(d Deps) *Server {
	s := &Server{echo: echo.New(), static: newAssets(), uses: newUses(d.Store), trace: d.Trace}
	s.Site = page.New(d, s.static.prefix)
	s.outside = outside.New(s.Site)
	s.visitors = newVisitors(s.shown)
	d.Store.OnAccounts(func() {
		s.visitors.forget()
		d.Live.Nudge(live.AccountsTopic, 0)
	})
	d.Live.On(live.AccountsTopic, s.visitors.forget)
	club.Link(s.Site)
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

// Streams is how many event streams are open on this node.
func (s *Server) Streams() int { return page.Streams(s.Site) }

// SharedPages is how many pages were made that visitors share, and how often one was
// given again.
func (s *Server) SharedPages() (made, again int64) { return page.SharedPages(s.Site) }

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }
