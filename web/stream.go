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
	last := c.Request().Header.Get("Last-Event-ID")
	if last == "" {
		last = c.QueryParam("last")
	}
	control := http.NewResponseController(c.Response())
	send := func(text string) error {
		if err := control.SetWriteDeadline(time.Now().Add(writeWithin)); err != nil && !errors.Is(err, http.ErrNotSupported) {
			return err
		}
		if _, err := io.WriteString(c.Response(), text); err != nil {
			return err
		}
		return control.Flush()
	}
	bell := s.bell(c)
	defer bell.close()
	first := true
	begin := func() error {
		if !first {
			return nil
		}
		first = false
		h := c.Response().Header()
		h.Set(echo.HeaderContentType, "text/event-stream; charset=utf-8")
		h.Set("Cache-Control", "no-store")
		h.Set("X-Accel-Buffering", "no") // proxies of the nginx kind pass events on at once
		c.Response().WriteHeader(http.StatusOK)
		return send("retry: 2000\n\n")
	}
	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	old := time.NewTimer(streamLife)
	defer old.Stop()
	for {
		frames, err := step(ctx, last)
		ended := errors.Is(err, io.EOF)
		if err != nil && !ended {
			if !first {
				s.log.Warn("stream failed", "request", requestID(c), "path", loggedPath(c), "err", err)
				return nil // the browser comes back by itself
			}
			return err
		}
		if err := begin(); err != nil {
			return nil
		}
		for _, f := range frames {
			if f.ID != "" {
				last = f.ID
			}
			if err := send(f.String()); err != nil {
				return nil
			}
		}
		if ended {
			_ = send(frame{Event: "end", Data: "{}"}.String()) // whoever has left needs no goodbye
			return nil
		}
		if err := s.ring(c, bell, send); err != nil {
			return nil
		}
		for woken := false; !woken; {
			select {
			case <-bell.rings():
				if err := s.ring(c, bell, send); err != nil {
					return nil
				}
			case <-wake:
				woken = true
			case <-tick.C:
				if err := send(": \n\n"); err != nil {
					return nil
				}
			case <-ctx.Done():
				return nil
			case <-old.C:
				return nil
			case <-s.closing:
				return nil
			}
		}
	}
}

// ring sends the bell where it has changed. A count that could not be read is
// sent another time.
func (s *Server) ring(c echo.Context, b *bell, send func(string) error) error {
	frames, err := b.frames(c)
	if err != nil {
		s.log.Warn("bell not read", "request", requestID(c), "err", err)
	}
	for _, f := range frames {
		if err := send(f.String()); err != nil {
			return err
		}
	}
	return nil
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
