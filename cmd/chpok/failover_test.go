package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live/livetest"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

// actThrough acts, and asks again as the site bids while its database is away.
func (c *client) actThrough(id string, pick int) (int64, error) {
	give := time.Now().Add(within)
	for {
		var m matchView
		err := c.call("GET", "/matches/"+id, nil, &m)
		if err == nil && !m.mine() {
			return m.Seq, nil // the answer was lost, the act was not
		}
		if err == nil {
			var seq int64
			if seq, err = c.act(m, pick); err == nil {
				return seq, nil
			}
		}
		var told *apiError
		if errors.As(err, &told) && told.Status != http.StatusServiceUnavailable && told.Status != http.StatusConflict || time.Now().After(give) {
			return 0, err
		}
		<-time.After(50 * time.Millisecond) // as a program does
	}
}

// logOf is the log of a match as the database has it.
func logOf(t *testing.T, dsn, id string) []match.Recorded {
	t.Helper()
	data, err := store.Open(t.Context(), dsn, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer data.Close()
	log, err := data.Tail(t.Context(), match.ID(id), 0)
	if err != nil {
		t.Fatal(err)
	}
	return log
}

// TestAStandbyIsPromotedAndNothingAcknowledgedIsLost: two nodes lose their PostgreSQL in
// the middle of a match and find its standby. What was acknowledged stands in the log;
// what is given back is the time without a database and no more; whoever watches
// misses nothing.
func TestAStandbyIsPromotedAndNothingAcknowledgedIsLost(t *testing.T) {
	t.Parallel()
	pair, bus := storetest.NewPair(t), livetest.Bus(t)
	one, two := startNode(t, pair.DSN, "--nats-url", bus), startNode(t, pair.DSN, "--nats-url", bus)
	clients := trio(t, pair.DSN, one.base)
	id, first, second := openMatch(t, clients, map[string]any{"chips": 3})
	second.base = two.base
	feed := listen(t, two.base, id, "")
	acknowledged := int64(0)
	act := func(turn int) {
		t.Helper()
		for _, c := range []*client{first, second} {
			seq, err := c.actThrough(id, 3*turn+1)
			if err != nil {
				t.Fatal(err)
			}
			acknowledged = max(acknowledged, seq)
		}
	}
	act(0)
	act(1)
	away := time.Now()
	pair.Kill()
	if _, err := first.act(matchView{ID: id, Seq: acknowledged}, 0); err == nil {
		t.Error("an act was acknowledged without a database")
	}
	pair.Promote()
	act(2)
	back := time.Now()
	act(3)
	log, given := logOf(t, pair.DSN, id), time.Duration(0)
	if int64(len(log)) < acknowledged {
		t.Errorf("the log has %d events, %d were acknowledged", len(log), acknowledged)
	}
	for i, e := range log {
		if e.Seq != int64(i+1) {
			t.Fatalf("event %d after %d", e.Seq, i)
		}
		switch x := e.Event.(type) {
		case match.OutageCredited:
			given += x.Given
		case match.FlagFell:
			t.Error("a flag fell")
		}
	}
	if longest := back.Sub(away) + time.Second; given > longest { // of which silence is no outage yet
		t.Errorf("%v were given back of %v at most", given, longest)
	}
	follow(t, two.base, id, lastOf(t, feed, acknowledged), acknowledged) // the stream may have ended with the database
}

// relay is a cable between programs of a test, which can be cut.
type relay struct {
	t       *testing.T
	to      string
	address string

	mu    sync.Mutex
	isCut bool
	ends  map[net.Conn]struct{}
}

// newRelay leads to an address, host:port or the path of a socket.
func newRelay(t *testing.T, network, to string) *relay {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{t: t, to: to, address: listener.Addr().String(), ends: map[net.Conn]struct{}{}}
	t.Cleanup(func() { listener.Close(); r.cut(true) })
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial(network, to)
			if err != nil || !r.keep(near, far) {
				near.Close()
				if err == nil {
					far.Close()
				}
				continue
			}
			for _, ends := range [][2]net.Conn{{near, far}, {far, near}} {
				go func() {
					_, _ = io.Copy(ends[0], ends[1]) // until either end closes
					ends[0].Close()
					ends[1].Close()
				}()
			}
		}
	}()
	return r
}

func (r *relay) keep(ends ...net.Conn) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, end := range ends {
		r.ends[end] = struct{}{}
	}
	return !r.isCut
}

// cut ends what goes through the cable and lets nothing more through, or mends it.
func (r *relay) cut(isCut bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.isCut = isCut
	for end := range r.ends {
		end.Close()
	}
	clear(r.ends)
}

// cutOff are the cables of one node, and where they lead it.
func cutOff(t *testing.T, dsn, bus string) (cables []*relay, own, ownBus string) {
	t.Helper()
	database, err := pgx.ParseConfig(dsn)
	if err != nil {
		t.Fatal(err)
	}
	network, at := "tcp", net.JoinHostPort(database.Host, strconv.Itoa(int(database.Port)))
	if strings.HasPrefix(database.Host, "/") {
		network, at = "unix", fmt.Sprintf("%s/.s.PGSQL.%d", database.Host, database.Port)
	}
	cables = []*relay{newRelay(t, network, at), newRelay(t, "tcp", strings.TrimPrefix(bus, "nats://"))}
	account := url.User(database.User)
	if database.Password != "" {
		account = url.UserPassword(database.User, database.Password)
	}
	to := url.URL{Scheme: "postgres", User: account, Host: cables[0].address, Path: "/" + database.Database, RawQuery: "sslmode=disable"}
	return cables, to.String(), "nats://" + cables[1].address
}

// follow watches a match at one node, coming back as browsers do, until it has seen an event.
func follow(t *testing.T, base, id string, seen, upTo int64) {
	t.Helper()
	for give := time.Now().Add(within); seen < upTo; <-time.After(20 * time.Millisecond) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+"/api/v1/matches/"+id+"/events", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept", "text/event-stream")
		r.Header.Set("Last-Event-ID", strconv.FormatInt(seen, 10))
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if answer.StatusCode == http.StatusOK {
			last := lastOf(t, answer.Body, upTo)
			if last > 0 && seen > 0 && last < seen {
				t.Fatalf("shown %d again after %d", last, seen)
			}
			seen = max(seen, last)
		}
		answer.Body.Close()
		if time.Now().After(give) {
			t.Fatalf("the watcher has come to %d of %d", seen, upTo)
		}
	}
}

// TestANodeThatIsCutOffAcknowledgesNothingAndCatchesUp: the cables between one node and
// the bus and the database are cut. The match goes on elsewhere, and nothing is given
// back, for the site was never away. Mended, the node's own watcher has seen all of it
// within two seconds, and a margin for a busy machine.
func TestANodeThatIsCutOffAcknowledgesNothingAndCatchesUp(t *testing.T) {
	t.Parallel()
	dsn, bus := storetest.PostgresDSN(t), livetest.Bus(t)
	cables, ownDSN, ownBus := cutOff(t, dsn, bus)
	alone, two := startNode(t, ownDSN, "--nats-url", ownBus), startNode(t, dsn, "--nats-url", bus)
	clients := trio(t, dsn, two.base)
	id, first, second := openMatch(t, clients, map[string]any{"chips": 3})
	seen := first.match(id).Seq
	follow(t, alone.base, id, 0, seen)
	away := time.Now()
	for _, cable := range cables {
		cable.cut(true)
	}
	lost := *first
	lost.base, lost.n = alone.base, 1000
	if _, err := lost.send(id, seen, map[string]any{"bid": map[string]any{"target": "white", "chips": 1}}); err == nil {
		t.Error("an act was acknowledged by a node without a database")
	}
	acknowledged := int64(0)
	for turn := range 3 {
		for _, c := range []*client{first, second} {
			seq, err := c.actThrough(id, 3*turn+1)
			if err != nil {
				t.Fatal(err)
			}
			acknowledged = max(acknowledged, seq)
		}
	}
	for _, cable := range cables {
		cable.cut(false)
	}
	mended := time.Now()
	follow(t, alone.base, id, seen, acknowledged)
	if took := time.Since(mended); took > 10*time.Second {
		t.Errorf("the watcher has caught up after %v", took)
	} else {
		t.Logf("the watcher has caught up after %v", took)
	}
	for _, e := range logOf(t, dsn, id) {
		switch e := e.Event.(type) {
		case match.FlagFell:
			t.Error("a flag fell")
		case match.OutageCredited: // of the other node, where the machine let it wait; never all of the cut
			if e.From.Before(away.Add(time.Second)) && e.To.After(mended.Add(-time.Second)) {
				t.Errorf("%v were given back", e.Given)
			}
		}
	}
}
