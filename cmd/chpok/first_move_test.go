package main

import (
	"strings"
	"testing"

	"chpok.org/chpok/store/storetest"
)

// TestAVisitorLearnsAndMakesAFirstBidAsAGuest is the way of somebody who has never
// heard of the game, on a phone: a lesson, Play now, a bid against the first bot
// without any clock, and an account that keeps the match.
func TestAVisitorLearnsAndMakesAFirstBidAsAGuest(t *testing.T) {
	t.Parallel()
	window := browser(t)
	dsn := storetest.SQLiteDSN(t)
	server := startNode(t, dsn)
	chpok(t, "player", "add", "boss", "--role", "operator", "--database-url", dsn)
	v := visit(t, window, server.base, 390, 844)

	v.open("/learn/5") // the dragon
	v.clickMove("e4", "d3")
	v.waitFor(".lesson-foot.again")
	v.click(".lesson-foot .button")
	v.waitFor(".lesson-foot:not(.again)")
	v.clickMove("e4", "c4")
	v.waitFor(".lesson-foot.right")
	v.screenshot("first-1-lesson")

	v.open("/")
	if over := eval[int](v, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
		t.Errorf("home is %d px too wide", over)
	}
	if bottom := eval[float64](v, `document.querySelector(".play-now").getBoundingClientRect().bottom`); bottom > 844-62 {
		t.Errorf("Play now ends at %.0f px, below the first screen", bottom)
	}
	v.screenshot("first-2-home")
	v.click(".play-now")
	v.waitFor("#m-main.is-waiting")
	v.click("button[name=ready]")
	v.waitFor("#m-main.is-bidding")
	at := v.location()
	id := at[strings.LastIndex(at, "/")+1:]
	seq := func() int {
		return eval[int](v, `fetch("/api/v1/matches/`+id+`").then(r => r.json()).then(m => m.seq)`)
	}
	before := seq() // the visitor bids first, so nothing happens before that
	v.click("#raise-white > summary")
	v.click("#raise-white .raise-foot .primary")
	await(t, "the bid in the log", func() bool { return seq() > before })
	v.screenshot("first-3-bid")

	v.open("/sign-up")
	v.fill("#handle", "Nova")
	v.fill("#password", "correct horse staple")
	v.click("main form button")
	v.waitFor(".menu")
	v.open("/matches/" + id)
	v.waitFor("#m-main")
	if who := v.text("#match"); !strings.Contains(who, "Nova") {
		t.Error("the match is not Nova's")
	}
}

// TestThePicturesOfTheStyleGuide photographs every component in both schemes.
func TestThePicturesOfTheStyleGuide(t *testing.T) {
	t.Parallel()
	window := browser(t)
	dsn := storetest.SQLiteDSN(t)
	server := startNode(t, dsn)
	chpok(t, "player", "add", "boss", "--role", "operator", "--database-url", dsn)
	v := visit(t, window, server.base, 1366, 768)
	v.signIn(dsn, "boss")
	v.open("/styleguide")
	v.waitFor("#home-board")
	for _, scheme := range []string{"light", "dark"} {
		eval[bool](v, `(document.documentElement.dataset.theme = "`+scheme+`", true)`)
		v.wholePage("styleguide-" + scheme)
		if over := eval[int](v, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
			t.Errorf("%s: %d px too wide", scheme, over)
		}
	}
}
