// Package page is the kit of every page: what a site stands on, the frame of a
// page, how it is rendered, kept up to date, paged, limited and refused. It
// refuses to know what a page is about: what sections share of tournaments is
// package event, their texts are words, their forms form.
package page

import (
	"cmp"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/analyst"
	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/courier"
	"chpok.org/chpok/lan"
	"chpok.org/chpok/live"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// Config is what the surroundings say about the site.
type Config struct {
	BaseURL        string         // how visitors reach the site, for links that leave it; empty: as the request says
	TrustedProxies []netip.Prefix // whose X-Forwarded-For is believed
	Room           *lan.Room      // of a site that serves a room's Wi-Fi; nil: any other
	InstantLinks   bool           // the demo's sign-in links ask nothing and are not used up
	// Most event streams at once of one account and, of visitors, from one address; 0: 50 and 1000.
	StreamsPerAccount, StreamsPerAddress int
}

// Deps is everything the site stands on; all of it but Mail and Analyst must be there.
type Deps struct {
	Store   *store.Store
	Live    *live.Runner
	Arbiter *arbiter.Arbiter
	Now     func() time.Time
	Logger  *slog.Logger
	Mail    *courier.Courier // nil: the site sends no mail
	Analyst *analyst.Analyst // nil: the site analyses nothing
	Config  Config
	// Observe hears of every answer; took of a stream is how long it was open. nil: nobody does.
	Observe func(route, method string, status int, stream bool, took time.Duration)
	// Lag hears how long news took from the commit to the line of whoever watches. nil: nobody does.
	Lag func(took time.Duration)
	// Trace begins to tell of a request, ended hears how it was answered. nil: nobody does.
	Trace func(r *http.Request, route string) (traced *http.Request, ended func(status int))
}

// Links are what one section's pages ask of another's; the root of the site
// connects them.
type Links struct {
	ReviewDocument    func(echo.Context, tournament.ID) (document map[string]any, recorded bool, err error)
	EditClubMatchForm func(echo.Context, *tournament.Tournament) error
	EditClubMatch     func(echo.Context, *tournament.Tournament, url.Values) error
	DeskPieces        func(c echo.Context, t *tournament.Tournament, part string) ([]Piece, error)
}

// Site is what the pages of every section stand on. Sections embed it.
type Site struct {
	Store   *store.Store
	Live    *live.Runner
	Arbiter *arbiter.Arbiter
	Now     func() time.Time
	Log     *slog.Logger
	Mail    *courier.Courier // nil: the site sends no mail
	Analyst *analyst.Analyst // nil: the site analyses nothing
	Config  Config
	Links   Links
	Static  string // where files that browsers keep for good are found: "/static/HASH"

	// Observe hears of every answer, Lag of all news sent; nil: nobody does.
	Observe func(route, method string, status int, stream bool, took time.Duration)
	Lag     func(took time.Duration)

	Hashing chan struct{} // one slot for each password hash that may run
	IsSetUp atomic.Bool   // an operator exists; never becomes false again
	Limits  limits
	Rooms   rooms

	streams openStreams
	pages   sharedPages
	faces   faces
	paces   paces
	running runningStreams
}

// New is a site without pages.
func New(d Deps, static string) *Site {
	d.Config.BaseURL = strings.TrimSuffix(d.Config.BaseURL, "/")
	return &Site{
		Store: d.Store, Live: d.Live, Arbiter: d.Arbiter, Now: d.Now, Log: d.Logger, Mail: d.Mail,
		Analyst: d.Analyst, Config: d.Config, Observe: d.Observe, Lag: d.Lag, Static: static,
		streams: openStreams{perAccount: cmp.Or(d.Config.StreamsPerAccount, streamsPerAccount),
			perAddress: cmp.Or(d.Config.StreamsPerAddress, streamsPerAddress)},
		Hashing: make(chan struct{}, 4),
	}
}

// IsSecure tells whether visitors reach the site over TLS, so that cookies may
// be bound to it.
func (s *Site) IsSecure(c echo.Context) bool {
	return c.Request().TLS != nil || strings.HasPrefix(s.Config.BaseURL, "https://")
}

// Address is a path of the site as a link that works outside of it.
func (s *Site) Address(c echo.Context, path string) string {
	if s.Config.BaseURL != "" {
		return s.Config.BaseURL + path
	}
	if s.Config.Room != nil {
		if base := s.Config.Room.State().Base; base != "" {
			return base + path
		}
	}
	u := url.URL{Scheme: "http", Host: c.Request().Host}
	if c.Request().TLS != nil {
		u.Scheme = "https"
	}
	return u.String() + path
}

// Route is one line of the site map.
type Route struct {
	Method, Path string
	Handler      echo.HandlerFunc
	May          Access
}

// Get is a page that anybody who may can read.
func Get(path string, h echo.HandlerFunc, may Access) Route {
	return Route{http.MethodGet, path, h, may}
}

// Post is what a form asks for.
func Post(path string, h echo.HandlerFunc, may Access) Route {
	return Route{http.MethodPost, path, h, may}
}

// Put, Patch and Delete are asked by programs only.
func Put(path string, h echo.HandlerFunc, may Access) Route {
	return Route{http.MethodPut, path, h, may}
}

func Patch(path string, h echo.HandlerFunc, may Access) Route {
	return Route{http.MethodPatch, path, h, may}
}

func Delete(path string, h echo.HandlerFunc, may Access) Route {
	return Route{http.MethodDelete, path, h, may}
}
