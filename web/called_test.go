package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/templates/lang"
)

// bar is what the bar that calls to the board says on a page; empty: it is hidden.
func (p page) bar() string {
	p.t.Helper()
	n := p.named("id", "called")
	if n == nil {
		p.t.Fatalf("%s has no place for the bar", p.path)
	}
	if _, hidden := attr(n, "hidden"); hidden {
		return ""
	}
	return text(n)
}

// gated is a match that begins when both are ready.
func gated() match.Options {
	o := short(1)
	o.Lateness = 5 * time.Minute
	return o
}

func TestAPlayerIsCalledToTheBoardOnEveryPageButItsOwn(t *testing.T) {
	t.Parallel()
	c := newContest(t, gated())
	if said := c.first.get("/rules").bar(); !strings.HasPrefix(said, "Your match with Taras has opened 5:00 Go") {
		t.Errorf("called by %q", said)
	}
	if said := c.as(c.taras, lang.Ukrainian).get("/").bar(); !strings.Contains(said, "Ваш матч відкрито: Olena") {
		t.Errorf("in Ukrainian %q", said)
	}
	if said := c.first.get(c.url()).bar(); said != "" {
		t.Errorf("on its own page %q", said)
	}
	if c.browser(lang.English).get("/rules").named("id", "called") != nil {
		t.Error("a visitor is called, too")
	}
	// Who is ready waits for nothing; once it has begun, both belong there.
	c.act(c.first, "ready", "true")
	if said := c.first.get("/rules").bar(); said != "" {
		t.Errorf("ready, and still called: %q", said)
	}
	next := c.first.hear("/notices/feed?bell=0&called=", "bell")
	c.act(c.second, "ready", "true")
	if heard := next(); !strings.Contains(heard, "Your match with Taras is on") {
		t.Errorf("heard %q", heard)
	}
	c.clock.advance(time.Second)
	c.act(c.second, "act", "resign")
	heard := "" // in any order: they are called no more, and as they were not at the board, told how it ended
	for !strings.Contains(heard, `id="called"`) || !strings.Contains(heard, "Notices: 1 new") {
		heard += next()
	}
	if strings.Contains(heard, "Taras") {
		t.Errorf("after the end %q", heard)
	}
	c.first.get("/notices?show=new").says("You won against Taras")
	c.first.get(c.url()).want(http.StatusOK)
	c.first.get("/notices?show=new").saysNot("You won against Taras")
}

func TestAPageGoesToTheBoardByItselfWhereThatIsPreferred(t *testing.T) {
	t.Parallel()
	c := newContest(t, gated())
	goes := func(b *browser) bool {
		_, goes := attr(b.get("/rules").named("id", "called"), "data-goes")
		return goes
	}
	if goes(c.first) {
		t.Error("it goes to a casual match")
	}
	c.first.post("/preferences/play", "go", "always").want(http.StatusOK)
	if !goes(c.first) {
		t.Error("always is not always")
	}
}

func TestAPageGoesToTheBoardOfARound(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	host, anna, bohdan := s.account("Host", player.Operator), s.account("Anna", player.Plain), s.account("Bohdan", player.Plain)
	s.evening(host, anna, bohdan)
	desk, b := s.as(host, lang.English), s.as(anna, lang.English)
	desk.post("/tournaments/friday/start").want(http.StatusOK)
	b.post("/tournaments/friday/check-in").want(http.StatusOK)
	desk.post("/tournaments/friday/entries/2/check-in").want(http.StatusOK)
	s.clock.advance(10 * time.Minute)
	if err := s.arbiter(t).Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	page := b.get("/rules")
	if _, goes := attr(page.named("id", "called"), "data-goes"); !goes || !strings.Contains(page.bar(), "has opened") {
		t.Errorf("the bar says %q and goes: %v", page.bar(), goes)
	}
	b.post("/preferences/play", "go", "never").want(http.StatusOK)
	if _, goes := attr(b.get("/rules").named("id", "called"), "data-goes"); goes {
		t.Error("never is not never")
	}
}
