package web_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"path"
	"regexp"
	"strings"
	"testing"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/templates/lang"
)

// firstVisit is how many bytes go over the wire, compressed as they are served,
// to whoever opens a page with nothing kept: the page, its styles and scripts, and
// what these import. Fonts stand apart.
func (b *browser) firstVisit(address string) (total int) {
	t := b.site.t
	t.Helper()
	fetch := func(address string) (wire int, body string) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.site.http.URL+address, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Accept-Encoding", "gzip")
		req.Header.Set("Accept-Language", b.lang)
		res, err := b.client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		raw, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d %v", address, res.StatusCode, err)
		}
		if res.Header.Get("Content-Encoding") != "gzip" {
			return len(raw), string(raw)
		}
		unpacked, err := gzip.NewReader(strings.NewReader(string(raw)))
		if err != nil {
			t.Fatal(err)
		}
		whole, err := io.ReadAll(unpacked)
		if err != nil {
			t.Fatal(err)
		}
		return len(raw), string(whole)
	}
	total, html := fetch(address)
	seen := map[string]bool{}
	var load func(address string)
	load = func(address string) {
		if seen[address] || strings.HasSuffix(address, ".woff2") {
			return
		}
		seen[address] = true
		wire, body := fetch(address)
		total += wire
		if strings.HasSuffix(address, ".js") {
			for _, m := range importInScript.FindAllStringSubmatch(body, -1) {
				load(path.Join(path.Dir(address), m[1]))
			}
		}
	}
	for _, m := range assetInPage.FindAllStringSubmatch(html, -1) {
		load(m[1])
	}
	for _, sheet := range assetInPage.FindAllStringSubmatch(html, -1) {
		if _, text := fetch(sheet[1]); strings.HasSuffix(sheet[1], ".css") && strings.Contains(text, "@import") {
			t.Errorf("%s waits for a sheet that it imports", sheet[1]) // which this does not weigh, and which is asked for last
		}
	}
	if len(seen) < 3 {
		t.Fatalf("%s: only %d files were found", address, len(seen))
	}
	return total
}

var (
	assetInPage    = regexp.MustCompile(`(?:href|src)="(/static/[^"]+\.(?:css|js|svg))"`)
	importInScript = regexp.MustCompile(`(?:from|import)\s*"(\./[^"]+\.js)"`)
)

// A phone on a slow line opens a match, or the page before it, at once: at the bids
// with the editors of all four targets, and on the board.
func TestPagesAreLightOnAFirstVisit(t *testing.T) {
	t.Parallel()
	s, _ := houseSite(t)
	b := s.browser(lang.Ukrainian)
	light := func(b *browser, address string, most int) {
		t.Helper()
		n := b.firstVisit(address)
		t.Logf("%s: %.1f KB", address, float64(n)/1024)
		if n > most {
			t.Errorf("%s takes %d bytes on a first visit, more than %d", address, n, most)
		}
	}
	gate := b.post("/play/now").want(http.StatusOK).path
	light(b, gate, 68<<10)
	for _, address := range []string{"/", "/play", "/learn/1", "/rules"} {
		light(b, address, 44<<10)
	}
	g := newGuarded(t, fairplay.Open)
	g.browsers[0].get(g.url()).says("<chpok-row")
	light(g.browsers[0], g.url(), 72<<10)
	g.toBoard()
	g.browsers[0].get(g.url()).says("<chpok-board")
	light(g.browsers[0], g.url(), 72<<10)
}
