package page

import (
	"context"
	"errors"
	"hash/crc32"
	"io"
	"net/http"
	"strings"
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
	// browser comes back by itself and is asked again who it is.
	streamLife = 15 * time.Minute
)

// Wakes are when a stream is asked again what is new.
type Wakes struct {
	News  <-chan struct{}
	Every time.Duration // besides, for what the time brings; 0: news alone
	pause time.Duration // the rest between two answers: many things change at once
}

// Stream keeps a page up to date until the browser leaves, the server stops, or
// step answers io.EOF: that tells the browser not to come back. step is asked at
// the start and at every wake what is new since last (the ID the browser saw
// last; empty: it saw the page only, whose own position stands in the feed's
// address). It runs in the request's goroutine; wakes that come meanwhile become
// one. Beside it the viewer's bell rings. A browser that does not take what it
// is sent is dropped.
func (s *Site) Stream(c echo.Context, when Wakes, step func(ctx context.Context, last string) ([]Frame, error)) error {
	end, err := admitStream(s, c)
	if err != nil {
		return err
	}
	defer end()
	ctx, cancel := context.WithCancel(c.Request().Context())
	defer cancel()
	w := newWire(c)
	bell := bellOf(s, c)
	defer bell.close()
	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	old := time.NewTimer(streamLife)
	defer old.Stop()
	again, stop := ticks(when.Every)
	defer stop()
	for {
		frames, err := step(ctx, w.last)
		ended := errors.Is(err, io.EOF)
		switch {
		case ended:
			frames = append(frames, Frame{Event: "end", Data: "{}"})
		case err != nil && w.begun:
			s.Log.Warn("stream failed", "request", RequestID(c), "path", LoggedPath(c), "err", err)
			return nil // the browser comes back by itself
		case err != nil:
			return err
		}
		if w.begin() != nil || w.show(frames) != nil || !ended && ring(s, c, bell, w) != nil {
			return nil
		}
		if ended {
			_ = w.end() // the browser may have left
			return nil
		}
		for woken := false; !woken; {
			select {
			case <-bell.rings():
				err = ring(s, c, bell, w)
			case <-when.News:
				woken = true
			case <-again:
				woken = true
			case <-tick.C:
				err = w.send(": \n\n", nil)
			case <-ctx.Done():
				return nil
			case <-old.C:
				return w.end()
			case <-s.closing:
				return w.end()
			}
			if err != nil {
				return nil
			}
		}
		if rest(ctx, when.pause) != nil {
			return nil
		}
	}
}

// ticks come every so often; of nothing none comes.
func ticks(every time.Duration) (<-chan time.Time, func()) {
	if every <= 0 {
		return nil, func() {}
	}
	t := time.NewTicker(every)
	return t.C, t.Stop
}

// rest is a pause that ends with ctx.
func rest(ctx context.Context, pause time.Duration) error {
	if pause <= 0 {
		return nil
	}
	t := time.NewTimer(pause)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// wire is a stream on its way to a browser. Its errors say that the browser has left.
type wire struct {
	to      *echo.Response
	control *http.ResponseController
	last    string // the ID that the browser saw last
	begun   bool
	// Of a compressed stream: what its end must say of all that was sent.
	packs bool
	sum   uint32
	size  uint32
}

func newWire(c echo.Context) *wire {
	w := &wire{to: c.Response(), control: http.NewResponseController(c.Response()), last: c.Request().Header.Get("Last-Event-ID")}
	if w.last == "" {
		w.last = c.QueryParam("last")
	}
	w.packs = strings.Contains(c.Request().Header.Get(echo.HeaderAcceptEncoding), "gzip")
	return w
}

// begin sends the head of the answer, once.
func (w *wire) begin() error {
	if w.begun {
		return nil
	}
	w.begun = true
	h := w.to.Header()
	h.Set(echo.HeaderContentType, "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // proxies of the nginx kind pass events on at once
	h.Add(echo.HeaderVary, echo.HeaderAcceptEncoding)
	if w.packs {
		h.Set(echo.HeaderContentEncoding, "gzip")
	}
	w.to.WriteHeader(http.StatusOK)
	if w.packs {
		if _, err := w.to.Write(gzipHead); err != nil {
			return err
		}
	}
	return w.send("retry: 2000\n\n", nil)
}

func (w *wire) show(frames []Frame) error {
	for _, f := range frames {
		if f.ID != "" {
			w.last = f.ID
		}
		text := ""
		if f.packed == nil {
			text = f.String()
		}
		if err := w.send(text, f.packed); err != nil {
			return err
		}
	}
	return nil
}

// send writes a text, or what was packed for many.
func (w *wire) send(text string, shared *packet) error {
	if err := w.hurry(); err != nil {
		return err
	}
	if shared == nil {
		shared = &packet{text: text}
	}
	if err := w.write(shared); err != nil {
		return err
	}
	return w.control.Flush()
}

// hurry bounds how long the next write may take.
func (w *wire) hurry() error {
	if err := w.control.SetWriteDeadline(time.Now().Add(writeWithin)); !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	return nil
}

func (w *wire) write(p *packet) error {
	if !w.packs {
		_, err := io.WriteString(w.to, p.text)
		return err
	}
	raw, err := p.packed()
	if err != nil {
		return err
	}
	w.sum = crc32.Update(w.sum, crc32.IEEETable, []byte(p.text))
	w.size += uint32(len(p.text))
	_, err = w.to.Write(raw)
	return err
}

// end closes a compressed stream as its format wants it.
func (w *wire) end() error {
	if !w.begun {
		return nil
	}
	if err := w.hurry(); err != nil || !w.packs {
		return err
	}
	_, err := w.to.Write(gzipTail(w.sum, w.size))
	return err
}

// ring sends the bell where it has changed. A count that could not be read is
// sent another time.
func ring(s *Site, c echo.Context, b *bell, w *wire) error {
	frames, err := b.frames(c)
	if err != nil {
		s.Log.Warn("bell not read", "request", RequestID(c), "err", err)
	}
	return w.show(frames)
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
