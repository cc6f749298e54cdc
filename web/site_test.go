package web_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/html"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/engine/analysis"
	"chpok.org/chpok/live"
	"chpok.org/chpok/live/analyst"
	"chpok.org/chpok/notice/telegram"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web"
)

// site is the real stack behind a test server.
type site struct {
	t       testing.TB
	store   *store.Store
	live    *live.Runner
	judge   *arbiter.Arbiter
	analyst *analyst.Analyst
	http    *httptest.Server
	web     *web.Server
	clock   *clock
	log     *lockedText
}

// clock is a time that tests move by hand.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

type lockedText struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lockedText) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lockedText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func newSite(t testing.TB) *site {
	t.Helper()
	storetest.OneAfterAnother(t) // before a database is made
	return newSiteOn(t, storetest.SQLite(t), web.Config{})
}

func newSiteOn(t testing.TB, db *store.Store, config web.Config) *site {
	t.Helper()
	return newNode(t, db, live.NewInProcess(), config)
}

// newNode is one node of a site of several, which hear each other by the bus.
func newNode(t testing.TB, db *store.Store, bus live.Bus, config web.Config) *site {
	t.Helper()
	storetest.OneAfterAnother(t)
	config.Zone = "Europe/Kyiv"
	s := &site{t: t, store: db, clock: &clock{now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}, log: &lockedText{}}
	log := slog.New(slog.NewTextHandler(s.log, nil))
	var err error
	if s.live, err = live.New(db, bus, live.Config{Now: s.clock.Now, OutageAfter: 5 * time.Second}, log); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.live.Close)
	s.analyst = analyst.New(db, s.live, analyst.NewShare(100), s.clock.Now, log)
	s.analyst.Nodes = analysis.Nodes{First: 10_000, Second: 50_000, Third: 100_000} // enough for matches of a few gifts
	s.judge = arbiter.New(db, s.live, arbiter.Config{Now: s.clock.Now, Zone: "Europe/Kyiv"}, log)
	s.web = web.New(web.Deps{
		Store: db, Live: s.live, Analyst: s.analyst, Arbiter: s.judge,
		Bot: telegram.New(db, "http://127.0.0.1:1", s.clock.Now, log), Now: s.clock.Now, Logger: log, Config: config,
	})
	s.http = httptest.NewServer(s.web)
	t.Cleanup(func() {
		_ = s.web.CloseStreams(context.Background())
		s.http.Close()
	})
	return s
}

// write changes the data behind the site's back.
func (s *site) write(f func(*store.Tx) error) {
	s.t.Helper()
	if err := s.store.Write(context.Background(), f); err != nil {
		s.t.Fatal(err)
	}
}

// password is everybody's. It is kept as cheaply as may be (8 KiB, one pass), for signing in costs what the stored form
// says; what a new password costs is tried in player.
const (
	password   = "four words of everybody"
	credential = player.Credential("$argon2id$v=19$m=8,t=1,p=1$c2l4dGVlbiBsZXR0ZXJzLg$B1If5DVL/bZe8Z80L7tXyXkUvwNWdmodvmNnJcvkb+I")
)

// account makes an account that signs in by password.
func (s *site) account(h player.Handle, role player.Role) player.Player {
	s.t.Helper()
	p := player.Player{ID: player.ID("id-" + h.Key()), Handle: h, Role: role, Created: s.clock.Now()}
	s.write(func(tx *store.Tx) error {
		return tx.AddPlayer(p, credential)
	})
	return p
}

// browser is one visitor with cookies; it follows redirects.
type browser struct {
	site   *site
	client *http.Client
	lang   string
}

// browser is one that has told its time zone, as all do from the second page on.
func (s *site) browser(l lang.Lang) *browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	home, err := url.Parse(s.http.URL)
	if err != nil {
		s.t.Fatal(err)
	}
	jar.SetCookies(home, []*http.Cookie{{Name: "zone", Value: "Europe/Kyiv"}})
	return &browser{s, &http.Client{Jar: jar}, string(l)}
}

// as is a browser in which an account is signed in by a link.
func (s *site) as(p player.Player, l lang.Lang) *browser {
	s.t.Helper()
	var secret player.Secret
	s.write(func(tx *store.Tx) (err error) {
		secret, err = tx.CreateSignInLink(p.ID, s.clock.Now().Add(time.Hour))
		return err
	})
	b := s.browser(l)
	if page := b.post("/link", "key", string(secret)); page.status != http.StatusOK {
		s.t.Fatalf("sign-in link: %d", page.status)
	}
	return b
}

// page is an answer.
type page struct {
	t      testing.TB
	status int
	header http.Header
	path   string // after redirects
	body   string
	root   *html.Node
}

func (b *browser) do(req *http.Request) page {
	b.site.t.Helper()
	req.Header.Set("Accept-Language", b.lang)
	req.Header.Set("Accept-Encoding", "identity") // packing pages to unpack them here is a tenth of all work; real browsers do it
	res, err := b.client.Do(req)
	if err != nil {
		b.site.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		b.site.t.Fatal(err)
	}
	root, err := html.Parse(strings.NewReader(string(body)))
	if err != nil {
		b.site.t.Fatal(err)
	}
	return page{b.site.t, res.StatusCode, res.Header, res.Request.URL.RequestURI(), string(body), root}
}

func (b *browser) get(path string) page {
	b.site.t.Helper()
	req, err := http.NewRequest(http.MethodGet, b.site.http.URL+path, nil)
	if err != nil {
		b.site.t.Fatal(err)
	}
	return b.do(req)
}

// post sends a form of names and values in turn, as a browser on the site does.
func (b *browser) post(path string, pairs ...string) page {
	b.site.t.Helper()
	form := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		form.Add(pairs[i], pairs[i+1])
	}
	req, err := http.NewRequest(http.MethodPost, b.site.http.URL+path, strings.NewReader(form.Encode()))
	if err != nil {
		b.site.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Origin", b.site.http.URL)
	return b.do(req)
}

// roles of elements that have one of their own.
var roles = map[string]string{"h1": "heading", "h2": "heading", "h3": "heading", "a": "link", "button": "button",
	"th": "header", "nav": "navigation", "main": "main", "label": "label"}

// find are the texts of every element with a role, its own or given.
func (p page) find(role string) []string {
	var out []string
	for n := range p.root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		own := roles[n.Data]
		if given, ok := attr(n, "role"); ok {
			own = given
		}
		if own == role {
			name := text(n)
			if label, ok := attr(n, "aria-label"); ok && name == "" {
				name = label
			}
			out = append(out, name)
		}
	}
	return out
}

func attr(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

func text(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func (p page) has(role, part string) bool {
	part = strings.ReplaceAll(part, "\u00a0", " ")
	for _, s := range p.find(role) {
		if strings.Contains(s, part) {
			return true
		}
	}
	return false
}

func (p page) want(status int) page {
	p.t.Helper()
	if p.status != status {
		p.t.Fatalf("%s: status %d, want %d", p.path, p.status, status)
	}
	return p
}

func (p page) wants(role, part string) page {
	p.t.Helper()
	if !p.has(role, part) {
		p.t.Errorf("%s: no %s with %q among %q", p.path, role, part, p.find(role))
	}
	return p
}

func (p page) wantsNo(role, part string) page {
	p.t.Helper()
	if p.has(role, part) {
		p.t.Errorf("%s: there is a %s with %q", p.path, role, part)
	}
	return p
}

// texts writes for tests in a language.
func texts(l lang.Lang) lang.Printer { return lang.Printer{Lang: l} }

func handleOf(i int) player.Handle { return player.Handle(fmt.Sprintf("player%02d", i)) }
