package main

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"chpok.org/chpok/store/storetest"
)

// sendMove moves and waits for the server's answer: what follows from the move is in
// the log then.
func (v *visitor) sendMove(from, to string) {
	v.t.Helper()
	const sent = `performance.getEntriesByType("resource").filter(e => e.name.endsWith("/commands")).length`
	before := eval[int](v, sent)
	v.clickMove(from, to)
	await(v.t, "the answer to "+from+to, func() bool { return eval[int](v, sent) > before })
}

// isAsked tells whether the server shows this player a check.
func (v *visitor) isAsked(page string) bool {
	v.t.Helper()
	return eval[bool](v, fmt.Sprintf(`fetch(%q).then(r => r.text()).then(t => t.includes('id="m-mid-check"'))`, page))
}

// matchOfTwo is a server with two players, vira and ivan, and two operators who are
// signed in.
func matchOfTwo(t *testing.T) (window context.Context, dsn, base string, host, boss *visitor) {
	t.Helper()
	window = browser(t)
	dsn = storetest.SQLiteDSN(t)
	base = strings.Replace(startNode(t, dsn).base, "127.0.0.1", "localhost", 1)
	for handle, role := range map[string]string{"host": "operator", "boss": "operator", "vira": "player", "ivan": "player"} {
		chpok(t, "player", "add", handle, "--role", role, "--database-url", dsn)
	}
	host, boss = visit(t, window, base, 1280, 900), visit(t, window, base, 1280, 900)
	host.signIn(dsn, "host")
	boss.signIn(dsn, "boss")
	return window, dsn, base, host, boss
}

// TestAPlayerPassesAndTheOtherMissesTheCheck plays until both were asked to unlock
// their devices: the first does, the second lets the time pass and plays on.
func TestAPlayerPassesAndTheOtherMissesTheCheck(t *testing.T) {
	t.Parallel()
	window, dsn, base, host, boss := matchOfTwo(t)
	event := host.verifiedEvent("1", "10") // so they are asked on their 9th or 10th turn
	if status := eval[int](host, fmt.Sprintf(`fetch("/api/v1" + %q + "/policy", {method: "PUT", headers: {"Content-Type": "application/json"},
		body: JSON.stringify({level: "verified", check_in: {mid_match: 100, grace_s: 12}})}).then(r => r.status)`, event)); status != 200 {
		t.Fatalf("the policy: status %d", status)
	}
	players := map[string]*visitor{"vira": visit(t, window, base, 1280, 900), "ivan": visit(t, window, base, 390, 850)}
	boss.vouch("vira", "ivan")
	for handle, v := range players {
		v.signIn(dsn, handle)
		v.giveDevice()
		v.addPasskey("phone of " + handle)
		v.promise()
		v.post(event + "/register")
	}
	host.post(event + "/start")
	var view tournamentView
	await(t, "the round", func() bool {
		host.api("/tournaments/"+strings.TrimPrefix(event, "/tournaments/"), &view)
		return len(view.Rounds) == 1
	})
	board := view.Rounds[0].Pairings[0]
	page, sides := "/matches/"+*board.Match, []*visitor{players[board.First], players[board.Second]}
	for _, v := range sides {
		v.open(page)
		v.checkIn()
		v.click("button[name=ready]")
	}
	sides[0].waitFor("#m-main.is-bidding")
	bidBoth(sides[0], sides[1])

	checks := 0
	for ply := 0; checks < 2; ply++ {
		if ply == 20 {
			t.Fatalf("%d checks after 10 moves each", checks)
		}
		step := [][3]string{{"b1", "c3", "wN"}, {"b8", "c6", "bN"}, {"c3", "b1", "wN"}, {"c6", "b8", "bN"}}[ply%4]
		mover, next := sides[ply%2], sides[(ply+1)%2]
		mover.sendMove(step[0], step[1])
		next.waitPiece(step[1], step[2])
		if !next.isAsked(page) {
			continue
		}
		next.waitFor("#m-mid-check button")
		mover.waitFor(".m-still")
		next.screenshot("asked")
		mover.screenshot("waits")
		if checks++; checks == 1 {
			next.click("#m-mid-check button")
			next.waitFor(".flash")
		}
		for _, v := range sides {
			v.until("the match to go on", `!document.querySelector(".m-still, #m-mid-check button")`)
		}
		if mover.isAsked(page) || next.isAsked(page) {
			t.Fatalf("somebody is asked still after check %d", checks)
		}
		mover.waitFor("#m-us .clock, #m-them .clock.running")
		next.screenshot("afterwards")
	}
	sides[0].click("#confirm-resign > summary")
	sides[0].click("#confirm-resign button")
	for _, v := range sides {
		v.waitFor("#m-state[data-status='over'] .result")
		v.wear(look{1280, 900, "en", "light"})
		v.open(page)
		said := v.text("#m-fair-play")
		if !strings.Contains(said, "unlocked the device again during the match (at move ") || !strings.Contains(said, "missed the check during the match (at move ") {
			t.Errorf("the match does not say how the checks ended:\n%s", said)
		}
		v.screenshot("over")
	}
}
