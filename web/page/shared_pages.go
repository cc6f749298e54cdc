package page

import (
	"bytes"
	"errors"
	"hash/fnv"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/civil"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/words"
)

// shareWithin bounds how long visitors share a page. A change on this node, or a move in a match that the page shows,
// ends it earlier; the bound is for what depends on the time and on other nodes.
const shareWithin = time.Second

// Browsers revalidate a visitor's page each time; proxies may give it to other visitors for a second. Signing in sets
// a cookie, on which the page varies.
const (
	sharedControl = "public, max-age=0, s-maxage=1"
	sharedVary    = "Cookie, Accept-Language"
)

// Limits of the cache. Beyond them all pages are dropped.
const (
	mostSharedPages = 2000
	mostSharedBytes = 32 << 20
	mostSharedKey   = 512 // pages with longer addresses are not shared
)

// sharedPages caches rendered and compressed pages of visitors for a moment: a hall full of people all open the same
// page. The zero value is ready.
type sharedPages struct {
	new, again atomic.Int64 // pages rendered, and answers from the cache

	mu    sync.Mutex
	pages map[string]*sharedPage
	bytes int
}

// sharedPage is an answer for many visitors. It does not change after made is closed.
type sharedPage struct {
	made    chan struct{}
	at      time.Time
	changes int64     // Store.Changes before rendering
	appends int64     // Store.Appends before rendering
	moved   int64     // Live.Moved before rendering
	shows   *shownOff // the matches on the page; nil: any
	isOwn   bool      // once made: over its maker's limit, or they have left; others make it anew

	// once made; without a head it may not be shared
	head http.Header
	body []byte
	tag  string
}

// shownOff are the matches on a page, with their state before they were read.
type shownOff struct {
	ids   [][]match.ID
	marks []int64
}

// hold reports whether none of the matches has moved on.
func (x shownOff) hold(s *Site) bool {
	for i, ids := range x.ids {
		if x.marks[i] != s.Live.Mark(ids...) {
			return false
		}
	}
	return true
}

const showsKey = "shows"

// Shows declares that the page of a request shows only these matches beside those already declared, so that moves in
// others do not change it. Call it before reading them, and without any on a page that may show none.
func (s *Site) Shows(c echo.Context, ids ...match.ID) {
	shown, named := c.Get(showsKey).(*shownOff)
	if !named {
		shown = &shownOff{}
		c.Set(showsKey, shown)
	}
	shown.ids, shown.marks = append(shown.ids, ids), append(shown.marks, s.Live.Mark(ids...))
}

// holds reports whether a page is still current.
func (page *sharedPage) holds(s *Site) bool {
	if now := s.Now(); page.changes != s.Store.Changes() || now.Sub(page.at).Abs() >= shareWithin {
		return false
	}
	if page.shows == nil {
		return page.appends == s.Store.Appends()
	}
	return page.moved == s.Live.Moved() || page.shows.hold(s)
}

// takePage returns the page of a key that is current or being made, or a new one, which the caller must make.
func takePage(s *Site, key string) (page *sharedPage, isNew bool) {
	p := &s.pages
	p.mu.Lock()
	defer p.mu.Unlock()
	if page = p.pages[key]; page != nil && page.holds(s) {
		return page, false
	}
	page = &sharedPage{made: make(chan struct{}), at: s.Now(), changes: s.Store.Changes(), appends: s.Store.Appends(),
		moved: s.Live.Moved()}
	p.put(key, page)
	return page, true
}

// put adds a page that is being made in place of an earlier one.
func (p *sharedPages) put(key string, page *sharedPage) {
	p.drop(key)
	if len(p.pages) >= mostSharedPages || p.bytes >= mostSharedBytes {
		p.pages, p.bytes = nil, 0
	}
	if p.pages == nil {
		p.pages = map[string]*sharedPage{}
	}
	p.pages[key] = page
}

func (p *sharedPages) drop(key string) {
	if page := p.pages[key]; page != nil {
		delete(p.pages, key)
		p.bytes -= len(page.body)
	}
}

// give completes a page.
func (p *sharedPages) give(key string, page *sharedPage, head http.Header, body []byte, shows *shownOff) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if page.isOwn && p.pages[key] == page {
		p.drop(key)
	}
	page.head, page.body, page.shows = head, body, shows
	if head != nil {
		page.tag = head.Get("ETag")
	}
	if p.pages[key] == page { // else another has taken its place
		p.bytes += len(body)
	}
	close(page.made)
}

// SharesPages is the middleware that answers visitors from the cache of shared pages. Such answers count against no
// limit.
func (s *Site) SharesPages(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if !s.IsShareable(c) {
			return next(c)
		}
		key := s.pageKey(c)
		page, isNew := takePage(s, key)
		for ; !isNew; page, isNew = takePage(s, key) {
			select {
			case <-page.made:
			case <-c.Request().Context().Done():
				return c.Request().Context().Err()
			}
			if !page.isOwn {
				break
			}
		}
		if isNew {
			s.pages.new.Add(1)
			return makeShared(s, c, key, page, next)
		}
		if page.head == nil {
			return next(c)
		}
		s.pages.again.Add(1)
		maps.Copy(c.Response().Header(), page.head)
		return page.answer(c)
	}
}

// SharedPages returns how many pages were rendered for all visitors, and how often they were reused.
func SharedPages(s *Site) (made, again int64) { return s.pages.new.Load(), s.pages.again.Load() }

// isKnown reports whether the browser has the page.
func (page *sharedPage) isKnown(c echo.Context) bool {
	return strings.Contains(c.Request().Header.Get("If-None-Match"), page.tag)
}

// answer sends the page, unless the browser has it.
func (page *sharedPage) answer(c echo.Context) error {
	if page.isKnown(c) {
		return c.NoContent(http.StatusNotModified)
	}
	c.Response().Header().Set(echo.HeaderContentLength, strconv.Itoa(len(page.body)))
	c.Response().WriteHeader(http.StatusOK)
	_, err := c.Response().Write(page.body)
	return err
}

// IsShareable reports whether a request is a visitor's, for a page that is the same for all visitors.
func (s *Site) IsShareable(c echo.Context) bool {
	r := c.Request()
	if r.Method != http.MethodGet || len(r.Host)+len(r.URL.RequestURI()) > mostSharedKey || IsStream(c) || IsFeed(c) ||
		Cookie(c, s.SessionCookie(c)) != "" || Cookie(c, cookieFlash) != "" || Cookie(c, form.DeviceCookie) != "" || // a match may be on there
		r.Header.Get(echo.HeaderAuthorization) != "" || r.Header.Get(echo.HeaderAccept) == words.FragmentType || r.Header.Get("Range") != "" {
		return false
	}
	family, _, _ := strings.Cut(strings.TrimPrefix(c.Path(), "/"), "/")
	switch family {
	case "", "tournaments", "matches", "ladders", "leagues", "players", "ratings", "clubs", "rules", "faq", "screens", "tv":
		return true
	}
	return false
}

// pageKey returns all that a visitor's page depends on, except the time.
func (s *Site) pageKey(c echo.Context) string {
	r := c.Request()
	return strings.Join([]string{
		r.Host, strconv.FormatBool(r.TLS != nil), r.URL.RequestURI(), string(languageOf(c)), ZoneName(civil.Zone(Cookie(c, cookieZone))),
		Theme(Cookie(c, CookieTheme)), string(player.ParsePlay(Cookie(c, CookiePlay))),
		strconv.FormatBool(strings.Contains(r.Header.Get(echo.HeaderAcceptEncoding), "gzip")),
	}, "\n")
}

// makeShared renders a page for its visitor, and for others unless it errs or sets cookies.
func makeShared(s *Site, c echo.Context, key string, page *sharedPage, next echo.HandlerFunc) error {
	before := maps.Clone(c.Response().Header())
	taken := &taken{ResponseWriter: c.Response().Writer}
	var head http.Header
	given := sync.OnceFunc(func() {
		shows, _ := c.Get(showsKey).(*shownOff)
		s.pages.give(key, page, head, taken.body.Bytes(), shows)
	})
	defer given()
	c.Response().Writer = taken
	err := next(c)
	page.isOwn = errors.Is(err, ErrTooMany) || c.Request().Context().Err() != nil
	c.Response().Writer = taken.ResponseWriter
	if !taken.holds {
		return err
	}
	now := c.Response().Header()
	if err == nil && now.Get("Set-Cookie") == "" {
		head = headOf(before, now, taken.body.Bytes())
		maps.Copy(now, head)
	}
	given()
	if head != nil && page.isKnown(c) {
		c.Response().Status = http.StatusNotModified
		taken.ResponseWriter.WriteHeader(http.StatusNotModified)
		return nil
	}
	now.Set(echo.HeaderContentLength, strconv.Itoa(taken.body.Len()))
	taken.ResponseWriter.WriteHeader(http.StatusOK)
	_, writeErr := taken.ResponseWriter.Write(taken.body.Bytes())
	return errors.Join(err, writeErr)
}

// headOf returns the headers that all visitors get with a page.
func headOf(before, now http.Header, body []byte) http.Header {
	head := http.Header{}
	for name, values := range now {
		if _, old := before[name]; !old || name == "Cache-Control" || name == "Referrer-Policy" {
			head[name] = values
		}
	}
	sum := fnv.New64a()
	_, _ = sum.Write(body) // a hash never fails
	head.Set("ETag", strconv.Quote(strconv.FormatUint(sum.Sum64(), 36)))
	head["Vary"] = append(slices.Clone(head["Vary"]), sharedVary)
	if head.Get("Cache-Control") == before.Get("Cache-Control") {
		head.Set("Cache-Control", sharedControl)
	}
	return head
}

// taken buffers a page and passes on all other answers.
type taken struct {
	http.ResponseWriter
	holds bool
	body  bytes.Buffer
}

func (t *taken) WriteHeader(status int) {
	t.holds = status == http.StatusOK && strings.HasPrefix(t.Header().Get(echo.HeaderContentType), "text/html")
	if !t.holds {
		t.ResponseWriter.WriteHeader(status)
	}
}

func (t *taken) Write(b []byte) (int, error) {
	if t.holds {
		return t.body.Write(b)
	}
	return t.ResponseWriter.Write(b)
}

func (t *taken) Unwrap() http.ResponseWriter { return t.ResponseWriter }
