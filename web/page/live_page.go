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

// LivePage is a page that a stream keeps up to date. News of its topics calls Look, and browsers get the pieces that
// differ from theirs.
type LivePage struct {
	Topics []string
	Every  time.Duration // interval of looks without news, for what depends on the time; 0: none
	Pause  time.Duration // least time between two looks
	Look   func(ctx context.Context, news []live.Nudge) (Glance, error)
}

// Glance is a page at a moment.
type Glance struct {
	// Mark names the state of the page: a browser that returns with it has these pieces, except those with Beside.
	// If empty it is a hash of the pieces.
	Mark   string
	Pieces []Piece
	Told   []Frame  // events for scripts, sent with each new Mark
	Over   bool     // nothing more will come
	Topics []string // topics to follow from now on, too
	// Shown is the version of the tournament that forms of the pieces act on; 0: they need none. Pieces that show the
	// same are not sent again for it.
	Shown int64
}

// Piece is a fragment of a page. It is sent when its Mark, or else its HTML, has changed.
type Piece struct {
	ID     string
	What   templ.Component
	Mark   string
	Beside bool // Glance.Mark does not cover it
}

// edition is a rendered glance. Many browsers may share it; only the cache of frames changes.
type edition struct {
	shown  *shown
	pieces []printed
	told   []Frame
	over   bool

	mu     sync.Mutex
	frames map[gap]*Frame // cache of missed
}

type printed struct {
	id, html string
	beside   bool
}

// shown is what a browser has: the mark of a page and the hash of each piece.
type shown struct {
	mark string
	sums map[string]uint64
}

// gap is what a browser misses: what has changed since, and, if only its mark is known, the pieces with Beside.
type gap struct {
	since  *shown
	beside bool
}

// print renders an edition.
func (g Glance) print(ctx context.Context, p lang.Printer) (*edition, error) {
	e := &edition{
		shown: &shown{mark: g.Mark, sums: make(map[string]uint64, len(g.Pieces))},
		told:  g.Told, over: g.Over, frames: map[gap]*Frame{},
	}
	all := fnv.New64a()
	for _, x := range g.Pieces {
		html, err := fragment(ctx, p, x.What)
		if err != nil {
			return nil, err
		}
		mark := x.Mark
		if mark == "" {
			mark = html
		}
		sum := fnv.New64a()
		_, _ = io.WriteString(sum, mark) // a hash never fails
		_, _ = all.Write(sum.Sum(nil))
		e.shown.sums[x.ID] = sum.Sum64()
		e.pieces = append(e.pieces, printed{x.ID, string(withShown([]byte(html), g.Shown)), x.Beside})
	}
	if g.Mark == "" {
		e.shown.mark = strconv.FormatUint(all.Sum64(), 36)
	}
	return e, nil
}

// Place returns the mark of a page with these pieces.
func Place(ctx context.Context, p lang.Printer, pieces []Piece) (string, error) {
	e, err := Glance{Pieces: pieces}.print(ctx, p)
	if err != nil {
		return "", err
	}
	return e.shown.mark, nil
}

// missed returns the frame that closes a gap; nil if there is nothing to send.
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

// reader tracks what one browser has of a live page.
type reader struct {
	has   *shown
	begun bool
}

// read returns what the browser misses of an edition; last is the mark it came with, recent holds earlier states.
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

// Push shows one viewer the progress of what is being computed for them. It calls look at the start and at all news.
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

// Share keeps a page up to date that is the same for all requests with this key: this node looks, renders and
// compresses once for all of them. page.Look must not depend on who came first; see Nobody.
func (s *Site) Share(c echo.Context, key string, p lang.Printer, page LivePage) error {
	return share(s, c, strings.Join([]string{key, string(p.Lang), p.Zone.String(), ZoneName(p.Reader)}, " "), func(r *room) { s.keep(r, p, page) })
}

// share streams the editions of a room. keep runs for the room's first member.
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

// roomFor limits the watchers of one page on this node; others are asked to come back later. Players and staff have
// streams of their own.
const roomFor = 10_000

// remembered is the number of earlier states that a room keeps.
const remembered = 16

// room is a shared page with its watchers.
type room struct {
	key   string
	ctx   context.Context
	stop  context.CancelFunc
	begun chan struct{} // closed with the first edition or error

	mu      sync.Mutex
	members map[*stream]struct{}
	now     *edition
	since   time.Time // when the news of the next edition came; zero: unknown
	recent  []*shown
	err     error // why no more editions come
}

// rooms are the shared pages with watchers. The zero value is ready.
type rooms struct {
	mu   sync.Mutex
	open map[string]*room
}

// enter joins the room of a key and starts keep for a new one. It returns nil if the room is full.
func (rs *rooms) enter(key string, st *stream, keep func(*room)) *room {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	r := rs.open[key]
	if r == nil {
		ctx, stop := context.WithCancel(context.Background()) // outlives the first request
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

// leave removes a member, and the room with the last one.
func (rs *rooms) leave(r *room, st *stream) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.members, st)
	if len(r.members) == 0 {
		rs.drop(r)
	}
}

// EmbedRoom is the prefix of keys for matches embedded in pages of other sites.
const EmbedRoom = "embed "

// Watchers returns the number of browsers on this node that watch each match, without its players.
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

// drop closes a room. The next request opens a new one.
func (rs *rooms) drop(r *room) {
	r.stop()
	if rs.open[r.key] == r {
		delete(rs.open, r.key)
	}
}

// keep looks at a shared page until the room closes.
func (s *Site) keep(r *room, p lang.Printer, page LivePage) {
	sub := s.Live.Subscribe(r.ctx, page.Topics...)
	defer sub.Close()
	again, stop := ticks(page.Every)
	defer stop()
	for {
		e, err := s.edit(r, p, page, sub)
		r.tell(e, err)
		if err != nil || e.over {
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

// edit returns the next edition of a shared page. A panic ends this page only.
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

// came notes when the news of the next edition came.
func (r *room) came(at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.since = at
}

// tell gives all members a new edition, or the reason why none comes.
func (r *room) tell(e *edition, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	isFirst := r.now == nil && r.err == nil
	r.err = err
	if err == nil {
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

// read returns the newest edition and earlier states.
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

// Nobody returns the same request by a visitor with the viewer's language and zone, to render shared pages for. It
// holds nothing else of the viewer.
func (s *Site) Nobody(c echo.Context) echo.Context {
	r := &http.Request{Method: http.MethodGet, URL: &url.URL{Path: c.Request().URL.Path}, Header: http.Header{}, Host: c.Request().Host}
	n := c.Echo().NewContext(r, nil)
	n.SetPath(c.Path())
	n.SetParamNames(slices.Clone(c.ParamNames())...)
	n.SetParamValues(slices.Clone(c.ParamValues())...)
	n.Set(printerKey, s.Printer(c))
	return n
}

// During gives a request the context ctx.
func During(ctx context.Context, c echo.Context) echo.Context {
	c.SetRequest(c.Request().WithContext(ctx))
	return c
}

// ticks returns a ticker's channel and its stop; a nil channel for no interval.
func ticks(every time.Duration) (<-chan time.Time, func()) {
	if every <= 0 {
		return nil, func() {}
	}
	t := time.NewTicker(every)
	return t.C, t.Stop
}

// rest waits for a pause or the end of ctx.
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

// TVPace is how often results, delays and watchers are looked at.
const TVPace = 5 * time.Second
