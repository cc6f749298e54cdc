package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestAnArenaInTwoBrowsersOnTwoProcesses: who waits on one process meets who waits on
// another; they play by keyboard and by thumb, the table moves by itself, and a pause is
// seen on every page. Every pass is the one that its log gives.
func TestAnArenaInTwoBrowsersOnTwoProcesses(t *testing.T) {
	t.Parallel()
	window := browser(t)
	c := newCup(t, 2)
	other := startNode(t, c.dsn)
	var made struct{ ID string }
	c.api.must("POST", "/tournaments", map[string]any{"name": "Friday", "format": "arena", "window": 3_600_000, "lateness": 120_000,
		"envelope": map[string]any{"chips": 1, "minutes": []int{3, 3}, "increment": []int{0, 0}, "moveLimit": []int{20, 20},
			"defaults": map[string]any{"moveLimit": 20}, "presets": []any{map[string]int{"minutes": 3, "increment": 0}}}}, &made)
	c.id = made.ID
	for name := range c.players {
		c.api.must("POST", "/tournaments/"+c.id+"/entries", map[string]any{"player": name}, nil)
	}
	c.host.send(c.at("/desk"), c.at("/start"))

	desk, phone := visit(t, window, c.api.base, 1366, 768), visit(t, window, other.base, 390, 844)
	desk.signIn(c.dsn, "p01")
	phone.signIn(c.dsn, "p02")
	watcher := visit(t, window, other.base, 1366, 768)
	watcher.open(c.at("/standings"))
	for _, v := range []*visitor{desk, phone} {
		v.open(c.at(""))
		v.waitFor("#arena button.primary")
	}
	desk.do("to the button", chromedp.Focus(chromedp.CSS("#arena button.primary")))
	desk.keys(kb.Enter)
	desk.waitFor("#t-arena.searching")
	phone.click("#arena button.primary")
	for _, v := range []*visitor{desk, phone} {
		v.waitFor("#arena a.primary[href^='/matches/']")
		v.click("#arena a.primary[href^='/matches/']")
		v.waitFor("#m-main.is-waiting")
		v.click("button[name=ready]")
	}
	for _, v := range []*visitor{desk, phone} {
		v.waitFor("#m-main.is-bidding")
	}
	board := c.view().Rounds[0].Pairings[0]
	page := "/matches/" + *board.Match
	m := c.api.match(*board.Match)
	for ; m.State.Phase == "bidding"; m = c.api.match(*board.Match) {
		m.You = m.State.Turn
		bid := c.api.bid(m)
		c.players[[]string{board.First, board.Second}[strings.Index("AB", *m.State.Turn)]].send(page, page+"/commands",
			"target", fmt.Sprint(bid["target"]), "chips", fmt.Sprint(bid["chips"]))
	}
	for _, v := range []*visitor{desk, phone} {
		v.waitFor("#m-main.is-playing chpok-board")
	}
	white := desk
	if []string{board.First, board.Second}[strings.Index("AB", *m.State.Turn)] == "p02" {
		white = phone
	}
	white.keyMove("e2", "e4", false)
	for _, v := range []*visitor{desk, phone} {
		v.waitPiece("e4", "wP")
	}
	c.players["p02"].send(page, page+"/commands", "act", "resign")
	watcher.until("p01 has two points", `[...document.querySelectorAll("tr")].some(r => r.innerText.includes("p01") && /\b2\b/.test(r.innerText))`)
	for _, v := range []*visitor{desk, phone} {
		v.open(c.at(""))
		v.waitFor("#arena button.primary")
	}
	c.host.send(c.at("/desk"), c.at("/pause"), "pause_reason", "The light is out")
	for _, v := range []*visitor{desk, phone} {
		v.until("the pause is told", `document.querySelector("#t-arena").innerText.includes("Paused")`)
	}
	if !eval[bool](phone, "document.documentElement.scrollWidth <= innerWidth") {
		t.Error("the arena is wider than a phone")
	}
	c.checks(1, 2)
}
