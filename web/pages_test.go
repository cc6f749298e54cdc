package web_test

import (
	"bufio"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/templates/lang/plain"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
	"chpok.org/chpok/web"
)

// peopled is a site with an account of every role and a club.
func peopled(t *testing.T) (*site, map[string]player.Player) {
	t.Helper()
	s := newSite(t)
	people := map[string]player.Player{
		"operator": s.account("Boss", player.Operator), "organizer": s.account("Olena", player.Organizer), "player": s.account("Taras", player.Plain),
	}
	s.write(func(tx *store.Tx) error {
		return tx.AddClub(club.New("club1", "Клуб «Дракон»", "Щовівторка о сьомій.\n\nЗапрошуємо всіх.", people["organizer"].ID, s.clock.Now()))
	})
	return s, people
}

func TestEveryPageSpeaksBothLanguages(t *testing.T) {
	t.Parallel()
	s, people := peopled(t)
	pages := []string{"/", "/players", "/players?q=zzz", "/ratings", "/players/Taras", "/clubs", "/clubs/club1", "/clubs/new", "/clubs/club1/edit", "/clubs/club1/people", "/clubs/club1/news", "/clubs/club1/news/new", "/tv", "/matches", "/rules", "/rules/bidding?step=7", "/faq", "/fair-play/privacy", "/settings", "/admin", "/nowhere"}
	for _, l := range lang.All {
		visitor, operator := s.browser(l), s.as(people["operator"], l)
		for _, path := range []string{"/sign-in", "/sign-up"} {
			checkPage(t, visitor.get(path), l)
		}
		for _, path := range pages {
			p := operator.get(path)
			checkPage(t, p, l)
			if want := http.StatusOK; path != "/nowhere" && p.status != want {
				t.Errorf("%s: status %d", path, p.status)
			}
		}
	}
}

// tags is what of a page is not read.
var tags = regexp.MustCompile(`<[^>]*>`)

// checkPage looks for what no page may have, and for what every page must.
func checkPage(t *testing.T, p page, l lang.Lang) {
	t.Helper()
	if strings.Contains(p.body, lang.Missing) {
		at := strings.Index(p.body, lang.Missing)
		t.Errorf("%s in %s: a text is missing: %s", p.path, l, p.body[at:min(at+60, len(p.body))])
	}
	for _, banned := range []string{" style=", " onclick=", "<script>", "%!"} {
		if strings.Contains(p.body, banned) {
			t.Errorf("%s: contains %q", p.path, banned)
		}
	}
	if !strings.Contains(p.body, `<html lang="`+string(l)+`"`) {
		t.Errorf("%s: not in %s", p.path, l)
	}
	if word := plain.Find(string(l), html.UnescapeString(tags.ReplaceAllString(p.body, " "))); word != "" {
		t.Errorf("%s in %s: says %q", p.path, l, word)
	}
	if n := strings.Count(p.body, "<h1"); n != 1 {
		t.Errorf("%s: %d main headings", p.path, n)
	}
	if len(p.find("main")) != 1 || len(p.find("navigation")) == 0 {
		t.Errorf("%s: landmarks are missing", p.path)
	}
}

// TestLongTextsAreThere: a page of one has its sections, in both languages.
func TestLongTextsAreThere(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for _, l := range lang.All {
		for path, sections := range map[string]int{"/rules": 8, "/faq": 4, "/fair-play/privacy": 4} {
			if got := len(s.browser(l).get(path).want(http.StatusOK).find("heading")) - 1; got < sections {
				t.Errorf("%s in %s: %d sections, want %d and more", path, l, got, sections)
			}
		}
	}
}

func TestWhoMayAskForWhat(t *testing.T) {
	t.Parallel()
	s, people := peopled(t)
	// What each gets; 303 to the sign-in page counts as 401.
	tests := []struct {
		method, path                         string
		visitor, player, organizer, operator int
	}{
		{"GET", "/", 200, 200, 200, 200},
		{"GET", "/players", 200, 200, 200, 200},
		{"GET", "/ratings", 200, 200, 200, 200},
		{"GET", "/players/nobody", 404, 404, 404, 404},
		{"GET", "/clubs/club1", 200, 200, 200, 200},
		{"GET", "/clubs/nothing", 404, 404, 404, 404},
		{"GET", "/clubs/new", 401, 403, 200, 200},
		{"POST", "/clubs", 401, 403, 422, 422},
		{"GET", "/clubs/club1/edit", 401, 403, 200, 200},
		{"POST", "/clubs/club1", 401, 403, 422, 422},
		{"POST", "/clubs/club1/roles", 401, 400, 400, 400},
		{"GET", "/clubs/club1/people", 401, 403, 200, 200},
		{"POST", "/clubs/club1/code", 401, 403, 200, 200},
		{"POST", "/clubs/club1/requests", 401, 400, 400, 400},
		{"POST", "/clubs/club1/bans", 401, 403, 422, 422},
		{"GET", "/clubs/club1/news", 200, 200, 200, 200},
		{"GET", "/clubs/club1/news/new", 401, 403, 200, 200},
		{"POST", "/clubs/club1/news", 401, 403, 422, 422},
		{"GET", "/settings", 401, 200, 200, 200},
		{"POST", "/settings/tokens", 401, 422, 422, 422},
		{"POST", "/settings/tokens/drop", 401, 404, 404, 404},
		{"GET", "/admin", 401, 403, 403, 200},
		{"POST", "/admin/role", 401, 403, 403, 422},
		{"POST", "/admin/link", 401, 403, 403, 404},
		{"GET", "/rules", 200, 200, 200, 200},
		{"GET", "/faq", 200, 200, 200, 200},
		{"GET", "/healthz", 200, 200, 200, 200},
		{"DELETE", "/players", 405, 405, 405, 405},
		{"GET", "/no/such/page", 404, 404, 404, 404},
	}
	who := map[string]*browser{"visitor": s.browser(lang.English)}
	for role, p := range people {
		who[role] = s.as(p, lang.English)
	}
	for _, test := range tests {
		for role, want := range map[string]int{"visitor": test.visitor, "player": test.player, "organizer": test.organizer, "operator": test.operator} {
			req, err := http.NewRequest(test.method, s.http.URL+test.path, nil)
			if err != nil {
				t.Fatal(err)
			}
			p := who[role].do(req)
			got := p.status
			if strings.HasPrefix(p.path, "/sign-in?return=") {
				got = http.StatusUnauthorized
			}
			if got != want {
				t.Errorf("%s %s as %s: %d, want %d", test.method, test.path, role, got, want)
			}
		}
	}
}

func TestSigningInLeadsBackToWhatWasAsked(t *testing.T) {
	t.Parallel()
	s, _ := peopled(t)
	b := s.browser(lang.English)
	asked := b.get("/settings")
	u, err := url.Parse(asked.path)
	if err != nil {
		t.Fatal(err)
	}
	p := b.post("/sign-in", "handle", "Taras", "password", password, "return", u.Query().Get("return"))
	if p.path != "/settings" {
		t.Errorf("led to %s", p.path)
	}
}

func TestAnOperatorAppointsOrganizers(t *testing.T) {
	t.Parallel()
	s, people := peopled(t)
	boss := s.as(people["operator"], lang.English)
	boss.post("/admin/role", "player", string(people["player"].Handle), "role", "organizer", "return", "/admin").want(http.StatusOK).wants("status", "Saved")
	s.as(people["player"], lang.English).get("/clubs/new").want(http.StatusOK)
	boss.post("/admin/role", "player", string(people["operator"].Handle), "role", "player").want(http.StatusForbidden)
}

func TestClosedSignUpLetsNobodyIn(t *testing.T) {
	t.Parallel()
	s, people := peopled(t)
	boss := s.as(people["operator"], lang.English)
	boss.post("/admin/sign-up", "sign-up", "closed").want(http.StatusOK)
	visitor := s.browser(lang.English)
	visitor.get("/sign-up").want(http.StatusOK).wantsNo("button", "Create")
	visitor.get("/sign-in").want(http.StatusOK).wantsNo("link", "Create an account")
	visitor.post("/sign-up", "handle", "Newcomer", "password", "long enough").want(http.StatusForbidden)
	boss.post("/admin/sign-up", "sign-up", "open").want(http.StatusOK)
	visitor.post("/sign-up", "handle", "Newcomer", "password", "long enough").want(http.StatusOK)
}

func TestAForgottenPassword(t *testing.T) {
	t.Parallel()
	s, people := peopled(t)
	p := s.as(people["operator"], lang.English).post("/admin/link", "player", string(people["player"].Handle)).want(http.StatusOK)
	_, rest, _ := strings.Cut(p.body, `<code id="issued">`)
	link, _, _ := strings.Cut(rest, "<")
	path, ok := strings.CutPrefix(link, s.http.URL)
	if !ok {
		t.Fatalf("link %q does not lead to the site", link)
	}
	s.browser(lang.English).get(path).want(http.StatusOK).wants("button", "Sign in as Taras")
}

func TestPlayersAreFoundAndPaged(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.write(func(tx *store.Tx) error {
		for i := range 60 {
			if err := tx.AddPlayer(player.Player{ID: player.ID(handleOf(i)), Handle: handleOf(i), Role: player.Plain, Created: s.clock.Now()}, ""); err != nil {
				return err
			}
		}
		return nil
	})
	b := s.browser(lang.English)
	b.get("/players").wants("header", "player00").wants("header", "player49").wantsNo("header", "player50").wants("link", "Next")
	b.get("/players?page=2").wants("header", "player59").wantsNo("header", "player49").wants("link", "Previous").wantsNo("link", "Next")
	b.get("/players?q=YER07").wants("header", "player07").wantsNo("header", "player08")
	b.get("/players?q=%25").wantsNo("header", "player00")
	b.get("/players?page=junk").wants("header", "player00")
}

func TestAPlayersRatingHistoryIsDrawnAndListed(t *testing.T) {
	t.Parallel()
	s, people := peopled(t)
	id := people["player"].ID
	s.write(func(tx *store.Tx) error {
		for _, name := range []tournament.ID{"one", "two"} {
			settings := tournament.DefaultSettings(tournament.RoundRobin)
			settings.Name = "Tournament " + string(name)
			x, err := tournament.New(name, people["organizer"].ID, settings, s.clock.Now())
			if err != nil {
				return err
			}
			x.Status, x.EndedAt = tournament.Finished, s.clock.Now()
			if err := tx.AddTournament(x, ledger.Deed{Act: tournament.ActCreate}); err != nil {
				return err
			}
		}
		change := func(of tournament.ID, n int64, before, after int, reason rating.Reason) store.RatingChange {
			c := store.RatingChange{
				Change:  rating.Change{Event: string(of), Player: string(id), Reason: reason, Before: rating.Points(before), After: rating.Points(after), K: 40, Games: int(n)},
				Ordinal: n, At: s.clock.Now().Add(time.Duration(n) * 24 * time.Hour),
			}
			c.Tournament = of
			return c
		}
		var made []store.RatingChange
		for i, name := range []tournament.ID{"one", "two"} {
			ordinal, err := tx.MarkRated(store.RatedEvent{Tournament: name}, false, s.clock.Now(), s.clock.Now())
			if err != nil || ordinal != int64(i+1) {
				return fmt.Errorf("ordinal %d: %w", ordinal, err)
			}
		}
		made = append(made, change("one", 1, 0, 1400, rating.Started), change("one", 1, 1400, 1420, rating.Rated), change("two", 2, 1420, 1412, rating.Rated))
		f, err := tx.RatingFold(rating.Main)
		if err != nil {
			return err
		}
		return tx.ExtendFold(f, 2, made, nil)
	})
	p := s.browser(lang.English).get("/players/taras").want(http.StatusOK)
	p.wants("img", "1412")
	for _, want := range []string{"+20", "−8", "start rating", "results of matches", "1420"} {
		if !strings.Contains(p.body, want) {
			t.Errorf("no %q on the page", want)
		}
	}
	s.browser(lang.English).get("/ratings").want(http.StatusOK).wants("header", "Taras")
}

func TestRequestsFromOtherSitesChangeNothing(t *testing.T) {
	t.Parallel()
	s, people := peopled(t)
	b := s.as(people["operator"], lang.English)
	for name, header := range map[string][2]string{"a new browser says so": {"Sec-Fetch-Site", "cross-site"}, "an old browser names its origin": {"Origin", "https://evil.example"}} {
		req, err := http.NewRequest(http.MethodPost, s.http.URL+"/admin/sign-up", strings.NewReader("sign-up=closed"))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set(header[0], header[1])
		if p := b.do(req); p.status != http.StatusForbidden {
			t.Errorf("%s: %d", name, p.status)
		}
	}
	if p := b.get("/admin"); !strings.Contains(p.body, "Anyone may create an account") {
		t.Error("the setting was changed")
	}
}

func TestEveryAnswerCarriesTheSecureHeaders(t *testing.T) {
	t.Parallel()
	s, _ := peopled(t)
	for _, path := range []string{"/", "/nowhere", "/healthz", "/api/v1/me"} {
		h := s.browser(lang.English).get(path).header
		for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin"} {
			if got := h.Get(name); got != want {
				t.Errorf("%s: %s is %q", path, name, got)
			}
		}
		policy := h.Get("Content-Security-Policy")
		if !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") || h.Get("X-Request-Id") == "" {
			t.Errorf("%s: policy %q, request id %q", path, policy, h.Get("X-Request-Id"))
		}
		if h.Get("Strict-Transport-Security") != "" {
			t.Errorf("%s: promises TLS over plain HTTP", path)
		}
	}
}

func TestCookiesAreBoundToTLSWhereThereIsTLS(t *testing.T) {
	t.Parallel()
	s := newSiteOn(t, storetest.SQLite(t), web.Config{BaseURL: "https://chpok.example"})
	s.account("Olena", player.Plain)
	b := s.browser(lang.English)
	b.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	set := b.post("/sign-in", "handle", "Olena", "password", password).want(http.StatusSeeOther).header.Get("Set-Cookie")
	for _, part := range []string{"__Host-session=", "HttpOnly", "Secure", "SameSite=Lax", "Path=/"} {
		if !strings.Contains(set, part) {
			t.Errorf("no %s in %q", part, set)
		}
	}
}

func TestStaticFilesAreKeptForGood(t *testing.T) {
	t.Parallel()
	s, _ := peopled(t)
	b := s.browser(lang.English)
	_, rest, _ := strings.Cut(b.get("/").body, `rel="stylesheet" href="`)
	address, _, _ := strings.Cut(rest, `"`)
	css := b.get(address).want(http.StatusOK)
	if got := css.header.Get("Cache-Control"); !strings.Contains(got, "immutable") {
		t.Errorf("%s: %q", address, got)
	}
	if kind := css.header.Get("Content-Type"); !strings.HasPrefix(kind, "text/css") {
		t.Errorf("kind %q", kind)
	}
	if got := b.get("/static/0123/css/base.css").want(http.StatusOK).header.Get("Cache-Control"); strings.Contains(got, "immutable") {
		t.Error("a file of another version is kept for good")
	}
	if got, want := b.get("/static/0123/css/tokens+base.css").body, b.get("/static/0123/css/tokens.css").body+b.get("/static/0123/css/base.css").body; got != want {
		t.Errorf("two style sheets in a row have %d bytes, alone %d", len(got), len(want))
	}
	for _, path := range []string{"/static/0123/nothing.css", "/static/0123/../server.go", "/static/0123/css", "/static/0123/css/base+base.css",
		"/static/0123/css/base+nothing.css", "/static/0123/js/core+feed.js"} {
		if p := b.get(path); p.status != http.StatusNotFound {
			t.Errorf("%s: %d", path, p.status)
		}
	}
}

func TestTooMuchIsRefused(t *testing.T) {
	t.Parallel()
	s, people := peopled(t)
	s.as(people["organizer"], lang.English).post("/clubs", "name", "A club", "text", strings.Repeat("x", 600_000)).want(http.StatusRequestEntityTooLarge)
}

func TestAFloodIsSlowedDown(t *testing.T) {
	t.Parallel()
	s, _ := peopled(t)
	b := s.browser(lang.English)
	last := 0
	for range 101 {
		last = b.post("/sign-out").status
		if last == http.StatusTooManyRequests {
			break
		}
	}
	if last != http.StatusTooManyRequests {
		t.Fatalf("a hundred and one posts in no time: %d", last)
	}
	s.clock.advance(time.Second)
	b.post("/sign-out").want(http.StatusOK)
}

func TestLanguageAndAppearanceFollowTheVisitor(t *testing.T) {
	t.Parallel()
	s, people := peopled(t)
	b := s.browser(lang.Ukrainian)
	b.get("/players").wants("heading", texts(lang.Ukrainian).T("core.nav.players"))
	p := b.post("/preferences", "lang", "en", "theme", "dark", "return", "/players").want(http.StatusOK).wants("heading", "Players")
	if p.path != "/players" || !strings.Contains(p.body, `data-theme="dark"`) {
		t.Errorf("at %s", p.path)
	}
	taras := s.as(people["player"], lang.English)
	taras.post("/settings", "lang", "uk", "theme", "", "zone", "America/New_York", "sounds", "on").want(http.StatusOK).wants("heading", "Налаштування")
	elsewhere := s.as(people["player"], lang.English)
	if p := elsewhere.get("/settings"); !strings.Contains(p.body, "America/New_York") || !strings.Contains(p.body, `lang="uk"`) {
		t.Error("settings do not follow the account to another browser")
	}
}

func TestAnUnknownFailureIsLoggedAndApologised(t *testing.T) {
	t.Parallel()
	s, people := peopled(t)
	b := s.as(people["player"], lang.English)
	if err := s.store.Close(); err != nil {
		t.Fatal(err)
	}
	p := b.get("/players").want(http.StatusInternalServerError)
	p.wants("heading", "That didn’t work").wants("link", "Try again")
	if p := b.post("/play/now"); p.status < 500 || strings.Contains(p.body, "Try again<") {
		t.Errorf("status %d, and what was sent is not sent again by a link", p.status)
	}
	id := p.header.Get("X-Request-Id")
	if !strings.Contains(p.body, id) || !strings.Contains(s.log.String(), id) {
		t.Error("the request cannot be found again")
	}
	if strings.Contains(p.body, "sql") {
		t.Error("the cause is shown to the visitor")
	}
}

func TestTheHomePageHearsOfTheViewersMatches(t *testing.T) {
	storetest.ManyAtOnce(t)
	t.Parallel()
	s, people := peopled(t)
	b := s.as(people["player"], lang.English)
	b.get("/").wants("heading", "Ready for your first match?")
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.http.URL+"/feed", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Accept-Language", "en")
	res, err := b.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	lines := bufio.NewScanner(res.Body)
	until := func(part string) {
		t.Helper()
		for lines.Scan() {
			if strings.Contains(lines.Text(), part) {
				return
			}
		}
		t.Fatalf("the stream ended before %q", part)
	}
	until("Ready for your first match?")
	var id match.ID
	s.write(func(tx *store.Tx) (err error) {
		id, err = s.live.OpenTx(tx, live.Opening{Players: [2]player.ID{people["player"].ID, people["organizer"].ID}, Options: match.DefaultOptions()})
		return err
	})
	if err := s.live.Opened(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	until("Olena")
}

func TestAPageThatIsNotThereSaysSoInItsHead(t *testing.T) {
	t.Parallel()
	s, people := peopled(t)
	s.as(people["player"], lang.English).get("/nothing-here").want(http.StatusNotFound).wants("heading", "Page not found").says("The link may be out of date.")
	s.as(people["player"], lang.Ukrainian).get("/nothing-here").want(http.StatusNotFound).wants("heading", "Сторінку не знайдено")
}
