package main

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"

	"chpok.org/chpok/store/storetest"
)

// TestTwoNodesJoinedByNATSAreOneSite plays a match whose players speak to
// different nodes over one PostgreSQL; a watcher's stream on the second node
// brings every event once and in order. The first node is killed on the way.
func TestTwoNodesJoinedByNATSAreOneSite(t *testing.T) {
	t.Parallel()
	dsn := storetest.PostgresDSN(t)
	bus := startBus(t)
	one, two := startNode(t, dsn, "--nats-url", bus), startNode(t, dsn, "--nats-url", bus)
	clients := []*client{newPlayer(t, dsn, "anna", "organizer"), newPlayer(t, dsn, "bohdan", "player"), newPlayer(t, dsn, "chayka", "player")}
	for _, c := range clients {
		c.base = one.base
	}
	id, first, second := openMatch(t, clients, map[string]any{"chips": 3, "presets": []any{map[string]int{"minutes": 10, "increment": 5}}})
	second.base = two.base
	seen := watch(t, two.base, id)

	var last int64
	for moves := 0; ; {
		m := first.match(id)
		if m.Status == "over" {
			last = m.Seq
			break
		}
		mover := first
		if !m.mine() {
			mover, m = second, second.match(id)
		}
		if m.State.Phase == "board" {
			moves++
		}
		if moves == 4 && one.cmd.ProcessState == nil {
			one.kill()
			for _, c := range clients {
				c.base = two.base
			}
		}
		if moves == 10 {
			if _, err := mover.send(id, m.Seq, map[string]any{"act": "resign"}); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if _, err := mover.act(m, 3*moves+1); err != nil {
			t.Fatal(err)
		}
	}
	var n int64
	for data := range seen {
		n++
		if !strings.HasPrefix(data, fmt.Sprintf(`{"seq":%d,`, n)) {
			t.Fatalf("event %d of the stream is %s", n, data)
		}
	}
	if n != last {
		t.Fatalf("the watcher saw %d events of %d", n, last)
	}
}

// startBus is where a NATS server of the test listens.
func startBus(t *testing.T) string {
	t.Helper()
	bus, err := natsserver.NewServer(&natsserver.Options{Host: "127.0.0.1", Port: natsserver.RANDOM_PORT, NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	bus.Start()
	t.Cleanup(bus.Shutdown)
	if !bus.ReadyForConnections(20 * time.Second) {
		t.Fatal("the bus does not start")
	}
	return bus.ClientURL()
}

// watch reads the event stream of a match from its beginning to its end.
func watch(t *testing.T, base, id string) <-chan string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, "GET", base+"/api/v1/matches/"+id+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "text/event-stream")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	seen := make(chan string, 1000)
	go func() {
		defer close(seen)
		defer resp.Body.Close()
		for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok && strings.Contains(data, `"seq":`) {
				seen <- data
			}
		}
	}()
	return seen
}
