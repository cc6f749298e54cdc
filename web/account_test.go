package web_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web"
	"chpok.org/chpok/web/account"
)

func TestANewcomerSignsUpSignsOutAndSignsIn(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.Store) {
		s := newSiteOn(t, db, web.Config{})
		s.account("Boss", player.Operator)
		b := s.browser(lang.English)
		b.get("/sign-up").want(http.StatusOK).wants("heading", "Create an account")
		b.post("/sign-up", "handle", "Olena", "password", "short").want(http.StatusUnprocessableEntity).wants("alert", "Too short")
		b.post("/sign-up", "handle", "О-лена", "password", "long enough").want(http.StatusUnprocessableEntity).wants("alert", "Latin letters")
		b.post("/sign-up", "handle", "boss", "password", "long enough").want(http.StatusUnprocessableEntity).wants("alert", "is taken")
		welcome := b.post("/sign-up", "handle", "Olena", "password", "long enough").want(http.StatusOK)
		welcome.wants("status", "Welcome").wants("link", "My page").wantsNo("link", "Administration")
		s.browser(lang.Ukrainian).post("/sign-up", "handle", "Mila", "password", "long enough").want(http.StatusOK).wants("status", "Вітаємо!")
		b.post("/sign-out").want(http.StatusOK).wants("link", "Sign in")
		b.post("/sign-in", "handle", "olena", "password", "long Enough").want(http.StatusUnprocessableEntity).wants("alert", "Wrong")
		in := b.post("/sign-in", "handle", "OLENA", "password", "long enough", "return", "/players?q=ole").want(http.StatusOK)
		if in.path != "/players?q=ole" {
			t.Errorf("came back to %s", in.path)
		}
		in.wants("link", "Olena")
	})
}

func TestWhereOneIsSentAfterSigningInStaysOnTheSite(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.account("Olena", player.Plain)
	for _, evil := range []string{"//evil.example", "/\t/evil.example", "https://evil.example/", `/\evil.example`, ""} {
		b := s.browser(lang.English)
		b.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		p := b.post("/sign-in", "handle", "Olena", "password", password, "return", evil).want(http.StatusSeeOther)
		if to := p.header.Get("Location"); to != "/" {
			t.Errorf("%q leads to %q", evil, to)
		}
	}
}

func TestTheFirstStartLeadsToAnOperator(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(lang.English)
	b.get("/").want(http.StatusOK).wants("heading", "First start").wantsNo("label", "Code")
	done := b.post("/setup", "handle", "Boss", "password", "long enough").want(http.StatusOK)
	done.wants("link", "Administration")
	if p := s.browser(lang.English).get("/setup").want(http.StatusOK); p.path != "/" {
		t.Errorf("setup is still open: %s", p.path)
	}
	s.browser(lang.English).post("/setup", "handle", "Other", "password", "long enough").want(http.StatusForbidden)
}

func TestAStrangerNeedsTheCodeFromTheConsole(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	path, err := account.SetupPath(context.Background(), s.store)
	if err != nil {
		t.Fatal(err)
	}
	again, err := account.SetupPath(context.Background(), s.store)
	if err != nil || again != path {
		t.Fatalf("a second node prints %q, the first %q (%v)", again, path, err)
	}
	u, err := url.Parse(path)
	if err != nil {
		t.Fatal(err)
	}
	code := u.Query().Get("code")
	try := func(code string) page {
		b := s.browser(lang.English)
		form := url.Values{"handle": {"Boss"}, "password": {"long enough"}, "code": {code}}
		req, err := http.NewRequest(http.MethodPost, s.http.URL+"/setup", strings.NewReader(form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("X-Forwarded-For", "203.0.113.9") // a proxy on the same machine
		return b.do(req)
	}
	try("").want(http.StatusUnprocessableEntity).wants("alert", "Wrong code")
	try("guess").want(http.StatusUnprocessableEntity)
	try(code).want(http.StatusOK).wants("link", "Administration")
	if left, err := account.SetupPath(context.Background(), s.store); err != nil || left != "" {
		t.Errorf("a site with an operator still offers %q (%v)", left, err)
	}
}

func TestASignInLinkWorksOnceAndNotForPreviews(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	olena := s.account("Olena", player.Plain)
	var secret player.Secret
	s.write(func(tx *store.Tx) (err error) {
		secret, err = tx.CreateSignInLink(olena.ID, s.clock.Now().Add(time.Hour))
		return err
	})
	path := account.SignInLinkPath(secret)
	for range 2 {
		s.browser(lang.English).get(path).want(http.StatusOK).wants("button", "Sign in as Olena")
	}
	s.browser(lang.English).post("/link", "key", string(secret)).want(http.StatusOK).wants("link", "My page")
	s.browser(lang.English).post("/link", "key", string(secret)).want(http.StatusGone)
	s.browser(lang.English).get(path).want(http.StatusGone)
}

func TestASignInLinkRunsOut(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	olena := s.account("Olena", player.Plain)
	var secret player.Secret
	s.write(func(tx *store.Tx) (err error) {
		secret, err = tx.CreateSignInLink(olena.ID, s.clock.Now().Add(time.Hour))
		return err
	})
	s.clock.advance(time.Hour + time.Second)
	s.browser(lang.English).post("/link", "key", string(secret)).want(http.StatusGone)
}

func TestSessionsCanBeListedAndEnded(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	olena := s.account("Olena", player.Plain)
	phone, laptop := s.as(olena, lang.English), s.as(olena, lang.English)
	settings := laptop.get("/settings").want(http.StatusOK)
	if got := strings.Count(settings.body, `action="/settings/sessions/drop"`); got != 2 {
		t.Errorf("%d forms to end sessions, want one for the phone and one for all others", got)
	}
	laptop.post("/settings/sessions/drop", "id", "others").want(http.StatusOK)
	if p := phone.get("/settings"); !strings.HasPrefix(p.path, "/sign-in") {
		t.Errorf("the phone still sees %s", p.path)
	}
	laptop.get("/settings").want(http.StatusOK).wantsNo("button", "Sign out there")
}

func TestNobodyEndsTheSessionOfAnother(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	olena, taras := s.account("Olena", player.Plain), s.account("Taras", player.Plain)
	hers := s.as(olena, lang.English)
	var id string
	s.write(func(tx *store.Tx) error {
		list, err := tx.Sessions(olena.ID)
		id = list[0].ID
		return err
	})
	s.as(taras, lang.English).post("/settings/sessions/drop", "id", id).want(http.StatusNotFound)
	hers.get("/settings").want(http.StatusOK).wants("heading", "Settings")
}

func TestASessionRunsOut(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.as(s.account("Olena", player.Plain), lang.English)
	s.clock.advance(player.SessionLife / 2)
	b.get("/settings").want(http.StatusOK).wants("heading", "Settings")
	s.clock.advance(player.SessionLife - time.Minute) // since the visit above
	b.get("/settings").want(http.StatusOK).wants("heading", "Settings")
	s.clock.advance(player.SessionLife + time.Minute)
	if p := b.get("/settings"); !strings.HasPrefix(p.path, "/sign-in") {
		t.Errorf("still signed in at %s", p.path)
	}
}

func TestAChangedPasswordEndsOtherSessions(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	olena := s.account("Olena", player.Plain)
	other, b := s.as(olena, lang.English), s.as(olena, lang.English)
	b.post("/settings/password", "old", "wrong", "new", "a new password").want(http.StatusUnprocessableEntity).wants("alert", "Wrong")
	b.post("/settings/password", "old", password, "new", "olena").want(http.StatusUnprocessableEntity).wants("alert", "Too short")
	b.post("/settings/password", "old", password, "new", "a new password").want(http.StatusOK).wants("status", "Password changed")
	if p := other.get("/settings"); !strings.HasPrefix(p.path, "/sign-in") {
		t.Error("the other session survived")
	}
	s.browser(lang.English).post("/sign-in", "handle", "Olena", "password", "a new password").want(http.StatusOK).wants("link", "My page")
}

func TestATokenIsShownOnceAndWorksUntilItIsRevoked(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	olena := s.account("Olena", player.Plain)
	b := s.as(olena, lang.English)
	made := b.post("/settings/tokens", "name", "my bot").want(http.StatusOK)
	_, rest, found := strings.Cut(made.body, `<code id="secret">`)
	secret, _, _ := strings.Cut(rest, "<")
	if !found || len(secret) < 26 {
		t.Fatalf("no token on the page: %q", secret)
	}
	if strings.Contains(b.get("/settings").body, secret) {
		t.Error("the token is shown a second time")
	}
	me := func() int {
		req, err := http.NewRequest(http.MethodGet, s.http.URL+"/api/v1/me", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+secret)
		return s.browser(lang.English).do(req).status
	}
	if got := me(); got != http.StatusOK {
		t.Errorf("the token is refused: %d", got)
	}
	var tokens []player.Token
	s.write(func(tx *store.Tx) (err error) {
		tokens, err = tx.Tokens(olena.ID)
		return err
	})
	if len(tokens) != 1 || !tokens[0].Used.Equal(s.clock.Now()) {
		t.Errorf("its use is not noted: %+v", tokens)
	}
	b.post("/settings/tokens/drop", "id", tokens[0].ID).want(http.StatusOK)
	if got := me(); got != http.StatusUnauthorized {
		t.Errorf("a revoked token: %d", got)
	}
}

func TestATokenOpensTheAPIOnly(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	olena := s.account("Olena", player.Plain)
	var secret player.Secret
	s.write(func(tx *store.Tx) (err error) {
		secret, err = tx.AddToken(player.Token{Player: olena.ID, Name: "bot", Scopes: olena.MostScopes(), Created: s.clock.Now()})
		return err
	})
	req, err := http.NewRequest(http.MethodGet, s.http.URL+"/settings", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+string(secret))
	if p := s.browser(lang.English).do(req); !strings.HasPrefix(p.path, "/sign-in") {
		t.Errorf("a token opened %s", p.path)
	}
}

func TestGuessingAPasswordIsStopped(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.account("Olena", player.Plain)
	b := s.browser(lang.English)
	last := 0
	for range 11 {
		last = b.post("/sign-in", "handle", "Olena", "password", "guess").status
	}
	if last != http.StatusTooManyRequests {
		t.Errorf("the eleventh guess: %d", last)
	}
	s.clock.advance(time.Minute)
	b.post("/sign-in", "handle", "Olena", "password", password).want(http.StatusOK).wants("link", "My page")
}

func TestABotNeverSignsIn(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.write(func(tx *store.Tx) error {
		return tx.AddPlayer(player.Player{ID: "bot", Handle: "Robo", Role: player.Plain, Bot: true, Created: s.clock.Now()}, player.HashPassword("password", [player.SaltBytes]byte{}))
	})
	s.browser(lang.English).post("/sign-in", "handle", "Robo", "password", "password").want(http.StatusUnprocessableEntity)
}

// TestTheAPIsPageLeadsToTokensOverSigningIn: the place on the page of settings, which a browser unfolds, is not lost on the way.
func TestTheAPIsPageLeadsToTokensOverSigningIn(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.account("Olena", player.Plain)
	b := s.browser(lang.English)
	link, _ := attr(b.get("/api").want(http.StatusOK).named("id", "a-tokens"), "href")
	form := b.get(link).want(http.StatusOK).named("name", "return")
	back, _ := attr(form, "value")
	b.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	in := b.post("/sign-in", "handle", "Olena", "password", password, "return", back).want(http.StatusSeeOther)
	b.client.CheckRedirect = nil
	if at := in.header.Get("Location"); at != "/settings#s-tokens" {
		t.Errorf("signed in, they are led to %s", at)
	}
	again, _ := attr(b.get("/api").want(http.StatusOK).named("id", "a-tokens"), "href")
	if b.get("/settings").want(http.StatusOK).named("id", "s-tokens") == nil || again != "/settings#s-tokens" {
		t.Errorf("who is signed in is led to %s", again)
	}
}
