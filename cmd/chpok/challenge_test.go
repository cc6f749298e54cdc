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

// TestALinkBringsTwoPlayersTogether: one offers a match by a link and waits, a stranger opens the link on a phone and
// accepts; both are at the match, and neither has reloaded anything. The stranger bids by what the page tells them, plays,
// wins, and is at their second match by one press more.
func TestALinkBringsTwoPlayersTogether(t *testing.T) {
	t.Parallel()
	window := browser(t)
	dsn := storetest.SQLiteDSN(t)
	server := startNode(t, dsn)
	chpok(t, "player", "add", "boss", "--role", "operator", "--database-url", dsn)
	host := newPlayer(t, dsn, "anna", "player")
	host.base = server.base
	anna, stranger := visit(t, window, server.base, 1280, 900), visit(t, window, server.base, 390, 844)
	anna.signIn(dsn, "anna")

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
	for _, size := range [][2]int64{{320, 640}, {844, 390}, {390, 844}} {
		stranger.do("hold a phone", chromedp.EmulateViewport(size[0], size[1]))
		stranger.open(strings.TrimPrefix(link, server.base))
		if under := eval[string](stranger, `(() => {
			const b = document.querySelector("form[action$='/accept'] button"), { left, right, bottom } = b.getBoundingClientRect();
			const top = document.elementFromPoint((left + right) / 2, bottom - 2);
			return b.contains(top) ? "" : String(top?.tagName); })()`); under != "" {
			t.Errorf("%d×%d: accept is not on the first screen: %s", size[0], size[1], under)
		}
	}
	stranger.click("form[action$='/accept'] button")
	stranger.waitFor("#match")
	anna.waitFor("#match")
	if a, b := anna.location(), stranger.location(); a != b || !strings.HasPrefix(a, server.base+"/matches/") {
		t.Fatalf("anna is at %s, the stranger at %s", a, b)
	}
	anna.click("button[name='ready']") // the stranger has accepted, so they are there
	for _, v := range []*visitor{anna, stranger} {
		v.waitFor(".targets") // the bidding has begun
	}
	id := stranger.location()[strings.LastIndex(stranger.location(), "/")+1:]
	stranger.bidsByTheCoach(host, id)
	for i, act := range []string{"e2e4", "e7e5", "d1h5", "d7d6", "h5f7", "a7a6", "f7e8"} {
		if i%2 == 0 {
			stranger.until("wait for one's turn", `document.querySelector("#m-state[data-turn]")`)
			stranger.clickMove(act[:2], act[2:])
			stranger.until("wait for the move", `document.querySelector("#m-state:not([data-turn])")`)
		} else {
			host.sends(id, map[string]any{"act": act})
		}
	}
	stranger.waitFor("#m-state[data-status='over'] .result-next")
	stranger.click(".result-next form[action$='/rematch'] button")
	anna.click(".result-next form[action$='/accept'] button")
	for _, v := range []*visitor{stranger, anna} {
		v.until("wait for the second match", fmt.Sprintf("!location.pathname.endsWith(%q)", id))
		v.waitFor("#m-main.is-waiting")
	}
	if a, b := anna.location(), stranger.location(); a != b {
		t.Errorf("for the second match anna is at %s, the stranger at %s", a, b)
	}
}

// bidsByTheCoach is a stranger on a phone: they take White back from an opponent who then buys the time for all they have,
// and put the rest on the rules. The page names what can be done; whoever bids on sees the table, not the sheet.
func (v *visitor) bidsByTheCoach(opponent *client, id string) {
	v.t.Helper()
	says := func(what string) {
		v.t.Helper()
		v.until("wait for "+what, fmt.Sprintf("document.querySelector('.m-sub.coached')?.innerText.includes(%q)", what))
	}
	says("Your clock waits for your first bid")
	opponent.sends(id, map[string]any{"bid": map[string]any{"target": "white", "chips": 2}})
	says("they lead by 2. Call to let chance decide, raise to decide yourself.")
	v.click("#raise-white > summary")
	v.waitFor("#raise-white .raise-foot .primary")
	v.screenshot("stranger-1-raise")
	if out := eval[int](v, `(() => {
		const board = [...document.querySelectorAll("#raise-white svg.start")].find((e) => e.checkVisibility()), at = board.getBoundingClientRect();
		return [...board.querySelectorAll("use")].filter((e) => { const r = e.getBoundingClientRect();
			return r.left < at.left - 1 || r.right > at.right + 1 || r.top < at.top - 1 || r.bottom > at.bottom + 1; }).length; })()`); out > 0 {
		v.t.Errorf("%d pieces of the board as Black sees it stand beside it", out)
	}
	v.click("#raise-white .raise-foot .primary")
	v.waitFor(".targets:not(:has(#raise-white))")
	opponent.sends(id, map[string]any{"bid": map[string]any{"target": "time", "chips": opponent.match(id).State.Chips["A"], "minutes": 5, "increment": 0}})
	says("Time is out of your reach. Put your chips on another row.")
	for opponent.match(id).State.Phase == "bidding" {
		v.waitFor("#raise-features:not([open]) > summary")
		v.click("#raise-features > summary")
		v.click("#raise-features .raise-foot .primary")
		v.waitFor(":is(.targets:has(#raise-features:not([open])), chpok-board)")
	}
	v.waitFor("chpok-board")
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

// TestAPageMissesNothing: the answer to a challenge is there before the script that
// listens for it, and a stream that is open and brings nothing gives way to another.
func TestAPageMissesNothing(t *testing.T) {
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
	anna.overhears()
	release := anna.hold("*/challenge.js")
	eval[bool](anna, fmt.Sprintf("(location.assign(%q), true)", path)) // loading does not end
	anna.waitFor("svg.qr")
	if n := eval[int](anna, `import(document.querySelector("script[src$='/feed.js']").src).then(() => streams.length)`); n != 0 {
		t.Errorf("%d streams are open before every script listens", n)
	}
	bohdan.must("POST", "/challenges/"+strings.TrimPrefix(path, "/c/")+"/accept", nil, nil)
	release()
	anna.waitFor("#match")
	anna.click("button[name='ready']")
	anna.waitFor(".targets")
	anna.outlivesASilence(bohdan)
}

// overhears lets the story count the streams of the pages that come, and silence them.
func (v *visitor) overhears() {
	v.t.Helper()
	script := page.AddScriptToEvaluateOnNewDocumentParams{Source: `window.streams = [];
		window.EventSource = class extends EventSource {
			constructor(...of) {
				super(...of);
				streams.push(this);
				for (const name of ["swap", "bell", "beat"]) this.addEventListener(name, (e) => this.isSilent && e.stopImmediatePropagation());
			}
		};
		const every = setInterval;
		window.setInterval = (f, ms) => { if (ms === 5000) window.fiveSeconds = f; return every(f, ms); };`}
	if _, err := chromedp.Call(v.ctx, page.AddScriptToEvaluateOnNewDocument, script); err != nil {
		v.t.Fatal(err)
	}
}

// outlivesASilence is at a match page whose stream brings nothing more when the opponent
// resigns. Forty-nine seconds after the last beat it may still be a quiet one.
func (v *visitor) outlivesASilence(opponent *client) {
	v.t.Helper()
	streams := func(passed int) int {
		v.t.Helper()
		return eval[int](v, fmt.Sprintf("(passed = %d, fiveSeconds(), streams.length)", passed))
	}
	id := v.location()[strings.LastIndex(v.location(), "/")+1:]
	seen := eval[string](v, `(() => { const at = Date.now();
		window.passed = 0;
		Date.now = () => at + 1000 * passed;
		streams[0].dispatchEvent(new MessageEvent("beat"));
		streams[0].isSilent = true;
		return document.getElementById("m-state").dataset.seq; })()`)
	if _, err := opponent.send(id, opponent.match(id).Seq, map[string]any{"act": "resign"}); err != nil {
		v.t.Fatal(err)
	}
	if n := streams(49); n != 1 {
		v.t.Errorf("%d streams after 49 s", n)
	}
	if n := streams(50); n != 2 {
		v.t.Errorf("%d streams after 50 s", n)
	}
	v.waitFor("#m-state[data-status='over'] .result")
	if last := eval[string](v, `new URL(streams[1].url).searchParams.get("last")`); last != seen {
		v.t.Errorf("the page stood at %s, and its new stream begins after %q", seen, last)
	}
	if n := streams(99); n != 2 || eval[int](v, "streams[0].readyState") != 2 {
		v.t.Errorf("%d streams after 99 s, the first of them not closed", n)
	}
}
