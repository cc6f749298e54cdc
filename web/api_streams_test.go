package web_test

import (
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"

	"chpok.org/chpok/player"
)

// mostStream is what a silent stream of the API may cost a node, as a watcher of a page does (web/page, TestAWatcherIsSmall).
const mostStream = 16 << 10

// TestAnIdleStreamOfAProgramIsSmall counts the heap and the stacks, and both ends of the line, which are here. It is not parallel:
// nothing else is made meanwhile.
func TestAnIdleStreamOfAProgramIsSmall(t *testing.T) {
	c := newContest(t, short(1))
	var tokens []player.Secret
	for k := range 5 { // an account may have 50
		tokens = append(tokens, c.program(c.account(player.Handle(fmt.Sprint("listener-", k)), player.Plain)).token)
	}
	for _, path := range []string{"/me/events", "/matches/" + string(c.id) + "/events"} {
		var conns []net.Conn
		dial := func(n int) {
			conn, err := net.Dial("tcp", c.http.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { conn.Close() })
			conns = append(conns, conn)
			fmt.Fprintf(conn, "GET /api/v1%s HTTP/1.1\r\nHost: x\r\nAccept: application/x-ndjson\r\nAuthorization: Bearer %s\r\n\r\n", path,
				tokens[n%len(tokens)])
			var one [1]byte
			for head := ""; !strings.HasSuffix(head, "\r\n\r\n"); head += string(one[:]) {
				if _, err := io.ReadFull(conn, one[:]); err != nil {
					t.Fatalf("%s: %v after %q", path, err, head)
				}
			}
		}
		held := func() float64 {
			var m runtime.MemStats
			for range 4 { // stacks shrink by half
				runtime.GC()
			}
			runtime.ReadMemStats(&m)
			return float64(m.HeapAlloc + m.StackInuse)
		}
		for n := range 5 {
			dial(n)
		}
		const more = 200
		before, running := held(), runtime.NumGoroutine()
		for n := range more {
			dial(n)
		}
		each, goroutines := (held()-before)/more, float64(runtime.NumGoroutine()-running)/more
		if t.Logf("%s: %.0f bytes, %.2f goroutines", path, each, goroutines); each > mostStream || goroutines > 1.1 {
			t.Errorf("a stream of %s holds %.0f bytes and %.2f goroutines", path, each, goroutines)
		}
		runtime.KeepAlive(conns)
		for _, conn := range conns {
			conn.Close()
		}
	}
}
