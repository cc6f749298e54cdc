package main

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"chpok.org/chpok/store/storetest"
)

// thumbDrag takes one thing to another with a finger.
func (v *visitor) thumbDrag(from, to string) {
	v.t.Helper()
	x1, y1 := v.middle(from)
	x2, y2 := v.middle(to)
	touch := func(kind input.DispatchTouchEventType, points ...*input.TouchPoint) {
		if _, err := chromedp.Call(v.ctx, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: points}); err != nil {
			v.t.Fatalf("%s: %v", kind, err)
		}
	}
	touch(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: x1, Y: y1})
	for i := 1.0; i <= 5; i++ {
		touch(input.DispatchTouchEventTypeTouchMove, &input.TouchPoint{X: x1 + (x2-x1)*i/5, Y: y1 + (y2-y1)*i/5})
	}
	touch(input.DispatchTouchEventTypeTouchEnd)
}

// tap presses with a finger what can be reached without scrolling.
func (v *visitor) tap(selector string) {
	v.t.Helper()
	x, y := v.middle(selector)
	v.do("tap "+selector, chromedp.TapXY(x, y))
}

// moves lets things move on this visitor's pages, as most people have it.
func (v *visitor) moves() {
	v.t.Helper()
	_, err := chromedp.Call(v.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "no-preference"}},
	})
	if err != nil {
		v.t.Fatalf("let things move: %v", err)
	}
}

// bidders are two players of one match at its bidding, each in a browser: the first on a phone, held in one hand, the
// second at a desk. The organizer does not play.
func bidders(t *testing.T, envelope map[string]any) (organizer *client, id string, players [2]*client, phone, desk *visitor) {
	t.Helper()
	window := browser(t)
	dsn := storetest.SQLiteDSN(t)
	server := startNode(t, dsn)
	clients := trio(t, dsn, server.base)
	organizer, players = clients[0], [2]*client(clients[1:])
	id = fightTo(t, organizer, map[string]any{"envelope": envelope}, players[:]...)
	if players[0].match(id).First != players[0].name {
		players[0], players[1] = players[1], players[0]
	}
	phone = visit(t, window, server.base, 390, 844)
	phone.do("hold a phone", chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
	desk = visit(t, window, server.base, 1366, 768)
	for i, v := range []*visitor{phone, desk} {
		v.signIn(dsn, players[i].name)
		v.moves()
		v.open("/matches/" + id)
		v.waitFor("#m-main.is-bidding")
	}
	return organizer, id, players, phone, desk
}

// TestChipsAreDraggedAndADrawIsAMoment bids on a phone with the thumb alone, at a desk with the mouse, past a refusal to
// a draw that both see.
func TestChipsAreDraggedAndADrawIsAMoment(t *testing.T) {
	t.Parallel()
	_, id, players, phone, desk := bidders(t, map[string]any{"chips": 6})
	phone.thumbDrag("#m-us .fan i:last-child", "#target-white .tgt")
	phone.waitFor("#raise-white[open] .raise-foot")
	if plus := phone.text("#raise-white .pile-me .plus"); plus != "+1" {
		t.Errorf("a chip dragged to White lies there as %q", plus)
	}
	if left := eval[int](phone, `document.querySelectorAll("#m-us .fan i:not(.ghost)").length`); left != 5 {
		t.Errorf("with one of six chips on the table the purse shows %d", left)
	}
	phone.tap("#raise-white .raise-foot [data-step='1']")
	await(t, "a second chip", func() bool { return eval[string](phone, `document.querySelector("#chips-white").value`) == "2" })
	phone.screenshot("1-thumb")
	eval[bool](phone, `(history.back(), true)`)
	await(t, "Back closes the sheet", func() bool { return !eval[bool](phone, `document.querySelector("#raise-white").open`) })
	phone.open("/matches/" + id)
	phone.waitFor("#raise-white > summary")
	phone.tap("#raise-white > summary")
	await(t, "the bid outlives Back and a reload", func() bool { return eval[string](phone, `document.querySelector("#chips-white").value`) == "2" })
	phone.tap("#raise-white .raise-foot .primary")

	desk.waitFor("#raise-white > summary")
	if act := desk.text(".act"); !strings.Contains(act, players[0].name+" raised White") || !strings.Contains(act, "2 chips") {
		t.Errorf("the banner of the last act says %q", act)
	}
	for _, v := range []*visitor{phone, desk} {
		if !eval[bool](v, `[".act", ".if-ended svg.start"].every((s) => { const r = document.querySelector(s).getBoundingClientRect();
			return r.top >= 0 && r.bottom <= innerHeight && r.width > 0 })`) {
			t.Error("the last act or the preview is out of view")
		}
	}
	x1, y1 := desk.middle("#m-us .fan i:last-child")
	x2, y2 := desk.middle("#target-time .tgt")
	desk.do("drag a chip", chromedp.DragAndDropXY(x1, y1, x2, y2, 8))
	desk.waitFor("#raise-time[open] .raise-foot")
	if plus := desk.text("#raise-time .pile-me .plus"); plus != "+1" {
		t.Errorf("a chip dragged to the time lies there as %q", plus)
	}
	desk.click("#raise-white > summary")
	desk.fill("#chips-white", "1")
	await(t, "a refused raise leads to its chips", func() bool {
		desk.click("#raise-white .raise-foot .primary") // refused however often it is pressed
		return eval[string](desk, `document.activeElement.id`) == "chips-white"
	})
	if said := desk.text("#raise-white .say"); said != "Beat their lead of 2: at least 3" {
		t.Errorf("a raise that is too low: %q", said)
	}
	desk.screenshot("2-refused")
	for _, v := range []*visitor{desk, phone} { // what is shown for a moment is noted as it comes
		eval[bool](v, `(window.moments = [], new MutationObserver((list) => {
			for (const e of list.flatMap((m) => [...m.addedNodes])) if (e.querySelector?.(".moment-in .coin"))
				window.moments.push(e.querySelector(".moment-why").textContent, e.querySelector(".moment-result").textContent);
		}).observe(document.body, { childList: true }), true)`)
	}
	results := [2]string{}
	for i, v := range []*visitor{desk, phone} {
		await(t, "the coin", func() bool { // the button may be renewed under the press
			eval[bool](desk, `(document.querySelector("#raise-white .call-bid")?.click(), true)`)
			return eval[int](v, `window.moments.length`) >= 2
		})
		v.screenshot("3-draw")
		said := eval[[]string](v, `window.moments`)
		if !strings.Contains(said[0], "called White") {
			t.Errorf("why there is a draw: %q", said[0])
		}
		results[i] = said[1]
	}
	if results[0] == results[1] || !strings.Contains(results[0]+results[1], "You play White") {
		t.Errorf("the coin says %q", results)
	}
	for _, v := range []*visitor{desk, phone} {
		await(t, "the moment to pass", func() bool { return !eval[bool](v, `!!document.querySelector("body > .moment")`) })
	}
	if m := players[0].match(id); m.State.Stakes["white"][0] != 2 || m.State.Stakes["white"][1] != 2 {
		t.Errorf("on White lie %v", m.State.Stakes)
	}
}

// TestABidInTheMakingOutlivesWhatOthersDo sets up a raise on features, on a phone and by keyboard, while the arbiter and
// the opponent act.
func TestABidInTheMakingOutlivesWhatOthersDo(t *testing.T) {
	t.Parallel()
	organizer, id, players, phone, desk := bidders(t, map[string]any{"chips": 6})
	set := func(what string) {
		t.Helper()
		got := eval[[]string](phone, `(() => { const form = (t) => document.querySelector("#raise-" + t + " form").elements;
			const f = form("features"), row = document.querySelector("#raise-homeRow chpok-row").row;
			return [f.width.value, f.pawnsBack.checked + "", f.chips.value, form("homeRow").row.value, row] })()`)
		if want := "8 true 3 QNBRKBNR QNBRKBNR"; strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", what, got, want)
		}
	}
	phone.tap("#raise-homeRow > summary")
	phone.tap("#raise-homeRow [data-kind='Q']") // a piece first, then its place
	phone.tap("#raise-homeRow [data-slot='0']")
	phone.do("to the fourth place", chromedp.Focus(chromedp.CSS("#raise-homeRow [data-slot='3']")))
	phone.keys("r" + kb.Escape)
	phone.tap("#raise-features > summary")
	phone.fits("the features")
	phone.do("to the chips", chromedp.Focus(chromedp.CSS("#chips-features")))
	phone.keys(kb.ArrowUp + kb.ArrowUp)
	phone.do("to a rule", chromedp.Focus(chromedp.CSS("#raise-features input[name=pawnsBack]")))
	phone.keys(" ")
	set("before anything")
	phone.screenshot("1-features")

	seq := func() string { return eval[string](phone, `document.querySelector("#m-state").dataset.seq`) }
	before := seq()
	organizer.must("POST", "/matches/"+id+"/rulings",
		map[string]any{"id": "more", "act": "clock", "why": "The light went out", "of": "A", "left": 600000}, nil)
	await(t, "the arbiter's act on the page", func() bool { return seq() != before })
	phone.waitFor("#raise-features[open]")
	set("after the arbiter's act")
	if at := eval[string](phone, `document.activeElement.name`); at != "pawnsBack" {
		t.Errorf("the keyboard is at %q after the arbiter's act", at)
	}

	phone.keys(kb.Escape)
	phone.tap("#raise-white > summary")
	phone.tap("#raise-white .raise-foot .primary")
	desk.waitFor("#raise-white > summary")
	if _, err := players[1].send(id, players[1].match(id).Seq, map[string]any{"bid": map[string]any{"target": "features", "chips": 4,
		"features": map[string]any{"width": 8, "skipMoves": true}}}); err != nil {
		t.Fatal(err)
	}
	phone.waitFor("#raise-features > summary")
	phone.tap("#raise-features > summary")
	if chips := eval[string](phone, `document.querySelector("#chips-features").value`); chips != "5" {
		t.Errorf("after a raise by 4 the foot proposes %s", chips)
	}
	if on := eval[bool](phone, `document.querySelector("#raise-features form").elements.pawnsBack.checked`); !on {
		t.Error("what was set of the features is lost when the opponent raises them")
	}
	if stands := eval[string](phone, `document.querySelector("#raise-homeRow chpok-row").row`); stands != "QNBRKBNR" {
		t.Errorf("the row in the making is now %s", stands)
	}
	phone.screenshot("2-after")
	phone.tap("#raise-features .raise-foot .primary")
	await(t, "all the chips on the features", func() bool { return players[0].match(id).State.Stakes["features"][0] == 5 })
	phone.waitFor("body:not(:has(.raise-form))") // out of turn nothing is offered
}
