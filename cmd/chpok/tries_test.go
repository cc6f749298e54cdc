package main

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/html"

	"chpok.org/chpok/ops/site"
	"chpok.org/chpok/web"
)

// twin is one of two sites that begin as the same one.
type twin struct {
	t      *testing.T
	site   *site.Site
	base   string
	beside string // where another node serves the same
	db     *sql.DB
}

// newTwin serves a copy of a site. No job runs, so that it changes by what is sent alone; each request takes a tenth of a
// second of its time, so that nobody is too quick.
func newTwin(t *testing.T, file []byte) *twin {
	t.Helper()
	return newTwinBehind(t, file, func(site http.Handler) http.Handler { return site })
}

// newTwinBehind is newTwin with something before the site.
func newTwinBehind(t *testing.T, file []byte, before func(http.Handler) http.Handler) *twin {
	t.Helper()
	at := filepath.Join(t.TempDir(), "chpok.db")
	if err := os.WriteFile(at, file, 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := site.Open(t.Context(), site.Config{Database: site.Database{URL: "sqlite:" + at}, EngineShare: 50}, site.Options{FastDisk: true},
		slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int64
	now := func() time.Time { return a.Live.Now().Add(time.Duration(asked.Load()) * 100 * time.Millisecond) }
	serve := func() string {
		pages := a.Pages(now, web.Config{InstantLinks: true})
		server := httptest.NewServer(before(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked.Add(1)
			pages.ServeHTTP(w, r)
		})))
		t.Cleanup(func() {
			_ = pages.CloseStreams(context.Background())
			server.Close()
		})
		return server.URL
	}
	db, err := sql.Open("sqlite", at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = db.Close(), a.Close() })
	return &twin{t, a, serve(), serve(), db}
}

// counts is how many rows there are of everything but what nodes write by themselves.
func (w *twin) counts() map[string]int {
	w.t.Helper()
	names, err := w.db.QueryContext(w.t.Context(), `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
		AND name NOT IN ('heartbeats', 'match_presence')`)
	if err != nil {
		w.t.Fatal(err)
	}
	defer names.Close()
	var parts []string
	for names.Next() {
		var name string
		if err := names.Scan(&name); err != nil {
			w.t.Fatal(err)
		}
		parts = append(parts, fmt.Sprintf("SELECT '%s', count(*) FROM %s", name, name))
	}
	out := map[string]int{}
	for some := range slices.Chunk(parts, 50) {
		rows, err := w.db.QueryContext(w.t.Context(), strings.Join(some, " UNION ALL "))
		if err != nil {
			w.t.Fatal(err)
		}
		for rows.Next() {
			var name string
			var n int
			if err := rows.Scan(&name, &n); err != nil {
				w.t.Fatal(err)
			}
			out[name] = n
		}
		_ = rows.Close()
	}
	return out
}

// reader is whoever looks, in a browser on each of the sites.
type reader struct {
	name string
	at   [2]*http.Client
}

func (w *twin) get(c *http.Client, path string) (final string, root *html.Node) {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), http.MethodGet, w.base+path, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("Accept-Language", "en")
	req.Header.Set("Accept-Encoding", "identity")
	res, err := c.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/html") {
		return "", &html.Node{}
	}
	root, err = html.Parse(res.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return res.Request.URL.Path, root
}

var (
	idPart = regexp.MustCompile(`/[a-z0-9]{16}(/|$|\?)|/[0-9]+(/|$|\?)|/(players)/[^/?]+`)
	noPage = regexp.MustCompile(`\.(zip|ics|trf|csv|txt|json|jsonl|xlsx|svg|png|gif|pdf|xml)(\?|$)|^/(static|link|api|sw\.js|k/)|feed$|/at/`)
)

func shapeOf(address string) string { return idPart.ReplaceAllString(address, "/*$1$2$3") }

// pages are the pages that links lead to, two of each shape.
func (w *twin) pages(c *http.Client) (all []sheet) {
	w.t.Helper()
	seen, shapes := map[string]bool{}, map[string]int{}
	for queue := []string{"/"}; len(queue) > 0; queue = queue[1:] {
		final, root := w.get(c, queue[0])
		if final == "" {
			continue
		}
		all = append(all, sheet{path: queue[0], root: root})
		for n := range root.Descendants() {
			to, _ := attrOf(n, "href")
			if at, query, found := strings.Cut(to, "?"); found && strings.Count(query, "=") > 1 {
				to = at
			}
			to, _, _ = strings.Cut(to, "#")
			if n.Data != "a" || !strings.HasPrefix(to, "/") || seen[to] || noPage.MatchString(to) {
				continue
			}
			shape := regexp.MustCompile(`=[^&]*`).ReplaceAllString(shapeOf(to), "=")
			if seen[to] = true; shapes[shape] >= 2 {
				continue
			}
			shapes[shape]++
			queue = append(queue, to)
		}
	}
	return all
}

// form is what a form sends, filled in where it is empty.
type form struct {
	action    string
	multipart bool
	values    url.Values
	files     []string
}

// shape tells forms of one kind from others: where they go, and what they ask.
func (f form) shape() string {
	names := slices.Sorted(maps.Keys(f.values))
	if act := f.values.Get("act") + f.values.Get("do"); act != "" {
		names = append(names, act)
	}
	return shapeOf(f.action) + " " + strings.Join(append(names, f.files...), ",")
}

// fillings are for fields that stand empty; others get a name that nobody has.
var fillings = map[string]string{"handle": "Maksym", "password": "a heap of four words", "confirm": "a heap of four words", "again": "a heap of four words",
	"email": "somebody@example.org", "address": "somebody@example.org", "rating": "", "until": "", "code": "", "capacity": "", "q": ""}

// formsOf are the forms of a page that send something, each with every one of its buttons; n makes names that nobody has.
func formsOf(root *html.Node, n int) (all []form) {
	for e := range root.Descendants() {
		if method, _ := attrOf(e, "method"); e.Data != "form" || method != "post" {
			continue
		}
		action, _ := attrOf(e, "action")
		_, isMultipart := attrOf(e, "enctype")
		f := form{action: action, multipart: isMultipart, values: filledIn(e)}
		var buttons []*html.Node
		for in := range e.Descendants() {
			name, _ := attrOf(in, "name")
			kind, _ := attrOf(in, "type")
			value, _ := attrOf(in, "value")
			switch {
			case in.Data == "button" && kind != "button":
				buttons = append(buttons, in)
			case kind == "file":
				f.files = append(f.files, name)
			case kind == "radio" && !f.values.Has(name):
				f.values.Set(name, value)
			case in.Data == "textarea" && f.values.Get(name) == "", in.Data == "input" && f.values.Get(name) == "" && (kind == "" || kind == "text" || kind == "password"):
				filling, isKnown := fillings[name]
				if !isKnown {
					filling = fmt.Sprintf("Nova %d", n)
				}
				f.values.Set(name, filling)
			}
		}
		if len(buttons) == 0 {
			all = append(all, f)
		}
		for _, b := range buttons {
			g := f
			g.values = maps.Clone(f.values)
			if to, isOwn := attrOf(b, "formaction"); isOwn {
				g.action = to
			}
			if name, isNamed := attrOf(b, "name"); isNamed {
				value, _ := attrOf(b, "value")
				g.values[name] = []string{value}
			}
			all = append(all, g)
		}
	}
	return all
}

// answered is an answer as far as it has to be the same again.
type answered struct {
	status                   int
	location, session, flash string
}

// send sends a form to a node; base is where it serves.
func (w *twin) send(base string, c *http.Client, from string, f form) answered {
	var body bytes.Buffer
	kind := "application/x-www-form-urlencoded"
	if f.multipart {
		m := multipart.NewWriter(&body)
		for _, name := range slices.Sorted(maps.Keys(f.values)) {
			for _, v := range f.values[name] {
				_ = m.WriteField(name, v) // into memory
			}
		}
		kind = m.FormDataContentType()
		_ = m.Close()
	} else {
		body.WriteString(f.values.Encode())
	}
	req, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, base+f.action, &body)
	if err != nil {
		w.t.Error(err)
		return answered{}
	}
	req.Header.Set("Content-Type", kind)
	req.Header.Set("Accept-Language", "en")
	req.Header.Set("Referer", base+from)
	at, _ := url.Parse(w.base)
	for _, c := range c.Jar.Cookies(at) {
		req.AddCookie(c)
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		w.t.Error(err)
		return answered{}
	}
	defer res.Body.Close()
	a := answered{status: res.StatusCode, location: res.Header.Get("Location")}
	for _, c := range res.Cookies() {
		if strings.Contains(c.Name, "session") {
			a.session = c.Value
		} else if c.Name == "flash" {
			a.flash = c.Value
		}
	}
	if c.Jar.SetCookies(at, res.Cookies()); a.flash != "" {
		c.Jar.SetCookies(at, []*http.Cookie{{Name: "flash", MaxAge: -1, Path: "/"}})
	}
	return a
}

// lastly are forms after which others have nothing to do any more.
var lastly = []string{"drop", "discard", "delete", "remove", "leave", "withdraw", "refuse", "cancel", "finish", "end", "erase", "sign-out"}

func isLate(f form) int {
	for i, word := range slices.Backward(lastly) {
		if strings.Contains(f.action, word) {
			return i + 1
		}
	}
	return 0
}

// found is a form on a page of somebody.
type found struct {
	who         *reader
	page, shape string
	late        int
}

// TestEveryFormTwiceDoesAndAnswersLikeOnce: on a site with a club's life a visitor, a player and the operator go through
// all pages they find and send every form, on one of two like sites once and on the other at the same moment to two nodes
// and once more. All answers are the first one, and the sites stay alike.
func TestEveryFormTwiceDoesAndAnswersLikeOnce(t *testing.T) {
	t.Parallel()
	file, links := demoFile(t)
	once, twice := newTwin(t, file), newTwin(t, file)
	sent, done, refused := map[string]bool{}, 0, 0
	var all []found
	for _, who := range []string{"", "Taras", "Olena"} {
		r := &reader{name: cmp.Or(who, "a visitor")}
		for i, w := range []*twin{once, twice} {
			jar, _ := cookiejar.New(nil)
			if r.at[i] = (&http.Client{Jar: jar}); who != "" {
				w.get(r.at[i], links[who])
			}
		}
		mine := map[string]bool{}
		for _, page := range once.pages(r.at[0]) {
			twice.get(r.at[1], page.path) // looking leaves traces, too
			for _, f := range formsOf(page.root, 0) {
				// A question to the engine makes nothing, and it takes one at a time.
				if shape := f.shape(); !mine[shape] && !strings.HasPrefix(shape, "/analyse") {
					mine[shape] = true
					all = append(all, found{r, page.path, shape, isLate(f)})
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(a.late, b.late) })
	for n, x := range all {
		r := x.who
		pick := func(w *twin, c *http.Client) (form, bool) {
			_, root := w.get(c, x.page)
			forms := formsOf(root, 1000*len(sent)+n)
			i := slices.IndexFunc(forms, func(f form) bool { return f.shape() == x.shape })
			if i < 0 {
				return form{}, false
			}
			if f := forms[i]; f.values.Get("try") == "" { // of a page that visitors share: its script makes the key
				f.values.Set("try", fmt.Sprintf("made-by-a-script-%d-%s", n, r.name[:1]))
			}
			return forms[i], true
		}
		f, here := pick(once, r.at[0])
		g, there := pick(twice, r.at[1])
		if !here || !there {
			if here != there {
				t.Errorf("%s: %s on %s is there only once", r.name, x.shape, x.page)
			}
			continue
		}
		sent[x.shape] = true
		single := once.send(once.base, r.at[0], x.page, f)
		var first, second answered
		var both sync.WaitGroup
		both.Go(func() { first = twice.send(twice.base, r.at[1], x.page, g) })
		both.Go(func() { second = twice.send(twice.beside, r.at[1], x.page, g) })
		both.Wait()
		third := twice.send(twice.beside, r.at[1], x.page, g)
		if first != second || first != third || first.status != single.status {
			t.Errorf("%s: %s on %s is answered %+v, %+v, then %+v; once: %+v", r.name, x.shape, x.page, first, second, third, single)
		}
		if single.status < 400 {
			done++
		} else {
			refused++
		}
		if a, b := once.counts(), twice.counts(); !maps.Equal(a, b) {
			for name := range a {
				if a[name] != b[name] {
					t.Errorf("%s: after %s on %s there are %d %s, and %d where it was sent twice", r.name, x.shape, x.page, a[name], name, b[name])
				}
			}
			t.FailNow()
		}
	}
	t.Logf("%d kinds of forms; %d were carried out, %d refused", len(sent), done, refused)
	if len(sent) < 100 || done < 100 {
		t.Errorf("only %d kinds of forms, of which %d were carried out", len(sent), done)
	}
}

// demoFile is the demo's database, and its links to sign in.
func demoFile(t *testing.T) ([]byte, map[string]string) {
	t.Helper()
	d, err := oneDemo()
	if err != nil {
		t.Fatal(err)
	}
	return d.file, d.links
}

// playedDemo is what demoFile tells. Playing it takes four seconds.
type playedDemo struct {
	file  []byte
	links map[string]string
}

var oneDemo = sync.OnceValues(func() (played playedDemo, err error) {
	dir, err := os.MkdirTemp("", "chpok-demo")
	if err != nil {
		return played, err
	}
	defer os.RemoveAll(dir)
	at, log := filepath.Join(dir, "demo.db"), slog.New(slog.DiscardHandler)
	a, err := site.Open(context.Background(), site.Config{Database: site.Database{URL: "sqlite:" + at}, EngineShare: 50}, site.Options{FastDisk: true}, log)
	if err != nil {
		return played, err
	}
	d := &demo{store: a.Store, log: log, clock: time.Now().Add(-26 * time.Hour).Truncate(time.Hour)}
	if err := errors.Join(d.play(context.Background()), a.Close()); err != nil {
		return played, err
	}
	played.links = map[string]string{}
	for h, link := range d.links {
		played.links[string(h)] = link
	}
	played.file, err = os.ReadFile(at)
	return played, err
})
