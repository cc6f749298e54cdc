package web_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/words"
)

// costs is how many transactions a page reads in.
func (b *browser) costs(path string) int64 {
	b.site.t.Helper()
	before := b.site.store.Reads()
	b.get(path).want(http.StatusOK)
	return b.site.store.Reads() - before
}

// TestASharedPageHoldsUntilSomethingOfItChanges: beats of nodes and moves elsewhere
// are none of its business, its own match and results are.
func TestASharedPageHoldsUntilSomethingOfItChanges(t *testing.T) {
	storetest.ManyAtOnce(t)
	t.Parallel()
	g := newGuardedEvent(t, fairplay.Open, []string{"anna", "borys", "clara", "danylo"})
	g.toBoard()
	visitor := g.browser(lang.English)
	other := ""
	for _, pairing := range g.tournament(g.path).Rounds[0].Pairings {
		if pairing.Match != g.id {
			other = "/matches/" + string(pairing.Match)
		}
	}
	standings, round := g.path+"/standings", g.path+"/rounds/1"
	look := func(when string, want map[string]bool) {
		t.Helper()
		for path, isRead := range want {
			if n := visitor.costs(path); n > 0 != isRead {
				t.Errorf("%s: %s is read in %d transactions", when, path, n)
			}
		}
	}
	look("at first", map[string]bool{standings: true, round: true, g.url(): true, other: true})
	look("again", map[string]bool{standings: false, round: false, g.url(): false, other: false})
	if err := g.live.Heartbeat(t.Context()); err != nil {
		t.Fatal(err)
	}
	g.host.get("/settings").want(http.StatusOK) // notes the use of a session
	look("after a beat", map[string]bool{standings: false, round: false, g.url(): false, other: false})
	g.play(opening[0])
	look("after a move", map[string]bool{standings: false, round: true, g.url(): true, other: false})
	look("again", map[string]bool{standings: false, round: false, g.url(): false, other: false})
	g.play("resign")
	look("after a result", map[string]bool{standings: true, round: true, g.url(): true, other: true})
}

// TestABrowserAsksWhetherAPageStillHolds, and is told by its tag; what others see of it
// is another page.
func TestABrowserAsksWhetherAPageStillHolds(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.create("pace", "times", "format", "swiss", "rounds", "1", "times", "2026-12-01T19:00")
	ask := func(b *browser, tag string) page {
		t.Helper()
		r, err := http.NewRequest(http.MethodGet, n.http.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("If-None-Match", tag)
		return b.do(r)
	}
	first := ask(n.browser(lang.English), "").want(http.StatusOK)
	tag := first.header.Get("ETag")
	if tag == "" || first.header.Get("Cache-Control") != "public, max-age=0, s-maxage=1" {
		t.Fatalf("tag %q, kept by %q", tag, first.header.Get("Cache-Control"))
	}
	if again := ask(n.browser(lang.English), tag).want(http.StatusNotModified); again.body != "" || again.header.Get("ETag") != tag {
		t.Errorf("%d bytes of the page that the browser has, tag %q", len(again.body), again.header.Get("ETag"))
	}
	for who, b := range map[string]*browser{"another language": n.browser(lang.Ukrainian), "another zone": zoned(n.site), "staff": n.host} {
		if p := ask(b, tag).want(http.StatusOK); p.header.Get("ETag") == tag {
			t.Errorf("%s: the same tag", who)
		}
	}
	if kept := ask(n.host, "").header.Get("Cache-Control"); kept != "private, no-cache" {
		t.Errorf("a page of staff is kept by %q", kept)
	}
	n.host.post(path+"/entries", "handle", "clara").want(http.StatusOK)
	if p := ask(n.browser(lang.English), tag).want(http.StatusOK).says("clara"); p.header.Get("ETag") == tag {
		t.Error("another page with the same tag")
	}
}

// TestACacheKeepsAPieceAndItsPageApart: a player's card and what the standings show of it
// have one address.
func TestACacheKeepsAPieceAndItsPageApart(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	card := n.create() + "/entries/1"
	n.host.post(card[:strings.LastIndex(card, "/")], "handle", "clara").want(http.StatusOK)
	for _, accept := range []string{"text/html", words.FragmentType} {
		r, err := http.NewRequest(http.MethodGet, n.http.URL+card, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept", accept)
		p := n.browser(lang.English).do(r).want(http.StatusOK)
		if isPage := strings.Contains(p.body, "<html"); isPage != (accept == "text/html") {
			t.Errorf("%s: a page: %v", accept, isPage)
		}
		if vary := strings.Join(p.header.Values("Vary"), ", "); !slices.Contains(strings.Split(vary, ", "), "Accept") {
			t.Errorf("%s: varies by %q", accept, vary)
		}
	}
}

// zoned is a visitor far away.
func zoned(s *site) *browser {
	s.t.Helper()
	home, err := url.Parse(s.http.URL)
	if err != nil {
		s.t.Fatal(err)
	}
	b := s.browser(lang.English)
	b.client.Jar.SetCookies(home, []*http.Cookie{{Name: "zone", Value: "Pacific/Auckland"}})
	return b
}

// BenchmarkStandings compares the page of 200 players: rendered and compressed for each
// who asks, the same given to all, asked about by who has it, and its bytes from net/http alone.
func BenchmarkStandings(b *testing.B) {
	n := newClubNight(b)
	path := n.create("format", "swiss", "rounds", "1", "pace", "manual")
	n.write(func(tx *store.Tx) error {
		for i := range 200 {
			h := player.Handle(fmt.Sprintf("player%03d", i))
			if err := tx.AddPlayer(player.Player{ID: player.ID(h), Handle: h, Role: player.Plain, Created: n.clock.Now()}, ""); err != nil {
				return err
			}
		}
		return nil
	})
	for i := range 200 {
		n.host.post(path+"/entries", "handle", fmt.Sprintf("player%03d", i)).want(http.StatusOK)
		n.clock.advance(time.Second) // no hand is quicker
	}
	n.host.post(path + "/start").want(http.StatusOK)
	n.host.post(path + "/rounds").want(http.StatusOK)
	get := func(b *testing.B, url, tag string) *http.Response {
		r, err := http.NewRequest(http.MethodGet, url, nil)
		if err != nil {
			b.Fatal(err)
		}
		r.Header.Set("Accept-Encoding", "gzip")
		r.Header.Set("If-None-Match", tag)
		answer, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			b.Fatal(err)
		}
		return answer
	}
	url := n.http.URL + path + "/standings"
	answer := get(b, url, "")
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		b.Fatal(answer.Status, err)
	}
	bare := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(body)
	}))
	defer bare.Close()
	var limit atomic.Int64
	for _, c := range []struct {
		name, url, tag string
		change         bool
	}{{"Rendered", url, "", true}, {"Shared", url, "", false}, {"Known", url, answer.Header.Get("ETag"), false}, {"Bare", bare.URL, "", false}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				at := c.url
				if c.change {
					at += "?n=" + strconv.FormatInt(limit.Add(1), 10)
				}
				answer := get(b, at, c.tag)
				_, _ = io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
				if answer.StatusCode >= 400 {
					n.clock.advance(time.Hour) // the brake forgets
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "answers/s")
		})
	}
	b.ReportMetric(float64(len(body)), "B")
}
