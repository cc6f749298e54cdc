package web_test

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web"
)

var tryField = regexp.MustCompile(`<input type="hidden" name="try" value="([^"]+)"/>`)

// unkeyed is the text of a page without the keys of its forms, which differ each time.
func (p page) unkeyed() string { return tryField.ReplaceAllString(p.body, "") }

// keyOf is the key of the form of a page that is sent to an address.
func (p page) keyOf(action string) string {
	p.t.Helper()
	_, form, found := strings.Cut(p.body, `action="`+action+`"`)
	key := tryField.FindStringSubmatch(form)
	if !found || key == nil {
		p.t.Fatalf("%s: no form with a key for %s", p.path, action)
	}
	return key[1]
}

// sent is the answer to a form, as it came.
type sent struct {
	status                   int
	location, session, flash string
}

// send sends a form with the cookies that a browser has now, and keeps none, so that it can be sent at once with others.
// base may be another node's.
func (b *browser) send(base, path string, header map[string]string, pairs ...string) (sent, string) {
	b.site.t.Helper()
	form := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		form.Add(pairs[i], pairs[i+1])
	}
	req, err := http.NewRequestWithContext(b.site.t.Context(), http.MethodPost, base+path, strings.NewReader(form.Encode()))
	if err != nil {
		b.site.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Accept-Language", b.lang)
	for name, value := range header {
		req.Header.Set(name, value)
	}
	at, err := url.Parse(b.site.http.URL)
	if err != nil {
		b.site.t.Fatal(err)
	}
	for _, c := range b.client.Jar.Cookies(at) {
		req.AddCookie(c)
	}
	alone := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer := (&browser{b.site, alone, b.lang}).do(req)
	out := sent{status: answer.status, location: answer.header.Get("Location")}
	for _, c := range (&http.Response{Header: answer.header}).Cookies() {
		switch c.Name {
		case "session":
			out.session = c.Value
		case "flash":
			out.flash = c.Value
		}
	}
	return out, answer.body
}

func (n *clubNight) active(path string) (names []string) {
	n.t.Helper()
	for _, e := range n.tournament(path).Entries {
		if e.Status == tournament.Active {
			names = append(names, e.Name)
		}
	}
	return names
}

// TestASecondTapAtTheDoorIsAnsweredLikeTheFirst: one entry, and every answer brings the session, also of taps at the
// same moment, on another node, and of one that comes after the first has been answered.
func TestASecondTapAtTheDoorIsAnsweredLikeTheFirst(t *testing.T) {
	for name, dsn := range map[string]func(testing.TB) string{"SQLite": storetest.SQLiteDSN, "PostgreSQL": storetest.PostgresDSN} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at, bus := dsn(t), live.NewInProcess()
			s := newNode(t, storetest.Open(t, at), bus, web.Config{})
			other := newNode(t, storetest.Open(t, at), bus, web.Config{})
			n := newClubNightAt(s)
			path, door := n.opened(nil)
			daria := n.browser(lang.English)
			form := []string{"name", "Daria Tkach", "try", daria.get(door).want(http.StatusOK).keyOf(door)}
			answers := make([]sent, 4)
			var all sync.WaitGroup
			for i := range answers {
				all.Go(func() { answers[i], _ = daria.send([]string{s.http.URL, other.http.URL}[i%2], door, nil, form...) })
			}
			all.Wait()
			restarted := newNode(t, storetest.Open(t, at), bus, web.Config{})
			later, _ := daria.send(restarted.http.URL, door, nil, form...)
			first := answers[0]
			if first.status != http.StatusSeeOther || first.location != path || first.session == "" || first.flash == "" {
				t.Errorf("%+v", first)
			}
			for _, a := range append(answers, later) {
				if a != first {
					t.Errorf("%+v, where the first answer was %+v", a, first)
				}
			}
			if names := n.active(path); len(names) != 1 {
				t.Errorf("entered: %q", names)
			}
			if as := daria.sessionOf(first.session).get(path).want(http.StatusOK); !strings.Contains(as.body, "Daria Tkach") {
				t.Error("the session is nobody's")
			}
		})
	}
}

// sessionOf is a browser with a session.
func (b *browser) sessionOf(secret string) *browser {
	b.site.t.Helper()
	at, err := url.Parse(b.site.http.URL)
	if err != nil {
		b.site.t.Fatal(err)
	}
	out := b.site.browser(lang.Lang(b.lang))
	out.client.Jar.SetCookies(at, []*http.Cookie{{Name: "session", Value: secret, Path: "/"}})
	return out
}

// TestTheKeyOfATryIsWorthNothingElsewhere: another browser with somebody's key gets no session of theirs, and another
// account of the same browser no answer of theirs.
func TestTheKeyOfATryIsWorthNothingElsewhere(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path, door := n.opened(nil)
	daria := n.browser(lang.English)
	form := []string{"name", "Daria Tkach", "try", daria.get(door).keyOf(door)}
	first, _ := daria.send(n.http.URL, door, nil, form...)
	thief := n.browser(lang.English)
	thief.get(door)
	if stolen, body := thief.send(n.http.URL, door, nil, form...); stolen.session != "" || stolen.status != http.StatusConflict || !strings.Contains(body, "is already in") {
		t.Errorf("another browser gets %+v after %+v: %s", stolen, first, body)
	}
	if names := n.active(path); len(names) != 1 {
		t.Errorf("entered: %q", names)
	}

	anna := n.as(n.players["anna"], lang.English)
	mine := []string{"handle", "annasbot", "try", anna.get("/settings").keyOf("/settings/bots")}
	anna.post("/settings/bots", mine...).want(http.StatusOK)
	anna.post("/sign-out").want(http.StatusOK)
	anna.post("/sign-in", "handle", "borys", "password", password).want(http.StatusOK)
	anna.post("/settings/bots", mine...).want(http.StatusConflict).says("already sent")
}

// TestOneKeyIsOneForm: what is sent with something else in it, or elsewhere, is refused in words; a form that was refused
// may be sent again with its faults mended.
func TestOneKeyIsOneForm(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	key := n.host.get("/tournaments/new").want(http.StatusOK).keyOf("/tournaments")
	form := func(name string) []string {
		return append(without(formValues(n.host.get("/tournaments/new")), "name"), "name", name, "try", key)
	}
	n.host.post("/tournaments", form("")...).want(http.StatusUnprocessableEntity)
	made := n.host.post("/tournaments", form("Cup of May")...).want(http.StatusOK)
	if again := n.host.post("/tournaments", form("Cup of May")...).want(http.StatusOK); again.path != made.path {
		t.Errorf("%s and %s", made.path, again.path)
	}
	n.host.post("/tournaments", form("Cup of June")...).want(http.StatusConflict).says("something else in it")
	n.host.post("/clubs", "name", "Cup of May", "try", key).want(http.StatusConflict)
	n.host.post("/tournaments", "try", "a b").want(http.StatusBadRequest)
	if list := n.host.get("/tournaments").body; strings.Count(list, "Cup of May") == 0 || strings.Contains(list, "Cup of June") {
		t.Error("not one event")
	}
}

// TestAnAnswerThatWasLostIsToldInWords: a node died between doing and answering; nothing is done twice. After a day
// nobody remembers.
func TestAnAnswerThatWasLostIsToldInWords(t *testing.T) {
	t.Parallel()
	dsn := storetest.SQLiteDSN(t)
	db, err := sql.Open("sqlite", strings.TrimPrefix(dsn, "sqlite:"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	n := newClubNightAt(newNode(t, storetest.Open(t, dsn), live.NewInProcess(), web.Config{}))
	form := append(formValues(n.host.get("/tournaments/new")), "name", "Cup of May", "try", n.host.get("/tournaments/new").keyOf("/tournaments"))
	n.host.post("/tournaments", form...).want(http.StatusOK)
	if _, err := db.ExecContext(t.Context(), "UPDATE tries SET answer = NULL"); err != nil {
		t.Fatal(err)
	}
	n.clock.advance(2 * time.Minute)
	n.host.post("/tournaments", form...).want(http.StatusConflict).says("the answer got lost")
	n.clock.advance(24 * time.Hour)
	n.write(func(tx *store.Tx) error { return tx.SweepTries(n.clock.Now()) })
	left := -1
	if err := db.QueryRowContext(t.Context(), "SELECT count(*) FROM tries").Scan(&left); err != nil || left != 0 {
		t.Errorf("%d tries are kept for ever, %v", left, err)
	}
}

// TestAnActGoesOnWhenItsBrowserHasGone, so that the next try finds it whole: the entry and its session are two writes.
func TestAnActGoesOnWhenItsBrowserHasGone(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path, door := n.opened(nil)
	daria := n.browser(lang.English)
	form := []string{"name", "Daria Tkach", "try", daria.get(door).keyOf(door)}
	gone, leave := context.WithCancel(t.Context())
	n.store.OnAccounts(leave) // the account is made, its session is not
	body := url.Values{"name": {form[1]}, "try": {form[3]}}.Encode()
	req, err := http.NewRequestWithContext(gone, http.MethodPost, n.http.URL+door, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if res, err := daria.client.Do(req); err == nil {
		_ = res.Body.Close() // the answer was quicker
	}
	again, _ := daria.send(n.http.URL, door, nil, form...)
	if again.status != http.StatusSeeOther || again.session == "" {
		t.Errorf("%+v", again)
	}
	if names := n.active(path); len(names) != 1 {
		t.Errorf("entered: %q", names)
	}
}

// TestTheOutboxIsToldWhereToGo: an address in place of a redirect, with its cookies; after a refusal its words, and the
// page as soon as the form comes as browsers send it, without being judged twice.
func TestTheOutboxIsToldWhereToGo(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path, door := n.opened(nil)
	daria, byScript := n.browser(lang.English), map[string]string{"X-Outbox": "1"}
	key := daria.get(door).keyOf(door)
	told, body := daria.send(n.http.URL, door, byScript, "name", "Daria Tkach", "try", key)
	if told.status != http.StatusOK || told.location != "" || told.session == "" || strings.TrimSpace(body) != fmt.Sprintf(`{"go":%q}`, path) {
		t.Errorf("%+v %s", told, body)
	}
	if native, _ := daria.send(n.http.URL, door, nil, "name", "Daria Tkach", "try", key); native.status != http.StatusSeeOther || native.session != told.session {
		t.Errorf("%+v", native)
	}
	vira := n.browser(lang.English)
	wrong := []string{"name", "Daria Tkach", "try", vira.get(door).keyOf(door)}
	for range 2 {
		told, body = vira.send(n.http.URL, door, byScript, wrong...)
		if told.status != http.StatusConflict || !strings.HasPrefix(body, `{"again":true`) {
			t.Errorf("%+v %s", told, body)
		}
	}
	if shown, body := vira.send(n.http.URL, door, nil, wrong...); shown.status != http.StatusConflict || !strings.Contains(body, "is already in") {
		t.Errorf("%+v %s", shown, body)
	}
	// A page of nothing but the reason is not sent for: the form stays before whoever sent it.
	if told, body = n.host.send(n.http.URL, path+"/entries/99/withdraw", byScript, "try", "0123456789abcdef"); told.status != http.StatusNotFound || !strings.HasPrefix(body, `{"message":`) {
		t.Errorf("%+v %s", told, body)
	}
}

// TestVisitorsShareNoKey: pages that many get are the same for all, and their forms get keys in the browser.
func TestVisitorsShareNoKey(t *testing.T) {
	t.Parallel()
	s := newClubNight(t)
	s.account("Root", player.Operator)
	if page := s.browser(lang.English).get("/"); strings.Contains(page.body, `name="try"`) || page.header.Get("Set-Cookie") != "" || page.header.Get("ETag") == "" {
		t.Errorf("a key in a shared page: %s %v", page.path, page.header["Set-Cookie"])
	}
	one, two := s.browser(lang.English).get("/sign-in"), s.browser(lang.English).get("/sign-in")
	if one.keyOf("/sign-in") == two.keyOf("/sign-in") {
		t.Error("one key for two")
	}
}

// TestAProgramRepeatsUnderItsOwnKey: the header Idempotency-Key does for programs what the key of a form does.
func TestAProgramRepeatsUnderItsOwnKey(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	ask := func(by program, body, key string) (int, string) {
		req := by.request(t.Context(), http.MethodPost, "/tournaments", body)
		req.Header.Set("Idempotency-Key", key)
		answer := n.browser(lang.English).do(req)
		return answer.status, answer.body
	}
	host := n.program(n.player("Olena"))
	cup := `{"name":"Cup of programs","format":"swiss","rounds":3}`
	status, made := ask(host, cup, "cup-of-may-1")
	if status != http.StatusCreated {
		t.Fatalf("%d %s", status, made)
	}
	if status, again := ask(host, cup, "cup-of-may-1"); status != http.StatusCreated || again != made {
		t.Errorf("%d %s, first %s", status, again, made)
	}
	if status, other := ask(host, strings.Replace(cup, "3", "5", 1), "cup-of-may-1"); status != http.StatusConflict || !strings.Contains(other, `"try-other"`) {
		t.Errorf("%d %s", status, other)
	}
	second := n.program(n.player("Olena"))
	if status, own := ask(second, cup, "cup-of-may-1"); status != http.StatusCreated || own == made {
		t.Errorf("another token: %d %s", status, own)
	}
	if got := len(regexp.MustCompile("Cup of programs").FindAllString(n.host.get("/tournaments?q=Cup+of+programs").body, -1)); got < 2 {
		t.Errorf("%d mentions", got)
	}
}
