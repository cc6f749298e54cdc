package web_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/notice/courier"
	"chpok.org/chpok/notice/courier/couriertest"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web"
)

// newMailSite is a site that sends mail to an inbox.
func newMailSite(t *testing.T) (*site, *couriertest.Inbox) {
	t.Helper()
	s, inbox := newSite(t), couriertest.Start(t)
	server, err := courier.ParseServer(inbox.URL, "site@chpok.example")
	if err != nil {
		t.Fatal(err)
	}
	s.mailedBy(server, "https://chpok.example")
	return s, inbox
}

// mailedBy is the site anew, with a mail server that it was started with, if any.
func (s *site) mailedBy(server *courier.Server, base string) {
	s.t.Helper()
	log := slog.New(slog.DiscardHandler)
	judge := arbiter.New(s.store, s.live, arbiter.Config{Now: s.clock.Now}, log)
	s.web = web.New(web.Deps{
		Store: s.store, Live: s.live, Arbiter: judge,
		Mail: courier.New(s.store, server, base, s.clock.Now, log), Now: s.clock.Now, Logger: log,
	})
	s.http = httptest.NewServer(s.web)
	s.t.Cleanup(func() {
		_ = s.web.CloseStreams(context.Background())
		s.http.Close()
	})
}

var linkInMail = regexp.MustCompile(`https://chpok\.example(/mail/\S+)`)

// link is the path that a letter asks its reader to open.
func link(t *testing.T, letters []couriertest.Letter, prefix string) string {
	t.Helper()
	for _, l := range letters {
		for _, m := range linkInMail.FindAllStringSubmatch(l.Text, -1) {
			if strings.HasPrefix(m[1], prefix) {
				return m[1]
			}
		}
	}
	t.Fatalf("no link %s in %+v", prefix, letters)
	return ""
}

func TestAnAddressIsConfirmedByItsOwnerAndStoppedByOneClick(t *testing.T) {
	t.Parallel()
	s, inbox := newMailSite(t)
	olena := s.account("Olena", player.Plain)
	b := s.as(olena, lang.English)
	for _, bad := range []string{"", "olena", "olena@here", "Olena <o@mail.example>", "o@mail.example\r\nBcc: x@y.example"} {
		if page := b.post("/settings/mail", "address", bad); page.status != http.StatusUnprocessableEntity ||
			!strings.Contains(page.body, "doesn’t look like") {
			t.Errorf("%q: %d", bad, page.status)
		}
	}
	if page := b.post("/settings/mail", "address", "olena@mail.example"); !strings.Contains(page.body,
		"Open the link we sent to olena@mail.example") {
		t.Errorf("%d", page.status)
	}
	confirm := link(t, inbox.Letters(), "/mail/confirm")
	phone := s.browser(lang.English) // where nobody is signed in
	if page := phone.get(confirm); page.status != http.StatusOK || !strings.Contains(page.body, "olena@mail.example") {
		t.Fatalf("%d", page.status)
	}
	if page := b.get("/settings/notices"); strings.Contains(page.body, "Mail goes to") {
		t.Error("looking at the link confirms it")
	}
	u, err := url.Parse(confirm)
	if err != nil {
		t.Fatal(err)
	}
	if page := phone.post("/mail/confirm", "key", u.Query().Get("key")); page.status != http.StatusOK ||
		!strings.Contains(page.body, "confirmed") {
		t.Errorf("%d", page.status)
	}
	if page := phone.post("/mail/confirm", "key", u.Query().Get("key")); page.status != http.StatusGone {
		t.Errorf("a second time: %d", page.status)
	}
	if page := b.get("/settings/notices"); !strings.Contains(page.body, "Mail goes to olena@mail.example") {
		t.Error("not confirmed")
	}

	s.paired(olena, "1")
	s.clock.advance(time.Minute)
	server, err := courier.ParseServer(inbox.URL, "site@chpok.example")
	if err != nil {
		t.Fatal(err)
	}
	node := courier.New(s.store, server, "https://chpok.example", s.clock.Now, slog.New(slog.DiscardHandler))
	if err := node.Deliver(t.Context()); err != nil {
		t.Fatal(err)
	}
	stop := link(t, inbox.Letters(), "/mail/stop")
	if page := phone.get(strings.Replace(stop, "who=id-olena", "who=id-other", 1)); page.status != http.StatusGone {
		t.Errorf("a link for another: %d", page.status)
	}
	if page := phone.get(stop); page.status != http.StatusOK {
		t.Errorf("%d", page.status)
	}
	// RFC 8058: the mail program posts to the link itself, from no page at all.
	res, err := http.Post(s.http.URL+stop, "application/x-www-form-urlencoded", strings.NewReader("List-Unsubscribe=One-Click"))
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Errorf("one click: %d", res.StatusCode)
	}
	if page := b.get("/settings/notices"); strings.Contains(page.body, "Mail goes to") {
		t.Error("not stopped")
	}
}

func TestALinkServesForADay(t *testing.T) {
	t.Parallel()
	s, inbox := newMailSite(t)
	b := s.as(s.account("Olena", player.Plain), lang.English)
	b.post("/settings/mail", "address", "olena@mail.example")
	confirm := link(t, inbox.Letters(), "/mail/confirm")
	s.clock.advance(24 * time.Hour)
	if page := s.browser(lang.English).get(confirm); page.status != http.StatusGone {
		t.Errorf("a day later: %d", page.status)
	}
	inbox.Reply("550 no such user")
	if page := b.post("/settings/mail", "address", "nobody@mail.example"); page.status != http.StatusUnprocessableEntity ||
		!strings.Contains(page.body, "nobody@mail.example") {
		t.Errorf("refused by the server: %d", page.status)
	}
}

func TestASiteWithoutMailSaysSo(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.as(s.account("Olena", player.Plain), lang.English)
	if page := b.get("/settings/notices"); !strings.Contains(page.body, "This site sends no mail") ||
		strings.Contains(page.body, `name="address"`) {
		t.Error("an address is asked for")
	}
	if page := b.post("/settings/mail", "address", "olena@mail.example"); page.status != http.StatusNotFound {
		t.Errorf("%d", page.status)
	}
	var err error
	s.write(func(tx *store.Tx) error {
		_, err = tx.MailAddress("id-olena")
		return nil
	})
	if err == nil {
		t.Error("the address is kept")
	}
}
