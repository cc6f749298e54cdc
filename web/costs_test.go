package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
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

// What a move may take before its append: the end of the log, the state with what is
// known of its player, the command's name; and the note of the session, when it is due.
const (
	mostReads  = 3
	mostWrites = 1
)

// TestAMoveAtOpenIsOneAppend and nothing else, by the page's form and by a program.
func TestAMoveAtOpenIsOneAppend(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Open)
	g.toBoard()
	programs := [2]program{g.program(g.seats[0]), g.program(g.seats[1])}
	for i, ply := range opening {
		state, _, err := g.live.State(t.Context(), g.id)
		if err != nil {
			t.Fatal(err)
		}
		seat, id, seq := i%2, fmt.Sprint("ply", i), fmt.Sprint(state.Seq())
		for range 2 { // the second time the visitor is known: it is the same command, and done
			if i < 2 || i == 4 || i == 5 {
				sendPly(g, programs[seat], seat, i < 4, id, seq, ply)
			}
		}
		if i < 2 || i == 4 || i == 5 {
			continue
		}
		reads, writes, appends := g.store.Reads(), g.store.Writes(), g.store.Appends()
		sendPly(g, programs[seat], seat, i < 4, id, seq, ply)
		if r, w, a := g.store.Reads()-reads, g.store.Writes()-writes, g.store.Appends()-appends; r != 0 || w != 1 || a != 1 {
			t.Errorf("%s: %d reads, %d writes, %d appends", ply, r, w, a)
		}
	}
}

// sendPly makes a move as the script of the page does, or a program.
func sendPly(g *guarded, p program, seat int, byPage bool, id, seq, ply string) {
	g.t.Helper()
	if !byPage {
		p.ask(http.MethodPost, g.url()+"/commands", `{"id":"`+id+`","seq":`+seq+`,"act":"`+ply+`"}`, http.StatusOK, nil)
		return
	}
	form := url.Values{"id": {id}, "seq": {seq}, "act": {ply}}
	r, err := http.NewRequestWithContext(g.t.Context(), http.MethodPost, g.http.URL+g.url()+"/commands", strings.NewReader(form.Encode()))
	if err != nil {
		g.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", g.http.URL)
	r.Header.Set("Accept", "application/json")
	g.browsers[seat].do(r).want(http.StatusNoContent)
}
