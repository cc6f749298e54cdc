package outside

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/store"
	"chpok.org/chpok/web/page"
)

// mostPrintBytes is the most memory for kept pictures; beyond it all are dropped and drawn again on demand.
const mostPrintBytes = 32 << 20

// How many pictures and animations are drawn at once, and how many orders may wait. Each kind has a queue of
// its own, so that slow animations do not hold up the pictures of link previews.
const (
	pictureSlots      = 2
	picturesWaiting   = 40
	animationSlots    = 1
	animationsWaiting = 8
)

// prints keeps drawn pictures by tag. A tag covers what a picture shows and which program drew it, so a
// picture never changes.
type prints struct {
	build                func() string // called on the first request, as it reads the whole program
	pictures, animations queue

	mu    sync.Mutex
	made  map[string]*print
	bytes int
}

// queue holds the orders of one kind.
type queue struct {
	slots   chan struct{}
	most    int
	waiting int // including those being drawn; guarded by prints.mu
}

// print is a picture, or one being drawn; it does not change once done is closed.
type print struct {
	done chan struct{}
	raw  []byte
	err  error
}

// thisBuild identifies the running program, since another build may draw differently. A program that
// cannot be read counts as a new one at every start.
var thisBuild = sync.OnceValue(func() string {
	sum := sha256.New()
	file, err := os.Open("/proc/self/exe") // the running program, even if its file was replaced
	if err != nil {
		var name string
		if name, err = os.Executable(); err == nil {
			file, err = os.Open(name)
		}
	}
	if err == nil {
		_, err = io.Copy(sum, file)
		file.Close()
	}
	if err != nil {
		return store.NewID()
	}
	return hex.EncodeToString(sum.Sum(nil))
})

func newPrints(build func() string) *prints {
	return &prints{
		build:      build,
		pictures:   queue{slots: make(chan struct{}, pictureSlots), most: picturesWaiting},
		animations: queue{slots: make(chan struct{}, animationSlots), most: animationsWaiting},
		made:       map[string]*print{},
	}
}

// order is a picture to be drawn in turn, if admit allows it.
type order struct {
	tag   string
	queue *queue
	admit func() error
	draw  func() ([]byte, error)
}

// get returns a kept picture, waits for one that is being drawn, or draws it.
func (ps *prints) get(ctx context.Context, o order) ([]byte, error) {
	for {
		p, isNew, err := ps.take(o)
		if err != nil {
			return nil, err
		}
		if isNew {
			return ps.draw(ctx, o, p)
		}
		select {
		case <-p.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if p.err == nil {
			return p.raw, nil
		} // the request that drew it was refused or canceled; try again
	}
}

func (ps *prints) take(o order) (p *print, isNew bool, err error) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if p = ps.made[o.tag]; p != nil {
		return p, false, nil
	}
	if o.queue.waiting >= o.queue.most {
		return nil, false, page.ErrBusy
	}
	o.queue.waiting++
	p = &print{done: make(chan struct{})}
	ps.made[o.tag] = p
	return p, true, nil
}

func (ps *prints) draw(ctx context.Context, o order, p *print) (raw []byte, err error) {
	err = errors.New("outside: the picture was not drawn") // if draw panics
	defer func() {
		ps.mu.Lock()
		defer ps.mu.Unlock()
		p.raw, p.err = raw, err
		o.queue.waiting--
		if err != nil {
			delete(ps.made, o.tag)
		} else if ps.bytes += len(raw); ps.bytes > mostPrintBytes {
			ps.made, ps.bytes = map[string]*print{o.tag: p}, len(raw)
		}
		close(p.done)
	}()
	if err = o.admit(); err != nil {
		return nil, err
	}
	select {
	case o.queue.slots <- struct{}{}:
	case <-ctx.Done():
		err = ctx.Err()
		return nil, err
	}
	defer func() { <-o.queue.slots }()
	raw, err = o.draw()
	return raw, err
}

// sendPicture answers with a picture. what is everything it shows; browsers and this node cache it by
// a tag made from that.
func (s Outside) sendPicture(c echo.Context, what any, draw func() ([]byte, error)) error {
	return s.sendPrint(c, "image/png", what, page.LimitPicture, order{queue: &s.prints.pictures, draw: draw})
}

func (s Outside) sendPrint(c echo.Context, kind string, what any, class page.LimitClass, o order) error {
	o.tag = s.prints.tagOf(kind, what)
	h := c.Response().Header()
	if strings.Contains(c.Request().Header.Get("If-None-Match"), o.tag) {
		openPicture(h, o.tag)
		return c.NoContent(http.StatusNotModified)
	}
	o.admit = func() error { return s.Count(c, class, "ip "+page.Network(c)) }
	store.EndSnapshot(c.Request().Context()) // drawing takes its time
	raw, err := s.prints.get(c.Request().Context(), o)
	if err != nil {
		return err
	}
	openPicture(h, o.tag)
	return c.Blob(http.StatusOK, kind, raw)
}

// tagOf returns the entity tag of a picture, the same on every node of a build. %#v quotes texts, so that no two
// run together.
func (ps *prints) tagOf(kind string, what any) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %#v", ps.build(), kind, what))
	return `"` + hex.EncodeToString(sum[:12]) + `"`
}

// openPicture lets other sites show a picture and shared caches keep it for a minute.
func openPicture(h http.Header, tag string) {
	h.Set("ETag", tag)
	h.Set("Cache-Control", "public, max-age=60")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	h.Set("Vary", "Accept-Language")
}
