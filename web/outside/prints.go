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

// Of the pictures kept; beyond it all go, and those that are asked for are drawn again.
const mostPrintBytes = 32 << 20

// How many pictures and animations are drawn at once, and how many may wait for that: each kind by itself, so that
// animations, which take long, keep nobody from the picture beside a link.
const (
	pictureSlots      = 2
	picturesWaiting   = 40
	animationSlots    = 1
	animationsWaiting = 8
)

// prints are pictures that were drawn, by their tags: what they show, and by
// which program, is in the tag, so they never change.
type prints struct {
	build                func() string // asked when the first picture is: it reads the whole program
	pictures, animations queue

	mu    sync.Mutex
	made  map[string]*print
	bytes int
}

// queue is where orders of one kind wait.
type queue struct {
	slots   chan struct{}
	most    int
	waiting int // with those that are being drawn; prints.mu guards it
}

// print is a picture that others may be given. It never changes after done.
type print struct {
	done chan struct{}
	raw  []byte
	err  error
}

// thisBuild tells the program that draws from the ones before and after it: another one may draw the same differently.
// A program that cannot be read is taken for a new one at every start.
var thisBuild = sync.OnceValue(func() string {
	sum := sha256.New()
	file, err := os.Open("/proc/self/exe") // what runs, where a new program has taken its place already
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

// order is a picture that is to be drawn in its turn, once admit has nothing
// against it.
type order struct {
	tag   string
	queue *queue
	admit func() error
	draw  func() ([]byte, error)
}

// get is a picture that was drawn, or is being drawn, or else a new one.
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
		} // who drew it was refused or has left; that is theirs alone
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
	err = errors.New("outside: the picture was not drawn") // of a panic
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

// sendPicture answers with a picture. what is everything that it shows: from it
// comes the tag by which browsers and this node know the one they have.
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
	raw, err := s.prints.get(c.Request().Context(), o)
	if err != nil {
		return err
	}
	openPicture(h, o.tag)
	return c.Blob(http.StatusOK, kind, raw)
}

// tagOf is the entity tag of what a picture shows, the same on every node of a build. Texts are quoted in it, so that no
// two pass for one.
func (ps *prints) tagOf(kind string, what any) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %#v", ps.build(), kind, what))
	return `"` + hex.EncodeToString(sum[:12]) + `"`
}

// openPicture lets other sites show a picture, and whoever passes it on keep it
// for a minute: it shows what everybody may see.
func openPicture(h http.Header, tag string) {
	h.Set("ETag", tag)
	h.Set("Cache-Control", "public, max-age=60")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	h.Set("Vary", "Accept-Language")
}
