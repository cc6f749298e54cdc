package page

import (
	"errors"
	"strconv"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"chpok.org/chpok/live"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/frame"
)

// bell keeps the alerts in the frame of a page up to date.
type bell struct {
	server *Site
	c      echo.Context
	sub    *live.Subscription
	shown  string // unread notices on the page; empty: unknown, so nothing is sent until it changes
	called string // mark of the match on the page; "?": unknown
}

// bellOf returns the bell of a page's stream; nil for visitors and programs. It calls rings when there may be news.
func bellOf(s *Site, c echo.Context, rings func()) *bell {
	v := Viewer(c)
	if !v.IsSignedIn() || SessionID(c) == "" {
		return nil
	}
	b := &bell{server: s, c: c, sub: s.Live.Subscribe(c.Request().Context(), live.PlayerTopic(v.ID)), shown: c.QueryParam("bell"), called: "?"}
	if q := c.QueryParams(); q.Has("called") {
		b.called = q.Get("called")
	}
	b.sub.Tell(rings)
	return b
}

// frames returns the alerts that differ from those on the page.
func (b *bell) frames() ([]Frame, error) {
	if b == nil {
		return nil, nil
	}
	b.sub.Take()
	now, err := b.server.alerts(b.c)
	if err != nil {
		return nil, err
	}
	var frames []Frame
	add := func(what templ.Component) error {
		html, err := fragment(b.c.Request().Context(), b.server.Printer(b.c), what)
		frames = append(frames, Frame{Event: "bell", Data: html})
		return err
	}
	before := b.shown
	if b.shown = strconv.Itoa(now.unread); before != "" && before != b.shown {
		err = add(frame.Bell(now.unread))
	}
	before = b.called
	if b.called = now.called.Mark; before != "?" && before != b.called {
		err = errors.Join(err, add(templates.CalledBar(now.called)))
	}
	return frames, err
}
