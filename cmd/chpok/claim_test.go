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
	white, black, id := atBoard(t, dsn, server.base, "manual")
	move := func(w, b string) {
		white.sends(id, map[string]any{"act": w})
		black.sends(id, map[string]any{"act": b})
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
	v.open("/matches/" + id)
	v.waitPiece("c6", "bN")
	v.click("[data-do=pre-claim]")
	v.waitFor(".pre:not([hidden])")
	v.click("[data-do=drop-pre]")
	v.waitFor("#m-actions:not(:has(.pre:not([hidden])))")
	v.click("[data-do=pre-claim]")
	v.waitFor(".pre:not([hidden])")
	white.sends(id, map[string]any{"act": "f3g1"})
	v.waitPiece("g1", "wN")
	if s := white.match(id).State.Result; s != "" {
		t.Fatalf("it is over: %s", s)
	}
	black.sends(id, map[string]any{"act": "c6b8"})
	v.waitFor("#m-state[data-status='over'] .result")
	if m := white.match(id); m.State.Result != "A" || m.State.Reason != "claim-win" {
		t.Errorf("the match ended %s by %s", m.State.Result, m.State.Reason)
	}
}
