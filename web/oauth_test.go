package web_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/oauth"
	"chpok.org/chpok/templates/lang"
)

// The pair of RFC 7636, Appendix B.
const (
	oauthVerifier  = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
	oauthChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
)

// application is a program of somebody else, whose answers go to a target that nobody listens at.
type application struct {
	*site
	client, target string
}

// asks are the parameters of what it asks for; pairs stand instead.
func (a application) asks(pairs ...string) url.Values {
	q := url.Values{"response_type": {"code"}, "client_id": {a.client}, "redirect_uri": {a.target}, "code_challenge": {oauthChallenge},
		"code_challenge_method": {"S256"}, "scope": {"read challenge"}, "state": {"xyz"}}
	for i := 0; i+1 < len(pairs); i += 2 {
		q.Set(pairs[i], pairs[i+1])
	}
	return q
}

// back is where a browser is sent that answers the consent page; it does not go there.
func (a application) back(b *browser, q url.Values, answer string, more ...string) (*url.URL, page) {
	a.t.Helper()
	pairs := append([]string{"answer", answer}, more...)
	for name := range q {
		pairs = append(pairs, name, q.Get(name))
	}
	follow := b.client.CheckRedirect
	b.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	p := b.post("/oauth/authorize", pairs...)
	b.client.CheckRedirect = follow
	to, err := url.Parse(p.header.Get("Location"))
	if err != nil {
		a.t.Fatal(err)
	}
	return to, p
}

// told is an answer of the token endpoint.
type told struct {
	Token   string `json:"access_token"`
	Kind    string `json:"token_type"`
	Expires int64  `json:"expires_in"`
	Scope   string `json:"scope"`
	Error   string `json:"error"`
	status  int
}

// redeems changes a code for a token as a script of another site does.
func (a application) redeems(code string, pairs ...string) (out told) {
	a.t.Helper()
	form := url.Values{"grant_type": {"authorization_code"}, "code": {code}, "client_id": {a.client}, "redirect_uri": {a.target},
		"code_verifier": {oauthVerifier}}
	for i := 0; i+1 < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	w := a.answer("POST", "/api/v1/oauth/token", "192.0.2.7:1000", form.Encode(), "Origin", "https://club.example",
		"Sec-Fetch-Site", "cross-site")
	if h := w.Header(); h.Get("Cache-Control") != "no-store" || h.Get("Access-Control-Allow-Origin") != "*" {
		a.t.Errorf("the answer may be kept, or its script cannot read it: %v", h)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
		a.t.Fatal(err)
	}
	out.status = w.Code
	return out
}

// me is the status of a request with a token from a script of another site.
func (a application) me(token string) int {
	return a.answer("GET", "/api/v1/me", "192.0.2.7:1000", "", "Authorization", "Bearer "+token, "Origin", "https://club.example").Code
}

func newApplication(t *testing.T) (application, player.Player, *browser) {
	t.Helper()
	s := newSite(t)
	s.account("Boss", player.Operator)
	olena := s.account("Olena", player.Plain)
	return application{s, "Club table", "https://club.example/back?of=table"}, olena, s.as(olena, lang.English)
}

// TestAnApplicationOfOthersGetsATokenAndLosesIt as its user sees it: signed out, asked, allowed, listed, revoked.
func TestAnApplicationOfOthersGetsATokenAndLosesIt(t *testing.T) {
	t.Parallel()
	a, olena, _ := newApplication(t)
	b := a.browser(lang.English)
	asked := b.get("/oauth/authorize?" + a.asks().Encode())
	if !strings.HasPrefix(asked.path, "/sign-in?return=") {
		t.Fatalf("a visitor is asked at once: %s", asked.path)
	}
	back, err := url.Parse(asked.path)
	if err != nil {
		t.Fatal(err)
	}
	p := b.post("/sign-in", "handle", "Olena", "password", password, "return", back.Query().Get("return")).want(http.StatusOK)
	checkPage(t, p.says("club.example asks to act on behalf of Olena").says("“Club table”").says("read what I may see").
		says("arrange my matches").saysNot("hold events").says("https://club.example/back?of=table"), lang.English)
	if policy := p.header.Get("Content-Security-Policy"); !strings.Contains(policy, "form-action 'self' https://club.example;") {
		t.Errorf("a browser would not follow the answer: %s", policy)
	}
	to, _ := a.back(b, a.asks(), "allow")
	q := to.Query()
	if to.Host != "club.example" || q.Get("state") != "xyz" || q.Get("of") != "table" || q.Get("iss") != a.http.URL || q.Get("error") != "" {
		t.Fatalf("sent to %s", to)
	}
	got := a.redeems(q.Get("code"))
	if got.Kind != "Bearer" || got.Scope != "read challenge" || got.Expires != 365*24*60*60 || a.me(got.Token) != http.StatusOK {
		t.Fatalf("got %+v", got)
	}
	if w := a.answer("POST", "/api/v1/tournaments", "192.0.2.7:1000", `{"name":"x"}`, "Authorization", "Bearer "+got.Token, "Content-Type",
		"application/json"); w.Code != http.StatusForbidden {
		t.Errorf("it does what nobody allowed: %d %s", w.Code, w.Body)
	}
	b.get("/settings").says("Club table").says("application: club.example").wants("button", "Revoke")
	if w := a.answer("POST", "/api/v1/oauth/revoke", "192.0.2.7:1000", "token="+got.Token, "Origin", "https://club.example"); w.Code != http.StatusOK ||
		a.me(got.Token) != http.StatusUnauthorized {
		t.Errorf("it gives its token back: %d", w.Code)
	}
	if names, _, _ := a.keys(olena); names != "" {
		t.Errorf("left: %s", names)
	}
	for _, form := range []string{"", "token=", "token=a&token=b"} {
		if w := a.answer("POST", "/api/v1/oauth/revoke", "192.0.2.7:1000", form); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), `"invalid_request"`) {
			t.Errorf("revoke %q: %d %s", form, w.Code, w.Body)
		}
	}
	if w := a.answer("POST", "/api/v1/oauth/revoke", "192.0.2.7:1000", "token=unknown&token_type_hint=access_token"); w.Code != http.StatusOK {
		t.Errorf("an unknown token has ended: %d", w.Code)
	}
}

func TestACodeServesOnceAndWhoShowsItAgainEndsItsToken(t *testing.T) {
	t.Parallel()
	a, _, b := newApplication(t)
	code := func() string {
		to, _ := a.back(b, a.asks(), "allow")
		return to.Query().Get("code")
	}
	for name, pairs := range map[string][]string{
		"another verifier": {"code_verifier", strings.Repeat("x", 43)}, "plain": {"code_verifier", oauthChallenge},
		"another client": {"client_id", "Club tables"}, "another redirect": {"redirect_uri", "https://club.example/back"},
		"no such code": {"code", "guess"},
	} {
		c := code()
		if got := a.redeems(c, pairs...); got.status != http.StatusBadRequest || got.Error != oauth.InvalidGrant || got.Token != "" {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := a.redeems(code(), "grant_type", "client_credentials"); got.status != http.StatusBadRequest || got.Error != oauth.UnsupportedGrantType {
		t.Errorf("another grant: %+v", got)
	}
	old := code()
	a.clock.advance(oauth.CodeLife + time.Second)
	if got := a.redeems(old); got.Error != oauth.InvalidGrant {
		t.Errorf("after its time: %+v", got)
	}
	c := code()
	mine := a.redeems(c)
	if a.me(mine.Token) != http.StatusOK {
		t.Fatal("the token serves nothing")
	}
	if again := a.redeems(c); again.status != http.StatusBadRequest || again.Error != oauth.InvalidGrant {
		t.Errorf("a code shown twice: %+v", again)
	}
	if status := a.me(mine.Token); status != http.StatusUnauthorized {
		t.Errorf("its token serves on: %d", status)
	}
}

// TestWhoAsksWronglySendsNobodyAnywhere: the page tells what is wrong, and a link leads back with it.
func TestWhoAsksWronglySendsNobodyAnywhere(t *testing.T) {
	t.Parallel()
	a, olena, b := newApplication(t)
	for name, c := range map[string]struct {
		q     url.Values
		fault string // empty: nobody knows where to answer
	}{
		"plain":            {a.asks("code_challenge_method", "plain"), "invalid_request"},
		"no challenge":     {a.asks("code_challenge", ""), "invalid_request"},
		"an unknown scope": {a.asks("scope", "read all"), "invalid_scope"},
		"implicit":         {a.asks("response_type", "token"), "unsupported_response_type"},
		"no target":        {a.asks("redirect_uri", ""), ""},
		"a script":         {a.asks("redirect_uri", "javascript:alert(1)"), ""},
		"plain http":       {a.asks("redirect_uri", "http://club.example/"), ""},
		"nobody":           {a.asks("client_id", ""), ""},
	} {
		p := b.get("/oauth/authorize?" + c.q.Encode()).want(http.StatusBadRequest)
		checkPage(t, p, lang.English)
		_, posted := a.back(b, c.q, "allow")
		if isLed := strings.Contains(p.body, "club.example/back?error="+c.fault); isLed != (c.fault != "") || posted.status != http.StatusBadRequest {
			t.Errorf("%s: a way back %v, status of the form %d", name, isLed, posted.status)
		}
		if c.fault != "" && (!strings.Contains(p.body, "state=xyz") || !strings.Contains(p.body, "iss=")) {
			t.Errorf("%s: the application would not know what it is about", name)
		}
	}
	if to, _ := a.back(b, a.asks(), "deny"); to.Query().Get("error") != oauth.AccessDenied || to.Query().Get("state") != "xyz" || to.Query().Has("code") {
		t.Errorf("who does not allow it sends %s", to)
	}
	quiet := a.asks()
	quiet.Del("state")
	if to, _ := a.back(b, quiet, "allow"); to.Query().Has("state") || !to.Query().Has("code") {
		t.Errorf("without a state: %s", to)
	}
	checkPage(t, a.as(olena, lang.Ukrainian).get("/oauth/authorize?"+a.asks("redirect_uri", "com.example.app:/cb", "scope", "board:play organize").Encode()).
		want(http.StatusOK).says("Програма на цьому пристрої").says("ходити за мене"), lang.Ukrainian)
	// An open page that its owner has left serves nobody: who signed in long ago proves it again.
	a.clock.advance(player.ProvenFor + time.Second)
	b.get("/oauth/authorize?"+a.asks().Encode()).wants("label", "password")
	if _, p := a.back(b, a.asks(), "allow", "password", "a guess"); p.status != http.StatusUnprocessableEntity {
		t.Errorf("a wrong password: %d", p.status)
	}
	if to, _ := a.back(b, a.asks(), "allow", "password", password); !to.Query().Has("code") {
		t.Errorf("proven: %s", to)
	}
}

// TestAnApplicationFindsWhereToAsk by RFC 8414, and its scripts may send what they carry themselves from any site.
func TestAnApplicationFindsWhereToAsk(t *testing.T) {
	t.Parallel()
	a, _, b := newApplication(t)
	var at struct {
		Issuer, Authorization_endpoint, Token_endpoint, Revocation_endpoint string
		Code_challenge_methods_supported, Scopes_supported                  []string
	}
	p := b.get("/.well-known/oauth-authorization-server").want(http.StatusOK)
	if err := json.Unmarshal([]byte(p.body), &at); err != nil || p.header.Get("Access-Control-Allow-Origin") != "*" {
		t.Fatal(err, p.header)
	}
	if at.Issuer != a.http.URL || at.Authorization_endpoint != a.http.URL+"/oauth/authorize" || at.Token_endpoint != a.http.URL+"/api/v1/oauth/token" ||
		at.Revocation_endpoint != a.http.URL+"/api/v1/oauth/revoke" || strings.Join(at.Code_challenge_methods_supported, " ") != "S256" ||
		strings.Join(at.Scopes_supported, " ") != "read challenge organize account board:play" {
		t.Errorf("told %+v", at)
	}
	elsewhere := []string{"Origin", "https://club.example", "Sec-Fetch-Site", "cross-site", "Content-Type", "application/json"}
	w := a.answer("OPTIONS", "/api/v1/challenges", "192.0.2.7:1000", "", append(elsewhere, "Access-Control-Request-Method", "POST",
		"Access-Control-Request-Headers", "authorization,content-type")...)
	if h := w.Header(); w.Code != http.StatusNoContent || h.Get("Access-Control-Allow-Origin") != "*" || h.Get("Access-Control-Allow-Credentials") != "" ||
		!strings.Contains(h.Get("Access-Control-Allow-Headers"), "Authorization") || !strings.Contains(h.Get("Access-Control-Allow-Methods"), "POST") {
		t.Errorf("asked before: %d %v", w.Code, h)
	}
	to, _ := a.back(b, a.asks(), "allow")
	token := a.redeems(to.Query().Get("code")).Token
	if w := a.answer("POST", "/api/v1/challenges", "192.0.2.7:1000", "{}", append(elsewhere, "Authorization", "Bearer "+token)...); w.Code == http.StatusForbidden {
		t.Errorf("with a token: %s", w.Body)
	}
	if w := a.answer("POST", "/api/v1/challenges", "192.0.2.7:1000", "{}", elsewhere...); w.Code != http.StatusForbidden {
		t.Errorf("without one, in the name of whoever is signed in: %d", w.Code)
	}
}
