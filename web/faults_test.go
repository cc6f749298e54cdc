package web_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web"
)

// away takes a PostgreSQL database from its users, and gives it back.
func away(t *testing.T, dsn string) (back func()) {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	name := strings.TrimPrefix(u.Path, "/")
	u.Path = "/postgres"
	do := func(statements ...string) {
		conn, err := pgx.Connect(t.Context(), u.String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(t.Context())
		for _, q := range statements {
			if _, err := conn.Exec(t.Context(), q); err != nil {
				t.Fatal(err)
			}
		}
	}
	do("ALTER DATABASE "+name+" ALLOW_CONNECTIONS false", "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '"+name+"'")
	return func() { do("ALTER DATABASE " + name + " ALLOW_CONNECTIONS true") }
}

func TestADatabaseThatIsAwayIsToldAsThat(t *testing.T) {
	t.Parallel()
	dsn := storetest.PostgresDSN(t)
	s := newSiteOn(t, storetest.Open(t, dsn), web.Config{})
	s.account("Boss", player.Operator)
	olena := s.account("Olena", player.Plain)
	b, program := s.as(olena, lang.Ukrainian), s.program(olena)
	back := away(t, dsn)
	for _, path := range []string{"/settings", "/tournaments", "/api/v1/me", "/healthz"} {
		var status int
		var retry, body string
		if strings.HasPrefix(path, "/api/") {
			w := s.answer("GET", path, "192.0.2.7:1000", "", "Authorization", "Bearer "+string(program.token))
			status, retry, body = w.Code, w.Header().Get("Retry-After"), w.Body.String()
		} else {
			res, err := b.client.Get(s.http.URL + path)
			if err != nil {
				t.Fatal(err)
			}
			read, err := io.ReadAll(res.Body)
			res.Body.Close()
			if err != nil {
				t.Fatal(err)
			}
			status, retry, body = res.StatusCode, res.Header.Get("Retry-After"), string(read)
		}
		if status != http.StatusServiceUnavailable || retry == "" {
			t.Errorf("%s: %d, Retry-After %q", path, status, retry)
		}
		if strings.Contains(body, "наша помилка") || strings.Contains(body, "our side") {
			t.Errorf("%s is told as our fault: %s", path, body)
		}
	}
	if !strings.Contains(s.log.String(), "cannot serve") {
		t.Error("the log knows nothing of it")
	}
	back()
	b.get("/settings").want(http.StatusOK)
	if w := s.answer("GET", "/healthz", "192.0.2.7:1000", ""); w.Code != http.StatusOK {
		t.Errorf("/healthz after it: %d, %s", w.Code, w.Body)
	}
}

// TestADiskThatTakesNothingIsToldAndReadingGoesOn: writes fail, reads do not.
func TestADiskThatTakesNothingIsToldAndReadingGoesOn(t *testing.T) {
	t.Parallel()
	dsn := storetest.PostgresDSN(t)
	s := newSiteOn(t, storetest.Open(t, dsn), web.Config{})
	s.account("Boss", player.Operator)
	b := s.as(s.account("Olena", player.Plain), lang.English)
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	// What PostgreSQL says when it cannot write: no space left on device.
	for _, q := range []string{
		"CREATE FUNCTION full_disk() RETURNS trigger AS $$ BEGIN RAISE EXCEPTION 'no space left on device' USING ERRCODE = '53100'; END $$ LANGUAGE plpgsql",
		"CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON sessions FOR EACH STATEMENT EXECUTE FUNCTION full_disk()",
		"CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON players FOR EACH STATEMENT EXECUTE FUNCTION full_disk()",
		"CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON heartbeats FOR EACH STATEMENT EXECUTE FUNCTION full_disk()",
	} {
		if _, err := conn.Exec(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	}
	s.clock.advance(time.Hour) // the session's use is to be noted
	b.get("/tournaments").want(http.StatusOK)
	b.post("/settings", "lang", "en").want(http.StatusServiceUnavailable).says("can’t reach its data")
	if w := s.answer("GET", "/healthz", "192.0.2.7:1000", ""); w.Code != http.StatusServiceUnavailable {
		t.Errorf("/healthz: %d", w.Code)
	}
}

// TestWhoIsToWaitIsToldHowLong: a token comes every six seconds.
func TestWhoIsToWaitIsToldHowLong(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.account("Boss", player.Operator)
	for range 10 {
		s.answer("POST", "/link", "192.0.2.7:1000", "key=guess")
	}
	s.clock.advance(2 * time.Second)
	w := s.answer("POST", "/link", "192.0.2.7:1000", "key=guess", "Accept-Language", "en")
	if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") != "4" || !strings.Contains(w.Body.String(), "Try again in 4\u00a0s") {
		t.Errorf("%d, Retry-After %q, %s", w.Code, w.Header().Get("Retry-After"), w.Body)
	}
}

// TestStrangersCannotKeepAnOwnerOut: they use the handle up from many addresses.
func TestStrangersCannotKeepAnOwnerOut(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.account("Boss", player.Operator)
	s.account("Olena", player.Plain)
	right := url.Values{"handle": {"Olena"}, "password": {password}}.Encode()
	wrong := url.Values{"handle": {"Olena"}, "password": {"guess"}}.Encode()
	signedIn := s.answer("POST", "/sign-in", "192.0.2.1:1", right)
	mark := ""
	for _, k := range signedIn.Result().Cookies() {
		if k.Name == "known" {
			mark = "known=" + k.Value
		}
	}
	for i := range 12 { // from twelve addresses, ten tries each
		for range 10 {
			s.answer("POST", "/sign-in", "198.51.100."+string(rune('a'+i))+":1", wrong)
		}
	}
	for range 12 { // and from her own network
		s.answer("POST", "/sign-in", "192.0.2.1:1", wrong)
	}
	if w := s.answer("POST", "/sign-in", "192.0.2.1:1", right, "Cookie", mark); w.Code != http.StatusSeeOther {
		t.Errorf("from a browser that has signed in before: %d", w.Code)
	}
	if w := s.answer("POST", "/sign-in", "203.0.113.5:1", right); w.Code != http.StatusSeeOther {
		t.Errorf("from an address that has not tried before: %d", w.Code)
	}
	if w := s.answer("POST", "/sign-in", "192.0.2.1:1", right, "Cookie", mark+"0"); w.Code != http.StatusTooManyRequests {
		t.Errorf("with a mark that was made up: %d", w.Code)
	}
}

func TestABodyOfNullIsNoChallenge(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.account("Boss", player.Operator)
	olena := s.program(s.account("Olena", player.Plain))
	w := s.answer("POST", "/api/v1/challenges", "192.0.2.7:1000", " null\n", "Authorization", "Bearer "+string(olena.token), "Content-Type", "application/json")
	if w.Code != http.StatusBadRequest {
		t.Errorf("%d, %s", w.Code, w.Body)
	}
}

// stalled is a body of which the rest does not come before the server's patience ends.
type stalled struct{ rest string }

func (b *stalled) Read(p []byte) (int, error) {
	if b.rest == "" {
		return 0, os.ErrDeadlineExceeded
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

func TestAFormThatCameTooSlowlyIsNotAnEmptyOne(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.account("Boss", player.Operator)
	token := string(s.program(s.account("Olena", player.Plain)).token)
	for path, sent := range map[string][2]string{
		"/sign-in":                   {"application/x-www-form-urlencoded", "handle=Olena&pass"},
		"/api/v1/challenges":         {"application/json", `{"opponent":`},
		"/api/v1/matches/m/commands": {"application/json", `{"act":`},
	} {
		req := httptest.NewRequest("POST", path, &stalled{sent[1]})
		req.Header.Set("Content-Type", sent[0])
		req.Header.Set("Authorization", "Bearer "+token)
		w := httptest.NewRecorder()
		s.web.ServeHTTP(w, req)
		if w.Code != http.StatusRequestTimeout {
			t.Errorf("%s: %d, %s", path, w.Code, w.Body)
		}
	}
}
