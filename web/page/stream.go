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
	// ID is what a browser shows when it comes back: the sequence number of the
	// log. Empty: the last one stays.
	ID string
	// Event is "swap" for Data of HTML fragments, each of which takes the place of
	// the element with its id; "bell" is the same for the one in the frame. Every other name reaches the page's scripts as the
	// DOM event "feed:NAME" with Data, parsed as JSON, in its detail.
	Event string
	Data  string
	// packed is the frame as it goes over the line, where many are sent the same.
	packed *packet
}

const (
	heartbeat   = 20 * time.Second
	writeWithin = 10 * time.Second
	// streamLife bounds how long a session that was ended goes on hearing: the
	// browser comes back by itself and is asked again who it is. Some live shorter
	// by up to lifeSpread, so that those who came together do not come back together.
	streamLife = 15 * time.Minute
	lifeSpread = 5 * time.Minute
	// returnWithin spreads those who are sent to another node.
	returnWithin = 2 * time.Second
)

// Wakes are when a stream is asked again what is new.
type Wakes struct {
	News  func(wake func()) // is handed what to call at news; that never waits
	Every time.Duration     // besides, for what the time brings; 0: news alone
	pause time.Duration     // the rest between two answers: many things change at once
}

// What a stream is woken for.
const (
	forNews uint32 = 1 << iota
	forBell
	forClosing
)

// stream keeps one page up to date. When its first answer is made its connection is
// taken from net/http, with the buffers and goroutines that belong there. From then
// on it owns one goroutine, which sleeps in a read: the browser ends that by
// leaving, and whoever has news by its deadline.
type stream struct {
	site  *Site
	ctx   context.Context
	cut   context.CancelFunc
	what  answer
	ends  []func() // undo what was done for it, the last one first
	begun time.Time
	until time.Time // its life ends
	woken atomic.Uint32
	since atomic.Int64 // nanoseconds: when the news came that it has not sent yet; 0: none
	conn  atomic.Pointer[net.Conn]
	heard [1]byte
	wire  wire
	bell  *bell // nil: of visitors and programs
	when  Wakes
	step  func(ctx context.Context, last string) ([]Frame, error)
	asked time.Time // step, the last time
	over  bool      // step has said that nothing more will come
}

// Stream keeps a page up to date until the browser leaves, the server stops, or
// step answers io.EOF: that tells the browser not to come back. step is asked at
// the start and at every wake what is new since last (the ID the browser saw
// last; empty: it saw the page only, whose own position stands in the feed's
// address). Wakes that come meanwhile become one. Beside it the viewer's bell
// rings. A browser that does not take what it is sent is dropped. The stream goes
// on when the handler has returned, and ends with the request's context.
func (s *Site) Stream(c echo.Context, when Wakes, step func(ctx context.Context, last string) ([]Frame, error)) error {
	st, err := openStream(s, c)
	if err != nil {
		return err
	}
	return st.serve(c, when, step)
}

// openStream counts a stream. Serve it, or finish it.
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

// finish undoes what was done for a stream.
func (st *stream) finish() {
	for _, end := range slices.Backward(st.ends) {
		end()
	}
	st.cut()
	st.site.running.remove(st)
}

// wake has a stream look. It never waits.
func (st *stream) wake(why uint32) { st.wakeFor(why, time.Now()) }

// wakeFor is wake for what came at a moment.
func (st *stream) wakeFor(why uint32, at time.Time) {
	if why == forNews {
		st.since.CompareAndSwap(0, at.UnixNano())
	}
	st.woken.Or(why)
	if conn := st.conn.Load(); conn != nil {
		_ = (*conn).SetReadDeadline(time.Unix(1, 0)) // fails on one that is closed
	}
}

// serve makes the first answer, which may be an ordinary error; the rest is the
// stream's own.
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
	st.since.Store(0) // what it begins with is no news
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

// answer asks what is new.
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

// ring sends the bell where it has changed. A count that could not be read is
// sent another time.
func (st *stream) ring() error {
	frames, err := st.bell.frames()
	if err != nil {
		st.site.Log.Warn("bell not read", "request", st.what.request, "err", err)
	}
	return st.wire.show(frames)
}

// live is a stream after its first answer.
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
			return // the browser has left, or takes nothing
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

// next is when step is to be asked again; zero: at news.
func (st *stream) next(pending uint32) time.Time {
	switch {
	case pending&forNews != 0:
		return st.asked.Add(st.when.pause)
	case st.when.Every > 0:
		return st.asked.Add(max(st.when.Every, st.when.pause))
	}
	return time.Time{}
}

// earliest of some times, of which zero is none.
func earliest(times ...time.Time) (first time.Time) {
	for _, t := range times {
		if first.IsZero() || !t.IsZero() && t.Before(first) {
			first = t
		}
	}
	return first
}

// sleep waits until a time, or for less when the stream is woken; an error says that
// the browser has left.
func (st *stream) sleep(conn net.Conn, until time.Time) (woken uint32, err error) {
	if err := conn.SetReadDeadline(until); err != nil {
		return 0, err
	}
	// Who wakes it from here on ends the read; who did before is seen now.
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

// wire is what a stream sends. Its errors say that the browser has left.
type wire struct {
	last string      // the ID that the browser saw last
	out  net.Buffers // what has not been sent yet, beginning with the head of the answer
	// Of a compressed stream: what its end must say of all that was sent.
	packs bool
	beat  *packet
	sum   uint32
	size  uint32
}

// What all streams are sent. By the beat a page's script knows that the line holds
// (feed.js); programs are sent a comment, of which they need take no notice.
var (
	retryPacket   = &packet{text: []byte("retry: 2000\n\n")}
	beatPacket    = &packet{text: []byte("event: beat\ndata\n\n")}
	commentPacket = &packet{text: []byte(": \n\n")}
)

// listen reads what a browser says of itself.
func (w *wire) listen(c echo.Context) {
	if w.last = c.Request().Header.Get("Last-Event-ID"); w.last == "" {
		w.last = c.QueryParam("last")
	}
	if w.beat = commentPacket; IsFeed(c) {
		w.beat = beatPacket
	}
	w.packs = strings.Contains(c.Request().Header.Get(echo.HeaderAcceptEncoding), "gzip")
	w.out = net.Buffers{nil}
	if w.packs {
		w.out = append(w.out, gzipHead)
	}
	_ = w.put(retryPacket) // is small, and not compressed
}

// begin makes the head of the answer. It names no length: the connection ends with the stream.
func (w *wire) begin(h http.Header) {
	h.Set(echo.HeaderContentType, "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // proxies of the nginx kind pass events on at once
	h.Add(echo.HeaderVary, echo.HeaderAcceptEncoding)
	if w.packs {
		h.Set(echo.HeaderContentEncoding, "gzip")
	}
	h.Set("Connection", "close")
	h.Set("Date", time.Now().UTC().Format(http.TimeFormat))
	var head bytes.Buffer
	head.WriteString("HTTP/1.1 200 OK\r\n")
	_ = h.Write(&head) // a buffer takes everything
	head.WriteString("\r\n")
	w.out[0] = head.Bytes()
}

func (w *wire) show(frames []Frame) error {
	for _, f := range frames {
		if f.ID != "" {
			w.last = f.ID
		}
		p := f.packed
		if p == nil {
			p = &packet{text: []byte(f.String())}
		}
		if err := w.put(p); err != nil {
			return err
		}
	}
	return nil
}

// put adds a packet, which may be many streams', to what is sent next.
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

// sendAway tells a browser to come back soon, not all of them at once.
func (w *wire) sendAway() {
	again := returnWithin/20 + rand.N(returnWithin)
	_ = w.put(&packet{text: []byte("retry: " + strconv.Itoa(int(again.Milliseconds())) + "\n\n")}) // as retryPacket
}

// end closes a compressed stream as its format wants it.
func (w *wire) end() {
	if w.packs {
		w.out = append(w.out, gzipTail(w.sum, w.size))
	}
}

// flush sends what there is. A browser that does not take it in time is too slow.
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

// String is the frame as the protocol writes it.
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
