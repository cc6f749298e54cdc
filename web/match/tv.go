package match

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/store"
	boardview "chpok.org/chpok/templates/board"
	"chpok.org/chpok/templates/lang"
	matchview "chpok.org/chpok/templates/match"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/scene"
	"chpok.org/chpok/web/words"
)

const (
	tvPlaces    = 64          // most matches on a page
	tvFinished  = 12          // finished matches, if none is running
	tvFew       = 4           // most running matches beside which finished ones are shown
	tvLast      = 6           // finished matches beside those
	resultStays = time.Minute // how long a match keeps its place after its end
	tvPause     = time.Second // least time between two looks
)

func (s tv) tvRoutes() []page.Route {
	return []page.Route{
		page.Get("/tv", s.tv, page.Anyone),
		page.Get("/tv/feed", s.tvFeed, page.Anyone),
		page.Get("/matches", s.finishedMatches, page.Anyone),
	}
}

// tvFilter selects the matches to show.
type tvFilter struct{ show, length string }

var (
	tvShows   = []string{"all", "bidding", "board"}
	tvLengths = []string{"any", "quick", "evening", "long"}
)

func tvFilterOf(c echo.Context) tvFilter {
	f := tvFilter{c.QueryParam("show"), c.QueryParam("length")}
	if !slices.Contains(tvShows, f.show) {
		f.show = tvShows[0]
	}
	if !slices.Contains(tvLengths, f.length) {
		f.length = tvLengths[0]
	}
	return f
}

func (f tvFilter) url(path string) string {
	q := url.Values{}
	if f.show != tvShows[0] {
		q.Set("show", f.show)
	}
	if f.length != tvLengths[0] {
		q.Set("length", f.length)
	}
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

func (f tvFilter) lets(s match.State) bool {
	return (f.show == "all" || (f.show == "board") == s.Game().OnBoard()) && (f.length == "any" || f.length == lengthOf(s))
}

// lengthOf returns the word for how long a match can last.
func lengthOf(s match.State) string {
	switch o := s.Options(); {
	case o.BidTime > 0 || o.Envelope.Minutes[1] > 15:
		return "long"
	case o.Envelope.Minutes[1] > 5:
		return "evening"
	}
	return "quick"
}

// wall holds the places of matches on a page, so that none moves when another one ends.
type wall struct {
	featured match.ID
	places   []match.ID
}

// walls are the walls of this node by filter. The zero value is ready.
type walls struct {
	mu sync.Mutex
	of map[tvFilter]*wall
}

// seat gives each match a place: those that have one keep it, the others take free ones. The featured match stays as
// long as it is among ids.
func (ws *walls) seat(f tvFilter, ids []match.ID, best match.ID) wall {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	w := ws.of[f]
	if w == nil {
		w = (&wall{})
		if ws.of == nil {
			ws.of = map[tvFilter]*wall{}
		}
		ws.of[f] = w
	}
	if !slices.Contains(ids, w.featured) {
		w.featured = best
	}
	var waiting []match.ID
	for _, id := range ids {
		if id != w.featured && !slices.Contains(w.places, id) {
			waiting = append(waiting, id)
		}
	}
	for i, id := range w.places {
		if id != w.featured && slices.Contains(ids, id) {
			continue
		}
		w.places[i] = ""
		if len(waiting) > 0 {
			w.places[i], waiting = waiting[0], waiting[1:]
		}
	}
	w.places = append(w.places, waiting[:min(len(waiting), tvPlaces-len(w.places))]...)
	for len(w.places) > 0 && w.places[len(w.places)-1] == "" {
		w.places = w.places[:len(w.places)-1]
	}
	return wall{w.featured, slices.Clone(w.places)}
}

// watchable returns the matches that watchers see running, or saw end a moment ago.
func (s tv) watchable(ctx context.Context) ([]live.View, error) {
	now := s.Now()
	heads, err := store.Get(ctx, s.Store, func(tx *store.Tx) ([]store.Head, error) {
		return tx.WatchableMatches(now.Add(-resultStays), 2*tvPlaces)
	})
	if err != nil {
		return nil, err
	}
	return s.viewsOf(ctx, heads, func(v live.View) bool {
		if v.State.StartedAt().IsZero() || v.State.Status() == match.Waiting {
			return false
		}
		return v.State.Status() != match.Over || now.Sub(v.Head.Feed.Until(v.State.EndedAt())) < resultStays
	})
}

// finished returns the latest matches that watchers have seen to the end.
func (s tv) finished(ctx context.Context, most int) ([]live.View, error) {
	heads, err := store.Get(ctx, s.Store, func(tx *store.Tx) ([]store.Head, error) { return tx.FinishedMatches(2 * most) })
	if err != nil {
		return nil, err
	}
	views, err := s.viewsOf(ctx, heads, func(v live.View) bool { return v.State.Status() == match.Over && !v.State.StartedAt().IsZero() })
	return views[:min(len(views), most)], err
}

// viewsOf returns matches as a watcher sees them, filtered by let. It leaves out a match with a broken log, so that
// the others can be shown.
func (s tv) viewsOf(ctx context.Context, heads []store.Head, let func(live.View) bool) ([]live.View, error) {
	var out []live.View
	for _, h := range heads {
		v, err := s.Live.View(ctx, h.ID, nil)
		switch {
		case errors.Is(err, match.ErrLog):
			s.Log.Error("match not shown", "match", h.ID, "err", err)
		case err != nil:
			return nil, err
		case let(v):
			out = append(out, v)
		}
	}
	return out, nil
}

// tvView returns the page of running matches, the same for all viewers.
func (s tv) tvView(ctx context.Context, p lang.Printer, f tvFilter) (v matchview.TVView, err error) {
	all, err := s.watchable(ctx)
	if err != nil {
		return v, err
	}
	v.Filters = tvFilters(p, f, all)
	shown := slices.DeleteFunc(slices.Clone(all), func(v live.View) bool { return !f.lets(v.State) })
	wallOf := f
	if len(shown) == 0 {
		v.Note = p.T("tv.none-such")
		if f == (tvFilter{tvShows[0], tvLengths[0]}) {
			wallOf.show, v.Note = "finished", p.T("tv.none")
			if shown, err = s.finished(ctx, tvFinished+1); err != nil {
				return v, err
			}
			if len(shown) == 0 {
				v.Note = p.T("tv.nothing")
			}
		}
	}
	var last []live.View
	if v.Note == "" && len(shown) <= tvFew && f == (tvFilter{tvShows[0], tvLengths[0]}) {
		if last, err = s.lastBefore(ctx, shown); err != nil {
			return v, err
		}
	}
	a, err := store.Get(ctx, s.Store, func(tx *store.Tx) (scene.Around, error) { return scene.ReadAround(tx, slices.Concat(shown, last)) })
	if err != nil {
		return v, err
	}
	s.hang(p, &v, a, shown, wallOf)
	for _, one := range last {
		v.Last = append(v.Last, scene.ViewLive(p, "tv-last-"+string(one.Head.ID), a.Frame(p, one), one, s.Now(), 0))
	}
	return v, nil
}

// lastBefore returns the latest finished matches besides those shown.
func (s tv) lastBefore(ctx context.Context, shown []live.View) ([]live.View, error) {
	list, err := s.finished(ctx, tvLast+len(shown))
	list = slices.DeleteFunc(list, func(x live.View) bool {
		return slices.ContainsFunc(shown, func(y live.View) bool { return x.Head.ID == y.Head.ID })
	})
	return list[:min(len(list), tvLast)], err
}

// hang puts matches at their places on the page.
func (s tv) hang(p lang.Printer, v *matchview.TVView, a scene.Around, shown []live.View, f tvFilter) {
	byID, ids := map[match.ID]live.View{}, make([]match.ID, len(shown))
	var best match.ID
	for i, one := range shown {
		ids[i] = one.Head.ID
		byID[one.Head.ID] = one
		if best == "" || a.Appeal(one) > a.Appeal(byID[best]) {
			best = one.Head.ID
		}
	}
	w, watchers, now := s.walls.seat(f, ids, best), s.Rooms.Watchers(), s.Now()
	card := func(place string, id match.ID) boardview.LiveView {
		one, ok := byID[id]
		if !ok {
			return boardview.LiveView{ID: place}
		}
		return scene.ViewLive(p, place, a.Frame(p, one), one, now, watchers[id])
	}
	v.Featured = card("tv-featured", w.featured)
	for i := range tvPlaces {
		var id match.ID
		if i < len(w.places) {
			id = w.places[i]
		}
		v.Cards = append(v.Cards, card("tv-"+words.Itoa(i+1), id))
	}
}

func tvFilters(p lang.Printer, f tvFilter, all []live.View) (v matchview.TVFilters) {
	add := func(list *[]matchview.TVFilter, g tvFilter, key string) {
		n := 0
		for _, one := range all {
			if g.lets(one.State) && one.State.Status() != match.Over {
				n++
			}
		}
		*list = append(*list, matchview.TVFilter{URL: g.url("/tv"), Text: p.T(key), Count: p.Int(n), Chosen: g == f})
	}
	for _, show := range tvShows {
		add(&v.Shows, tvFilter{show, f.length}, "tv.show."+show)
	}
	v.Shows = append(v.Shows, matchview.TVFilter{URL: tvFilter{tvShows[0], f.length}.url("/matches"), Text: p.T("tv.show.finished")})
	for _, length := range tvLengths {
		add(&v.Lengths, tvFilter{f.show, length}, "tv.length."+length)
	}
	return v
}

// tvFragments renders the parts of the page that change.
func tvFragments(v matchview.TVView) []page.Fragment {
	list := []page.Fragment{
		{ID: "tv-filters", What: matchview.TVFiltersFragment(v.Filters)},
		{ID: "tv-note", What: matchview.TVNote(v.Note)},
		{ID: v.Featured.ID, What: boardview.LiveFeatured(v.Featured), ETag: scene.LiveMark(v.Featured)},
	}
	for _, card := range v.Cards {
		list = append(list, page.Fragment{ID: card.ID, What: boardview.LiveCard(card), ETag: scene.LiveMark(card)})
	}
	last := page.Fragment{ID: "tv-last", What: matchview.TVLast(v.Last)}
	for _, card := range v.Last {
		last.ETag += card.URL + " "
	}
	return append(list, last)
}

func (s tv) tv(c echo.Context) error {
	ctx, p, f := c.Request().Context(), s.Printer(c), tvFilterOf(c)
	v, err := s.tvView(ctx, p, f)
	if err != nil {
		return err
	}
	_, mark, err := page.Rendered(ctx, p, tvFragments(v))
	if err != nil {
		return err
	}
	sh := s.Shell(c, p.T("tv.title"))
	sh.Section, sh.Styles, sh.Scripts = "watch", []string{"board.css", "live.css"}, []string{"live.js"}
	sh.Feed = f.url("/tv/feed")
	joint := "?"
	if strings.Contains(sh.Feed, joint) {
		joint = "&"
	}
	sh.Feed += joint + "last=" + mark
	return s.Render(c, http.StatusOK, matchview.TVPage(sh, v))
}

// tvFeed streams all matches of the page.
func (s tv) tvFeed(c echo.Context) error {
	p, f := s.Printer(c), tvFilterOf(c)
	p.Zone = time.UTC // the page shows no time of day, so all zones share it
	sheet := page.LivePage{Topics: []string{live.AnyMatch}, Every: page.TVPace, Pause: tvPause}
	sheet.Look = func(ctx context.Context, _ []live.Nudge) (page.Snapshot, error) {
		v, err := s.tvView(ctx, p, f)
		return page.Snapshot{Fragments: tvFragments(v)}, err
	}
	return s.Share(c, "tv "+f.show+" "+f.length, p, sheet)
}

// finishedMatches renders the page of the latest finished matches.
func (s tv) finishedMatches(c echo.Context) error {
	ctx, p, f := c.Request().Context(), s.Printer(c), tvFilterOf(c)
	f.show = tvShows[0]
	all, err := s.finished(ctx, tvPlaces)
	if err != nil {
		return err
	}
	v := matchview.TVView{}
	shown := slices.DeleteFunc(slices.Clone(all), func(v live.View) bool { return !f.lets(v.State) })
	a, err := store.Get(ctx, s.Store, func(tx *store.Tx) (scene.Around, error) { return scene.ReadAround(tx, shown) })
	if err != nil {
		return err
	}
	v.Featured.ID = "tv-featured"
	for i, one := range shown {
		card := scene.ViewLive(p, "tv-"+words.Itoa(i+1), a.Frame(p, one), one, s.Now(), 0)
		card.Line, card.Later = card.Where, p.Day(one.State.EndedAt()) // the winner is bold
		v.Cards = append(v.Cards, card)
	}
	v.Filters.Shows = []matchview.TVFilter{
		{URL: f.url("/tv"), Text: p.T("tv.show.all")}, {URL: f.url("/matches"), Text: p.T("tv.show.finished"), Chosen: true},
	}
	for _, length := range tvLengths {
		v.Filters.Lengths = append(v.Filters.Lengths, matchview.TVFilter{
			URL: tvFilter{f.show, length}.url("/matches"), Text: p.T("tv.length." + length), Chosen: length == f.length,
		})
	}
	if len(shown) == 0 {
		v.Note = p.T("tv.none-such")
	}
	sh := s.Shell(c, p.T("tv.finished.title"))
	sh.Section, sh.Styles, sh.Scripts = "watch", []string{"board.css", "live.css"}, []string{"live.js"}
	return s.Render(c, http.StatusOK, matchview.TVPage(sh, v))
}
