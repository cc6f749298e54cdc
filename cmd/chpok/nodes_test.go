package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live/livetest"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

// TestTwoNodesJoinedByNATSAreOneSite plays a match whose players speak to
// different nodes over one PostgreSQL; a watcher's stream on the second node
// brings every event once and in order. The first node is killed on the way.
func TestTwoNodesJoinedByNATSAreOneSite(t *testing.T) {
	t.Parallel()
	_, one, two, clients := twoNodes(t)
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

// TestANodeThatIsToStopSendsItsWatchersOn: told to stop, it is no longer well but goes
// on for a while; then its streams are sent elsewhere, where they miss nothing, and it ends in peace.
func TestANodeThatIsToStopSendsItsWatchersOn(t *testing.T) {
	t.Parallel()
	_, one, two, clients := twoNodes(t)
	id, first, second := openMatch(t, clients, map[string]any{"chips": 3})
	feed := listen(t, one.base, id, "")
	if err := one.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for status := http.StatusOK; status != http.StatusServiceUnavailable; { // it takes a moment until it has heard
		answer, err := http.Get(one.base + "/healthz")
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		status = answer.StatusCode
	}
	m := first.match(id) // of the node that is about to stop
	mover, other := first, second
	if !m.mine() {
		mover, other = second, first
	}
	if _, err := mover.act(mover.match(id), 1); err != nil {
		t.Fatalf("a move while it drains: %v", err)
	}
	seen, retry := 0, ""
	for lines := bufio.NewScanner(feed); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "id: ") {
			seen++
		}
		if after, ok := strings.CutPrefix(lines.Text(), "retry: "); ok {
			retry = after
		}
	}
	if retry == "2000" || retry == "" {
		t.Errorf("the stream is told to come back after %q", retry)
	}
	mover.base, other.base = two.base, two.base
	if _, err := other.act(other.match(id), 1); err != nil {
		t.Fatal(err)
	}
	last := other.match(id).Seq
	for lines := bufio.NewScanner(listen(t, two.base, id, fmt.Sprint(seen))); lines.Scan(); {
		if at, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
			if seen++; at != fmt.Sprint(seen) {
				t.Fatalf("event %s after %d", at, seen-1)
			}
			if int64(seen) == last {
				break
			}
		}
	}
	if err := one.cmd.Wait(); err != nil {
		t.Errorf("it ended with %v", err)
	}
}

// TestAFrozenNodeComesBack: while it stands still (for 30 s, when CHPOK_OUTAGES is set) the
// match goes on elsewhere. Back, it refuses what was sent to it of a past that is over, and its
// watchers catch up; no flag has fallen, and nobody was given the time back.
func TestAFrozenNodeComesBack(t *testing.T) {
	t.Parallel()
	dsn, _, one, clients := twoNodes(t) // they play at the one that stays
	id, mover, other := openMatch(t, clients, map[string]any{"chips": 3})
	if !mover.match(id).mine() {
		mover, other = other, mover
	}
	seen := lastOf(t, listen(t, one.base, id, ""), mover.match(id).Seq) // so that it knows the match
	one.freeze()
	before := mover.match(id)
	held, late := *mover, make(chan error, 1)
	held.base, held.n = one.base, 1000
	wait := sync.OnceFunc(func() {
		go func() {
			_, err := held.act(before, 1)
			late <- err
		}()
	})
	data, err := store.Open(t.Context(), dsn, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer data.Close()
	beat := func() (at time.Time) {
		if err := data.Read(t.Context(), func(tx *store.Tx) (err error) { at, err = tx.LastBeat(); return err }); err != nil {
			t.Fatal(err)
		}
		return at
	}
	for _, c := range []*client{mover, other} {
		if _, err := c.act(c.match(id), 1); err != nil {
			t.Fatal(err)
		}
	}
	frozen, still := beat(), 2*time.Second // longer than what counts as an outage
	if os.Getenv("CHPOK_OUTAGES") != "" {
		still = 30 * time.Second
	}
	for at := frozen; at.Sub(frozen) < still; {
		if at.Sub(frozen) >= still-2*time.Second { // no longer than a program waits
			wait()
		}
		if next := beat(); next.After(at) {
			at = next
			mover.match(id)
		}
	}
	if err := one.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	var stale *apiError
	if err := <-late; !errors.As(err, &stale) || stale.Status != http.StatusConflict {
		t.Errorf("what waited for the frozen node: %v", err)
	}
	mover.base = one.base
	m := mover.match(id)
	for i, c := range []*client{mover, other} { // on either node
		if m = c.match(id); !m.mine() {
			continue
		}
		if m.Seq, err = c.act(m, i); err != nil {
			t.Fatalf("it goes on: %v", err)
		}
	}
	if last := lastOf(t, listen(t, one.base, id, fmt.Sprint(seen)), m.Seq); last != m.Seq {
		t.Errorf("its watcher has come to %d of %d", last, m.Seq)
	}
	given := time.Duration(0)
	for _, e := range logOf(t, dsn, id) {
		switch e := e.Event.(type) {
		case match.FlagFell:
			t.Error("a flag fell")
		case match.OutageCredited: // of the other node, where the machine let it wait
			given += e.Given
		}
	}
	if given >= still {
		t.Errorf("%v were given back", given)
	}
}

// freeze stops the node and waits until it stands still: on a busy machine it goes on for some milliseconds.
func (n *node) freeze() {
	n.t.Helper()
	if err := n.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		n.t.Fatal(err)
	}
	var state syscall.WaitStatus
	if _, err := syscall.Wait4(n.cmd.Process.Pid, &state, syscall.WUNTRACED, nil); err != nil || !state.Stopped() {
		n.t.Fatalf("it has not stopped: %v, %v", state, err)
	}
}

// lastOf reads a stream up to an event, each of which follows the one before.
func lastOf(t *testing.T, stream io.Reader, upTo int64) (last int64) {
	t.Helper()
	for lines := bufio.NewScanner(stream); last < upTo && lines.Scan(); {
		text, ok := strings.CutPrefix(lines.Text(), "id: ")
		if !ok {
			continue
		}
		at, err := strconv.ParseInt(text, 10, 64)
		if err != nil || last > 0 && at != last+1 {
			t.Fatalf("event %s after %d", text, last)
		}
		last = at
	}
	return last
}

// twoNodes are a site of two nodes, and three who play at the first.
func twoNodes(t *testing.T) (dsn string, one, two *node, clients []*client) {
	t.Helper()
	dsn = storetest.PostgresDSN(t)
	bus := livetest.Bus(t)
	one, two = startNode(t, dsn, "--nats-url", bus), startNode(t, dsn, "--nats-url", bus)
	return dsn, one, two, trio(t, dsn, one.base)
}

// listen opens the event stream of a match after an event.
func listen(t *testing.T, base, id, last string) io.Reader {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), within)
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/api/v1/matches/"+id+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", "text/event-stream")
	r.Header.Set("Last-Event-ID", last)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	return answer.Body
}

// startBus is where a NATS server of the test listens.
// watch reads the event stream of a match from its beginning to its end.
func watch(t *testing.T, base, id string) <-chan string {
	t.Helper()
	stream := listen(t, base, id, "")
	seen := make(chan string, 1000)
	go func() {
		defer close(seen)
		for lines := bufio.NewScanner(stream); lines.Scan(); {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok && strings.Contains(data, `"seq":`) {
				seen <- data
			}
		}
	}()
	return seen
}
