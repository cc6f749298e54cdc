package main

import (
	"net/http"
	"testing"

	"chpok.org/chpok/store/storetest"
)

// TestAPageWithoutAStreamGoesOn: the second visitor of an address has no stream
// here, and asks for the match by themselves.
func TestAPageWithoutAStreamGoesOn(t *testing.T) {
	t.Parallel()
	window := browser(t)
	dsn := storetest.SQLiteDSN(t)
	server := startNode(t, dsn, "--streams-per-address", "1")
	clients := trio(t, dsn, server.base)
	id, firstName, secondName := pairThree(t, clients, map[string]any{"chips": 3})
	// Of an address one stream is kept up here, and this is it.
	held, err := http.Get(server.base + "/matches/" + id + "/feed")
	if err != nil {
		t.Fatal(err)
	}
	defer held.Body.Close()
	if held.StatusCode != http.StatusOK {
		t.Fatalf("the first stream: %d", held.StatusCode)
	}
	alone := visit(t, window, server.base, 1280, 900)
	alone.isRefused(http.StatusTooManyRequests, func() {
		alone.open("/matches/" + id)
		alone.waitFor("#m-main.is-waiting")
	})
	for _, c := range clients { // two of the three play
		if c.name == firstName || c.name == secondName {
			if _, err := c.send(id, c.match(id).Seq, map[string]any{"ready": true}); err != nil {
				t.Fatal(err)
			}
		}
	}
	alone.waitFor("#m-main.is-bidding")
}
