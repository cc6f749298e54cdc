package main

import (
	"testing"

	"chpok.org/chpok/store/storetest"
)

// TestAPremovedClaimGoesOutAsSoonAsItMay: White scores a point at move 2 and leads by it until move 20, where a claim of a
// win begins to hold (Rules 4.2). It was chosen before that, and could be called off.
func TestAPremovedClaimGoesOutAsSoonAsItMay(t *testing.T) {
	t.Parallel()
	window, dsn := browser(t), storetest.SQLiteDSN(t)
	server := startNode(t, dsn)
	white, black := newPlayer(t, dsn, "anna", "player"), newPlayer(t, dsn, "bohdan", "player")
	white.base, black.base = server.base, server.base
	var x struct{ ID, Match string }
	white.must("POST", "/challenges", map[string]any{"to": "bohdan", "claims": "manual", "lateness": "0s", "envelope": map[string]any{"chips": 1}}, &x)
	black.must("POST", "/challenges/"+x.ID+"/accept", nil, &x)
	do := func(c *client, command map[string]any) {
		t.Helper()
		if _, err := c.send(x.Match, c.match(x.Match).Seq, command); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
	}
	do(white, map[string]any{"bid": map[string]any{"target": "white", "chips": 1}})
	do(black, map[string]any{"bid": map[string]any{"target": "time", "chips": 1, "minutes": 60, "increment": 0}})
	move := func(w, b string) {
		do(white, map[string]any{"act": w})
		do(black, map[string]any{"act": b})
	}
	move("b1c3", "b8c6")
	move("c3d5", "c6b8")
	for range 8 {
		move("g1f3", "b8c6")
		move("f3g1", "c6b8")
	}
	move("g1f3", "b8c6") // 19
	v := visit(t, window, server.base, 390, 844)
	v.signIn(dsn, "anna")
	v.open("/matches/" + x.Match)
	v.waitPiece("c6", "bN")
	v.click("[data-do=pre-claim]")
	v.waitFor(".pre:not([hidden])")
	v.click("[data-do=drop-pre]")
	v.waitFor("#m-actions:not(:has(.pre:not([hidden])))")
	v.click("[data-do=pre-claim]")
	v.waitFor(".pre:not([hidden])")
	do(white, map[string]any{"act": "f3g1"})
	v.waitPiece("g1", "wN")
	if s := white.match(x.Match).State.Result; s != "" {
		t.Fatalf("it is over: %s", s)
	}
	do(black, map[string]any{"act": "c6b8"})
	v.waitFor("#m-state[data-status='over'] .result")
	if m := white.match(x.Match); m.State.Result != "A" || m.State.Reason != "claim-win" {
		t.Errorf("the match ended %s by %s", m.State.Result, m.State.Reason)
	}
}
