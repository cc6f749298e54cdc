package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

// followLink signs a visitor in as people do, by a link of the command line.
func (v *visitor) followLink(dsn, handle string) {
	v.t.Helper()
	link := chpok(v.t, "player", "link", handle, "--database-url", dsn, "--base-url", v.base)
	v.open(strings.TrimPrefix(link, v.base))
	v.click("main form button")
	v.waitFor("a[href='/players/" + handle + "']")
}

// signIn signs a visitor in without the three pages of followLink, of which one address
// may see ten at once. What is open then is no page yet.
func (v *visitor) signIn(dsn, handle string) {
	v.t.Helper()
	data, err := store.Open(v.t.Context(), dsn, store.Options{})
	if err != nil {
		v.t.Fatal(err)
	}
	defer data.Close()
	secret, now := store.NewSecret(), time.Now()
	err = data.Write(v.t.Context(), func(tx *store.Tx) error {
		p, err := tx.PlayerByHandle(player.Handle(handle))
		if err != nil {
			return err
		}
		return tx.AddSession(secret, player.Session{ID: string(store.NewSecret()), Player: p.ID, Created: now, Used: now})
	})
	if err == nil {
		_, err = chromedp.Call(v.ctx, network.SetCookie, network.SetCookieParams{Name: "session", Value: string(secret), URL: v.base})
	}
	if err != nil {
		v.t.Fatal(err)
	}
	v.open("/robots.txt")
}

// square is the middle of a square of the board, in the window.
func (v *visitor) square(name string) (x, y float64) {
	v.t.Helper()
	return v.middle(squareNamed(name))
}

func squareNamed(name string) string { return "[data-sq='" + name + "']" }

// The ways to move: two clicks, a drag, the keyboard, typing.
func (v *visitor) clickMove(from, to string) {
	v.t.Helper()
	for _, name := range []string{from, to} {
		v.press(squareNamed(name), "nearest")
	}
}

func (v *visitor) dragMove(from, to string) {
	v.t.Helper()
	x1, y1 := v.square(from)
	x2, y2 := v.square(to)
	v.do("drag "+from+to, chromedp.DragAndDropXY(x1, y1, x2, y2, 8))
}

// keyMove walks the cursor from e1, where it begins, with the arrow keys. The
// arrows go as the board is seen: as Black, up is towards rank 1.
func (v *visitor) keyMove(from, to string, black bool) {
	v.t.Helper()
	v.do("focus the board", chromedp.Focus(chromedp.CSS("[data-sq][tabindex='0']")))
	for _, goal := range []string{from, to} {
		at := eval[string](v, "document.activeElement.dataset.sq")
		files, ranks := int(goal[0])-int(at[0]), int(goal[1])-int(at[1])
		if black {
			files, ranks = -files, -ranks
		}
		v.keys(strings.Repeat(kb.ArrowRight, max(files, 0)) + strings.Repeat(kb.ArrowLeft, max(-files, 0)) +
			strings.Repeat(kb.ArrowUp, max(ranks, 0)) + strings.Repeat(kb.ArrowDown, max(-ranks, 0)) + kb.Enter)
	}
}

// waitPiece waits until the page of this visitor shows a piece on a square.
func (v *visitor) waitPiece(square, piece string) {
	v.t.Helper()
	v.waitFor(fmt.Sprintf("[data-sq='%s'][data-pc='%s']", square, piece))
}

// TestTwoBrowsersPlayAWholeMatch plays from the ready gate through the bidding to
// a king's capture: one player at a desktop, the other on a phone.
func TestTwoBrowsersPlayAWholeMatch(t *testing.T) {
	t.Parallel()
	window := browser(t)
	dsn := storetest.SQLiteDSN(t)
	server := startNode(t, dsn)
	clients := trio(t, dsn, server.base)
	id, firstName, secondName := pairThree(t, clients, map[string]any{"chips": 3, "minutes": []int{5, 15}, "increment": []int{0, 10},
		"presets": []any{map[string]int{"minutes": 10, "increment": 5}}})

	first, second := visit(t, window, server.base, 1280, 900), visit(t, window, server.base, 390, 844)
	first.signIn(dsn, firstName)
	second.signIn(dsn, secondName)
	watcher := visit(t, window, server.base, 1280, 900)
	page := "/matches/" + id
	for _, v := range []*visitor{first, second, watcher} {
		v.open(page)
		v.waitFor("#m-main.is-waiting")
	}
	first.screenshot("1-gate")
	first.click("button[name=ready]")
	first.waitFor(".gate-done")
	second.click("button[name=ready]")

	// Bidding: First stakes all on White, Second all on the time.
	for _, v := range []*visitor{first, second, watcher} {
		v.waitFor("#m-main.is-bidding")
	}
	first.fits("the bidding")
	first.click("#raise-white > summary")
	first.fill("#chips-white", "4")
	first.click("#raise-white .raise-foot .primary") // refused by the page, in the words of the game
	if said := first.text("#raise-white .say"); said != "You have only 3 chips" {
		t.Errorf("four of three chips: %q", said)
	}
	first.fill("#chips-white", "3")
	first.screenshot("2-bidding")
	first.click("#raise-white .raise-foot .primary")
	second.waitFor("#raise-time")
	second.click("#raise-time > summary")
	second.fill("#time-minutes", "5")
	second.fill("#chips-time", "3")
	second.screenshot("2-bidding-phone")
	second.click("#raise-time .raise-foot .primary")

	for _, v := range []*visitor{first, second, watcher} {
		v.waitFor("#m-main.is-playing chpok-board")
		v.waitPiece("e2", "wP")
	}
	first.screenshot("3-board")
	second.screenshot("3-board-phone")
	first.fits("the board")
	second.clickMove("f7", "f5") // a premove: Black is not to move
	second.waitFor(".pre:not([hidden])")
	first.clickMove("e2", "e4")
	second.waitPiece("e4", "wP")
	first.waitPiece("f5", "bP")
	first.keys(kb.ArrowLeft) // whoever moves by mouse steps through the moves
	first.waitFor("chpok-board[viewing] [data-sq='f7'][data-pc='bP']")
	first.keys(kb.End)
	first.waitFor("chpok-board:not([viewing])")
	first.dragMove("d1", "h5")
	second.waitPiece("h5", "wQ")
	// A reload in the middle brings the same board back.
	second.open(page)
	second.waitPiece("h5", "wQ")
	second.keyMove("a7", "a6", true)
	first.waitPiece("a6", "bP")
	watcher.waitPiece("a6", "bP")
	first.clickMove("h5", "e8")

	for _, v := range []*visitor{first, second, watcher} {
		v.waitFor("#m-state[data-status='over'] .result")
	}
	first.screenshot("4-result")
	second.screenshot("4-result-phone")
	m := clients[0].match(id)
	if m.State.Result != "A" || m.State.Reason != "kings-captured" || m.State.Points["A"] != 1005 {
		t.Errorf("the match ended %s by %s with %v", m.State.Result, m.State.Reason, m.State.Points)
	}
	verifyRecord(t, clients[0], id, m)
	first.open(page + "/replay")
	first.waitFor("chpok-board")
	first.screenshot("5-replay")
}

// kindsOfWindows are those in which a match is complete: desktops, a lying phone, upright ones.
var kindsOfWindows = [][2]int64{{1366, 768}, {1920, 1080}, {844, 390}, {390, 844}, {390, 664}, {360, 740}, {360, 640}}

// fits wants a page of a match to be complete in windows of all kinds, with every square, clock and foot in view.
// What belongs to the event, as the talk with its arbiters, lies below.
func (v *visitor) fits(what string) {
	v.t.Helper()
	size := eval[[]int64](v, "[innerWidth, innerHeight]")
	for _, w := range kindsOfWindows {
		v.do("resize", chromedp.EmulateViewport(w[0], w[1]))
		got := eval[[]int64](v, `(() => { scrollTo(0, 0); const d = document.documentElement;
			const lowest = Math.max(...[...document.querySelectorAll("#m-us .clock, details.raise[open] .raise-foot, .sq")].map(e => e.getBoundingClientRect().bottom));
			const c = document.querySelector("#m-us .clock").getBoundingClientRect(), at = document.elementFromPoint(c.x + c.width / 2, c.y + c.height / 2);
			const sheet = document.querySelector("details.raise[open] .panel .clock"); // a bid's sheet lies on the strip and has the clock itself
			return [d.scrollWidth, Math.floor(lowest), sheet || at?.closest("#m-us") ? 0 : 1]; })()`)
		if got[0] > w[0] || got[1] > w[1] || got[2] != 0 {
			v.t.Errorf("%s in %v: %d wide, its lowest part ends at %d; own clock covered: %d", what, w, got[0], got[1], got[2])
		}
		if boards() != "" {
			v.screenshot(fmt.Sprintf("%s-%dx%d", what, w[0], w[1]))
		}
	}
	v.do("resize", chromedp.EmulateViewport(size[0], size[1]))
}
