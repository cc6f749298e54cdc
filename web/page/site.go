// Package page is what all pages need: the dependencies of the site, the frame of a page, rendering, streams, paging,
// limits and refusals. It knows nothing of what a page is about: see package event for what sections share about
// tournaments, words for texts and form for forms.
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

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/live/analyst"
	"chpok.org/chpok/live/practice"
	"chpok.org/chpok/notice/courier"
	"chpok.org/chpok/notice/telegram"
	"chpok.org/chpok/ops/lan"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// Config is the configuration of the site.
type Config struct {
	Zone           string         // of those whose account and browser name none; empty: UTC
	BaseURL        string         // address of the site for links in letters and the like; empty: that of the request
	SourceURL      string         // where visitors find the source code of this site; empty: where the program comes from
	TrustedProxies []netip.Prefix // whose X-Forwarded-For is trusted
	Room           *lan.Room      // if the site serves a room's Wi-Fi
	InstantLinks   bool           // the demo's sign-in links ask nothing and work many times
	// Limits of open event streams for an account and, for visitors, an address; 0: 50 and 1000.
	StreamsPerAccount, StreamsPerAddress int
}

// Deps is what the site needs; only what says so may be nil.
type Deps struct {
	Store   *store.Store
	Live    *live.Runner
	Arbiter *arbiter.Arbiter
	Now     func() time.Time
	Logger  *slog.Logger
	Mail    *courier.Courier // nil: the site sends no mail
	Bot     *telegram.Bot
	Analyst *analyst.Analyst // nil: the site analyses nothing
	Config  Config
	// Observe is told of each answer; for a stream, took is how long it was open. May be nil.
	Observe func(route, method string, status int, stream bool, took time.Duration)
	// Lag is told how long news took from the commit to a watcher's connection. May be nil.
	Lag func(took time.Duration)
}

// Links are functions of one section that pages of others call. The root of the site connects them.
type Links struct {
	ReviewDocument func(echo.Context, fairplay.Place) (document any, recorded bool, err error)
	DeskFragments  func(c echo.Context, t *tournament.Tournament, part string) ([]Fragment, error)
}

// Site is what the pages of all sections share. Sections embed it.
type Site struct {
	Store   *store.Store
	Live    *live.Runner
	Arbiter *arbiter.Arbiter
	Now     func() time.Time
	Log     *slog.Logger
	Mail    *courier.Courier // nil: the site sends no mail
	Bot     *telegram.Bot
	Analyst *analyst.Analyst // nil: the site analyses nothing
	Daily   *practice.Daily
	Config  Config
	Links   Links
	Static  string // address of the static files: "/static/HASH"

	// As in Deps.
	Observe func(route, method string, status int, stream bool, took time.Duration)
	Lag     func(took time.Duration)

	Hashing chan struct{} // holds a value for each password hash that runs
	IsSetUp atomic.Bool   // an operator exists; stays true
	Limits  limits
	Rooms   rooms

	streams openStreams
	pages   sharedPages
	faces   faces
	paces   paces
	running runningStreams
}

// New returns a site without pages.
func New(d Deps, static string) *Site {
	d.Config.BaseURL = strings.TrimSuffix(d.Config.BaseURL, "/")
	d.Config.SourceURL = cmp.Or(d.Config.SourceURL, "https://chpok.org/chpok")
	return &Site{
		Store: d.Store, Live: d.Live, Arbiter: d.Arbiter, Now: d.Now, Log: d.Logger, Mail: d.Mail,
		Bot: d.Bot, Analyst: d.Analyst, Daily: &practice.Daily{Store: d.Store}, Config: d.Config, Observe: d.Observe, Lag: d.Lag, Static: static,
		streams: openStreams{perAccount: cmp.Or(d.Config.StreamsPerAccount, streamsPerAccount),
			perAddress: cmp.Or(d.Config.StreamsPerAddress, streamsPerAddress)},
		Hashing: make(chan struct{}, 4),
	}
}

// IsSecure reports whether visitors reach the site over TLS, so that cookies may demand it.
func (s *Site) IsSecure(c echo.Context) bool {
	return c.Request().TLS != nil || strings.HasPrefix(s.Config.BaseURL, "https://")
}

// Address returns the absolute address of a path.
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
	Scope        player.Scope // of the API: which scope a token needs; Everyone: none
	IsAPI        bool
}

// Get returns the route of a page.
func Get(path string, h echo.HandlerFunc, may Access) Route {
	return Route{Method: http.MethodGet, Path: path, Handler: h, May: may}
}

// Post returns the route of a form.
func Post(path string, h echo.HandlerFunc, may Access) Route {
	return Route{Method: http.MethodPost, Path: path, Handler: h, May: may}
}
