package main

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"chpok.org/chpok/store/storetest"
)

// focused is what the keyboard is at: its class, value or text.
func (v *visitor) focused(what string) string {
	v.t.Helper()
	return eval[string](v, `(document.activeElement.`+what+` ?? "") + ""`)
}

// types presses a key where the keyboard is, of a layout that makes another sign of it than stands on its cap.
func (v *visitor) types(sign, code string) {
	v.t.Helper()
	eval[bool](v, fmt.Sprintf(`document.activeElement.dispatchEvent(new KeyboardEvent("keydown",
		{key: %q, code: %q, bubbles: true, cancelable: true})) || true`, sign, code))
}

// TestArrowsLeadThroughPlayAndSingleKeysCanBeSwitchedOff goes by keyboard through the ways to play and who waits there,
// into the search by its key, and into a bid; who dictates to the computer switches the single keys off.
func TestArrowsLeadThroughPlayAndSingleKeysCanBeSwitchedOff(t *testing.T) {
	t.Parallel()
	window := browser(t)
	dsn := storetest.SQLiteDSN(t)
	server := startNode(t, dsn)
	chpok(t, "player", "add", "boss", "--role", "operator", "--database-url", dsn)
	v := visit(t, window, server.base, 1366, 768)
	for i := range 2 { // two who wait, for matches of different lengths
		waits := visit(t, window, server.base, 1366, 768)
		waits.open("/play")
		eval[bool](waits, fmt.Sprintf(`(document.querySelectorAll(".lengths input")[%d].click(), true)`, i))
		waits.click(`[formaction="/play/pair"]`)
		await(t, "the page where one waits", func() bool {
			return eval[bool](waits, `document.readyState === "complete" && location.pathname.startsWith("/c/")`)
		})
	}
	v.open("/play")
	v.waitFor(".lobby li:nth-child(2) button")
	v.do("to the bot", chromedp.Focus(chromedp.CSS(".way-end .big")))
	for _, step := range []struct{ key, want string }{{kb.ArrowRight, "link"}, {kb.ArrowLeft, "bot"}, {kb.ArrowLeft, "bot"}} {
		v.keys(step.key)
		if at := v.focused("value"); at != step.want {
			t.Errorf("an arrow leads to %q, not to %q", at, step.want)
		}
	}
	row := func(i int) string {
		return eval[string](v, fmt.Sprintf(`document.querySelectorAll(".lobby li button")[%d].formAction`, i))
	}
	v.do("to the lobby", chromedp.Focus(chromedp.CSS(".lobby li button")))
	for _, step := range []struct {
		key  string
		want int
	}{{kb.ArrowDown, 1}, {kb.ArrowDown, 1}, {kb.ArrowUp, 0}} {
		v.keys(step.key)
		if at := v.focused("formAction"); at != row(step.want) {
			t.Errorf("an arrow leads to %q, not to %q", at, row(step.want))
		}
	}

	v.keys("/")
	if at := v.focused("type"); at != "search" {
		t.Errorf("the search's key leads to %q", at)
	}
	v.do("to the lobby again", chromedp.Focus(chromedp.CSS(".lobby li button")))
	v.types(".", "Slash")
	if at := v.focused("type"); at != "search" {
		t.Errorf("the search's key as a Ukrainian layout types it leads to %q", at)
	}
	v.open("/")
	v.click(".play-now")
	v.waitFor("#m-main.is-waiting")
	v.isRefused(409, func() { v.click("button[name=ready]") })
	v.waitFor("#raise-white")
	at := v.location()[len(v.base):]
	for _, keys := range []string{"on", "off"} {
		on := keys == "on"
		if ok := eval[bool](v, fmt.Sprintf(`fetch("/preferences/play", {method: "POST",
			body: new URLSearchParams({keys: %q}), headers: {Accept: "application/json"}}).then((r) => r.ok)`, keys)); !ok {
			t.Fatal("the switch is refused")
		}
		v.open(at)
		v.waitFor("body:has(chpok-row[ready])") // the page's keys are there
		v.click("#raise-time > summary")
		was := eval[int](v, `document.querySelector("#chips-time").valueAsNumber`)
		v.keys("++-")
		if n := eval[int](v, `document.querySelector("#chips-time").valueAsNumber`); (n == was+1) != on {
			t.Errorf("single keys on is %v, and + + − make %d chips of %d", on, n, was)
		}
		v.keys(kb.Escape)
		v.waitFor("#raise-time:not([open])")
		eval[bool](v, `document.dispatchEvent(new CustomEvent("feed:swapped", {detail: []}))`) // news of the match leaves it closed
		if eval[bool](v, `!!document.querySelector("details.raise[open]")`) {
			t.Error("what Escape has closed is open again after news")
		}
		v.keys(kb.ArrowDown)
		if at := eval[string](v, `document.activeElement.closest("details")?.id ?? ""`); at != "raise-homeRow" {
			t.Errorf("an arrow below the time leads to %q", at)
		}
		if on {
			v.click("#raise-homeRow > summary")
			v.do("to the first place", chromedp.Focus(chromedp.CSS("#raise-homeRow [data-slot]")))
			v.types("й", "KeyQ")
			if row := eval[string](v, `document.querySelector("#raise-homeRow input[name=row]").value`); row[0] != 'Q' {
				t.Errorf("й stands on the cap of Q, and the row begins as %s", row)
			}
			v.keys(kb.Escape)
		}
		v.keys("/")
		if got := v.focused("type") == "search"; got != on {
			t.Errorf("single keys on is %v, and the search's key leads there: %v", on, got)
		}
	}
}
