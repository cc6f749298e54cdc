package web_test

import (
	"net/http"
	"strings"
	"testing"

	"chpok.org/chpok/notice/courier/couriertest"
	"chpok.org/chpok/player"
	"chpok.org/chpok/templates/lang"
)

// What a new operator finds to do is done where it stands, or left out, and goes
// when nothing is left.
func TestAnOperatorGetsTheSiteReadyStepByStep(t *testing.T) {
	t.Parallel()
	s, _ := houseSite(t)
	inbox := couriertest.Start(t)
	s.mailedBy(nil, "")
	b := s.as(s.account("Nadia", player.Operator), lang.English)
	b.get("/").want(http.StatusOK).wants("heading", "Get the site ready").wants("button", "Save").wants("button", "Skip for now").wants("link", "Plan")

	b.post("/site/face", "name", "", "return", "/").want(http.StatusUnprocessableEntity).wants("alert", "Use 1 to 40 letters.")
	b.post("/site/face", "name", "x", "mark", "Z").want(http.StatusBadRequest)
	home := b.post("/site/face", "name", " Dragon   Club ", "mark", "D", "return", "/").want(http.StatusOK)
	if !strings.Contains(home.body, "Dragon Club</title>") || !strings.Contains(home.body, "/img/mark-D.svg") {
		t.Error("the page does not carry the name and the mark")
	}
	if visitor := s.browser(lang.Ukrainian).get("/tournaments"); !strings.Contains(visitor.body, "<span>Dragon Club</span>") {
		t.Error("visitors do not see the name")
	}

	down := b.post("/site/mail", "server", "smtp://127.0.0.1:1?tls=none", "from", "site@club.example", "return", "/").want(http.StatusUnprocessableEntity)
	down.wants("alert", "The server refused the test.")
	if strings.Contains(b.get("/settings/notices").body, `action="/settings/mail"`) {
		t.Error("a server that does not answer was kept")
	}
	b.post("/site/mail", "server", inbox.URL, "from", "site@club.example", "return", "/").want(http.StatusOK)
	if got := inbox.Letters(); len(got) != 1 || got[0].To != "<site@club.example>" || got[0].Subject != "Mail works" {
		t.Fatalf("%+v", got)
	}
	if !strings.Contains(b.get("/settings/notices").body, `action="/settings/mail"`) {
		t.Error("the site has a mail server, and offers no mail")
	}

	b.post("/site/skip", "step", "telegram", "return", "/").want(http.StatusOK)
	b.post("/site/skip", "step", "club", "return", "/").want(http.StatusOK)
	b.post("/site/skip", "step", "nothing").want(http.StatusBadRequest)
	page := b.post("/site/skip", "step", "event", "return", "/").want(http.StatusOK).wantsNo("heading", "Get the site ready")
	page.wants("heading", "Ready for your first match?")
	b.get("/site").want(http.StatusOK).wants("heading", "Get the site ready").says("until CHPOK_SIGN_KEY is set")
	s.as(s.account("Ivan", player.Plain), lang.English).get("/site").want(http.StatusForbidden)
}

// A server that the program was started with is not to be changed on a page.
func TestAConfiguredMailServerStays(t *testing.T) {
	t.Parallel()
	s, _ := newMailSite(t)
	b := s.as(s.account("Nadia", player.Operator), lang.English)
	b.get("/site").want(http.StatusOK).wantsNo("button", "Send a test")
	b.post("/site/mail", "server", "smtp://elsewhere", "from", "a@b.example").want(http.StatusNotFound)
}
