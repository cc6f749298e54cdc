package web

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
)

const (
	tvPlaces    = 64              // most matches on one page
	tvFinished  = 12              // of those that are over, when none is played
	resultStays = time.Minute     // a match keeps its place so long after its end
	tvPace      = 5 * time.Second // how often results, delays and watchers are looked at
	tvPause     = 500 * time.Millisecond
)

func (s *Server) tvRoutes() []route {
	return []route{
		{get, "/tv", s.tv, anyone},
		{get, "/tv/feed", s.tvFeed, anyone},
		{get, "/matches", s.finishedMatches, anyone},
	}
}

// tvFilter is which of the matches are shown.
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

// lengthOf is how long a match is at most, in a word.
func lengthOf(s match.State) string {
	switch o := s.Options(); {
	case o.BidTime > 0 || o.Envelope.Minutes[1] > 15:
		return "long"
	case o.Envelope.Minutes[1] > 5:
		return "evening"
	}
	return "quick"
}

// wall is which match stands at which place of a page of many, so that none
// moves when another one ends.
type wall struct {
	featured match.ID
	places   []match.ID
}

// walls are those of this node, by filter. The zero value is ready.
type walls struct {
	mu sync.Mutex
	of map[tvFilter]*wall
}

// seat gives every match a place: those that have one keep it, the others come
// where one is free. The featured one stays for as long as it is there.
func (ws *walls) seat(f tvFilter, ids []match.ID, best match.ID) wall {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	w := ws.of[f]
	if w == nil {
		if w = (&wall{}); ws.of == nil {
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
		if w.places[i] = ""; len(waiting) > 0 {
			w.places[i], waiting = waiting[0], waiting[1:]
		}
	}
	w.places = append(w.places, waiting[:min(len(waiting), tvPlaces-len(w.places))]...)
	for len(w.places) > 0 && w.places[len(w.places)-1] == "" {
		w.places = w.places[:len(w.places)-1]
	}
	return wall{w.featured, slices.Clone(w.places)}
}

// watchable are the matches that watchers see being played, or that ended
// before their eyes a moment ago.
func (s *Server) watchable(ctx context.Context) ([]live.View, error) {
	now := s.now()
	var heads []store.Head
	err := s.store.Read(ctx, func(tx *store.Tx) (err error) {
		heads, err = tx.WatchableMatches(now.Add(-resultStays), 2*tvPlaces)
		return err
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

// finished are the latest matches that watchers have seen to the end.
func (s *Server) finished(ctx context.Context, most int) ([]live.View, error) {
	var heads []store.Head
	err := s.store.Read(ctx, func(tx *store.Tx) (err error) {
		heads, err = tx.FinishedMatches(2 * most)
		return err
	})
	if err != nil {
		return nil, err
	}
	views, err := s.viewsOf(ctx, heads, func(v live.View) bool { return v.State.Status() == match.Over && !v.State.StartedAt().IsZero() })
	return views[:min(len(views), most)], err
}

// viewsOf are matches as a watcher sees them, those that are let. One whose log is
// broken is left out: the others go on.
func (s *Server) viewsOf(ctx context.Context, heads []store.Head, let func(live.View) bool) ([]live.View, error) {
	var out []live.View
	for _, h := range heads {
		v, err := s.live.View(ctx, h.ID, nil)
		switch {
		case errors.Is(err, match.ErrLog):
			s.log.Error("match not shown", "match", h.ID, "err", err)
		case err != nil:
			return nil, err
		case let(v):
			out = append(out, v)
		}
	}
	return out, nil
}

// appeal is how much a match is worth watching: how strong they are, how close it is.
func (a around) appeal(v live.View) float64 {
	strength := 0.0
	for _, id := range v.Head.Players {
		if r, ok := a.ratings[id]; ok {
			strength += float64(r.Rating.Whole()) / 2
		} else {
			strength += 500
		}
	}
	closeness := 0.5 // nobody leads in the bidding
	if g := v.State.Game(); g.OnBoard() {
		points := g.Points()
		lead := points[0] - points[1]
		closeness = 1 / (1 + float64(max(lead, -lead))/10)
	}
	if v.State.Status() == match.Over {
		closeness /= 10
	}
	return strength * closeness
}

// tvView is the page of what is played, as everybody sees it.
func (s *Server) tvView(ctx context.Context, p lang.Printer, f tvFilter) (v matchview.TVView, err error) {
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
	var a around
	err = s.store.Read(ctx, func(tx *store.Tx) (err error) {
		a, err = readAround(tx, shown)
		return err
	})
	if err != nil {
		return v, err
	}
	s.hang(p, &v, a, shown, wallOf)
	return v, nil
}

// hang gives matches their places on the page.
func (s *Server) hang(p lang.Printer, v *matchview.TVView, a around, shown []live.View, f tvFilter) {
	byID, ids := map[match.ID]live.View{}, make([]match.ID, len(shown))
	var best match.ID
	for i, one := range shown {
		ids[i] = one.Head.ID
		if byID[one.Head.ID] = one; best == "" || a.appeal(one) > a.appeal(byID[best]) {
			best = one.Head.ID
		}
	}
	w, watchers, now := s.walls.seat(f, ids, best), s.rooms.watchers(), s.now()
	card := func(place string, id match.ID) boardview.LiveView {
		one, ok := byID[id]
		if !ok {
			return boardview.LiveView{ID: place}
		}
		return viewLive(p, place, a.frame(p, one), one, now, watchers[id])
	}
	v.Featured = card("tv-featured", w.featured)
	for i := range tvPlaces {
		var id match.ID
		if i < len(w.places) {
			id = w.places[i]
		}
		v.Cards = append(v.Cards, card("tv-"+itoa(i+1), id))
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

// tvPieces are the parts of the page that change.
func tvPieces(v matchview.TVView) []piece {
	list := []piece{
		{id: "tv-filters", what: matchview.TVFiltersFragment(v.Filters)},
		{id: "tv-note", what: matchview.TVNote(v.Note)},
		{id: v.Featured.ID, what: boardview.LiveFeatured(v.Featured), mark: liveMark(v.Featured)},
	}
	for _, card := range v.Cards {
		list = append(list, piece{id: card.ID, what: boardview.LiveCard(card), mark: liveMark(card)})
	}
	return list
}

func (s *Server) tv(c echo.Context) error {
	ctx, p, f := c.Request().Context(), s.printer(c), tvFilterOf(c)
	v, err := s.tvView(ctx, p, f)
	if err != nil {
		return err
	}
	mark, err := place(ctx, p, tvPieces(v))
	if err != nil {
		return err
	}
	sh := s.shell(c, p.T("tv.title"))
	sh.Section, sh.Styles, sh.Scripts = "watch", []string{"board.css", "live.css"}, []string{"live.js"}
	sh.Feed = f.url("/tv/feed")
	joint := "?"
	if strings.Contains(sh.Feed, joint) {
		joint = "&"
	}
	sh.Feed += joint + "last=" + mark
	return s.render(c, http.StatusOK, matchview.TVPage(sh, v))
}

// tvFeed keeps all matches of the page up to date by one stream.
func (s *Server) tvFeed(c echo.Context) error {
	p, f := s.printer(c), tvFilterOf(c)
	p.Zone = time.UTC // no time of day is on it, so it is one page for all zones
	page := livePage{topics: []string{live.AnyMatch}, every: tvPace, pause: tvPause}
	page.look = func(ctx context.Context, _ []live.Nudge) (glance, error) {
		v, err := s.tvView(ctx, p, f)
		return glance{pieces: tvPieces(v)}, err
	}
	return s.share(c, "tv "+f.show+" "+f.length, p, page)
}

// finishedMatches are the latest of those that are over.
func (s *Server) finishedMatches(c echo.Context) error {
	ctx, p, f := c.Request().Context(), s.printer(c), tvFilterOf(c)
	f.show = tvShows[0]
	all, err := s.finished(ctx, tvPlaces)
	if err != nil {
		return err
	}
	v := matchview.TVView{}
	var a around
	shown := slices.DeleteFunc(slices.Clone(all), func(v live.View) bool { return !f.lets(v.State) })
	err = s.store.Read(ctx, func(tx *store.Tx) (err error) {
		a, err = readAround(tx, shown)
		return err
	})
	if err != nil {
		return err
	}
	v.Featured.ID = "tv-featured"
	for i, one := range shown {
		v.Cards = append(v.Cards, viewLive(p, "tv-"+itoa(i+1), a.frame(p, one), one, s.now(), 0))
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
	sh := s.shell(c, p.T("tv.finished.title"))
	sh.Section, sh.Styles, sh.Scripts = "watch", []string{"board.css", "live.css"}, []string{"live.js"}
	return s.render(c, http.StatusOK, matchview.TVPage(sh, v))
}
