// Package web shows: it parses a request, asks the domain, the store or an
// actor one thing, and renders pages, fragments and JSON. It refuses to hold
// rules or SQL, and to keep anything between two requests but caches.
package web

import (
	"cmp"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/courier"
	"chpok.org/chpok/live"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// Config is what the surroundings say about the site.
type Config struct {
	BaseURL        string         // how visitors reach the site, for links that leave it; empty: as the request says
	TrustedProxies []netip.Prefix // whose X-Forwarded-For is believed
	InstantLinks   bool           // the demo's sign-in links ask nothing and are not used up
	// Most event streams at once of one account and, of visitors, from one address; 0: 50 and 1000.
	StreamsPerAccount, StreamsPerAddress int
}

// Deps is everything the site stands on; all of it but Mail must be there.
type Deps struct {
	Store   *store.Store
	Live    *live.Runner
	Arbiter *arbiter.Arbiter
	Now     func() time.Time
	Logger  *slog.Logger
	Mail    *courier.Courier // nil: the site sends no mail
	Config  Config
}

// links are what one section's pages ask of another's.
type links struct {
	reviewDocument    func(echo.Context, tournament.ID) (document map[string]any, recorded bool, err error)
	editClubMatchForm func(echo.Context, *tournament.Tournament) error
	editClubMatch     func(echo.Context, *tournament.Tournament, url.Values) error
	deskPieces        func(c echo.Context, t *tournament.Tournament, part string) ([]piece, error)
}

// Server is the whole site as one http.Handler.
type Server struct {
	unpacking sync.Mutex // one bundle at a time: each may be large
	store     *store.Store
	live      *live.Runner
	arbiter   *arbiter.Arbiter
	now       func() time.Time
	log       *slog.Logger
	mail      *courier.Courier
	config    Config
	links     links
	staticAt  string // "/static/HASH"

	echo     *echo.Echo
	handler  http.Handler
	static   assets
	showcase showcase
	limits   limits
	streams  openStreams
	rooms    rooms
	walls    walls
	pages    sharedPages
	paces    paces
	hashing  chan struct{} // one slot for each password hash that may run
	isSetUp  atomic.Bool   // an operator exists; never becomes false again

	closing   chan struct{} // closed when streams must end
	closeOnce sync.Once
}

// New makes the site. Register CloseStreams with http.Server.RegisterOnShutdown,
// or a shutdown waits for every open page.
func New(d Deps) *Server {
	s := &Server{
		store: d.Store, live: d.Live, arbiter: d.Arbiter, now: d.Now, log: d.Logger, mail: d.Mail, config: d.Config,
		echo:    echo.New(),
		static:  newAssets(),
		streams: openStreams{perAccount: cmp.Or(d.Config.StreamsPerAccount, streamsPerAccount), perAddress: cmp.Or(d.Config.StreamsPerAddress, streamsPerAddress)},
		hashing: make(chan struct{}, 4),
		closing: make(chan struct{}),
	}
	s.staticAt = s.static.prefix
	s.links = links{s.reviewDocument, s.editClubMatchForm, s.editClubMatch, s.deskPieces}
	s.config.BaseURL = strings.TrimSuffix(s.config.BaseURL, "/")
	s.echo.HideBanner, s.echo.HidePort = true, true
	s.echo.HTTPErrorHandler = s.fail
	s.echo.IPExtractor = ipExtractor(d.Config.TrustedProxies)
	s.middleware()
	s.routes()
	s.handler = s.outermost(s.echo)
	return s
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// CloseStreams ends every open event stream; browsers come back to another node
// or to this one after its restart.
func (s *Server) CloseStreams() { s.closeOnce.Do(func() { close(s.closing) }) }

// isSecure tells whether visitors reach the site over TLS, so that cookies may
// be bound to it.
func (s *Server) isSecure(c echo.Context) bool {
	return c.Request().TLS != nil || strings.HasPrefix(s.config.BaseURL, "https://")
}

// address is a path of the site as a link that works outside of it.
func (s *Server) address(c echo.Context, path string) string {
	if s.config.BaseURL != "" {
		return s.config.BaseURL + path
	}
	u := url.URL{Scheme: "http", Host: c.Request().Host}
	if c.Request().TLS != nil {
		u.Scheme = "https"
	}
	return u.String() + path
}
