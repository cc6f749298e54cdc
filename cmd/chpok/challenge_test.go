package main

import (
	"strings"
	"testing"

	"chpok.org/chpok/store/storetest"
)

// TestALinkBringsTwoPlayersTogether: one offers a match by a link and waits, the
// other one opens the link on a phone and accepts; both are at the match, and
// neither has reloaded anything.
func TestALinkBringsTwoPlayersTogether(t *testing.T) {
	t.Parallel()
	window := browser(t)
	dsn := storetest.SQLiteDSN(t)
	server := startNode(t, dsn)
	chpok(t, "player", "add", "boss", "--role", "operator", "--database-url", dsn)
	chpok(t, "player", "add", "anna", "--database-url", dsn)
	chpok(t, "player", "add", "bohdan", "--database-url", dsn)
	anna, bohdan := visit(t, window, server.base, 1280, 900), visit(t, window, server.base, 390, 844)
	anna.signIn(dsn, "anna")
	bohdan.signIn(dsn, "bohdan")

	anna.open("/")
	anna.click("a[href='/challenges/new']")
	anna.click("form.challenge-form button")
	anna.waitFor("svg.qr")
	link := strings.TrimSpace(anna.text("#challenge-link"))
	bohdan.open(strings.TrimPrefix(link, server.base))
	bohdan.click("form[action$='/accept'] button")
	bohdan.waitFor("#match")
	anna.waitFor("#match")
	if a, b := anna.location(), bohdan.location(); a != b || !strings.HasPrefix(a, server.base+"/matches/") {
		t.Fatalf("anna is at %s, bohdan at %s", a, b)
	}
	anna.click("button[name='ready']") // bohdan has accepted, so he is there
	for _, v := range []*visitor{anna, bohdan} {
		v.waitFor(".targets") // the bidding has begun
	}
}
