package main

import (
	"slices"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"chpok.org/chpok/store/storetest"
)

// TestAnArbiterComesToAPlayersCall is a call from the page of a match, seen on
// the boards desk, and what the arbiter does then: both players see it all.
func TestAnArbiterComesToAPlayersCall(t *testing.T) {
	t.Parallel()
	window := browser(t)
	dsn := storetest.SQLiteDSN(t)
	server := startNode(t, dsn)
	names := []string{"anna", "bohdan"}
	judge := newPlayer(t, dsn, "iryna", "organizer")
	clients := []*client{judge, newPlayer(t, dsn, "anna", "player"), newPlayer(t, dsn, "bohdan", "player")}
	for _, c := range clients {
		c.base = server.base
	}
	var made struct{ ID string }
	judge.must("POST", "/tournaments", map[string]any{
		"name": "Evening", "format": "swiss", "rounds": 1, "callStops": true, "rated": false, "lateness": 0,
		"envelope": map[string]any{"chips": 1, "minutes": []int{10, 10}, "increment": []int{0, 0}, "presets": []any{map[string]int{"minutes": 10, "increment": 0}}},
	}, &made)
	for _, name := range names {
		judge.must("POST", "/tournaments/"+made.ID+"/entries", map[string]any{"player": name}, nil)
	}
	judge.must("POST", "/tournaments/"+made.ID+"/start", nil, nil)
	var view tournamentView
	judge.must("GET", "/tournaments/"+made.ID, nil, &view)
	board := view.Rounds[0].Pairings[0]
	id := *board.Match
	bid := func(name string, bid map[string]any) {
		c := clients[1+slices.Index(names, name)]
		if _, err := c.send(id, c.match(id).Seq, map[string]any{"bid": bid}); err != nil {
			t.Fatal(err)
		}
	}
	bid(board.First, map[string]any{"target": "white", "chips": 1})
	bid(board.Second, map[string]any{"target": "time", "chips": 1, "minutes": 10, "increment": 0})

	first, second := visit(t, window, server.base, 1280, 900), visit(t, window, server.base, 390, 844)
	arbiter := visit(t, window, server.base, 1280, 900)
	first.signIn(dsn, board.First)
	second.signIn(dsn, board.Second)
	arbiter.signIn(dsn, "iryna")
	page := "/matches/" + id
	first.open(page)
	second.open(page)
	arbiter.open("/tournaments/" + made.ID + "/boards")
	arbiter.waitFor(".desk-boards tr.is-playing")
	first.waitPiece("e2", "wP")
	first.clickMove("e2", "e4")
	second.waitPiece("e4", "wP")

	second.fill("#call-text", "he touched another piece")
	second.screenshot("1-call-phone")
	second.click("form[action$='/calls'] button")
	for _, v := range []*visitor{first, second} {
		v.waitFor(".m-still")
	}
	arbiter.waitFor(".desk-boards tr.is-still .alert-call")
	arbiter.screenshot("2-desk")
	// From the desk a key leads to the first call, and Enter to its board.
	arbiter.open("/tournaments/" + made.ID + "/desk")
	arbiter.waitFor("#desk-calls .call")
	arbiter.keys("c" + kb.Enter)
	arbiter.waitFor("#m-bench")
	arbiter.open("/tournaments/" + made.ID + "/boards")
	arbiter.click(".desk-boards .alert-call")
	arbiter.waitFor("#m-bench")
	arbiter.click("form[action$='/take'] button")
	arbiter.waitFor(".call-taken")

	rule := func(act string, fields ...string) {
		t.Helper()
		arbiter.waitFor("#m-bench")
		arbiter.click("#bench-" + act + " > summary")
		for i := 0; i+1 < len(fields); i += 2 {
			arbiter.fill("#"+fields[i], fields[i+1])
		}
		arbiter.fill("#"+act+"-why", "reason for "+act)
		arbiter.screenshot("3-" + act)
		arbiter.click("#bench-" + act + " form button")
	}
	both := func(selector string) {
		t.Helper()
		first.waitFor(selector)
		second.waitFor(selector)
	}
	rule("resume")
	both("#m-log .acts li:nth-child(2)")
	rule("pause")
	both("#m-log .acts li:nth-child(3)")
	rule("take-back", "take-back-actions", "1")
	both("[data-sq='e2'][data-pc='wP']")
	rule("clock", "clock-of", "second", "clock-left", "5:00")
	both("#m-log .acts li:nth-child(5)")
	if text := second.text("#m-us .clock"); text != "5:00" {
		t.Errorf("Second's clock shows %q", text)
	}
	if text := first.text("#m-them .clock"); text != "5:00" {
		t.Errorf("Second's clock shows %q on First's page", text)
	}
	first.screenshot("4-still")
	second.screenshot("4-still-phone")
	rule("resume")
	both("#m-log .acts li:nth-child(6)")
	first.clickMove("d2", "d4")
	second.waitPiece("d4", "wP")
	arbiter.fill("input[name^='answer-']", "Taken back, as he had not let go of it.")
	arbiter.click("form[action$='/resolve'] button")
	for _, v := range []*visitor{first, second} {
		v.waitFor("#m-talk .talk li.staff")
	}
	second.screenshot("5-answer-phone")
}
