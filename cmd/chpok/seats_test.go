package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"chpok.org/chpok/store/storetest"
)

// online cuts a window off from the network, or lets it back.
func (v *visitor) online(on bool) {
	v.t.Helper()
	_, err := chromedp.Call(v.ctx, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
		MatchedNetworkConditions: []*network.Conditions{{Offline: !on, DownloadThroughput: -1, UploadThroughput: -1}},
	})
	if err == nil {
		_, err = chromedp.Call(v.ctx, network.OverrideNetworkState, network.OverrideNetworkStateParams{Offline: !on, DownloadThroughput: -1,
			UploadThroughput: -1})
	}
	if err != nil {
		v.t.Fatalf("network: %v", err)
	}
}

// outages are for how long the network is cut: CHPOK_OUTAGES names them ("1s 5s 20s 60s"), else one until it is seen.
func outages(t *testing.T) []time.Duration {
	t.Helper()
	list := []time.Duration{0}
	for _, word := range strings.Fields(os.Getenv("CHPOK_OUTAGES")) {
		d, err := time.ParseDuration(word)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, d)
	}
	return list
}

// hall are three players of a tournament at a browser each; nobody is paired yet.
func hall(t *testing.T) (windows map[string]*visitor, clients []*client, start func() (id, first, second string)) {
	window, dsn := browser(t), storetest.SQLiteDSN(t)
	server := startNode(t, dsn)
	clients = trio(t, dsn, server.base)
	windows = map[string]*visitor{}
	for _, c := range clients {
		v := visit(t, window, server.base, 1280, 900)
		v.signIn(dsn, c.name)
		v.open("/rules")
		windows[c.name] = v
	}
	return windows, clients, func() (string, string, string) {
		return pairThree(t, clients, map[string]any{"chips": 1, "minutes": []int{5, 15}, "increment": []int{0, 10},
			"presets": []any{map[string]int{"minutes": 10, "increment": 5}}})
	}
}

// TestCalledToTheBoardAndAtHomeThere goes from a page far from the board to a match with its comforts, a network that
// comes and goes, and a third browser that watches.
func TestCalledToTheBoardAndAtHomeThere(t *testing.T) {
	t.Parallel()
	windows, clients, start := hall(t)
	for _, v := range windows {
		v.waitFor("#bell")
		// What the bar said, for when the page has gone already.
		eval[bool](v, `(new MutationObserver(() => { const bar = document.getElementById("called");
			if (!bar.hidden) sessionStorage.called = document.title + " | " + bar.innerText; }).observe(document, { subtree: true, childList: true }), true)`)
	}
	id, firstName, secondName := start()
	first, second := windows[firstName], windows[secondName]
	delete(windows, firstName)
	delete(windows, secondName)
	for _, v := range []*visitor{first, second} {
		v.waitFor("#m-main.is-waiting") // it has gone there by itself
		if said := eval[string](v, "sessionStorage.called || ''"); !strings.HasPrefix(said, "● Your match with") || !strings.Contains(said,
			"Go") {
			t.Errorf("called by %q", said)
		}
		if v.location() != v.base+"/matches/"+id {
			t.Errorf("called to %s", v.location())
		}
	}
	var watcher *visitor
	for _, watcher = range windows {
		if eval[bool](watcher, "document.getElementById('called').hidden") != true {
			t.Error("who has the bye is called, too")
		}
		watcher.open("/tv")
	}
	first.click("button[name=ready]")
	first.waitFor(".gate-done")
	second.click("button[name=ready]")
	first.click("#raise-white > summary")
	first.click("#raise-white .raise-foot .primary")
	second.click("#raise-time > summary")
	second.fill("#time-minutes", "15")
	second.click("#raise-time .raise-foot .primary")
	for _, v := range []*visitor{first, second} {
		v.waitPiece("e2", "wP")
	}
	watcher.waitFor("#tv-featured .is-playing")

	first.comforts()
	moves := 1
	if os.Getenv("CHPOK_OUTAGES") != "" {
		moves = 11
	}
	first.latency(second, moves)
	white, black := [2]string{"f3", "g1"}, [2]string{"b8", "c6"}
	for _, d := range outages(t) {
		first.survives(second, d, white[0], white[1])
		second.clickMove(black[0], black[1])
		first.waitPiece(black[1], "bN")
		slices.Reverse(white[:])
		slices.Reverse(black[:])
	}
	first.survivesAProxy(second, white[0], white[1])
	second.clickMove(black[0], black[1])
	first.waitPiece(black[1], "bN")

	// What no longer fits is not played, and is told. What is chosen stays so when news bring another board.
	first.online(false)
	x, y := first.square("e2")
	first.do("choose e2", chromedp.MouseClickXY(x, y))
	eval[bool](first, `(() => { const board = document.querySelector("chpok-board"), next = document.createElement("template");
		next.innerHTML = board.outerHTML; return board.replaceWith(next.content), true; })()`)
	x, y = first.square("e4")
	first.do("choose e4", chromedp.MouseClickXY(x, y))
	first.waitFor("#match.unsent")
	other := clients[slices.IndexFunc(clients, func(c *client) bool { return c.name == secondName })]
	if _, err := other.send(id, other.match(id).Seq, map[string]any{"act": "resign"}); err != nil {
		t.Fatal(err)
	}
	first.isRefused(409, func() {
		first.online(true)
		first.waitFor("#m-state[data-status='over'] .result")
	})
	if eval[bool](first, "!!document.querySelector(\"[data-sq='e4'][data-pc]\")") {
		t.Error("a move stands on the board that was never played")
	}
	watcher.waitFor("#tv-featured .is-over")
	watcher.screenshot("5-tv")
}

// comforts chooses another board and other pieces, flips and steps.
func (v *visitor) comforts() {
	v.t.Helper()
	v.click("#do-settings")
	v.click("label:has(> input[name=board][value=walnut])")
	v.click("label:has(> input[name=pieces][value=letters])")
	v.waitFor("html[data-board=walnut][data-pieces=letters]")
	v.screenshot("2-comforts")
	v.keys(kb.Escape)
	v.keys("f")
	v.waitFor(".board.as-black")
	v.keys("f")
	v.waitFor(".board:not(.as-black)")
	v.keeps("pieces", "letters")
	v.do("load again", chromedp.Reload())
	v.waitFor("html[data-board=walnut][data-pieces=letters]")
	if d := eval[string](v, "document.querySelector('#pc-D path').getAttribute('d')"); !strings.HasPrefix(d, "M50.0 3.0L") {
		v.t.Errorf("the dragon is not that of the letters: %s", d)
	}
	v.waitPiece("e2", "wP")
	v.screenshot("3-board")
}

// latency plays knights to and fro, an odd number of moves, and measures from the click that drops a piece to the moment
// at which the other page shows it: printed, never asserted.
func (v *visitor) latency(other *visitor, moves int) {
	v.t.Helper()
	const watch = `addEventListener("act", () => { window.dropped = performance.timeOrigin + performance.now(); }, true);
		new MutationObserver(() => { if (window.goal &&
			document.querySelector(goal)) { window.shown = performance.timeOrigin + performance.now(); window.goal = ""; } })
			.observe(document.getElementById("match"), { subtree: true, childList: true, attributes: true }); true`
	for _, x := range []*visitor{v, other} {
		eval[bool](x, watch)
	}
	var took []float64
	play := func(by, to *visitor, from, at, piece string) {
		eval[bool](to, fmt.Sprintf(`(window.goal = "[data-sq='%s'][data-pc='%s']", true)`, at, piece))
		by.clickMove(from, at)
		to.waitPiece(at, piece)
		took = append(took, eval[float64](to, "window.shown")-eval[float64](by, "window.dropped"))
	}
	for i := range moves {
		w, b := [2]string{"g1", "f3"}, [2]string{"b8", "c6"}
		if i%2 == 1 {
			w, b = [2]string{"f3", "g1"}, [2]string{"c6", "b8"}
		}
		play(v, other, w[0], w[1], "wN")
		if i == moves-1 {
			other.clickMove("a7", "a6")
			v.waitPiece("a6", "bP")
			break
		}
		play(other, v, b[0], b[1], "bN")
	}
	slices.Sort(took)
	v.t.Logf("from drop to the opponent's board: median %.0f ms, p95 %.0f ms of %d moves", took[len(took)/2], took[len(took)*95/100],
		len(took))
	v.click("#do-back")
	v.waitFor("chpok-board[viewing]")
	v.keys(kb.ArrowRight)
	v.waitFor("chpok-board:not([viewing])")
}

// survives moves without a network: the move is kept, shown as not sent, and goes out when there is one again.
func (v *visitor) survives(other *visitor, d time.Duration, from, to string) {
	v.t.Helper()
	v.online(false)
	v.clickMove(from, to)
	v.waitFor("#match.unsent")
	if said := v.text("#m-error"); said == "" {
		v.t.Error("nothing says that the move is not sent")
	}
	v.screenshot("4-unsent")
	if d > 0 {
		<-time.After(d) // only where outages of that length were asked for
	}
	begun := time.Now()
	v.online(true)
	other.waitPiece(to, "wN")
	v.waitFor("#match:not(.unsent)")
	v.t.Logf("after an outage of %v the opponent had the move in %v", d, time.Since(begun).Round(10*time.Millisecond))
}

// survivesAProxy moves while a proxy answers that there is no server behind it: the same command is sent once more.
func (v *visitor) survivesAProxy(other *visitor, from, to string) {
	v.t.Helper()
	eval[bool](v, `(() => { const real = fetch; window.sent = [];
		window.fetch = (at, how) => !String(at).endsWith("/commands") ? real(at, how) :
			sent.push(how.body.get("id")) > 2 ? real(at, how) :
			Promise.resolve(new Response("<h1>Bad Gateway</h1>", { status: 500 + sent.length + 1 })); return true; })()`)
	v.clickMove(from, to)
	other.waitPiece(to, "wN")
	v.waitFor("#match:not(.unsent)")
	if ids := eval[[]string](v, "sent"); len(ids) != 3 || ids[0] != ids[1] || ids[1] != ids[2] {
		v.t.Errorf("sent as %v, want the same one three times: after 502, after 503 and then", ids)
	}
}
