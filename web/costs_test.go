package web_test

import (
	"context"
	"net/http"
	"testing"

	"chpok.org/chpok/engine/match"
)

// TestAMoveAboveOpenTakesFewTransactions before it is in the log, however much is
// asked about its player.
func TestAMoveAboveOpenTakesFewTransactions(t *testing.T) {
	t.Parallel()
	g := newVerified(t, "1")
	for _, p := range g.pages {
		p.checkIn().want(http.StatusOK)
		p.act("ready", "true").want(http.StatusOK)
	}
	var reads, writes int64 // as they stood when the act was in the log
	g.live.OnTurn(func(context.Context, match.ID, match.State) { reads, writes = g.store.Reads(), g.store.Writes() })
	g.pages[0].act("target", "white", "chips", "1").want(http.StatusOK)
	g.pages[1].act("target", "time", "chips", "1", "minutes", "5", "increment", "3").want(http.StatusOK)
	for i, ply := range opening[:4] {
		r, w := g.store.Reads(), g.store.Writes()
		g.pages[i%2].act("act", ply).want(http.StatusOK)
		if r, w = reads-r, writes-w; r < 0 || r > mostReads || w > mostWrites {
			t.Errorf("%s: %d reads and %d writes before its append", ply, r, w)
		}
	}
}

// What a move may take before its append: the state with what is known of its
// player, the command's name; and the note of the session, when it is due.
const (
	mostReads  = 2
	mostWrites = 1
)
