package web_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/labstack/echo/v4"

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
		t.Errorf("from an address that has not already tried: %d", w.Code)
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
type stalled struct {
	rest string
	end  context.CancelFunc // of the request's context, as net/http ends it
}

func (b *stalled) Read(p []byte) (int, error) {
	if b.rest == "" {
		b.end()
		return 0, os.ErrDeadlineExceeded
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

// askers are a visitor and people who may ask for anything: the headers they ask with, by name.
func (s *site) askers() map[string]http.Header {
	of := map[string]http.Header{"a visitor": {}}
	for _, p := range []player.Player{s.account("Boss", player.Operator), s.account("Olena", player.Organizer)} {
		h := http.Header{"Authorization": {"Bearer " + string(s.program(p).token)}}
		u, err := url.Parse(s.http.URL)
		if err != nil {
			s.t.Fatal(err)
		}
		for _, k := range s.as(p, lang.English).client.Jar.Cookies(u) {
			h.Add("Cookie", k.Name+"="+k.Value)
		}
		of[string(p.Handle)] = h
	}
	return of
}

var routeParam = regexp.MustCompile(`:[a-z]+`)

// refuses asks for every route that is chosen, and fails where somebody reads that something was done.
func (s *site) refuses(t *testing.T, askers map[string]http.Header, chosen func(method string) bool,
	ask func(method, path string) *http.Request) {
	t.Helper()
	for who, headers := range askers {
		asked := 0
		for _, r := range web.AllRoutes() {
			if !chosen(r[0]) {
				continue
			}
			path := routeParam.ReplaceAllString(r[1], "1")
			req := ask(r[0], path)
			for name, values := range headers {
				req.Header[name] = values
			}
			w := httptest.NewRecorder()
			s.web.ServeHTTP(w, req)
			if asked++; w.Code < 400 || w.Code >= 500 || w.Body.Len() == 0 {
				t.Errorf("%s: %s %s: %d, %d bytes", who, r[0], path, w.Code, w.Body.Len())
			}
			s.clock.advance(time.Minute) // limits are another test's matter
		}
		if asked < 100 {
			t.Errorf("%s asked for %d routes only", who, asked)
		}
	}
}

func isChange(method string) bool { return method != http.MethodGet }

// TestNoRouteActsOnABodyThatStalls: a body that comes too slowly is no empty one, nor one that ends early. The server
// ends the context of such a request, and the refusal is sent all the same.
func TestNoRouteActsOnABodyThatStalls(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	askers := s.askers()
	for _, sent := range [][2]string{
		{"application/x-www-form-urlencoded", "handle=Olena&pass"}, {"application/json", `{"opponent":`},
		{"multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=\"list\"\r\n\r\nAn"}, {"", "An"},
	} {
		s.refuses(t, askers, isChange, func(method, path string) *http.Request {
			ctx, end := context.WithCancel(t.Context())
			req := httptest.NewRequestWithContext(ctx, method, path, &stalled{sent[1], end})
			req.Header.Set("Content-Type", sent[0])
			return req
		})
	}
}

// TestNoRouteSaysDoneAfterItsTime: neither changes nor pages, exports and streams are answered 2xx when the context of
// the request is over.
func TestNoRouteSaysDoneAfterItsTime(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	askers := s.askers()
	for _, end := range []func(context.Context) (context.Context, context.CancelFunc){
		context.WithCancel,
		func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithDeadline(ctx, time.Time{})
		},
	} {
		s.refuses(t, askers, func(string) bool { return true }, func(method, path string) *http.Request {
			ctx, cancel := end(t.Context())
			cancel()
			return httptest.NewRequestWithContext(ctx, method, path, http.NoBody)
		})
	}
}

// TestAnAnswerThatFailsHalfwayBreaksOff: who reads an export or a page of which the rest cannot be made, by an error or
// a panic, does not take it for whole.
func TestAnAnswerThatFailsHalfwayBreaksOff(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	half := func(c echo.Context) {
		c.Response().WriteHeader(http.StatusOK)
		_, _ = c.Response().Write([]byte("half")) // a recorded answer takes it
		c.Response().Flush()
	}
	s.web.Route("/half/error", func(c echo.Context) error { half(c); return errors.New("the disk is gone") })
	s.web.Route("/half/panic", func(c echo.Context) error { half(c); panic("no such square") })
	s.web.Route("/half/whole", func(c echo.Context) error { half(c); return nil })
	for path, whole := range map[string]bool{"/half/error": false, "/half/panic": false, "/half/whole": true} {
		res, err := http.Get(s.http.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if string(body) != "half" || (err == nil) != whole {
			t.Errorf("%s: %q, %v", path, body, err)
		}
	}
	if got := strings.Count(s.log.String(), "answer broken off"); got != 2 {
		t.Errorf("the log tells of %d", got)
	}
}
