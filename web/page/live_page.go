package page

import (
	"cmp"
	"context"
	"hash"
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
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
)

// LivePage is a page that a stream keeps up to date. News of its topics calls Look, and browsers get the
// fragments that differ from theirs.
type LivePage struct {
	Topics []string
	Every  time.Duration // interval of looks without news, for what depends on the time; 0: none
	Pause  time.Duration // least time between two looks
	Look   func(ctx context.Context, news []live.Nudge) (Snapshot, error)
}

// Snapshot is a page at a moment.
type Snapshot struct {
	// ETag names the state of the page: a browser that returns with it has these fragments, except those that are
	// Apart. If empty it is a hash of the fragments.
	ETag      string
	Fragments []Fragment
	Events    []Frame  // events for scripts, sent with each new ETag
	Over      bool     // nothing more will come
	Topics    []string // topics to follow from now on, too
	// FormVersion is the version of the tournament that forms of the fragments act on; 0: they need none. Fragments that
	// show the same are not sent again for it.
	FormVersion int64
}

// Fragment is a fragment of a page. It is sent when its ETag, or else its HTML, has changed.
type Fragment struct {
	ID    string
	What  templ.Component
	ETag  string
	Apart bool // Snapshot.ETag does not cover it
}

// rendering is a rendered snapshot. Many browsers may share it; only the cache of frames changes.
type rendering struct {
	shown     *shown
	fragments []renderedFragment
	events    []Frame
	over      bool

	mu     sync.Mutex
	frames map[diff]*Frame // cache of frame
}

type renderedFragment struct {
	id, html string
	apart    bool
}

// shown is what a browser has: the ETag of a page and the hash of each fragment.
type shown struct {
	etag string
	sums map[string]uint64
}

// diff is what a browser misses: what has changed since, and, if only its ETag is known, the fragments that are Apart.
type diff struct {
	since *shown
	apart bool
}

// render renders a snapshot.
func (g Snapshot) render(ctx context.Context, p lang.Printer) (*rendering, error) {
	e := &rendering{
		shown:  &shown{etag: g.ETag, sums: make(map[string]uint64, len(g.Fragments))},
		events: g.Events, over: g.Over, frames: map[diff]*Frame{},
	}
	all := fnv.New64a()
	for _, x := range g.Fragments {
		html, err := fragment(ctx, p, x.What)
		if err != nil {
			return nil, err
		}
		e.shown.sums[x.ID] = sumInto(all, cmp.Or(x.ETag, html))
		e.fragments = append(e.fragments, renderedFragment{x.ID, string(withShown([]byte(html), g.FormVersion)), x.Apart})
	}
	if g.ETag == "" {
		e.shown.etag = etagOf(all)
	}
	return e, nil
}

// sumInto adds the etag of a fragment to those of its page, and returns its hash.
func sumInto(all hash.Hash64, etag string) uint64 {
	sum := fnv.New64a()
	_, _ = io.WriteString(sum, etag) // a hash never fails
	_, _ = all.Write(sum.Sum(nil))
	return sum.Sum64()
}

func etagOf(all hash.Hash64) string { return strconv.FormatUint(all.Sum64(), 36) }

// Rendered returns the fragments of a page for its template, none of them to be rendered more than once, and the etag
// that the page has with them.
func Rendered(ctx context.Context, p lang.Printer, fragments []Fragment) (templates.Fragments, string, error) {
	all, placed := fnv.New64a(), templates.Fragments{}
	for _, x := range fragments {
		placed[x.ID] = x.What
		if x.ETag == "" {
			html, err := fragment(ctx, p, x.What)
			if err != nil {
				return nil, "", err
			}
			placed[x.ID], x.ETag = templ.Raw(html), html
		}
		sumInto(all, x.ETag)
	}
	return placed, etagOf(all), nil
}

// look renders a page as it is now. It reads in one transaction.
func (page LivePage) look(ctx context.Context, p lang.Printer, sub *live.Subscription) (*rendering, error) {
	reading := store.WithSnapshot(ctx)
	defer store.EndSnapshot(reading)
	g, err := page.Look(reading, sub.Take())
	if err != nil {
		return nil, err
	}
	store.EndSnapshot(reading)
	sub.Also(g.Topics...)
	return g.render(ctx, p)
}

// frame returns the frame that closes a gap; nil if there is nothing to send.
func (e *rendering) frame(g diff) *Frame {
	e.mu.Lock()
	defer e.mu.Unlock()
	if f, known := e.frames[g]; known {
		return f
	}
	var html strings.Builder
	for _, x := range e.fragments {
		if g.since == nil || g.since.sums[x.id] != e.shown.sums[x.id] || g.apart && x.apart {
			html.WriteString(x.html)
		}
	}
	var f *Frame
	if html.Len() > 0 {
		f = &Frame{ID: e.shown.etag, Event: "swap", Data: html.String()}
		f.packed = &packet{text: []byte(f.String())}
	}
	e.frames[g] = f
	return f
}

// subscriber tracks what one browser has of a live page.
type subscriber struct {
	has   *shown
	begun bool
}

// read returns what the browser misses of a rendering; last is the etag it came with, recent holds earlier states.
func (r *subscriber) read(e *rendering, last string, recent []*shown) ([]Frame, error) {
	g := diff{since: r.has}
	if !r.begun {
		r.begun = true
		known := append(slices.Clone(recent), e.shown)
		if i := slices.IndexFunc(known, func(x *shown) bool { return x.etag == last }); i >= 0 {
			g = diff{known[i], true}
		}
	}
	var frames []Frame
	if f := e.frame(g); f != nil {
		frames = append(frames, *f)
	}
	if g.since == nil || g.since.etag != e.shown.etag {
		frames = append(frames, e.events...)
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
	p, browser := s.Printer(c), &subscriber{}
	return s.Stream(c, Wakes{sub.Tell, page.Every, page.Pause}, func(ctx context.Context, last string) ([]Frame, error) {
		e, err := page.look(ctx, p, sub)
		if err != nil {
			return nil, err
		}
		return browser.read(e, last, nil)
	})
}

// Push shows one viewer the progress of what is being computed for them. It calls look at the start and at all news.
func (s *Site) Push(c echo.Context, news func(wake func()), look func() Snapshot) error {
	p, browser := s.Printer(c), &subscriber{}
	return s.Stream(c, Wakes{News: news}, func(ctx context.Context, last string) ([]Frame, error) {
		e, err := look().render(ctx, p)
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

// share streams the renderings of a room. keep runs for the room's first member.
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
	browser := &subscriber{}
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
	begun chan struct{} // closed with the first rendering or error

	mu      sync.Mutex
	members map[*stream]struct{}
	now     *rendering
	since   time.Time // when the news of the next rendering came; zero: unknown
	recent  []*shown
	err     error // why no more renderings come
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
		e, err := s.next(r, p, page, sub)
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
		r.noteNews(time.Now())
		if rest(r.ctx, page.Pause) != nil {
			return
		}
	}
}

// next returns the next rendering of a shared page. A panic ends this page only.
func (s *Site) next(r *room, p lang.Printer, page LivePage, sub *live.Subscription) (e *rendering, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			s.Log.Error("panic", "page", r.key, "panic", cause, "stack", string(debug.Stack()))
			err = ErrPanic
		}
	}()
	return page.look(r.ctx, p, sub)
}

// noteNews notes when the news of the next rendering came.
func (r *room) noteNews(at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.since = at
}

// tell gives all members a new rendering, or the reason why none comes.
func (r *room) tell(e *rendering, err error) {
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

// read returns the newest rendering and earlier states.
func (r *room) read(ctx context.Context) (*rendering, []*shown, error) {
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
