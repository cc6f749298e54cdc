package page

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

// LivePage is what a stream keeps up to date. It is looked at when news of its
// topics comes, and a browser is sent the pieces that read otherwise than those
// it has.
type LivePage struct {
	Topics []string
	Every  time.Duration // it is looked at besides, for what the time brings; 0: at news only
	Pause  time.Duration // the rest between two looks
	Look   func(ctx context.Context, news []live.Nudge) (Glance, error)
}

// Glance is a page at a moment.
type Glance struct {
	// mark is its place: who comes back with it has these pieces, save those
	// beside it. Empty: it is made of the pieces themselves.
	Mark   string
	Pieces []Piece
	Told   []Frame  // for the page's scripts, with every new place
	Over   bool     // nothing more will come
	Topics []string // that the page follows from now on as well
}

// Piece is a fragment of a page. It is sent when its mark has changed, or
// without one when it reads otherwise than before.
type Piece struct {
	ID     string
	What   templ.Component
	Mark   string
	Beside bool // the place of the page does not tell of it
}

// edition is a glance as it is sent. Many may read it; it never changes.
type edition struct {
	shown  *shown
	pieces []printed
	told   []Frame
	over   bool

	mu     sync.Mutex
	frames map[gap]*Frame // what was sent already
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
func (g Glance) print(ctx context.Context, p lang.Printer) (*edition, error) {
	e := &edition{
		shown: &shown{mark: g.Mark, sums: make(map[string]uint64, len(g.Pieces))},
		told:  g.Told, over: g.Over, frames: map[gap]*Frame{},
	}
	all := fnv.New64a()
	for _, x := range g.Pieces {
		html, err := fragmentsAs(ctx, p, x.What)
		if err != nil {
			return nil, err
		}
		mark := x.Mark
		if mark == "" {
			mark = html
		}
		sum := fnv.New64a()
		_, _ = io.WriteString(sum, mark) // a hash takes everything
		_, _ = all.Write(sum.Sum(nil))
		e.shown.sums[x.ID] = sum.Sum64()
		e.pieces = append(e.pieces, printed{x.ID, html, x.Beside})
	}
	if g.Mark == "" {
		e.shown.mark = strconv.FormatUint(all.Sum64(), 36)
	}
	return e, nil
}

// Place is the mark of a page that is made of these pieces.
func Place(ctx context.Context, p lang.Printer, pieces []Piece) (string, error) {
	e, err := Glance{Pieces: pieces}.print(ctx, p)
	if err != nil {
		return "", err
	}
	return e.shown.mark, nil
}

// missed is the frame that closes a gap; nil: there is nothing to send.
func (e *edition) missed(g gap) *Frame {
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
	var f *Frame
	if html.Len() > 0 {
		f = &Frame{ID: e.shown.mark, Event: "swap", Data: html.String()}
		f.packed = &packet{text: []byte(f.String())}
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
func (r *reader) read(e *edition, last string, recent []*shown) ([]Frame, error) {
	g := gap{since: r.has}
	if !r.begun {
		r.begun = true
		known := append(slices.Clone(recent), e.shown)
		if i := slices.IndexFunc(known, func(x *shown) bool { return x.mark == last }); i >= 0 {
			g = gap{known[i], true}
		}
	}
	var frames []Frame
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

// Follow keeps one viewer's page up to date.
func (s *Site) Follow(c echo.Context, page LivePage) error {
	sub := s.Live.Subscribe(c.Request().Context(), page.Topics...)
	p, browser := s.Printer(c), &reader{}
	return s.Stream(c, Wakes{sub.Tell, page.Every, page.Pause}, func(ctx context.Context, last string) ([]Frame, error) {
		g, err := page.Look(ctx, sub.Take())
		if err != nil {
			return nil, err
		}
		sub.Also(g.Topics...)
		e, err := g.print(ctx, p)
		if err != nil {
			return nil, err
		}
		return browser.read(e, last, nil)
	})
}

// Push shows one viewer what is being worked out for them: look is asked at the
// start and at all news.
func (s *Site) Push(c echo.Context, news func(wake func()), look func() Glance) error {
	p, browser := s.Printer(c), &reader{}
	return s.Stream(c, Wakes{News: news}, func(ctx context.Context, last string) ([]Frame, error) {
		e, err := look().print(ctx, p)
		if err != nil {
			return nil, err
		}
		return browser.read(e, last, nil)
	})
}

// Share keeps a page up to date that reads the same for everybody who asks with
// this key: it is looked at, rendered and compressed once on this node, however
// many watch. look must know nothing of who asked first; see nobody.
func (s *Site) Share(c echo.Context, key string, p lang.Printer, page LivePage) error {
	return share(s, c, key+" "+string(p.Lang)+" "+p.Zone.String(), func(r *room) { s.keep(r, p, page) })
}

// share shows what stands in a room, which keep keeps.
func share(s *Site, c echo.Context, key string, keep func(*room)) error {
	st, err := openStream(s, c)
	if err != nil {
		return err
	}
	r := s.Rooms.enter(key, st, keep)
	if r == nil {
		st.finish()
		return TooMany(c, 30*time.Second)
	}
	st.ends = append(st.ends, func() { s.Rooms.leave(r, st) })
	browser := &reader{}
	return st.serve(c, Wakes{}, func(ctx context.Context, last string) ([]Frame, error) {
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
	members map[*stream]struct{}
	now     *edition
	since   time.Time // the news came that it tells of; zero: now
	recent  []*shown
	err     error // why there is nothing more
}

// rooms are the shared pages that somebody watches. The zero value is ready.
type rooms struct {
	mu   sync.Mutex
	open map[string]*room
}

// enter joins the room of a key; the first who comes has it kept. nil: it is full.
func (rs *rooms) enter(key string, st *stream, keep func(*room)) *room {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	r := rs.open[key]
	if r == nil {
		ctx, stop := context.WithCancel(context.Background()) // it outlives who came first
		r = &room{key: key, ctx: ctx, stop: stop, begun: make(chan struct{}), members: map[*stream]struct{}{}}
		if rs.open == nil {
			rs.open = map[string]*room{}
		}
		rs.open[key] = r
		go keep(r)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.members) >= roomFor {
		return nil
	}
	r.members[st] = struct{}{}
	return r
}

// leave takes a member out; with the last one the room is given up.
func (rs *rooms) leave(r *room, st *stream) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	if delete(r.members, st); len(r.members) == 0 {
		rs.drop(r)
	}
}

// EmbedRoom begins the key of those who watch a match inside another site's page.
const EmbedRoom = "embed "

// Watchers are how many of this node's browsers watch each match, without its
// players.
func (rs *rooms) Watchers() map[match.ID]int {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	found := map[match.ID]int{}
	for key, r := range rs.open {
		id, ok := strings.CutPrefix(key, "match ")
		if !ok {
			id, ok = strings.CutPrefix(key, EmbedRoom)
		}
		if ok {
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
func (s *Site) keep(r *room, p lang.Printer, page LivePage) {
	sub := s.Live.Subscribe(r.ctx, page.Topics...)
	defer sub.Close()
	again, stop := ticks(page.Every)
	defer stop()
	for {
		e, err := s.edit(r, p, page, sub)
		if r.tell(e, err); err != nil || e.over {
			s.Rooms.mu.Lock()
			defer s.Rooms.mu.Unlock()
			s.Rooms.drop(r)
			return
		}
		select {
		case <-sub.Ready():
		case <-again:
		case <-r.ctx.Done():
			return
		}
		r.came(time.Now())
		if rest(r.ctx, page.Pause) != nil {
			return
		}
	}
}

// edit is a shared page's next edition. A panic is this page's alone.
func (s *Site) edit(r *room, p lang.Printer, page LivePage, sub *live.Subscription) (e *edition, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			s.Log.Error("panic", "page", r.key, "panic", cause, "stack", string(debug.Stack()))
			err = ErrPanic
		}
	}()
	g, err := page.Look(r.ctx, sub.Take())
	if err != nil {
		return nil, err
	}
	sub.Also(g.Topics...)
	return g.print(r.ctx, p)
}

// came notes when the news came that the next edition tells of.
func (r *room) came(at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.since = at
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
	at := r.since
	if at.IsZero() {
		at = time.Now()
	}
	for st := range r.members {
		st.wakeFor(forNews, at)
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

// Nobody is a request like this one by a visitor who reads as the asker does:
// shared pages are made for them. Nothing of who asks is left in it.
func (s *Site) Nobody(c echo.Context) echo.Context {
	r := &http.Request{Method: http.MethodGet, URL: &url.URL{Path: c.Request().URL.Path}, Header: http.Header{}, Host: c.Request().Host}
	n := c.Echo().NewContext(r, nil)
	n.SetPath(c.Path())
	n.SetParamNames(slices.Clone(c.ParamNames())...)
	n.SetParamValues(slices.Clone(c.ParamValues())...)
	n.Set(printerKey, s.Printer(c))
	return n
}

// During is a request that lasts as long as ctx.
func During(ctx context.Context, c echo.Context) echo.Context {
	c.SetRequest(c.Request().WithContext(ctx))
	return c
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
