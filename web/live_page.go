package web

import (
	"context"
	"hash/fnv"
	"io"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/templates/lang"
)

// livePage is what a stream keeps up to date. It is looked at when news of its
// topics comes, and a browser is sent the pieces that read otherwise than those
// it has.
type livePage struct {
	topics []string
	every  time.Duration // it is looked at besides, for what the time brings; 0: at news only
	pause  time.Duration // the rest between two looks
	look   func(ctx context.Context, news []live.Nudge) (glance, error)
}

// glance is a page at a moment.
type glance struct {
	// mark is its place: who comes back with it has these pieces, save those
	// beside it. Empty: it is made of the pieces themselves.
	mark   string
	pieces []piece
	told   []frame  // for the page's scripts, with every new place
	over   bool     // nothing more will come
	topics []string // that the page follows from now on as well
}

// piece is a fragment of a page. It is sent when its mark has changed, or
// without one when it reads otherwise than before.
type piece struct {
	id     string
	what   templ.Component
	mark   string
	beside bool // the place of the page does not tell of it
}

// edition is a glance as it is sent. Many may read it; it never changes.
type edition struct {
	shown  *shown
	pieces []printed
	told   []frame
	over   bool

	mu     sync.Mutex
	frames map[gap]*frame // what was sent already
}

type printed struct {
	id, html string
	beside   bool
}

// shown is what a browser has: a place, and the digest of every piece.
type shown struct {
	mark string
	sums map[string]uint64
}

// gap is what somebody misses: what has changed since, or of whom only the
// place is known what stands beside it, too.
type gap struct {
	since  *shown
	beside bool
}

// print makes an edition.
func (g glance) print(ctx context.Context, p lang.Printer) (*edition, error) {
	e := &edition{
		shown: &shown{mark: g.mark, sums: make(map[string]uint64, len(g.pieces))},
		told:  g.told, over: g.over, frames: map[gap]*frame{},
	}
	all := fnv.New64a()
	for _, x := range g.pieces {
		html, err := fragmentsAs(ctx, p, x.what)
		if err != nil {
			return nil, err
		}
		mark := x.mark
		if mark == "" {
			mark = html
		}
		sum := fnv.New64a()
		_, _ = io.WriteString(sum, mark) // a hash takes everything
		_, _ = all.Write(sum.Sum(nil))
		e.shown.sums[x.id] = sum.Sum64()
		e.pieces = append(e.pieces, printed{x.id, html, x.beside})
	}
	if g.mark == "" {
		e.shown.mark = strconv.FormatUint(all.Sum64(), 36)
	}
	return e, nil
}

// place is the mark of a page that is made of these pieces.
func place(ctx context.Context, p lang.Printer, pieces []piece) (string, error) {
	e, err := glance{pieces: pieces}.print(ctx, p)
	if err != nil {
		return "", err
	}
	return e.shown.mark, nil
}

// missed is the frame that closes a gap; nil: there is nothing to send.
func (e *edition) missed(g gap) *frame {
	e.mu.Lock()
	defer e.mu.Unlock()
	if f, known := e.frames[g]; known {
		return f
	}
	var html strings.Builder
	for _, x := range e.pieces {
		if g.since == nil || g.since.sums[x.id] != e.shown.sums[x.id] || g.beside && x.beside {
			html.WriteString(x.html)
		}
	}
	var f *frame
	if html.Len() > 0 {
		f = &frame{ID: e.shown.mark, Event: "swap", Data: html.String()}
		f.packed = &packet{text: f.String()}
	}
	e.frames[g] = f
	return f
}

// reader is one browser's place in a live page.
type reader struct {
	has   *shown
	begun bool
}

// read is what of an edition the browser has not got; last is the place it came
// with, and recent what stood at places before.
func (r *reader) read(e *edition, last string, recent []*shown) ([]frame, error) {
	g := gap{since: r.has}
	if !r.begun {
		r.begun = true
		known := append(slices.Clone(recent), e.shown)
		if i := slices.IndexFunc(known, func(x *shown) bool { return x.mark == last }); i >= 0 {
			g = gap{known[i], true}
		}
	}
	var frames []frame
	if f := e.missed(g); f != nil {
		frames = append(frames, *f)
	}
	if g.since == nil || g.since.mark != e.shown.mark {
		frames = append(frames, e.told...)
	}
	r.has = e.shown
	if e.over {
		return frames, io.EOF
	}
	return frames, nil
}

// follow keeps one viewer's page up to date.
func (s *Server) follow(c echo.Context, page livePage) error {
	sub := s.live.Subscribe(c.Request().Context(), page.topics...)
	defer sub.Close()
	p, browser := s.printer(c), &reader{}
	return s.stream(c, wakes{sub.Ready(), page.every, page.pause}, func(ctx context.Context, last string) ([]frame, error) {
		g, err := page.look(ctx, sub.Take())
		if err != nil {
			return nil, err
		}
		sub.Also(g.topics...)
		e, err := g.print(ctx, p)
		if err != nil {
			return nil, err
		}
		return browser.read(e, last, nil)
	})
}

// share keeps a page up to date that reads the same for everybody who asks with
// this key: it is looked at, rendered and compressed once on this node, however
// many watch. look must know nothing of who asked first; see nobody.
func (s *Server) share(c echo.Context, key string, p lang.Printer, page livePage) error {
	r, news := s.rooms.enter(key+" "+string(p.Lang)+" "+p.Zone.String(), func(r *room) { s.keep(r, p, page) })
	if r == nil {
		return tooMany(c, 30*time.Second)
	}
	defer s.rooms.leave(r, news)
	browser := &reader{}
	return s.stream(c, wakes{news: news}, func(ctx context.Context, last string) ([]frame, error) {
		e, recent, err := r.read(ctx)
		if err != nil {
			return nil, err
		}
		return browser.read(e, last, recent)
	})
}

// roomFor is how many may watch one page on this node; others are asked to come
// back later. Players and staff have streams of their own.
const roomFor = 10_000

// remembered is how many places back a room knows what stood there.
const remembered = 16

// room is a shared page with those who watch it.
type room struct {
	key   string
	ctx   context.Context
	stop  context.CancelFunc
	begun chan struct{} // closed with the first edition, or when there will be none

	mu      sync.Mutex
	members map[chan struct{}]bool
	now     *edition
	recent  []*shown
	err     error // why there is nothing more
}

// rooms are the shared pages that somebody watches. The zero value is ready.
type rooms struct {
	mu   sync.Mutex
	open map[string]*room
}

// enter joins the room of a key; the first who comes has it kept. nil: it is full.
func (rs *rooms) enter(key string, keep func(*room)) (*room, chan struct{}) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	r := rs.open[key]
	if r == nil {
		ctx, stop := context.WithCancel(context.Background()) // it outlives who came first
		r = &room{key: key, ctx: ctx, stop: stop, begun: make(chan struct{}), members: map[chan struct{}]bool{}}
		if rs.open == nil {
			rs.open = map[string]*room{}
		}
		rs.open[key] = r
		go keep(r)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.members) >= roomFor {
		return nil, nil
	}
	news := make(chan struct{}, 1)
	r.members[news] = true
	return r, news
}

// leave takes a member out; with the last one the room is given up.
func (rs *rooms) leave(r *room, news chan struct{}) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	if delete(r.members, news); len(r.members) == 0 {
		rs.drop(r)
	}
}

// watchers are how many of this node's browsers watch each match, without its
// players.
func (rs *rooms) watchers() map[match.ID]int {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	found := map[match.ID]int{}
	for key, r := range rs.open {
		if id, ok := strings.CutPrefix(key, "match "); ok {
			id, _, _ = strings.Cut(id, " ")
			r.mu.Lock()
			found[match.ID(id)] += len(r.members)
			r.mu.Unlock()
		}
	}
	return found
}

// drop gives a room up; who comes next opens another.
func (rs *rooms) drop(r *room) {
	r.stop()
	if rs.open[r.key] == r {
		delete(rs.open, r.key)
	}
}

// keep looks at a shared page for as long as somebody watches it.
func (s *Server) keep(r *room, p lang.Printer, page livePage) {
	sub := s.live.Subscribe(r.ctx, page.topics...)
	defer sub.Close()
	again, stop := ticks(page.every)
	defer stop()
	for {
		e, err := s.edit(r, p, page, sub)
		if r.tell(e, err); err != nil || e.over {
			s.rooms.mu.Lock()
			defer s.rooms.mu.Unlock()
			s.rooms.drop(r)
			return
		}
		select {
		case <-sub.Ready():
		case <-again:
		case <-r.ctx.Done():
			return
		}
		if rest(r.ctx, page.pause) != nil {
			return
		}
	}
}

// edit is a shared page's next edition. A panic is this page's alone.
func (s *Server) edit(r *room, p lang.Printer, page livePage, sub *live.Subscription) (e *edition, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			s.log.Error("panic", "page", r.key, "panic", cause, "stack", string(debug.Stack()))
			err = errPanic
		}
	}()
	g, err := page.look(r.ctx, sub.Take())
	if err != nil {
		return nil, err
	}
	sub.Also(g.topics...)
	return g.print(r.ctx, p)
}

// tell gives all members a new edition, or says why there is none.
func (r *room) tell(e *edition, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	isFirst := r.now == nil && r.err == nil
	if r.err = err; err == nil {
		if !isFirst {
			r.recent = append(r.recent[max(0, len(r.recent)-remembered+1):], r.now.shown)
		}
		r.now = e
	}
	if isFirst {
		close(r.begun)
	}
	for news := range r.members {
		select {
		case news <- struct{}{}:
		default: // it has been woken and has not looked yet
		}
	}
}

// read is the room's newest edition, and what stood at the places before.
func (r *room) read(ctx context.Context) (*edition, []*shown, error) {
	select {
	case <-r.begun:
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.now, r.recent, r.err
}

const printerKey = "printer"

// nobody is a request like this one by a visitor who reads as the asker does:
// shared pages are made for them. Nothing of who asks is left in it.
func (s *Server) nobody(c echo.Context) echo.Context {
	r := &http.Request{Method: get, URL: &url.URL{Path: c.Request().URL.Path}, Header: http.Header{}, Host: c.Request().Host}
	n := s.echo.NewContext(r, nil)
	n.SetPath(c.Path())
	n.SetParamNames(slices.Clone(c.ParamNames())...)
	n.SetParamValues(slices.Clone(c.ParamValues())...)
	n.Set(printerKey, s.printer(c))
	return n
}

// during is a request that lasts as long as ctx.
func during(ctx context.Context, c echo.Context) echo.Context {
	c.SetRequest(c.Request().WithContext(ctx))
	return c
}
