package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/web"
)

// onEitherDatabase runs a test with a site that knows what another node does, and with
// that node's store.
func onEitherDatabase(t *testing.T, test func(t *testing.T, s *site, other *store.Store)) {
	for name, dsn := range map[string]func(testing.TB) string{"SQLite": storetest.SQLiteDSN, "PostgreSQL": storetest.PostgresDSN} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at, bus := dsn(t), live.NewInProcess()
			s, other := newNode(t, storetest.Open(t, at), bus, web.Config{}), storetest.Open(t, at)
			elsewhere, err := live.New(other, bus, live.Config{Now: s.clock.Now}, nil)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(elsewhere.Close)
			arbiter.New(other, elsewhere, arbiter.Config{Now: s.clock.Now}, nil)
			test(t, s, other)
		})
	}
}

// TestAMoveAboveOpenIsOneAppend, too, once its player is known: what it is judged by has
// not changed. What changes on another node counts at once, and on one that hears of
// nothing after a quarter of a minute.
func TestAMoveAboveOpenIsOneAppend(t *testing.T) {
	t.Parallel()
	onEitherDatabase(t, func(t *testing.T, s *site, other *store.Store) {
		g := newVerifiedAt(t, s, "1")
		for _, p := range g.pages {
			p.checkIn().want(http.StatusOK)
			p.act("ready", "true").want(http.StatusOK)
		}
		var reads, writes int64 // as they stood when the act was in the log, and what follows from it done
		turn := g.judge().Seats.OnTurn
		g.live.OnTurn(func(ctx context.Context, id match.ID, state match.State) {
			turn(ctx, id, state)
			reads, writes = g.store.Reads(), g.store.Writes()
		})
		cost := func(i int, ply string) (r, w int64) {
			form := g.pages[i%2].sign("act", ply)
			r, w = g.store.Reads(), g.store.Writes()
			g.browsers[i%2].post(g.url()+"/commands", form...).want(http.StatusOK)
			return reads - r, writes - w
		}
		g.pages[0].act("target", "white", "chips", "1").want(http.StatusOK)
		g.pages[1].act("target", "time", "chips", "1", "minutes", "5", "increment", "3").want(http.StatusOK)
		for i, ply := range opening[:6] {
			if r, w := cost(i, ply); r != 0 || w != 1 {
				t.Errorf("%s: %d reads and %d writes with its append", ply, r, w)
			}
		}
		if err := other.Write(t.Context(), func(tx *store.Tx) error {
			return tx.AddFacts(g.id, fairplay.Fact{Kind: fairplay.MidCheckAsked, Seat: match.First, At: g.clock.Now()})
		}); err != nil {
			t.Fatal(err)
		}
		if r, w := cost(6, opening[6]); r != 1 || w != 1 {
			t.Errorf("after news from another node: %d reads and %d writes", r, w)
		}
		g.clock.advance(16 * time.Second)
		if r, w := cost(7, opening[7]); r != 2 || w != 1 { // who it is, and by what they are judged
			t.Errorf("after a while: %d reads and %d writes", r, w)
		}
	})
}

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
