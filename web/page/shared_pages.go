package page

import (
	"bytes"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/web/words"
)

// How long a visitor's page is given to others: until anything is written on
// this node, and no longer than this, for what other nodes write.
const shareWithin = time.Second

// Of the pages kept; beyond it all go, and those that are asked for are made again.
const (
	mostSharedPages = 2000
	mostSharedBytes = 32 << 20
	mostSharedKey   = 512 // of an address; nobody keeps longer ones for others
)

// sharedPages are visitors' pages that were rendered and compressed a moment ago,
// for the next who ask: a hall of people behind one address all open the same
// one. The zero value is ready.
type sharedPages struct {
	mu    sync.Mutex
	pages map[string]*sharedPage
	bytes int
}

// sharedPage is an answer that others may be given. It never changes after made.
type sharedPage struct {
	made   chan struct{}
	at     time.Time
	writes int64 // of the store, before the page was made

	// once made; no head: it is nobody else's
	head http.Header
	body []byte
}

// take is the page of a key that still holds, or a new one that the caller has
// to make.
func (p *sharedPages) take(key string, writes int64, now time.Time) (page *sharedPage, isNew bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	page = p.pages[key]
	if page != nil && page.writes == writes && now.Sub(page.at).Abs() < shareWithin {
		return page, false
	}
	if len(p.pages) >= mostSharedPages || p.bytes >= mostSharedBytes {
		p.pages, p.bytes = nil, 0
	}
	if p.pages == nil {
		p.pages = map[string]*sharedPage{}
	}
	page = &sharedPage{made: make(chan struct{}), at: now, writes: writes}
	p.pages[key] = page
	return page, true
}

// give ends the making of a page.
func (p *sharedPages) give(page *sharedPage, head http.Header, body []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	page.head, page.body = head, body
	p.bytes += len(body)
	close(page.made)
}

// SharesPages answers a visitor with the page that another visitor has just been
// given, where it would read the same. Such an answer counts against no limit.
func (s *Site) SharesPages(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if !s.IsShareable(c) {
			return next(c)
		}
		page, isNew := s.pages.take(pageKey(c), s.Store.Writes(), s.Now())
		if isNew {
			return makeShared(s, c, page, next)
		}
		select {
		case <-page.made:
		case <-c.Request().Context().Done():
			return c.Request().Context().Err()
		}
		if page.head == nil {
			return next(c)
		}
		maps.Copy(c.Response().Header(), page.head)
		c.Response().WriteHeader(http.StatusOK)
		_, err := c.Response().Write(page.body)
		return err
	}
}

// IsShareable tells whether a request is a visitor's, for a page that says the
// same to all of them.
func (s *Site) IsShareable(c echo.Context) bool {
	r := c.Request()
	if r.Method != http.MethodGet || len(r.Host)+len(r.URL.RequestURI()) > mostSharedKey || IsStream(c) || IsFeed(c) ||
		Cookie(c, s.SessionCookie(c)) != "" || Cookie(c, cookieFlash) != "" ||
		r.Header.Get(echo.HeaderAuthorization) != "" || r.Header.Get(echo.HeaderAccept) == words.FragmentType || r.Header.Get("Range") != "" {
		return false
	}
	family, _, _ := strings.Cut(strings.TrimPrefix(c.Path(), "/"), "/")
	switch family {
	case "", "tournaments", "matches", "ladders", "players", "ratings", "clubs", "rules", "faq", "screens", "tv":
		return true
	}
	return false
}

// pageKey is everything that a visitor's page depends on besides the time.
func pageKey(c echo.Context) string {
	r := c.Request()
	return strings.Join([]string{
		r.Host, strconv.FormatBool(r.TLS != nil), r.URL.RequestURI(), string(languageOf(c)), Zone(Cookie(c, cookieZone)).String(),
		Theme(Cookie(c, CookieTheme)), string(player.ParsePlay(Cookie(c, CookiePlay))),
		strconv.FormatBool(strings.Contains(r.Header.Get(echo.HeaderAcceptEncoding), "gzip")),
	}, "\n")
}

// makeShared makes a page for its asker, and for others if it turns out to be
// one for all.
func makeShared(s *Site, c echo.Context, page *sharedPage, next echo.HandlerFunc) error {
	before := maps.Clone(c.Response().Header())
	taken := &taken{ResponseWriter: c.Response().Writer}
	var head http.Header
	defer func() { s.pages.give(page, head, taken.body.Bytes()) }()
	c.Response().Writer = taken
	err := next(c)
	c.Response().Writer = taken.ResponseWriter
	now := c.Response().Header()
	isPage := taken.status == http.StatusOK && strings.HasPrefix(now.Get(echo.HeaderContentType), "text/html")
	if err != nil || !isPage || now.Get("Set-Cookie") != "" {
		taken.body.Reset()
		return err
	}
	head = http.Header{}
	for name, values := range now {
		if _, old := before[name]; !old || name == "Cache-Control" || name == "Referrer-Policy" {
			head[name] = values
		}
	}
	return nil
}

// taken lets an answer pass and keeps what a page for others is made of.
type taken struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

func (t *taken) WriteHeader(status int) {
	t.status = status
	t.ResponseWriter.WriteHeader(status)
}

func (t *taken) Write(b []byte) (int, error) {
	if t.status == http.StatusOK && strings.HasPrefix(t.Header().Get(echo.HeaderContentType), "text/html") {
		t.body.Write(b)
	}
	return t.ResponseWriter.Write(b)
}

func (t *taken) Unwrap() http.ResponseWriter { return t.ResponseWriter }
