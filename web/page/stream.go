package page

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"
)

// Frame is one event of a stream.
type Frame struct {
	// ID is what a browser sends when it reconnects. Empty: the last one stays.
	ID string
	// Event is "swap" if Data holds HTML fragments, each of which replaces the element with its ID, or "bell" for
	// those of the frame. Any other name reaches the page's scripts as the DOM event "feed:NAME" with Data, parsed as
	// JSON, as its detail.
	Event string
	Data  string
	// packed is the frame in a packet that many streams share; may be nil.
	packed *packet
}

const (
	heartbeat   = 20 * time.Second
	writeWithin = 10 * time.Second
	// streamLife bounds how long a stream outlives its session: the browser reconnects by itself and is identified
	// again. A random part of lifeSpread is subtracted, so that those who came together do not return together.
	streamLife = 15 * time.Minute
	lifeSpread = 5 * time.Minute
	// returnWithin spreads the reconnects of browsers that are sent to another node.
	returnWithin = 2 * time.Second
)

// Wakes says when a stream calls its step again.
type Wakes struct {
	News  func(wake func()) // gets the function to call at news, which never blocks
	Every time.Duration     // interval without news, for what depends on the time; 0: none
	pause time.Duration     // least time between two steps, as many things change at once
}

// Why a stream was woken.
const (
	forNews uint32 = 1 << iota
	forBell
	forClosing
)

// stream keeps one page up to date. After the first answer it hijacks its connection, to be rid of net/http's buffers
// and goroutines. From then on it owns one goroutine, which sleeps in a read: the browser ends that by leaving, news
// by setting its deadline.
type stream struct {
	site  *Site
	ctx   context.Context
	cut   context.CancelFunc
	what  answer
	ends  []func() // cleanups, called last to first
	begun time.Time
	until time.Time // end of its life
	woken atomic.Uint32
	since atomic.Int64 // when the news came that is not sent yet, in nanoseconds; 0: none
	conn  atomic.Pointer[net.Conn]
	heard [1]byte
	wire  wire
	bell  *bell // nil for visitors and programs
	when  Wakes
	step  func(ctx context.Context, last string) ([]Frame, error)
	asked time.Time // time of the last step
	over  bool      // step has returned io.EOF
}

// Stream keeps a page up to date until the browser leaves, the server stops or step returns io.EOF, which tells the
// browser not to reconnect. step is called at the start and at each wake and returns what is new since last, the last
// ID that the browser saw; empty if it saw only the page. Wakes during a step become one. The stream also sends the
// viewer's bell. It drops browsers that are too slow. It goes on after the handler has returned, and ends with the
// request's context.
func (s *Site) Stream(c echo.Context, when Wakes, step func(ctx context.Context, last string) ([]Frame, error)) error {
	st, err := openStream(s, c)
	if err != nil {
		return err
	}
	return st.serve(c, when, step)
}

// openStream returns a new, counted stream. The caller must serve or finish it.
func openStream(s *Site, c echo.Context) (*stream, error) {
	cut, detachable := c.Get(cutKey).(context.CancelFunc)
	if !detachable {
		return nil, errors.New("web: this address has no streams")
	}
	end, err := admitStream(s, c)
	if err != nil {
		return nil, err
	}
	st := &stream{site: s, ctx: c.Request().Context(), cut: cut, what: answerOf(c), ends: []func(){end}, begun: time.Now()}
	st.until = st.begun.Add(streamLife - rand.N(lifeSpread))
	s.running.add(st)
	return st, nil
}

// finish cleans up after a stream.
func (st *stream) finish() {
	for _, end := range slices.Backward(st.ends) {
		end()
	}
	st.cut()
	st.site.running.remove(st)
}

// wake wakes a stream. It never blocks.
func (st *stream) wake(why uint32) { st.wakeFor(why, time.Now()) }

// wakeFor is wake for news that came at a given time.
func (st *stream) wakeFor(why uint32, at time.Time) {
	if why == forNews {
		st.since.CompareAndSwap(0, at.UnixNano())
	}
	st.woken.Or(why)
	if conn := st.conn.Load(); conn != nil {
		_ = (*conn).SetReadDeadline(time.Unix(1, 0)) // fails if it is closed
	}
}

// serve makes the first answer, which may be an ordinary error, and starts the stream's goroutine.
func (st *stream) serve(c echo.Context, when Wakes, step func(ctx context.Context, last string) ([]Frame, error)) error {
	isOwn := false
	defer func() {
		if !isOwn {
			st.finish()
		}
	}()
	st.when, st.step = when, step
	if when.News != nil {
		when.News(func() { st.wake(forNews) })
	}
	st.bell = bellOf(st.site, c, func() { st.wake(forBell) })
	st.wire.listen(c)
	if err := st.answer(); err != nil {
		return err
	}
	st.since.Store(0) // the first answer is not news
	conn, _, err := c.Response().Hijack()
	if err != nil {
		return fmt.Errorf("web: stream: %w", err)
	}
	isOwn = true
	st.wire.begin(c.Response().Header())
	st.conn.Store(&conn)
	detach(c)
	go st.live(conn)
	return nil
}

// answer makes a step and queues what is new.
func (st *stream) answer() error {
	frames, err := st.step(st.ctx, st.wire.last)
	if st.over = errors.Is(err, io.EOF); st.over {
		frames, err = append(frames, Frame{Event: "end", Data: "{}"}), nil
	}
	st.asked = time.Now()
	if err == nil {
		err = st.wire.show(frames)
	}
	if err != nil || st.over {
		return err
	}
	return st.ring()
}

// ring queues the bell if it has changed. After a failure to read it the next ring makes up for it.
func (st *stream) ring() error {
	frames, err := st.bell.frames()
	if err != nil {
		st.site.Log.Warn("bell not read", "request", st.what.request, "err", err)
	}
	return st.wire.show(frames)
}

// live runs a stream after its first answer.
func (st *stream) live(conn net.Conn) {
	defer func() {
		if cause := recover(); cause != nil {
			st.site.Log.Error("panic", "request", st.what.request, "path", st.what.path, "panic", cause, "stack", string(debug.Stack()))
		}
		st.finish()
		_ = conn.Close() // the browser may have left
		answered(st.site, st.what, http.StatusOK, time.Since(st.begun))
	}()
	beat, pending, since := st.begun.Add(heartbeat), uint32(0), int64(0)
	for {
		if st.wire.flush(conn) != nil {
			return // the browser has left or is too slow
		}
		if lag := st.site.Lag; lag != nil && since != 0 {
			lag(time.Since(time.Unix(0, since)))
		}
		since = 0
		if st.over {
			break
		}
		answer := st.next(pending)
		woken, err := st.sleep(conn, earliest(beat, answer, st.until))
		if err != nil {
			return
		}
		pending |= woken
		now := time.Now()
		if pending&forClosing != 0 || !now.Before(st.until) {
			if pending&forClosing != 0 {
				st.wire.sendAway()
			}
			break
		}
		if pending&forBell != 0 {
			pending &^= forBell
			err = st.ring()
		}
		if at := st.next(pending); err == nil && !at.IsZero() && !now.Before(at) {
			pending &^= forNews
			since = st.since.Swap(0)
			err = st.answer()
		}
		if err != nil {
			st.site.Log.Warn("stream failed", "request", st.what.request, "path", st.what.path, "err", err)
			return // the browser comes back by itself
		}
		if !now.Before(beat) {
			beat = now.Add(heartbeat)
			err = st.wire.put(st.wire.beat)
		}
		if err != nil {
			return
		}
	}
	st.wire.end()
	_ = st.wire.flush(conn) // the browser may have left
}

// next returns when to make the next step; zero: at news.
func (st *stream) next(pending uint32) time.Time {
	switch {
	case pending&forNews != 0:
		return st.asked.Add(st.when.pause)
	case st.when.Every > 0:
		return st.asked.Add(max(st.when.Every, st.when.pause))
	}
	return time.Time{}
}

// earliest returns the earliest of the times that are not zero.
func earliest(times ...time.Time) (first time.Time) {
	for _, t := range times {
		if first.IsZero() || !t.IsZero() && t.Before(first) {
			first = t
		}
	}
	return first
}

// sleep waits until a time or until the stream is woken. An error means that the browser has left.
func (st *stream) sleep(conn net.Conn, until time.Time) (woken uint32, err error) {
	if err := conn.SetReadDeadline(until); err != nil {
		return 0, err
	}
	// A wake from here on ends the read; an earlier one shows here.
	if woken = st.woken.Swap(0); woken != 0 {
		return woken, nil
	}
	switch _, err := conn.Read(st.heard[:]); {
	case err == nil:
		return 0, net.ErrClosed // no browser sends anything through a stream
	case !errors.Is(err, os.ErrDeadlineExceeded):
		return 0, err
	}
	return st.woken.Swap(0), nil
}

// wire is the sending side of a stream.
type wire struct {
	last  string      // last ID that the browser saw
	lines bool        // lines of JSON, the data of each frame, instead of server-sent events
	out   net.Buffers // to send, at first with the head of the answer
	// Whether the stream is compressed, and what its end must state about all that was sent.
	packs bool
	beat  *packet
	sum   uint32
	size  uint32
}

// Packets of all streams. By the beat a page's script knows that the connection holds (feed.js). Programs get a
// comment or an empty line instead, which they ignore.
var (
	retryPacket   = &packet{text: []byte("retry: 2000\n\n")}
	beatPacket    = &packet{text: []byte("event: beat\ndata\n\n")}
	commentPacket = &packet{text: []byte(": \n\n")}
	linePacket    = &packet{text: []byte("\n")}
)

// listen reads the request headers of a stream.
func (w *wire) listen(c echo.Context) {
	if w.last = c.Request().Header.Get("Last-Event-ID"); w.last == "" {
		w.last = c.QueryParam("last")
	}
	w.lines = isLines(c)
	switch w.beat = commentPacket; {
	case IsFeed(c):
		w.beat = beatPacket
	case w.lines:
		w.beat = linePacket
	}
	w.packs = strings.Contains(c.Request().Header.Get(echo.HeaderAcceptEncoding), "gzip")
	w.out = net.Buffers{nil}
	if w.packs {
		w.out = append(w.out, gzipHead)
	}
	if !w.lines {
		_ = w.put(retryPacket) // fails only for large packets
	}
}

// begin writes the head of the answer. It has no length, as the connection ends with the stream.
func (w *wire) begin(h http.Header) {
	h.Set(echo.HeaderContentType, eventStream+"; charset=utf-8")
	if w.lines {
		h.Set(echo.HeaderContentType, jsonLines)
	}
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // makes nginx pass on events at once
	h.Add(echo.HeaderVary, echo.HeaderAcceptEncoding)
	if w.packs {
		h.Set(echo.HeaderContentEncoding, "gzip")
	}
	h.Set("Connection", "close")
	h.Set("Date", time.Now().UTC().Format(http.TimeFormat))
	var head bytes.Buffer
	head.WriteString("HTTP/1.1 200 OK\r\n")
	_ = h.Write(&head) // a buffer never fails
	head.WriteString("\r\n")
	w.out[0] = head.Bytes()
}

func (w *wire) show(frames []Frame) error {
	for _, f := range frames {
		if f.ID != "" {
			w.last = f.ID
		}
		p := f.packed
		switch {
		case w.lines && f.Event != "":
			continue // the end of the answer says as much
		case w.lines:
			p = &packet{text: []byte(f.Data + "\n")}
		case p == nil:
			p = &packet{text: []byte(f.String())}
		}
		if err := w.put(p); err != nil {
			return err
		}
	}
	return nil
}

// put queues a packet, which many streams may share.
func (w *wire) put(p *packet) error {
	if !w.packs {
		w.out = append(w.out, p.text)
		return nil
	}
	raw, err := p.packed()
	if err != nil {
		return err
	}
	w.sum = crc32.Update(w.sum, crc32.IEEETable, p.text)
	w.size += uint32(len(p.text))
	w.out = append(w.out, raw)
	return nil
}

// sendAway tells a browser to reconnect soon, after a random time.
func (w *wire) sendAway() {
	if w.lines {
		return
	}
	again := returnWithin/20 + rand.N(returnWithin)
	_ = w.put(&packet{text: []byte("retry: " + strconv.Itoa(int(again.Milliseconds())) + "\n\n")}) // as retryPacket
}

// end ends a compressed stream.
func (w *wire) end() {
	if w.packs {
		w.out = append(w.out, gzipTail(w.sum, w.size))
	}
}

// flush sends the queue. An error means that the browser has left or is too slow.
func (w *wire) flush(conn net.Conn) error {
	if len(w.out) == 0 {
		return nil
	}
	if err := conn.SetWriteDeadline(time.Now().Add(writeWithin)); err != nil {
		return err
	}
	_, err := w.out.WriteTo(conn)
	w.out = nil
	return err
}

var newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// String returns the frame as server-sent event.
func (f Frame) String() string {
	var b strings.Builder
	if f.ID != "" {
		b.WriteString("id: " + f.ID + "\n")
	}
	if f.Event != "" {
		b.WriteString("event: " + f.Event + "\n")
	}
	for line := range strings.SplitSeq(newlines.Replace(f.Data), "\n") {
		b.WriteString("data: " + line + "\n")
	}
	b.WriteString("\n")
	return b.String()
}
