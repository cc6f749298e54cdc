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

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/web/words"
)

// How long a visitor's page is given to others: until this node changes something,
// or a match that the page shows moves on, and no longer than this, for what time
// and other nodes bring.
const shareWithin = time.Second

// Browsers keep a visitor's page and ask whether it still holds; a cache between
// may give it to others like them for a moment. Who signs in sends a cookie.
const (
	sharedControl = "public, max-age=0, s-maxage=1"
	sharedVary    = "Cookie, Accept-Language"
)

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
	new, again atomic.Int64 // made, and given once more

	mu    sync.Mutex
	pages map[string]*sharedPage
	bytes int
}

// sharedPage is an answer that others may be given. It never changes after made.
type sharedPage struct {
	made    chan struct{}
	at      time.Time
	changes int64     // of the store, before the page was made
	appends int64     // of the store, before the page was made
	moved   int64     // of the matches, before the page was made
	shows   *shownOff // the matches; nil: any
	isOwn   bool      // once made: its maker had asked too often, or has left, which is theirs alone

	// once made; no head: it is nobody else's
	head http.Header
	body []byte
	tag  string
}

// shownOff is which matches a page shows, as they stood before it was made.
type shownOff struct {
	ids  []match.ID
	mark int64
}

const showsKey = "shows"

// Shows says, before they are read, that the page of a request shows these matches
// only, or none: what is done in others does not change it.
func (s *Site) Shows(c echo.Context, ids ...match.ID) {
	if c.Get(showsKey) == nil {
		c.Set(showsKey, &shownOff{ids, s.Live.Mark(ids...)})
	}
}

// holds tells whether a page still reads as it did.
func (page *sharedPage) holds(s *Site) bool {
	if now := s.Now(); page.changes != s.Store.Changes() || now.Sub(page.at).Abs() >= shareWithin {
		return false
	}
	if page.shows == nil {
		return page.appends == s.Store.Appends()
	}
	return page.moved == s.Live.Moved() || page.shows.mark == s.Live.Mark(page.shows.ids...)
}

// takePage is the page of a key if it is being made or still holds, or a new one that
// the caller has to make.
func takePage(s *Site, key string) (page *sharedPage, isNew bool) {
	p := &s.pages
	p.mu.Lock()
	defer p.mu.Unlock()
	if page = p.pages[key]; page != nil && page.holds(s) {
		return page, false
	}
	if len(p.pages) >= mostSharedPages || p.bytes >= mostSharedBytes {
		p.pages, p.bytes = nil, 0
	}
	if p.pages == nil {
		p.pages = map[string]*sharedPage{}
	}
	page = &sharedPage{made: make(chan struct{}), at: s.Now(), changes: s.Store.Changes(), appends: s.Store.Appends(),
		moved: s.Live.Moved()}
	p.pages[key] = page
	return page, true
}

// give ends the making of a page.
func (p *sharedPages) give(key string, page *sharedPage, head http.Header, body []byte, shows *shownOff) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if page.isOwn && p.pages[key] == page {
		delete(p.pages, key)
	}
	page.head, page.body, page.shows = head, body, shows
	if head != nil {
		page.tag = head.Get("ETag")
	}
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
		key := pageKey(c)
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

// SharedPages is how many pages were made that visitors share, and how often one was
// given again.
func SharedPages(s *Site) (made, again int64) { return s.pages.new.Load(), s.pages.again.Load() }

// isKnown tells whether the browser has a page.
func (page *sharedPage) isKnown(c echo.Context) bool {
	return strings.Contains(c.Request().Header.Get("If-None-Match"), page.tag)
}

// answer sends a page, unless the browser has it.
func (page *sharedPage) answer(c echo.Context) error {
	if page.isKnown(c) {
		return c.NoContent(http.StatusNotModified)
	}
	c.Response().Header().Set(echo.HeaderContentLength, strconv.Itoa(len(page.body)))
	c.Response().WriteHeader(http.StatusOK)
	_, err := c.Response().Write(page.body)
	return err
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

// headOf is what all who are given a page are told of it.
func headOf(before, now http.Header, body []byte) http.Header {
	head := http.Header{}
	for name, values := range now {
		if _, old := before[name]; !old || name == "Cache-Control" || name == "Referrer-Policy" {
			head[name] = values
		}
	}
	sum := fnv.New64a()
	_, _ = sum.Write(body) // a hash takes everything
	head.Set("ETag", strconv.Quote(strconv.FormatUint(sum.Sum64(), 36)))
	head["Vary"] = append(slices.Clone(head["Vary"]), sharedVary)
	if head.Get("Cache-Control") == before.Get("Cache-Control") {
		head.Set("Cache-Control", sharedControl)
	}
	return head
}

// taken keeps a page, which is sent when it is whole, and lets every other answer pass.
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
