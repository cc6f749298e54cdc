package page

import (
	"strconv"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/live"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
)

// bell keeps the number of unread notices in the frame of a page up to date.
type bell struct {
	server *Site
	sub    *live.Subscription
	shown  string // by the page; empty: not known, so nothing is sent until it changes
}

// bell is that of the viewer of a page's stream; nil for visitors and programs.
func (s *Site) bell(c echo.Context) *bell {
	v := Viewer(c)
	if !v.IsSignedIn() || SessionID(c) == "" {
		return nil
	}
	return &bell{server: s, sub: s.Live.Subscribe(c.Request().Context(), live.PlayerTopic(v.ID)), shown: c.QueryParam("bell")}
}

func (b *bell) close() {
	if b != nil {
		b.sub.Close()
	}
}

// rings receives when there may be something new.
func (b *bell) rings() <-chan struct{} {
	if b == nil {
		return nil
	}
	return b.sub.Ready()
}

// frames is the bell, where it is not as the page shows it.
func (b *bell) frames(c echo.Context) ([]Frame, error) {
	if b == nil {
		return nil, nil
	}
	b.sub.Take()
	n, err := b.server.unread(c)
	if err != nil {
		return nil, err
	}
	before := b.shown
	if b.shown = strconv.Itoa(n); before == "" || before == b.shown {
		return nil, nil
	}
	html, err := b.server.fragments(c, templates.Bell(n))
	return []Frame{{Event: "bell", Data: html}}, err
}

// unread is how many notices wait for the viewer.
func (s *Site) unread(c echo.Context) (n int, err error) {
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		n, err = tx.UnreadNotices(Viewer(c).ID)
		return err
	})
	return n, err
}
