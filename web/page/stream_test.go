package page

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
)

// feed is a stream over numbers: each wake makes one more.
type feed struct {
	server *Site
	http   *httptest.Server
	wake   chan func()
	steps  chan []Frame
	ends   chan error
	seen   chan string // what step was told of the browser's position
}

func newFeed(t *testing.T) *feed {
	t.Helper()
	f := &feed{
		server: &Site{Log: slog.New(slog.DiscardHandler)},
		wake:   make(chan func(), 10), steps: make(chan []Frame, 10), ends: make(chan error, 1), seen: make(chan string, 10),
	}
	e := echo.New()
	e.GET("/feed", func(c echo.Context) error {
		err := f.server.Stream(c, Wakes{News: func(wake func()) { f.wake <- wake }}, func(_ context.Context, last string) ([]Frame, error) {
			f.seen <- last
			select {
			case frames := <-f.steps:
				return frames, nil
			default:
			}
			select {
			case err := <-f.ends:
				return nil, err
			default:
				return nil, nil
			}
		})
		return err
	}, Detachable)
	f.http = httptest.NewServer(e)
	t.Cleanup(func() {
		f.close(t)
		f.http.Close()
	})
	return f
}

func (f *feed) close(t *testing.T) {
	t.Helper()
	if err := f.server.CloseStreams(context.Background()); err != nil {
		t.Error(err)
	}
}

func (f *feed) open(t *testing.T, url, last string) *bufio.Reader {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, f.http.URL+"/feed"+url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if last != "" {
		req.Header.Set("Last-Event-ID", last)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Body.Close() })
	if kind := res.Header.Get("Content-Type"); !strings.HasPrefix(kind, "text/event-stream") {
		t.Fatalf("content type %q", kind)
	}
	return bufio.NewReader(res.Body)
}

// next reads one event, without the lines that set the pace.
func next(t *testing.T, r *bufio.Reader) string {
	t.Helper()
	var b strings.Builder
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			t.Fatalf("after %q: %v", b.String(), err)
		}
		if line == "\n" {
			if s := b.String(); !strings.HasPrefix(s, "retry:") {
				return s
			}
			b.Reset()
			continue
		}
		b.WriteString(line)
	}
}

func TestAStreamSendsWhatEachWakeBrings(t *testing.T) {
	t.Parallel()
	f := newFeed(t)
	f.steps <- []Frame{{ID: "7", Event: "swap", Data: "<p id=a>\r\nx</p>"}}
	r := f.open(t, "", "")
	if got, want := next(t, r), "id: 7\nevent: swap\ndata: <p id=a>\ndata: x</p>\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	f.steps <- []Frame{{ID: "8", Event: "sound", Data: `"move"`}}
	(<-f.wake)()
	if got, want := next(t, r), "id: 8\nevent: sound\ndata: \"move\"\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if first, second := <-f.seen, <-f.seen; first != "" || second != "7" {
		t.Errorf("step was told %q, then %q", first, second)
	}
}

func TestAStreamResumesAfterTheLastEventSeen(t *testing.T) {
	t.Parallel()
	f := newFeed(t)
	f.open(t, "?last=3", "5")
	if got := <-f.seen; got != "5" {
		t.Errorf("the browser's own header gives %q", got)
	}
	f.open(t, "?last=3", "")
	if got := <-f.seen; got != "3" {
		t.Errorf("the address gives %q", got)
	}
}

func TestAStreamThatIsOverSaysSo(t *testing.T) {
	t.Parallel()
	f := newFeed(t)
	f.ends <- io.EOF
	r := f.open(t, "", "")
	if got := next(t, r); !strings.HasPrefix(got, "event: end\n") {
		t.Errorf("%q", got)
	}
	if _, err := r.ReadByte(); !errors.Is(err, io.EOF) {
		t.Errorf("the stream goes on: %v", err)
	}
}

func TestShutdownEndsStreams(t *testing.T) {
	t.Parallel()
	f := newFeed(t)
	f.steps <- []Frame{{ID: "1", Event: "swap"}}
	r := f.open(t, "", "")
	next(t, r)
	f.close(t)
	f.close(t) // twice does no harm
	if line, err := r.ReadString('\n'); err != nil || !strings.HasPrefix(line, "retry: ") {
		t.Errorf("it is not told when to come back: %q, %v", line, err)
	}
	if _, err := r.ReadString('\n'); err != nil {
		t.Error(err)
	}
	if _, err := r.ReadByte(); !errors.Is(err, io.EOF) {
		t.Errorf("the stream goes on: %v", err)
	}
}

func TestAFailureBeforeTheFirstByteIsAnOrdinaryError(t *testing.T) {
	t.Parallel()
	f := newFeed(t)
	f.ends <- echo.ErrNotFound
	res, err := http.Get(f.http.URL + "/feed")
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusNotFound {
		t.Errorf("status %d", res.StatusCode)
	}
}

func TestBucketsForgetTheIdle(t *testing.T) {
	t.Parallel()
	l, now := &limits{}, time.Unix(1_800_000_000, 0)
	class := LimitClass{"test", 1, 2}
	for i, want := range []bool{true, true, false} {
		if got := l.Take(class, "a", now) == 0; got != want {
			t.Errorf("request %d: %v", i+1, got)
		}
	}
	if l.Take(class, "b", now) != 0 {
		t.Error("one key slows down another")
	}
	if l.Take(class, "a", now.Add(time.Second)) != 0 {
		t.Error("a second later there is room for one")
	}
	for i := range most {
		l.Take(class, string(rune(i)), now.Add(time.Hour))
	}
	if n := len(l.buckets.kept); n > most {
		t.Errorf("%d buckets", n)
	}
}
