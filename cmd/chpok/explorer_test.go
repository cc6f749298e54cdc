package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"chpok.org/chpok/store/storetest"
)

// TestAVisitorExploresByTouchAlone: a position is set up, played and asked about on a phone, on the narrowest board and
// the widest; what the engine says is played on, and all of it stands in the address.
func TestAVisitorExploresByTouchAlone(t *testing.T) {
	t.Parallel()
	window := browser(t)
	server := startNode(t, storetest.SQLiteDSN(t), "--engine-share", "100")
	v := visit(t, window, server.base, 390, 844)
	v.do("hold a phone", chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
	touch := func(selector string) {
		t.Helper()
		v.waitFor(selector)
		eval[bool](v, fmt.Sprintf(`(document.querySelector(%q).scrollIntoView({block: "center", behavior: "instant"}), true)`, selector))
		v.tap(selector)
	}
	fits := func(what string) {
		t.Helper()
		if over := eval[int](v, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
			t.Errorf("%s is %d px wider than the phone", what, over)
		}
	}
	for _, width := range []string{"6", "10"} {
		v.open("/analyse")
		touch(".x-links a")
		touch(`#set-up [name=width][value="` + width + `"]`)
		v.until("the board has that width", `document.querySelectorAll(".set-board button").length === 8 * `+width)
		touch(`#set-up [name=skipMoves]`)
		if width == "6" {
			fits("setting up")
		}
		touch("#set-up .primary")
		touch(`[data-sq="c2"]`)
		touch(`[data-sq="c4"]`)
		v.until("the move is played", `location.search.includes("line=c2c4")`)
		touch("[data-ask] button")
		v.waitFor(".x-lines li:nth-child(3)")
		v.until("arrows point at the moves", `document.querySelectorAll("svg.marks .head").length >= 3`)
		touch(".x-lines li:first-child a:nth-child(2)")
		v.until("two more moves are played", `document.querySelectorAll(".x-line li").length === 3`)
		v.waitFor(".x-lines li")
		at := strings.TrimPrefix(v.location(), v.base)
		for _, part := range []string{"width=" + width, "skipMoves=on", "ask=on"} {
			if !strings.Contains(at, part) {
				t.Errorf("%s does not tell %s", at, part)
			}
		}
		touch("#x-back")
		v.until("a move is taken back", `document.querySelectorAll(".x-line [aria-current]").length === 1 && location.search.includes("at=2")`)
	}
	fits("the explorer")
	touch(".x-modes a[href]")
	touch("[data-ask] button")
	touch(".x-bids li a")
	v.waitFor(".x-made li")
	fits("a bidding")
	v.screenshot("explorer-bids")
}
