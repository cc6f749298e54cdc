package web_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/templates/lang"
)

// listen opens a page's stream and answers with its swaps.
func (b *browser) listen(path string) <-chan string {
	b.site.t.Helper()
	ctx, cancel := context.WithCancel(b.site.t.Context())
	b.site.t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, b.site.http.URL+path, nil)
	if err != nil {
		b.site.t.Fatal(err)
	}
	r.Header.Set("Accept", "text/event-stream")
	answer, err := b.client.Do(r)
	if err != nil {
		b.site.t.Fatal(err)
	}
	if answer.StatusCode != http.StatusOK {
		b.site.t.Fatalf("%s: %s", path, answer.Status)
	}
	swaps := make(chan string, 100)
	go func() {
		defer answer.Body.Close()
		lines := bufio.NewReader(answer.Body)
		event, data := "", ""
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				close(swaps)
				return
			}
			switch line = strings.TrimSuffix(line, "\n"); {
			case strings.HasPrefix(line, "event: "):
				event = line
			case strings.HasPrefix(line, "data: "):
				data += line[len("data: "):]
			case line == "":
				if event == "event: swap" {
					swaps <- data
				}
				event, data = "", ""
			}
		}
	}()
	return swaps
}

// TestAStreamHasNoHead: it is sent past net/http, which keeps the body of others back.
func TestAStreamHasNoHead(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.account("Boss", player.Operator)
	for path, want := range map[string]int{"/tv": http.StatusOK, "/tv/feed": http.StatusMethodNotAllowed} {
		answer, err := http.Head(s.http.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		if answer.Body.Close(); answer.StatusCode != want {
			t.Errorf("%s: %s", path, answer.Status)
		}
	}
}

// firstOf opens a page's stream and leaves it open: the first that it says, without how many watch; or the refusal.
// host: how it calls the site, if not as usual.
func (b *browser) firstOf(path string, host ...string) string {
	b.site.t.Helper()
	r, err := http.NewRequestWithContext(b.site.t.Context(), http.MethodGet, b.site.http.URL+path, nil)
	if err != nil {
		b.site.t.Fatal(err)
	}
	r.Header.Set("Accept-Language", b.lang)
	r.Host = strings.Join(host, "")
	answer, err := b.client.Do(r)
	if err != nil {
		b.site.t.Fatal(err)
	}
	b.site.t.Cleanup(func() { answer.Body.Close() })
	if answer.StatusCode != http.StatusOK {
		return answer.Status
	}
	said := ""
	for lines := bufio.NewReader(answer.Body); ; {
		line, err := lines.ReadString('\n')
		if said += line; err != nil || strings.HasPrefix(line, "data: ") {
			return watching.ReplaceAllString(said, "")
		}
	}
}

// watching is how many watch, and the marks of what has that on it.
var watching = regexp.MustCompile(`<span class="live-eyes">.*?</span>\s*|\d+ watching|\blast=\w+|(?m)^id: \w+$`)

// within waits for a swap that has what is wanted.
func within(t *testing.T, swaps <-chan string, want string) string {
	t.Helper()
	late := time.After(time.Minute)
	for {
		select {
		case html, open := <-swaps:
			if !open {
				t.Fatalf("the stream ended before %q", want)
			}
			if strings.Contains(html, want) {
				return html
			}
		case <-late:
			t.Fatalf("never %q", want)
		}
	}
}

// TestWhatStaffSeeStaysWithStaff: the same page of a round at one moment, by the
// stream that many share and by the page that many are given, whoever came first.
func TestWhatStaffSeeStaysWithStaff(t *testing.T) {
	storetest.ManyAtOnce(t)
	t.Parallel()
	g := newGuarded(t, fairplay.Verified)
	g.toBoard()
	g.play(opening...)
	page, feed := g.path+"/rounds/1", g.path+"/feed?part=round-1"
	staffSee := within(t, g.host.listen(feed), "tournament-round")
	visitors := within(t, g.browser(lang.English).listen(feed), "tournament-round")
	players := within(t, g.browsers[0].listen(feed), "tournament-round")
	if !strings.Contains(staffSee, g.path+"/desk") {
		t.Fatal("staff are not led to their desk")
	}
	g.host.get(page).want(http.StatusOK)
	for who, html := range map[string]string{
		"a visitor's stream": visitors, "a player's stream": players,
		"a visitor's page":        g.browser(lang.English).get(page).want(http.StatusOK).body,
		"the next visitor's page": g.browser(lang.English).get(page).want(http.StatusOK).body,
	} {
		for _, own := range []string{g.path + "/desk", g.path + "/results"} {
			if strings.Contains(html, own) {
				t.Errorf("%s leads to %s", who, own)
			}
		}
	}
	// Eight plies were made; a Verified match is shown six plies and two minutes later.
	pieces := func(html string) string {
		_, board, _ := strings.Cut(html, `id="watch-`)
		return board
	}
	if pieces(staffSee) == pieces(visitors) || pieces(staffSee) == pieces(players) {
		t.Error("watchers see the match as it stands")
	}
	if next := g.host.get(page).want(http.StatusOK); !strings.Contains(next.body, g.path+"/desk") {
		t.Error("staff are given a visitor's page")
	}
}

// TestASharedPageIsNoOlderThanWhatIsWritten, in each language by itself.
func TestASharedPageIsNoOlderThanWhatIsWritten(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.create()
	english, ukrainian := n.browser(lang.English), n.browser(lang.Ukrainian)
	english.get(path).want(http.StatusOK).saysNot("clara")
	if a, b := english.get(path).body, ukrainian.get(path).body; a == b {
		t.Error("one page for two languages")
	}
	n.host.post(path+"/entries", "handle", "clara").want(http.StatusOK)
	english.get(path).want(http.StatusOK).says("clara")
	n.host.post(path+"/life/hide", "reason", "too early").want(http.StatusOK)
	english.get(path).want(http.StatusNotFound)
}

// TestAHallOfPhonesIsNeverRefusedAPage: 300 behind one address open a round at
// one moment and again, and all their streams are kept.
func TestAHallOfPhonesIsNeverRefusedAPage(t *testing.T) {
	storetest.ManyAtOnce(t)
	t.Parallel()
	g := newGuarded(t, fairplay.Open)
	ask := func(path, accept string) int {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.RemoteAddr = "192.0.2.1:1"
		r.Header.Set("Accept", accept)
		ctx, cancel := context.WithCancel(g.t.Context())
		w := &firstByte{ResponseRecorder: httptest.NewRecorder(), came: cancel}
		g.web.ServeHTTP(w, r.WithContext(ctx))
		if accept == "text/event-stream" && w.Code == http.StatusOK {
			<-ctx.Done()
		}
		cancel()
		return w.Code
	}
	var mu sync.Mutex
	answers := map[string]int{}
	for range 3 {
		var hall sync.WaitGroup
		for range 300 {
			hall.Go(func() {
				page := ask(g.path+"/rounds/1", "text/html")
				mu.Lock()
				defer mu.Unlock()
				answers[fmt.Sprint(page)]++
			})
			hall.Go(func() {
				stream := ask(g.path+"/feed?part=round-1", "text/event-stream")
				mu.Lock()
				defer mu.Unlock()
				answers[fmt.Sprint("stream ", stream)]++
			})
		}
		hall.Wait()
	}
	if answers["200"] != 900 || answers["stream 200"] != 900 {
		t.Errorf("%v", answers)
	}
}

// firstByte hangs up a stream once it has begun.
type firstByte struct {
	*httptest.ResponseRecorder
	came context.CancelFunc
}

func (w *firstByte) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	server, browser := net.Pipe()
	go func() {
		defer browser.Close()
		_, _ = browser.Read(make([]byte, 1))
		w.came()
	}()
	return server, nil, nil
}

// TestAPageFollowsTheRoundThatOpensWhileItIsOpen: a visitor sees the boards of the
// first round begin, and then what is played on them, in the site's own language.
func TestAPageFollowsTheRoundThatOpensWhileItIsOpen(t *testing.T) {
	storetest.ManyAtOnce(t)
	t.Parallel()
	g := &guarded{clubNight: newClubNight(t), signedIn: map[player.ID]*browser{}}
	g.path = g.create("format", "swiss", "rounds", "1", "pace", "manual", "chips", "1")
	for _, h := range []string{"anna", "borys"} {
		g.host.post(g.path+"/entries", "handle", h).want(http.StatusOK)
	}
	g.host.post(g.path + "/start").want(http.StatusOK)
	visitor := g.browser(lang.English).listen(g.path + "/feed?part=live")
	within(t, visitor, "tournament")
	g.host.post(g.path + "/rounds").want(http.StatusOK)
	within(t, visitor, `id="watch-`)
	g.sitDown(1)
	g.toBoard()
	within(t, visitor, `class="live is-playing"`)
}

// TestAMatchShownLaterStaysInSmallUntilItsWatchersHaveSeenItsEnd, and no longer; staff
// see it go when it does.
func TestAMatchShownLaterStaysInSmallUntilItsWatchersHaveSeenItsEnd(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Verified)
	g.toBoard()
	g.play(opening...)
	g.clock.advance(30 * time.Second)
	g.act(0, "act", "resign")
	const small = `id="watch-1"`
	visitor := g.browser(lang.English)
	for _, page := range []string{g.path, g.path + "/rounds/1"} {
		visitor.get(page).want(http.StatusOK).says(small)
		g.host.get(page).want(http.StatusOK).saysNot(small)
	}
	g.clock.advance(119 * time.Second)
	visitor.get(g.path + "/rounds/1").want(http.StatusOK).says(small)
	g.clock.advance(time.Second)
	visitor.get(g.path + "/rounds/1").want(http.StatusOK).saysNot(small)
	visitor.get(g.path).want(http.StatusOK).saysNot(small).says(`id="last-1"`)
}
