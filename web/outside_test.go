package web_test

import (
	"context"
	"encoding/json"
	"html"
	"image"
	"image/gif"
	"image/png"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
)

// told is the content of one of a page's meta tags.
func (p page) told(name string) string {
	found := regexp.MustCompile(`<meta (?:property|name)="` + name + `" content="([^"]*)"`).FindStringSubmatch(p.body)
	if found == nil {
		p.t.Fatalf("%s does not tell its %s", p.path, name)
	}
	return html.UnescapeString(found[1])
}

// picture wants a PNG of a size.
func (p page) picture(width, height int) page {
	p.t.Helper()
	img, err := png.Decode(strings.NewReader(p.body))
	if err != nil {
		p.t.Fatalf("%s: %d, %v", p.path, p.status, err)
	}
	if got := img.Bounds().Size(); got != image.Pt(width, height) {
		p.t.Errorf("%s is %v", p.path, got)
	}
	return p
}

// animation wants a GIF of so many moments.
func (p page) animation(moments int) {
	p.t.Helper()
	moving, err := gif.DecodeAll(strings.NewReader(p.body))
	if err != nil {
		p.t.Fatalf("%s: %v", p.path, err)
	}
	if len(moving.Image) != moments {
		p.t.Errorf("%s: %d moments, want %d", p.path, len(moving.Image), moments)
	}
}

// below is an address of this site without its host.
func (s *site) below(address string) string {
	path, ours := strings.CutPrefix(address, s.http.URL)
	if !ours {
		s.t.Fatalf("%s is not a whole address of %s", address, s.http.URL)
	}
	return path
}

func TestALinkToAPageIsShownWithAPicture(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Open)
	g.toBoard()
	g.play(opening...)
	visitor := g.browser(lang.English)
	for path, want := range map[string][2]string{
		g.url():                                 {string(g.seats[0].Handle) + "\u00a0– " + string(g.seats[1].Handle), "0 : 0 · Friday"},
		g.url() + "/replay?ply=3":               {string(g.seats[0].Handle) + "\u00a0– " + string(g.seats[1].Handle), "0 : 0 · Friday"},
		g.path:                                  {"Friday", "running"},
		g.path + "/standings":                   {"Friday", "running"},
		"/players/" + string(g.seats[0].Handle): {string(g.seats[0].Handle), "No rated matches yet"},
		"/":                                     {"Bid for the rules. Then play.", "Spend chips"},
	} {
		page := visitor.get(path).want(http.StatusOK)
		if title, text := page.told("og:title"), page.told("og:description"); title != want[0] || !strings.Contains(text, want[1]) {
			t.Errorf("%s is told of as %q, %q", path, title, text)
		}
		g.below(page.told("og:url"))
		if page.told("twitter:card") != "summary_large_image" {
			t.Error("no large card")
		}
		shown := visitor.get(g.below(page.told("og:image"))).want(http.StatusOK).picture(1200, 630)
		if got := shown.header.Get("Cross-Origin-Resource-Policy"); got != "cross-origin" || shown.header.Get("Set-Cookie") != "" {
			t.Errorf("%s: other sites may not show its picture", path)
		}
	}
	// The address of a moment has the picture of that moment.
	if got := visitor.get(g.url() + "/replay?ply=3").told("og:image"); !strings.Contains(got, "/picture.png?ply=3&lang=en") {
		t.Error(got)
	}
}

// TestWhatIsPassedOnMostHasAPictureOfItsOwn: not the site's, and its own name on it.
func TestWhatIsPassedOnMostHasAPictureOfItsOwn(t *testing.T) {
	t.Parallel()
	n := newLadder(t)
	host := n.as(n.host, lang.English)
	link := []string{"who", "link", "preset", "quick", "claims", "automatic", "lateness", "5", "life", "1440"}
	pages := []string{
		n.url, host.post("/clubs", "name", "Nova").want(http.StatusOK).path, host.post("/challenges", link...).want(http.StatusOK).path,
	}
	visitor := n.browser(lang.English)
	seen := map[string]string{visitor.get("/picture.png?lang=en").want(http.StatusOK).body: "the site"}
	for _, path := range pages {
		at := n.below(visitor.get(path).want(http.StatusOK).told("og:image"))
		if twin, known := seen[visitor.get(at).want(http.StatusOK).picture(1200, 630).body]; known {
			t.Errorf("%s and %s are told of by the same picture", path, twin)
		}
		seen[visitor.get(at).body] = path
	}
	for _, path := range []string{"/ladders/none", "/clubs/none", "/c/none"} {
		visitor.get(path + "/picture.png").want(http.StatusNotFound)
	}
}

func TestAPictureIsSentAgainOnlyWhenItHasChanged(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(1))
	c.toBoard()
	c.moves("e2e4")
	ask := func(tag string) page {
		r, err := http.NewRequest(http.MethodGet, c.http.URL+c.url()+"/picture.png", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("If-None-Match", tag)
		return c.browser(lang.English).do(r)
	}
	first := ask("")
	tag := first.want(http.StatusOK).picture(1200, 630).header.Get("ETag")
	if again := ask(tag); again.status != http.StatusNotModified || again.body != "" || tag == "" {
		t.Errorf("the same picture: %d, tag %q", again.status, tag)
	}
	c.act(c.second, "act", "e7e5")
	if next := ask(tag); next.status != http.StatusOK || next.header.Get("ETag") == tag || next.body == first.body {
		t.Errorf("another picture: %d, %q", next.status, next.header.Get("ETag"))
	}
}

// A still has squares of 84 pixels, strips of 63 above and below and 42 for the caption.
func TestAPositionAndAWholeMatchAreShared(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(1))
	visitor := c.browser(lang.English)
	visitor.get(c.url()+"/position.png").want(http.StatusOK).picture(672, 840)
	visitor.get(c.url() + "/animation.gif").want(http.StatusOK).animation(1) // nobody has bid
	c.toBoard()
	c.moves("e2e4", "e7e5", "g1f3")
	after := visitor.get(c.url()+"/position.png?ply=1").want(http.StatusOK).picture(672, 840)
	if visitor.get(c.url()+"/position.png").body == after.body || visitor.get(c.url()+"/position.png?ply=1&flip=1").body == after.body {
		t.Error("every moment looks the same")
	}
	// What was bid, the start and three plies; so far, and after the end.
	visitor.get(c.url() + "/animation.gif").want(http.StatusOK).animation(5)
	c.act(c.second, "act", "resign")
	visitor.get(c.url() + "/animation.gif").want(http.StatusOK).animation(5)
	sheet := visitor.get(c.url()+"/replay?ply=2").want(http.StatusOK).wants("button", "Share").wants("link", "Picture").wants("link", "Animation")
	for _, part := range []string{
		c.http.URL + c.url() + "/replay?ply=2", "1. e4 e5 2. Nf3\n", html.EscapeString(`<iframe src="` + c.http.URL + `/embed` + c.url() + `?lang=en"`),
	} {
		if !strings.Contains(sheet.body, part) {
			t.Errorf("the sheet does not have %q", part)
		}
	}
}

func TestAnimationsAreDrawnNowAndThen(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(1))
	c.toBoard()
	c.act(c.first, "act", "resign")
	visitor := c.browser(lang.English)
	for _, kind := range []string{"?lang=en", "?lang=uk", "?lang=en&flip=1", "?lang=uk&flip=1", "?lang=en"} {
		visitor.get(c.url() + "/animation.gif" + kind).want(http.StatusOK)
	}
	d := *c
	for i, want := range []int{http.StatusOK, http.StatusTooManyRequests, http.StatusTooManyRequests} {
		d.open(short(1))
		d.toBoard()
		d.act(d.first, "act", "resign")
		if got := visitor.get(d.url() + "/animation.gif"); got.status != want {
			t.Errorf("match %d: %d", i, got.status)
		}
	}
	visitor.get(c.url() + "/animation.gif?lang=uk").want(http.StatusOK) // it was drawn
	c.clock.advance(10 * time.Second)
	visitor.get(d.url() + "/animation.gif").want(http.StatusOK)
}

func TestAMatchIsEmbeddedAndFollowed(t *testing.T) {
	storetest.ManyAtOnce(t)
	t.Parallel()
	c := newContest(t, short(1))
	visitor := c.browser(lang.English)
	page := visitor.get("/embed" + c.url()).want(http.StatusOK)
	policy := page.header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "frame-ancestors *") || !strings.Contains(policy, "form-action 'none'") || page.header.Get("X-Frame-Options") != "" {
		t.Errorf("it may not be framed: %s", policy)
	}
	if page.header.Get("Set-Cookie") != "" || strings.Contains(page.body, "<form") || !strings.Contains(page.body, `<base target="_blank">`) {
		t.Error("it sets a cookie, has a form or stays in its frame")
	}
	for _, other := range []string{c.url(), c.url() + "/replay", "/", "/oembed", "/picture.png"} {
		if got := visitor.get(other).header; got.Get("X-Frame-Options") != "DENY" || !strings.Contains(got.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
			t.Errorf("%s may be framed", other)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	next := c.stream(ctx, visitor, html.UnescapeString(regexp.MustCompile(`data-feed="([^"]*)"`).FindStringSubmatch(page.body)[1]))
	next()
	c.toBoard()
	c.moves("e2e4")
	for {
		_, event, data := next()
		if event == "swap" && strings.Contains(data, `id="embed-match"`) && strings.Contains(data, "is-playing") && strings.Contains(data, "mini-last") {
			break
		}
	}
	// Whoever watches there is counted.
	visitor.get("/tv").want(http.StatusOK).says("1 watching")
}

func TestStandingsAreEmbedded(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.played()
	visitor := n.browser(lang.English)
	page := visitor.get("/embed"+path+"/standings?lang=uk").want(http.StatusOK).wants("link", "Friday").says("anna")
	if !strings.Contains(page.body, `lang="uk"`) || !strings.Contains(page.header.Get("Content-Security-Policy"), "frame-ancestors *") {
		t.Error("the frame is not as asked for")
	}
	code := html.EscapeString(`<iframe src="` + n.http.URL + `/embed` + path + `/standings?lang=en"`)
	if !strings.Contains(visitor.get(path+"/standings").body, code) {
		t.Error("the code is not offered")
	}
}

func TestAnotherSiteLearnsHowToEmbed(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(1))
	visitor := c.browser(lang.English)
	found := regexp.MustCompile(`type="application/json\+oembed" href="([^"]*)"`).FindStringSubmatch(visitor.get(c.url()).body)
	if found == nil {
		t.Fatal("a match does not say how it is embedded")
	}
	at := c.below(html.UnescapeString(found[1]))
	var got struct {
		Version, Type, Title, HTML string
		Width, Height              int
		Thumbnail                  string `json:"thumbnail_url"`
	}
	if err := json.Unmarshal([]byte(visitor.get(at+"&maxwidth=300").want(http.StatusOK).body), &got); err != nil {
		t.Fatal(err)
	}
	code := `<iframe src="` + c.http.URL + "/embed" + c.url() + "?lang=en\" title=\"Olena\u00a0– Taras\"" + ` width="300" height="590"`
	if got.Version != "1.0" || got.Type != "rich" || got.Title != "Olena\u00a0– Taras" || got.Width != 300 || !strings.HasPrefix(got.HTML, code) {
		t.Errorf("%+v", got)
	}
	visitor.get(c.below(got.Thumbnail)).want(http.StatusOK).picture(1200, 630)
	visitor.get("/oembed?format=xml&url=" + url.QueryEscape(c.http.URL+c.url())).want(http.StatusNotImplemented)
	for _, address := range []string{"https://elsewhere.example" + c.url(), c.http.URL + "/rules", c.http.URL + "/matches/none", c.url(), ""} {
		visitor.get("/oembed?url=" + url.QueryEscape(address)).want(http.StatusNotFound)
	}
}

// TestWhatLeavesTheSiteBearsItsName, as an operator has given it: embeds, pictures, the
// app on a phone.
func TestWhatLeavesTheSiteBearsItsName(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(1))
	visitor := c.browser(lang.English)
	before := visitor.get(c.url() + "/picture.png").want(http.StatusOK).header.Get("ETag")
	c.as(c.account("Nadia", player.Operator), lang.English).post("/site/face", "name", "Dragon & Co", "mark", "D").want(http.StatusOK)
	for address, part := range map[string]string{
		"/embed" + c.url(): ">Dragon &amp; Co</a>",
		"/oembed?url=" + url.QueryEscape(c.http.URL+c.url()): `"provider_name":"Dragon \u0026 Co"`,
		"/manifest.webmanifest":                              `"name":"Dragon \u0026 Co"`,
		"/offline":                                           "Dragon &amp; Co",
	} {
		if body := visitor.get(address).want(http.StatusOK).body; !strings.Contains(body, part) {
			t.Errorf("%s is without %s", address, part)
		}
	}
	if visitor.get(c.url()+"/picture.png").want(http.StatusOK).header.Get("ETag") == before {
		t.Error("the picture bears the name that the site had")
	}
}

// TestWhatIsForStaffIsPassedOnToNobody: a tournament that is hidden again, with
// its matches, at every door that leads out of the site.
func TestWhatIsForStaffIsPassedOnToNobody(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Open)
	g.toBoard()
	g.act(0, "act", "resign")
	doors := []string{
		g.url() + "/picture.png", g.url() + "/position.png", g.url() + "/animation.gif", "/embed" + g.url(), "/embed" + g.path + "/standings",
		g.path + "/picture.png", "/oembed?url=" + url.QueryEscape(g.http.URL+g.url()), "/oembed?url=" + url.QueryEscape(g.http.URL+g.path),
	}
	visitor := g.browser(lang.English)
	for _, door := range doors {
		visitor.get(door).want(http.StatusOK)
	}
	host := g.viewer("Olena")
	g.write(func(tx *store.Tx) error {
		now, err := tx.Tournament(tournament.ID(strings.TrimPrefix(g.path, "/tournaments/")))
		if err != nil {
			return err
		}
		rehearsal := now.Clone()
		rehearsal.Rehearsal = "another"
		return tx.SaveTournament(now, rehearsal, ledger.Deed{At: g.clock.Now(), By: host.ID, Duty: tournament.Owner, Act: tournament.ActStuck})
	})
	for _, b := range []*browser{visitor, g.host, g.browsers[0]} {
		for _, door := range append(slices.Clone(doors), "/embed"+g.url()+"/feed",
			"/embed"+g.path+"/standings/feed", "/home/board/"+string(g.id)+"/feed") {
			b.get(door).want(http.StatusNotFound)
		}
		for _, page := range []string{g.url(), g.url() + "/replay"} {
			shown := b.get(page).want(http.StatusOK)
			if strings.Contains(shown.body, "og:image") || strings.Contains(shown.body, "oembed") || strings.Contains(shown.body, "position.png") || !strings.Contains(shown.body, `content="noindex"`) {
				t.Errorf("%s can be passed on", page)
			}
		}
		for _, list := range []string{"/tv", "/matches"} {
			if strings.Contains(b.get(list).body, g.url()) {
				t.Errorf("%s has it", list)
			}
		}
	}
}

// TestAMatchIsPassedOnWhileItIsPlayed by its address and a picture: what a player passes on is what watchers see, later.
func TestAMatchIsPassedOnWhileItIsPlayed(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Verified)
	g.toBoard()
	player, picture := g.browsers[0], g.url()+"/position.png?lang=en"
	before := g.browser(lang.English).get(picture).want(http.StatusOK).body
	g.play(opening...)
	page := player.get(g.url()).want(http.StatusOK).wants("button", "Share")
	for _, want := range []string{`data-link="` + g.http.URL + g.url() + `"`, `data-picture="` + picture + `"`, `id="share-embed"`} {
		if !strings.Contains(page.body, want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(page.body, "share-notation") || strings.Contains(page.body, "record.json") {
		t.Error("moves are passed on that watchers have not seen")
	}
	if player.get(picture).want(http.StatusOK).body != before {
		t.Error("a player is given a picture that watchers do not see yet")
	}
}

// TestAnAnimationWaitsForTheDelay of a Verified match: it shows what watchers have seen.
func TestAnAnimationWaitsForTheDelay(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Verified)
	g.toBoard()
	g.play(opening[:2]...)
	g.act(0, "act", "resign")
	for _, b := range []*browser{g.browser(lang.English), g.browsers[0], g.host} { // a picture is the same for all
		b.get(g.url() + "/animation.gif").want(http.StatusOK).animation(1)
	}
	g.clock.advance(2 * time.Minute)
	g.browser(lang.English).get(g.url() + "/animation.gif").want(http.StatusOK).animation(4) // what was bid, the start, two plies
}

// TestARoundAndABoardAreEmbeddedAndMoveOn: a frame or an overlay of board 1 goes over to the next round's match by itself.
func TestARoundAndABoardAreEmbeddedAndMoveOn(t *testing.T) {
	storetest.ManyAtOnce(t)
	t.Parallel()
	n := newClubNight(t)
	path := n.create()
	for _, handle := range []string{"anna", "borys", "clara", "danylo"} {
		n.host.post(path+"/entries", "handle", handle).want(http.StatusOK)
	}
	visitor := n.browser(lang.English)
	board, table, round := "/embed"+path+"/boards/1", "/embed"+path+"/standings", "/embed"+path+"/round"
	for _, at := range []string{board, table, round} {
		visitor.get(at).want(http.StatusOK) // nothing is played yet
	}
	n.host.post(path + "/start").want(http.StatusOK)
	matchOf := func() string {
		rounds := n.tournament(path).Rounds
		return `href="/matches/` + string(rounds[len(rounds)-1].Pairings[0].Match)
	}
	first := matchOf()
	page := visitor.get(board + "?overlay=1&lang=uk").want(http.StatusOK).says("Тур 1 · Дошка 1")
	if !strings.Contains(page.body, first) || !strings.Contains(page.body, `class="embed overlay"`) || !strings.Contains(page.body, `data-theme="dark"`) ||
		!strings.Contains(page.header.Get("Content-Security-Policy"), "frame-ancestors *") {
		t.Error("the overlay is not as asked for")
	}
	next := visitor.follow(html.UnescapeString(regexp.MustCompile(`data-feed="([^"]*)"`).FindStringSubmatch(page.body)[1]))
	if shown := next(); !strings.Contains(shown, first) {
		t.Errorf("its feed begins with %s", shown)
	}
	n.firstWins(path)
	second := matchOf()
	if second == first {
		t.Fatal("there is no second round")
	}
	for shown := next(); !strings.Contains(shown, second); shown = next() {
		if !strings.Contains(shown, first) {
			t.Fatalf("it shows %s", shown)
		}
	}
	n.firstWins(path)
	visitor.get(round).want(http.StatusOK).says("Round 3").says("bidding").saysNot("Round 2")
	if body := visitor.get(round + "?limit=1").want(http.StatusOK).says("All 2").body; strings.Count(body, "embed-result") != 1 {
		t.Errorf("one board: %s", body)
	}
	page = visitor.get(table+"?limit=3&tiebreaks=1").want(http.StatusOK).wants("link", "All 4")
	if strings.Count(page.body, "<tr>") != 4 || strings.Count(page.body, "<abbr") != 2 || !strings.Contains(page.body, "limit=3&amp;tiebreaks=1") {
		t.Errorf("three places with two tie-breaks, for nobody has met an equal: %s", page.body)
	}
	if body := visitor.get(table).want(http.StatusOK).body; strings.Contains(body, "<abbr") || strings.Count(body, "<tr>") != 5 {
		t.Errorf("as it was: %s", body)
	}
	for at, want := range map[string]int{
		table + "?limit=0": http.StatusBadRequest, round + "?limit=201": http.StatusBadRequest, table + "/feed?limit=x": http.StatusBadRequest,
		"/embed" + path + "/boards/0": http.StatusNotFound, "/embed" + path + "/boards/x": http.StatusNotFound, "/embed/tournaments/none/round": http.StatusNotFound,
	} {
		visitor.get(at).want(want)
	}
	visitor.get("/embed" + path + "/boards/9").want(http.StatusOK).says("Round 3 · Board 9")
}
