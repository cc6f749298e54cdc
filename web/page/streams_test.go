package page

import (
	"bufio"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
)

// TestStreamsAreCountedWhileTheyAreOpen, for an account wherever it comes from,
// for visitors by address.
func TestStreamsAreCountedWhileTheyAreOpen(t *testing.T) {
	t.Parallel()
	s := &Site{streams: openStreams{perAccount: 2, perAddress: 3}, Now: time.Now}
	admit := func(who player.ID, from string) (func(), bool) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = from + ":1"
		c := echo.New().NewContext(r, httptest.NewRecorder())
		if who != "" {
			c.Set(ViewerKey, player.Viewer{Player: player.Player{ID: who}})
		}
		end, err := admitStream(s, c)
		if err != nil && (!errors.Is(err, ErrTooMany) || c.Response().Header().Get(echo.HeaderRetryAfter) != "30") {
			t.Errorf("%v does not say how long to wait", err)
		}
		return end, err == nil
	}
	var ends []func()
	for i, c := range []struct {
		who  player.ID
		from string
		want bool
	}{
		{"ana", "192.0.2.1", true}, {"ana", "192.0.2.2", true}, {"ana", "192.0.2.3", false},
		{"bob", "192.0.2.1", true}, // the account of another
		{"", "192.0.2.1", true}, {"", "192.0.2.1", true}, {"", "192.0.2.1", true}, {"", "192.0.2.1", false},
		{"bob", "192.0.2.1", true}, // a crowd of visitors does not keep a player out
		{"", "192.0.2.9", true},
	} {
		end, ok := admit(c.who, c.from)
		if ok != c.want {
			t.Errorf("stream %d of %q from %s: %v", i+1, c.who, c.from, ok)
		}
		if ok {
			ends = append(ends, end)
		}
	}
	ends[0]() // ana closes a tab
	if _, ok := admit("ana", "192.0.2.3"); !ok {
		t.Error("a closed stream still counts")
	}
	for _, end := range ends[1:] {
		end()
	}
	if n := len(s.streams.open); n != 1 {
		t.Errorf("%d remembered, want the one that is open", n)
	}
}

// hall is a room over editions that the test makes.
type hall struct {
	site *Site
	http *httptest.Server
	room chan *room
}

func newHall(t testing.TB) *hall {
	t.Helper()
	return newHallBehind(t, func(l net.Listener) net.Listener { return l })
}

// newHallBehind is one whose connections somebody has a hand in.
func newHallBehind(t testing.TB, behind func(net.Listener) net.Listener) *hall {
	t.Helper()
	site, e := &Site{Log: slog.New(slog.DiscardHandler)}, echo.New()
	h := &hall{site: site, room: make(chan *room, 1)}
	e.GET("/feed", func(c echo.Context) error {
		return share(site, c, "hall", func(r *room) {
			r.tell(printed1(t, "0", "a", "[0]"), nil)
			h.room <- r
		})
	}, Detachable)
	h.http = httptest.NewUnstartedServer(e)
	h.http.Listener = behind(narrow{h.http.Listener})
	h.http.Start()
	t.Cleanup(func() {
		if err := site.CloseStreams(context.Background()); err != nil {
			t.Error(err)
		}
		h.http.Close()
	})
	return h
}

// narrow accepts connections in which little lies between the two ends.
type narrow struct{ net.Listener }

const narrowBuffer = 16 << 10

func (l narrow) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err == nil {
		err = conn.(*net.TCPConn).SetWriteBuffer(narrowBuffer)
	}
	return conn, err
}

// dial opens a stream by hand, so that its other end costs next to nothing, and waits
// for the first edition.
func (h *hall) dial(t testing.TB) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", h.http.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.(*net.TCPConn).SetReadBuffer(narrowBuffer); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Write([]byte("GET /feed HTTP/1.1\r\nHost: x\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	var one [1]byte
	for seen := ""; !strings.HasSuffix(seen, "[0]\n\n"); seen += string(one[:]) {
		if _, err := conn.Read(one[:]); err != nil {
			t.Fatal(err)
		}
	}
	return conn
}

// patient hangs up on nobody who is slow, however busy the machine is.
type patient struct{ net.Listener }

type patientConn struct{ net.Conn }

func (l patient) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	return patientConn{conn}, err
}

func (patientConn) SetWriteDeadline(time.Time) error { return nil }

// TestASlowBrowserHoldsUpNobody, and once it reads again it is shown how things
// stand, not all that it has missed.
func TestASlowBrowserHoldsUpNobody(t *testing.T) {
	t.Parallel()
	h := newHallBehind(t, func(l net.Listener) net.Listener { return patient{l} })
	slow, quick := h.dial(t), h.dial(t)
	last := func(conn net.Conn, n int) (seen int) { // reads up to an edition
		for lines := bufio.NewReader(conn); ; {
			line, err := lines.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(line, "id: ") {
				seen++
			}
			if line == "id: "+strconv.Itoa(n)+"\n" {
				_, err := lines.Discard(len("event: swap\ndata: \n\n") + large)
				if err != nil {
					t.Fatal(err)
				}
				return seen
			}
		}
	}
	const editions = 40
	r := <-h.room
	for n := range editions {
		r.tell(printed1(t, strconv.Itoa(n+1), "a", strings.Repeat(string(rune('a'+n%26)), large)), nil)
		if seen := last(quick, n+1); seen != 1 {
			t.Fatalf("edition %d came with %d others", n+1, seen-1)
		}
	}
	if seen := last(slow, editions); seen >= editions {
		t.Errorf("it was shown all %d editions", seen)
	}
}

// TestTheLagOfWatchersIsToldFromTheNews, not from when the page was made of it.
func TestTheLagOfWatchersIsToldFromTheNews(t *testing.T) {
	t.Parallel()
	h, told := newHall(t), make(chan time.Duration, 1)
	h.site.Lag = func(took time.Duration) { told <- took }
	h.dial(t)
	r := <-h.room
	r.noteNews(time.Now().Add(-time.Hour))
	r.tell(printed1(t, "1", "a", "news"), nil)
	if took := <-told; took < time.Hour || took > 2*time.Hour {
		t.Errorf("an hour after the news: %v", took)
	}
}

// hasty makes the ten seconds that a browser has a fiftieth of one, and tells who was hung up on.
type hasty struct {
	net.Listener
	t      *testing.T
	closed chan struct{}
}

type hastyConn struct {
	net.Conn
	by  hasty
	end func()
}

func (l hasty) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &hastyConn{conn, l, sync.OnceFunc(func() { close(l.closed) })}, nil
}

func (c *hastyConn) SetWriteDeadline(until time.Time) error {
	if until.IsZero() {
		return c.Conn.SetWriteDeadline(until)
	}
	if left := time.Until(until); left > 10*time.Second || left < 5*time.Second {
		c.by.t.Errorf("a browser has %v", left)
	}
	return c.Conn.SetWriteDeadline(time.Now().Add(20 * time.Millisecond))
}

func (c *hastyConn) Close() error {
	c.end()
	return c.Conn.Close()
}

// TestABrowserThatTakesNothingIsDropped, when it has had its time: nothing is kept for it.
func TestABrowserThatTakesNothingIsDropped(t *testing.T) {
	t.Parallel()
	closed := make(chan struct{})
	h := newHallBehind(t, func(l net.Listener) net.Listener { return hasty{l, t, closed} })
	h.dial(t)
	(<-h.room).tell(printed1(t, "1", "a", strings.Repeat("a", 4*large)), nil)
	<-closed
	if err := h.site.CloseStreams(t.Context()); err != nil {
		t.Error(err)
	}
	if n := Streams(h.site); n != 0 {
		t.Errorf("%d streams are still open", n)
	}
}

// TestABrowserThatTakesNothingHoldsUpNoStop: it is cut off, and the others have had
// their farewell.
func TestABrowserThatTakesNothingHoldsUpNoStop(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	h.dial(t)
	(<-h.room).tell(printed1(t, "1", "a", strings.Repeat("a", 4*large)), nil)
	over, end := context.WithCancel(t.Context())
	end()
	if err := h.site.CloseStreams(over); err != nil {
		t.Error(err)
	}
	if n := Streams(h.site); n != 0 {
		t.Errorf("%d streams are still open", n)
	}
}

// TestAStreamThatWaitsForTheDatabaseHoldsUpNoStop: what it asks is given up, be it for
// its first answer or for a later one.
func TestAStreamThatWaitsForTheDatabaseHoldsUpNoStop(t *testing.T) {
	t.Parallel()
	for _, quick := range []int{0, 1} { // answers before the one that does not come
		site, e := &Site{Log: slog.New(slog.DiscardHandler)}, echo.New()
		waits, asked := make(chan struct{}), 0
		e.GET("/feed", func(c echo.Context) error {
			news := func(wake func()) { wake() }
			return site.Stream(c, Wakes{News: news}, func(ctx context.Context, _ string) ([]Frame, error) {
				if asked++; asked <= quick {
					return nil, nil
				}
				close(waits)
				<-ctx.Done() // as a query does
				return nil, ctx.Err()
			})
		}, Detachable)
		server := httptest.NewServer(e)
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err == nil {
			_, err = conn.Write([]byte("GET /feed HTTP/1.1\r\nHost: x\r\n\r\n"))
		}
		if err != nil {
			t.Fatal(err)
		}
		<-waits
		over, end := context.WithCancel(t.Context())
		end()
		if err := site.CloseStreams(over); err != nil {
			t.Errorf("after %d answers: %v", quick, err)
		}
		conn.Close()
		server.Close()
	}
}

// TestAPageHearsTheBeatAndAProgramNeedNot: scripts hear events alone, and a stream that
// is open and brings none would look like a quiet one.
func TestAPageHearsTheBeatAndAProgramNeedNot(t *testing.T) {
	t.Parallel()
	site, e := &Site{Log: slog.New(slog.DiscardHandler)}, echo.New()
	stream := func(c echo.Context) error {
		st, err := openStream(site, c)
		if err != nil {
			return err
		}
		st.begun = st.begun.Add(-heartbeat) // it was opened twenty seconds ago
		return st.serve(c, Wakes{}, func(context.Context, string) ([]Frame, error) { return nil, nil })
	}
	e.GET("/feed", stream, Detachable)
	e.GET("/api/events", stream, Detachable)
	server := httptest.NewServer(e)
	defer server.Close()
	for path, want := range map[string]string{"/feed": "event: beat\ndata\n", "/api/events": ": \n"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept", "text/event-stream")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if got := next(t, bufio.NewReader(answer.Body)); got != want {
			t.Errorf("%s is sent %q, want %q", path, got, want)
		}
		answer.Body.Close()
	}
	if err := site.CloseStreams(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestStreamsThatBeginTogetherDoNotEndTogether, and none hears for longer than a session
// that was ended may.
func TestStreamsThatBeginTogetherDoNotEndTogether(t *testing.T) {
	t.Parallel()
	site, minutes := &Site{}, map[int]int{}
	for range 1000 {
		c := echo.New().NewContext(httptest.NewRequest(http.MethodGet, "/", nil), httptest.NewRecorder())
		c.Set(cutKey, context.CancelFunc(func() {}))
		st, err := openStream(site, c)
		if err != nil {
			t.Fatal(err)
		}
		minutes[int(st.until.Sub(st.begun).Minutes())]++ // 10 is 10:00 to 10:59
		st.finish()
	}
	for m := 10; m < 15; m++ {
		if n := minutes[m]; n < 100 { // of 200; fewer by chance is less likely than one in 10^14
			t.Errorf("%d of 1,000 live for %d minutes: %v", n, m, minutes)
		}
		delete(minutes, m)
	}
	delete(minutes, 15) // the whole of it
	if len(minutes) != 0 {
		t.Errorf("others: %v", minutes)
	}
}

// large is more than lies between two ends of a narrow connection.
const large = 256 << 10

// mostWatcher is what a silent watcher of a page may cost a node, without what the
// collector leaves free.
const mostWatcher = 16 << 10

// TestAWatcherIsSmall counts the heap and the stacks, and both ends of the line, which are
// here. It is not parallel: nothing else is made meanwhile.
func TestAWatcherIsSmall(t *testing.T) {
	if each, goroutines := watchers(t, 200); each > mostWatcher || goroutines > 1.1 {
		t.Errorf("each holds %.0f bytes and %.2f goroutines", each, goroutines)
	}
}

// BenchmarkWatcher is the same figures.
func BenchmarkWatcher(b *testing.B) {
	each, goroutines := watchers(b, b.N)
	b.ReportMetric(each, "B/watcher")
	b.ReportMetric(goroutines, "goroutines/watcher")
}

// watchers are what each of n holds.
func watchers(t testing.TB, n int) (each, goroutines float64) {
	h := newHall(t)
	held := func() float64 {
		var m runtime.MemStats
		for range 4 { // stacks shrink by half
			runtime.GC()
		}
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc + m.StackInuse)
	}
	first := h.dial(t)
	before, running := held(), runtime.NumGoroutine()
	conns := []net.Conn{first}
	for range n {
		conns = append(conns, h.dial(t))
	}
	each, goroutines = (held()-before)/float64(n), float64(runtime.NumGoroutine()-running)/float64(n)
	runtime.KeepAlive(conns)
	return each, goroutines
}
