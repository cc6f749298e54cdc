package oauth

import (
	"errors"
	"net/url"
	"slices"
	"testing"
	"time"

	"chpok.org/chpok/player"
)

// The pair of RFC 7636, Appendix B.
const (
	rfcVerifier  = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
	rfcChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
)

func asked(pairs ...string) url.Values {
	q := url.Values{"response_type": {"code"}, "client_id": {"Club table"}, "redirect_uri": {"https://club.example/back?x=1"},
		"code_challenge": {rfcChallenge}, "code_challenge_method": {"S256"}, "scope": {"read challenge"}, "state": {"s/1"}}
	for i := 0; i+1 < len(pairs); i += 2 {
		if q.Del(pairs[i]); pairs[i+1] != "" {
			q.Set(pairs[i], pairs[i+1])
		}
	}
	return q
}

func TestWhatAnApplicationMayAskFor(t *testing.T) {
	t.Parallel()
	most := player.Player{}.MostScopes()
	r, err := ParseRequest(asked(), most)
	if err != nil || !slices.Equal(r.Scopes, []player.Scope{"read", "challenge"}) {
		t.Fatalf("%+v, %v", r, err)
	}
	got, want := r.Granted("https://chpok.example", "c"), "https://club.example/back?code=c&iss=https%3A%2F%2Fchpok.example&state=s%2F1&x=1"
	if got != want {
		t.Errorf("granted: %s", got)
	}
	if r, err := ParseRequest(asked("state", "", "scope", ""), most); err != nil || !slices.Equal(r.Scopes, []player.Scope{"read"}) ||
		r.Granted("i", "c") != "https://club.example/back?code=c&iss=i&x=1" {
		t.Errorf("without a state and scopes: %+v, %v", r, err)
	}
	if again, err := ParseRequest(r.Values(), most); err != nil || again.Granted("i", "c") != r.Granted("i", "c") || again.Client != r.Client {
		t.Errorf("asked again: %+v, %v", again, err)
	}
	twice := asked()
	twice.Add("scope", "organize")
	for name, c := range map[string]struct {
		q    url.Values
		code string
	}{
		"another flow":          {asked("response_type", "token"), UnsupportedResponseType},
		"no flow":               {asked("response_type", ""), InvalidRequest},
		"no challenge":          {asked("code_challenge", ""), InvalidRequest},
		"a short challenge":     {asked("code_challenge", rfcChallenge[1:]), InvalidRequest},
		"a padded challenge":    {asked("code_challenge", rfcChallenge+"="), InvalidRequest},
		"the method plain":      {asked("code_challenge_method", "plain"), InvalidRequest},
		"no method":             {asked("code_challenge_method", ""), InvalidRequest}, // is plain by RFC 7636
		"an unknown scope":      {asked("scope", "read everything"), InvalidScope},
		"a scope of bots":       {asked("scope", "bot:play"), InvalidScope},
		"a parameter two times": {twice, InvalidRequest},
	} {
		r, err := ParseRequest(c.q, most)
		if fault, is := errors.AsType[*Fault](err); !is || fault.Code != c.code {
			t.Errorf("%s: %v, want %s", name, err, c.code)
		} else if r.Target.Host() != "club.example" || r.State != "s/1" {
			t.Errorf("%s: nobody knows where to answer: %+v", name, r)
		}
	}
}

func TestWhereAnAnswerMayGo(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{ // host and source
		"https://club.example/back":        {"club.example", "https://club.example"},
		"https://club.example:8443/":       {"club.example:8443", "https://club.example:8443"},
		"https://xn--h1ahn.example":        {"xn--h1ahn.example", "https://xn--h1ahn.example"},
		"http://127.0.0.1:49152/cb":        {"", "http://127.0.0.1:49152"},
		"http://[::1]:49152/cb":            {"", "http:"}, // a policy cannot name it
		"http://localhost:3000":            {"", "http://localhost:3000"},
		"com.example.app:/cb":              {"", "com.example.app:"},
		"com.example.app://oauth/cb?a=b+c": {"", "com.example.app:"},
	} {
		target, err := ParseTarget(text)
		if err != nil || target.Host() != want[0] || target.Source() != want[1] || target.String() != text {
			t.Errorf("%s: %q %q %v", text, target.Host(), target.Source(), err)
		}
	}
	for _, text := range []string{
		"", "/back", "http://club.example/", "http://127.0.0.1.example/", "http://0.0.0.0/", "https://", "https://user@club.example/",
		"https://club.example/#part", "https://club.example/#", "javascript:alert(1)", "data:text/html,x", "myapp:/cb",
		"https://club.example;script-src", "https://a'b", "https://клуб.example/", "https://[::1%25;x]/", "ftp.example://a;b/",
	} {
		if target, err := ParseTarget(text); err == nil {
			t.Errorf("%q may be answered: %s", text, target.Source())
		}
	}
	for _, q := range []url.Values{asked("client_id", ""), asked("client_id", "two\nlines"), asked("client_id", " spaced"),
		asked("redirect_uri", "")} {
		if _, err := ParseRequest(q, nil); !errors.Is(err, ErrClient) && !errors.Is(err, ErrTarget) {
			t.Errorf("%v: %v", q, err)
		}
	}
}

func TestWhenACodeIsWorthAToken(t *testing.T) {
	t.Parallel()
	r, err := ParseRequest(asked(), player.Player{}.MostScopes())
	if err != nil {
		t.Fatal(err)
	}
	made := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	form := func(pairs ...string) url.Values {
		f := url.Values{"grant_type": {"authorization_code"}, "code": {"c"}, "client_id": {"Club table"},
			"redirect_uri": {"https://club.example/back?x=1"}, "code_verifier": {rfcVerifier}}
		for i := 0; i+1 < len(pairs); i += 2 {
			f.Set(pairs[i], pairs[i+1])
		}
		return f
	}
	code := Code{Request: r, Created: made}
	if err := errors.Join(CheckRedeem(form()), code.Redeem(form(), made.Add(CodeLife))); err != nil {
		t.Fatal(err)
	}
	for name, refused := range map[string]error{
		"too late":              code.Redeem(form(), made.Add(CodeLife+1)),
		"used":                  Code{Request: r, Created: made, IsUsed: true}.Redeem(form(), made),
		"another client":        code.Redeem(form("client_id", "Club tables"), made),
		"another redirect":      code.Redeem(form("redirect_uri", "https://club.example/back"), made),
		"another verifier":      code.Redeem(form("code_verifier", "e"+rfcVerifier[1:]), made),
		"challenge as if plain": code.Redeem(form("code_verifier", rfcChallenge), made),
	} {
		if fault, is := errors.AsType[*Fault](refused); !is || fault.Code != InvalidGrant {
			t.Errorf("%s: %v", name, refused)
		}
	}
	twice := form()
	twice.Add("code", "d")
	for name, c := range map[string]struct {
		form url.Values
		code string
	}{
		"another grant": {form("grant_type", "password"), UnsupportedGrantType}, "no grant": {form("grant_type", ""), InvalidRequest},
		"no code": {form("code", ""), InvalidRequest}, "no client": {form("client_id", ""), InvalidRequest},
		"no redirect": {form("redirect_uri", ""), InvalidRequest}, "no verifier": {form("code_verifier", ""), InvalidRequest},
		"two codes": {twice, InvalidRequest},
	} {
		if fault, is := errors.AsType[*Fault](CheckRedeem(c.form)); !is || fault.Code != c.code {
			t.Errorf("%s: %v", name, CheckRedeem(c.form))
		}
	}
}
