package main

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"chpok.org/chpok/store/storetest"
)

// rightDrag draws from a square to a square with the other button; the feed brings the
// board anew meanwhile, which waits until the button is let go.
func (v *visitor) rightDrag(from, to string) {
	v.t.Helper()
	x1, y1 := v.square(from)
	x2, y2 := v.square(to)
	v.do("press "+from, chromedp.MouseEvent(chromedp.MousePressed, x1, y1, chromedp.ButtonRight))
	eval[bool](v, `import(document.querySelector("script[src$='/feed.js']").src).then(async (feed) => {
		await new Promise((done) => setTimeout(done)); // after what the press has begun
		const next = document.querySelector("#match [id]:has(chpok-board)").cloneNode(true);
		next.dataset.anew = performance.now();
		feed.swap(next.outerHTML);
		return true; })`)
	v.do("draw "+from+to, chromedp.MouseEvent(chromedp.MouseMoved, x2, y2, chromedp.ButtonRight),
		chromedp.MouseEvent(chromedp.MouseReleased, x2, y2, chromedp.ButtonRight))
}

// slide moves a slider of the settings by so many steps down.
func (v *visitor) slide(name string, steps int) {
	v.t.Helper()
	v.do("slide "+name, chromedp.Focus(chromedp.CSS("#m-settings input[name="+name+"]")))
	v.keys(strings.Repeat(kb.ArrowLeft, steps))
}

// keeps waits until the site keeps the comfort that was chosen last.
func (v *visitor) keeps(comfort, value string) {
	v.t.Helper()
	await(v.t, comfort+" "+value+" in the next page", func() bool {
		return eval[bool](v, fmt.Sprintf(`fetch(location.pathname).then(r => r.text()).then(t => t.includes('data-%s="%s"'))`, comfort, value))
	})
}

// TestComfortsOfAMatchAreOnesOwn: what is drawn on the board, its size, how loud it is, and asking before a move; then
// a rematch, which the other one finds where the match was.
func TestComfortsOfAMatchAreOnesOwn(t *testing.T) {
	t.Parallel()
	window, dsn := browser(t), storetest.SQLiteDSN(t)
	server := startNode(t, dsn)
	_, _, id := atBoard(t, dsn, server.base, "automatic")
	first, second := visit(t, window, server.base, 1280, 900), visit(t, window, server.base, 390, 844)
	first.signIn(dsn, "anna")
	second.signIn(dsn, "bohdan")
	for _, v := range []*visitor{first, second} {
		v.open("/matches/" + id)
		v.waitPiece("e2", "wP")
	}

	first.rightDrag("e2", "e4")
	first.waitFor("svg.marks path.own-mark.head")
	first.rightDrag("d5", "d5")
	first.waitFor("svg.marks circle.own-mark")
	first.screenshot("marks")
	first.clickMove("e5", "e6") // empty squares
	first.waitFor("chpok-board:not(:has(svg.marks))")

	wide := func() float64 {
		return eval[float64](first, `document.querySelector(".board").getBoundingClientRect().width`)
	}
	whole := wide()
	eval[bool](first, `(() => { window.loudest = 0; const node = { connect: (to) => to, start() {}, stop() {}, frequency: {}, gain: {
			setValueAtTime() {}, exponentialRampToValueAtTime(v) { loudest = Math.max(loudest, v); } } };
		window.AudioContext = class { currentTime = 0; destination = node; resume() {}
			createOscillator() { return { ...node }; } createGain() { return node; } }; return true; })()`)
	eval[bool](second, `(() => { window.felt = []; navigator.vibrate = (pattern) => felt.push(pattern) > 0; return true; })()`)
	first.click("#do-settings")
	first.slide("zoom", 4)
	first.slide("volume", 8)
	first.click("#m-settings label:has(> input[name=confirm])")
	first.waitFor("html[data-zoom='80'][data-volume='20'][data-confirm='on']")
	first.keys(kb.Escape)
	await(t, "four fifths of the board", func() bool { return math.Abs(wide()/whole-0.8) < 0.01 })

	first.clickMove("e2", "e4")
	first.click("[data-do=cancel-move]")
	first.waitPiece("e2", "wP")
	first.clickMove("e2", "e4")
	first.screenshot("asked")
	first.click("[data-do=confirm-move]")
	second.waitPiece("e4", "wP")
	if loud := eval[float64](first, "loudest"); math.Abs(loud-0.04) > 1e-9 { // a fifth of a fifth
		t.Errorf("a move sounds at %v", loud)
	}
	first.keeps("confirm", "on")
	first.do("load again", chromedp.Reload())
	first.waitFor("html[data-zoom='80'][data-volume='20'][data-confirm='on']")

	second.click("#confirm-resign > summary")
	second.click("#confirm-resign form button")
	await(t, "the phone trembles at the end", func() bool { return eval[string](second, "JSON.stringify(felt)") == "[[60,40,60]]" })
	for _, v := range []*visitor{first, second} {
		if v == second {
			await(t, "the offer of a rematch", func() bool { return strings.Contains(second.text("#m-state .result-next"), "Accept rematch") })
			v.click("#m-state[data-status='over'] .result form[action$='/accept'] button")
			continue
		}
		v.click("#m-state[data-status='over'] .result form[action$='/rematch'] button")
		await(t, "the offer, beside the board", func() bool {
			return strings.Contains(v.text("#m-state .result-says"), "The match opens when bohdan accepts")
		})
		if v.location() != server.base+"/matches/"+id || eval[int](v, `document.querySelectorAll("chpok-board").length`) != 1 {
			t.Errorf("the offer leads to %s", v.location())
		}
	}
	for _, v := range []*visitor{first, second} {
		v.waitFor("#match[data-url]:not([data-url='/matches/" + id + "'])")
	}
	if a, b := first.location(), second.location(); a != b {
		t.Errorf("the rematch is at %s and at %s", a, b)
	}
}
