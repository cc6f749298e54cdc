package web_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/store"
)

// TestAProgramsPaceIsNoted once for a match and player, and seen by them and the
// arbiters.
func TestAProgramsPaceIsNoted(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Declared)
	g.toBoard()
	g.clock.advance(time.Second)
	const acts, asks = "Acts quicker than a hand", "Constant reloading"
	send := func(id string, after time.Duration) {
		g.clock.advance(after)
		g.browsers[0].post(g.url()+"/commands", "act", "a1a8", "id", id).want(http.StatusUnprocessableEntity)
	}
	for i := range 4 {
		send(fmt.Sprint("slow", i), 150*time.Millisecond)
		send(fmt.Sprint("slow", i), 50*time.Millisecond) // its answer was lost
	}
	g.host.get(g.path + "/fair-play").saysNot(acts)
	for i := range 5 {
		send(fmt.Sprint("quick", i), 100*time.Millisecond)
	}
	if n := g.signalsOf(review.SignalFastActs); n != 1 {
		t.Errorf("noted %d times", n)
	}
	g.host.get(g.path + "/fair-play").says(acts)
	g.browsers[0].get("/fair-play/me").says(acts)
	g.browsers[1].get("/fair-play/me").saysNot(acts)

	// A page that is reloaded, and comes back after breaks of the line.
	g.clock.advance(time.Minute)
	api := "/api/v1/matches/" + string(g.id)
	for range 100 {
		g.browsers[1].get(api).want(http.StatusOK)
		g.clock.advance(500 * time.Millisecond)
	}
	if n := g.signalsOf(review.SignalPolling); n != 0 {
		t.Errorf("twice a second is noted %d times", n)
	}
	for range 30 {
		g.browsers[1].get(api).want(http.StatusOK)
		g.host.get(api).want(http.StatusOK) // does not play
	}
	if n := g.signalsOf(review.SignalPolling); n != 1 {
		t.Errorf("noted %d times", n)
	}
	g.browsers[1].get("/fair-play/me").says(asks)
	g.browsers[0].get("/fair-play/me").saysNot(asks)
}

// TestStreamsAreNoPolling: a browser comes back as often as its line breaks.
func TestStreamsAreNoPolling(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Declared)
	for range 15 {
		for _, path := range []string{g.url() + "/feed", "/api/v1/matches/" + string(g.id) + "/events"} {
			g.browsers[0].hangUp(path)
		}
	}
	if n := g.signalsOf(review.SignalPolling); n != 0 {
		t.Errorf("noted %d times", n)
	}
}

// TestNothingIsNotedAtOpen: nobody was told that it is.
func TestNothingIsNotedAtOpen(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Open)
	g.toBoard()
	for i := range 30 {
		g.browsers[0].post(g.url()+"/commands", "act", "a1a8", "id", fmt.Sprint("quick", i)).want(http.StatusUnprocessableEntity)
		g.browsers[0].get("/api/v1/matches/" + string(g.id)).want(http.StatusOK)
	}
	if n := g.signalsOf(review.SignalPolling) + g.signalsOf(review.SignalFastActs); n != 0 {
		t.Errorf("noted %d times", n)
	}
}

// hangUp opens a stream and leaves.
func (b *browser) hangUp(path string) {
	b.site.t.Helper()
	req, err := http.NewRequestWithContext(b.site.t.Context(), http.MethodGet, b.site.http.URL+path, nil)
	if err != nil {
		b.site.t.Fatal(err)
	}
	req.Header.Set("Accept", "text/event-stream")
	res, err := b.client.Do(req)
	if err != nil {
		b.site.t.Fatal(err)
	}
	if res.Body.Close(); res.StatusCode != http.StatusOK {
		b.site.t.Errorf("%s: %d", path, res.StatusCode)
	}
}

// signalsOf is how often something was noted in the match.
func (g *guarded) signalsOf(kind review.SignalKind) (n int) {
	g.t.Helper()
	g.write(func(tx *store.Tx) error {
		list, err := tx.SignalsIn([]match.ID{g.id})
		for _, s := range list {
			if s.Kind == kind {
				n++
			}
		}
		return err
	})
	return n
}
