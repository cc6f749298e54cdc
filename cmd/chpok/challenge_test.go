package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

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

	anna.open("/play")
	anna.click("button[formaction='/play/pair']")
	anna.waitFor(".since")
	await(t, "a second in the lobby", func() bool { return anna.text(".since") != "0:00" })
	if waited := anna.text(".since"); !regexp.MustCompile(`^0:\d\d$`).MatchString(waited) {
		t.Errorf("has waited %q", waited)
	}
	anna.open("/play")
	anna.click("button[value='link']")
	anna.waitFor("svg.qr")
	link := strings.TrimSpace(anna.text("#challenge-link"))
	bohdan.open(strings.TrimPrefix(link, server.base))
	bohdan.click("form[action$='/accept'] button")
	bohdan.waitFor("#match")
	anna.waitFor("#match")
	if a, b := anna.location(), bohdan.location(); a != b || !strings.HasPrefix(a, server.base+"/matches/") {
		t.Fatalf("anna is at %s, bohdan at %s", a, b)
	}
	anna.click("button[name='ready']") // bohdan has accepted, so they are there
	for _, v := range []*visitor{anna, bohdan} {
		v.waitFor(".targets") // the bidding has begun
	}
}

// hold keeps a visitor's requests for an address waiting; what it answers lets
// them go on.
func (v *visitor) hold(pattern string) (release func()) {
	v.t.Helper()
	if _, err := chromedp.Call(v.ctx, fetch.Enable, fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: pattern}}}); err != nil {
		v.t.Fatal(err)
	}
	return func() {
		v.t.Helper()
		if _, err := chromedp.Call(v.ctx, fetch.Disable, cdp.Empty{}); err != nil {
			v.t.Fatal(err)
		}
	}
}

// TestWhatComesBeforeAScriptIsHeardAfterIt: the answer to a challenge is there
// before the script that listens for it.
func TestWhatComesBeforeAScriptIsHeardAfterIt(t *testing.T) {
	t.Parallel()
	window := browser(t)
	dsn := storetest.SQLiteDSN(t)
	server := startNode(t, dsn)
	chpok(t, "player", "add", "boss", "--role", "operator", "--database-url", dsn)
	chpok(t, "player", "add", "anna", "--database-url", dsn)
	bohdan := newPlayer(t, dsn, "bohdan", "player")
	bohdan.base = server.base
	anna := visit(t, window, server.base, 1280, 900)
	anna.signIn(dsn, "anna")
	path := anna.post("/challenges", "who", "link", "preset", "quick", "claims", "automatic", "lateness", "5", "life", "60")
	count := page.AddScriptToEvaluateOnNewDocumentParams{Source: `window.streams = 0; window.EventSource = class extends EventSource { constructor(...of) { super(...of); window.streams++; } };`}
	if _, err := chromedp.Call(anna.ctx, page.AddScriptToEvaluateOnNewDocument, count); err != nil {
		t.Fatal(err)
	}
	release := anna.hold("*/challenge.js")
	eval[bool](anna, fmt.Sprintf("(location.assign(%q), true)", path)) // loading does not end
	anna.waitFor("svg.qr")
	if n := eval[int](anna, `import(document.querySelector("script[src$='/feed.js']").src).then(() => window.streams)`); n != 0 {
		t.Errorf("%d streams are open before every script listens", n)
	}
	bohdan.must("POST", "/challenges/"+strings.TrimPrefix(path, "/c/")+"/accept", nil, nil)
	release()
	anna.waitFor("#match")
}
