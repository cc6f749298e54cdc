package web

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
)

// frame is one event of a stream.
type frame struct {
	// ID is what a browser shows when it comes back: the sequence number of the
	// log. Empty: the last one stays.
	ID string
	// Event is "swap" for Data of HTML fragments, each of which takes the place of
	// the element with its id; "bell" is the same for the one in the frame. Every other name reaches the page's scripts as the
	// DOM event "feed:NAME" with Data, parsed as JSON, in its detail.
	Event string
	Data  string
}

const (
	heartbeat   = 20 * time.Second
	writeWithin = 10 * time.Second
	// streamLife bounds how long a session that was ended goes on hearing: the
	// browser comes back by itself and is asked again who it is.
	streamLife = 15 * time.Minute
)

// stream keeps a page up to date until the browser leaves, the server stops, or
// step answers io.EOF: that tells the browser not to come back. step is asked at
// the start and at every wake what is new since last (the ID the browser saw
// last; empty: it saw the page only, whose own position stands in the feed's
// address). It runs in the request's goroutine; wakes that come meanwhile become
// one. Beside it the viewer's bell rings. A browser that does not take what it
// is sent is dropped.
func (s *Server) stream(c echo.Context, wake <-chan struct{}, step func(ctx context.Context, last string) ([]frame, error)) error {
	end, err := s.admitStream(c)
	if err != nil {
		return err
	}
	defer end()
	ctx, cancel := context.WithCancel(c.Request().Context())
	defer cancel()
	w := newWire(c)
	bell := s.bell(c)
	defer bell.close()
	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	old := time.NewTimer(streamLife)
	defer old.Stop()
	for {
		frames, err := step(ctx, w.last)
		ended := errors.Is(err, io.EOF)
		switch {
		case ended:
			frames = append(frames, frame{Event: "end", Data: "{}"})
		case err != nil && w.begun:
			s.log.Warn("stream failed", "request", requestID(c), "path", loggedPath(c), "err", err)
			return nil // the browser comes back by itself
		case err != nil:
			return err
		}
		if w.begin() != nil || w.show(frames) != nil || ended || s.ring(c, bell, w) != nil {
			return nil
		}
		for woken := false; !woken; {
			select {
			case <-bell.rings():
				err = s.ring(c, bell, w)
			case <-wake:
				woken = true
			case <-tick.C:
				err = w.send(": \n\n")
			case <-ctx.Done():
				return nil
			case <-old.C:
				return nil
			case <-s.closing:
				return nil
			}
			if err != nil {
				return nil
			}
		}
	}
}

// wire is a stream on its way to a browser. Its errors say that the browser has left.
type wire struct {
	to      *echo.Response
	control *http.ResponseController
	last    string // the ID that the browser saw last
	begun   bool
}

func newWire(c echo.Context) *wire {
	w := &wire{to: c.Response(), control: http.NewResponseController(c.Response()), last: c.Request().Header.Get("Last-Event-ID")}
	if w.last == "" {
		w.last = c.QueryParam("last")
	}
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
	w.to.WriteHeader(http.StatusOK)
	return w.send("retry: 2000\n\n")
}

func (w *wire) show(frames []frame) error {
	for _, f := range frames {
		if f.ID != "" {
			w.last = f.ID
		}
		if err := w.send(f.String()); err != nil {
			return err
		}
	}
	return nil
}

func (w *wire) send(text string) error {
	if err := w.control.SetWriteDeadline(time.Now().Add(writeWithin)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	if _, err := io.WriteString(w.to, text); err != nil {
		return err
	}
	return w.control.Flush()
}

// ring sends the bell where it has changed. A count that could not be read is
// sent another time.
func (s *Server) ring(c echo.Context, b *bell, w *wire) error {
	frames, err := b.frames(c)
	if err != nil {
		s.log.Warn("bell not read", "request", requestID(c), "err", err)
	}
	return w.show(frames)
}

var newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// String is the frame as the protocol writes it.
func (f frame) String() string {
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
