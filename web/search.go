package web

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	homeview "chpok.org/chpok/templates/home"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament/league"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/rating"
	"chpok.org/chpok/web/words"
)

func (s *Server) searchRoutes() []page.Route {
	return []page.Route{page.Get("/search", s.search, page.Anyone)}
}

// Limits of each kind of hit: on the page of the search, and while the viewer types.
const (
	searchHits = 12
	searchTips = 5
)

// searchFacts holds what a search finds.
type searchFacts struct {
	players     []player.Player
	names       map[player.ID]string // public ones
	ratings     map[player.ID]store.Rating
	tournaments []store.TournamentLine
	clubs       []club.Club
	ladders     []store.LadderLine
	leagues     []*league.League
}

func (f *searchFacts) read(tx *store.Tx, v player.Viewer, question string, most int) (err error) {
	if err = tx.PlanOnce(); err != nil {
		return err
	}
	if f.players, _, err = tx.FindPlayers(store.PlayerQuery{Search: question, Limit: most, Few: true}); err != nil {
		return err
	}
	if f.names, err = tx.PublicNames(rating.IdsOf(f.players)...); err != nil {
		return err
	}
	if f.ratings, err = tx.Ratings(rating.IdsOf(f.players)...); err != nil {
		return err
	}
	q := store.TournamentQuery{Search: question, Drafts: v.ID, AllDrafts: v.MayOperate(), Whole: true, Limit: most}
	if f.tournaments, _, err = tx.Tournaments(q); err != nil {
		return err
	}
	if f.clubs, err = tx.FindClubs(question, most); err != nil {
		return err
	}
	if f.ladders, _, err = tx.Ladders(store.LadderQuery{For: v.ID, Search: question, Limit: most}); err != nil {
		return err
	}
	f.leagues, _, err = tx.Leagues(store.LeagueQuery{Search: question, Limit: most})
	return err
}

// search renders the page of a search, or the fragment below the search field of each page.
func (s *Server) search(c echo.Context) error {
	p, v := s.Printer(c), page.Viewer(c)
	isTip := c.Request().Header.Get("Accept") == words.FragmentType
	most := searchHits
	if isTip {
		most = searchTips
	}
	question := strings.TrimSpace(words.Shorten(c.QueryParam("q"), 60))
	view := homeview.SearchView{Question: question, Lists: searchLists(p)}
	if question != "" {
		var f searchFacts
		err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) error { return f.read(tx, v, question, most) })
		if err != nil {
			return err
		}
		view.Groups = searchGroups(p, f, question, most)
		n := 0
		for _, g := range view.Groups {
			n += len(g.Hits)
		}
		view.Count = p.N("search.count", n)
	}
	c.Response().Header().Set("Vary", "Accept")
	if isTip {
		return s.Render(c, http.StatusOK, homeview.SearchHits(view))
	}
	sh := s.Shell(c, p.T("search.title"))
	sh.Section, sh.NoIndex = "search", true
	return s.Render(c, http.StatusOK, homeview.SearchPage(sh, view))
}

func searchLists(p lang.Printer) []templates.Link {
	return []templates.Link{
		{Text: p.T("core.nav.tournaments"), URL: "/tournaments"}, {Text: p.T("core.nav.players"), URL: "/players"},
		{Text: p.T("core.nav.clubs"), URL: "/clubs"}, {Text: p.T("core.nav.ladders"), URL: "/ladders"},
		{Text: p.T("core.nav.leagues"), URL: "/leagues"},
	}
}

// searchGroups groups hits by kind. A group that may have more hits links the full list.
func searchGroups(p lang.Printer, f searchFacts, question string, most int) (groups []homeview.SearchGroup) {
	add := func(title, list string, hits []homeview.SearchHit) {
		if len(hits) == 0 {
			return
		}
		g := homeview.SearchGroup{Title: title, Hits: hits}
		if len(hits) == most && list != "" {
			g.All = list + "?q=" + url.QueryEscape(question)
		}
		groups = append(groups, g)
	}
	var hits []homeview.SearchHit
	for _, x := range f.players {
		hit := homeview.SearchHit{URL: words.PlayerURL(x.Handle), Name: words.PlayerName(p, x), Hint: f.names[x.ID]}
		if x.Bot {
			hit.Badge = p.T("core.bot")
		}
		if r := f.ratings[x.ID].Rating; r != 0 {
			hit.Figure = words.Itoa(r.Whole())
		}
		hits = append(hits, hit)
	}
	add(p.T("core.nav.players"), "/players", hits)
	hits = nil
	for _, t := range f.tournaments {
		hits = append(hits, homeview.SearchHit{URL: words.TournamentURL(t.ID), Name: p.Event(t.Name), Hint: t.Club,
			Badge: words.LineStatus(p, t)})
	}
	add(p.T("core.nav.tournaments"), "/tournaments", hits)
	hits = nil
	for _, x := range f.clubs {
		hits = append(hits, homeview.SearchHit{URL: words.ClubURL(x.ID), Name: x.Name})
	}
	add(p.T("core.nav.clubs"), "/clubs", hits)
	hits = nil
	for _, l := range f.ladders {
		hits = append(hits, homeview.SearchHit{URL: words.LadderURL(l.ID), Name: l.Name, Hint: p.N("ladder.players-count", l.Players)})
	}
	add(p.T("core.nav.ladders"), "/ladders", hits)
	hits = nil
	for _, l := range f.leagues {
		hits = append(hits, homeview.SearchHit{URL: words.LeagueURL(l.ID), Name: l.Settings.Name, Badge: p.T("league.state." + string(l.Now().State))})
	}
	add(p.T("core.nav.leagues"), "/leagues", hits)
	return groups
}
