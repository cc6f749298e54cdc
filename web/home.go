package web

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/house"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	accountview "chpok.org/chpok/templates/account"
	homeview "chpok.org/chpok/templates/home"
	"chpok.org/chpok/templates/lang"
	playview "chpok.org/chpok/templates/play"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/account"
	"chpok.org/chpok/web/learn"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s *Server) homeRoutes() []page.Route {
	return []page.Route{
		page.Get("/", s.home, page.Anyone),
		page.Get("/feed", s.homeFeed, page.Players),
		page.Get("/home/board/:id/feed", s.homeBoardFeed, page.Anyone),
	}
}

// Limits of the lists on the home page.
const (
	homeMatches     = 8
	homeTournaments = 6
)

// hostURL is where a viewer begins to host an event; empty for those who may not.
func hostURL(tx *store.Tx, v player.Viewer) (string, error) {
	const form = "/tournaments/new"
	if !v.HasAccount() {
		return "/sign-up?return=" + form, nil
	}
	clubs, err := words.HeldClubs(tx, v)
	if err != nil || !v.MayCreateTournament() && len(clubs) == 0 {
		return "", err
	}
	return form, nil
}

func (s *Server) home(c echo.Context) error {
	ctx, v, p, now := c.Request().Context(), page.Viewer(c), s.Printer(c), s.Now()
	if !v.IsSignedIn() {
		needed, err := s.NeedsSetup(ctx)
		if err != nil {
			return err
		}
		if needed {
			return s.Redirect(c, "/setup", "")
		}
	}
	view := homeview.HomeView{IsSignedIn: v.HasAccount()}
	var running []store.Head
	var shown match.ID
	err := s.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if view.Host, err = hostURL(tx, v); err != nil {
			return err
		}
		if err := homeEvents(tx, p, now, &view); err != nil {
			return err
		}
		running, err = homeRunning(tx, p, v, now, &view)
		return err
	})
	if err != nil {
		return err
	}
	if !view.IsSignedIn {
		if view.Board, shown, err = s.homeBoard(ctx, p, running); err != nil {
			return err
		}
		if n := len(view.Live); n > 0 {
			view.Now = p.N("home.now", n)
		}
		view.Guest, view.Summary = v.Guest, learn.Summary(p)
	} else {
		var mine []store.Head
		if view.Own, mine, err = s.ownHome(ctx, p, v); err != nil {
			return err
		}
		if view.Back, err = s.backHome(ctx, p, v, mine); err != nil {
			return err
		}
		view.Events = slices.DeleteFunc(view.Events, func(t templates.TournamentCard) bool { return t.URL == view.Own.Next.URL })
		if len(view.Events) == 0 {
			for _, b := range house.Bots() {
				view.Bots = append(view.Bots, homeview.HomeBot{URL: words.WithQuery("/play", "bot", string(b.Handle)), Name: p.T(b.NameKey()),
					Face: string(b.Face)})
			}
		}
		if view.Own.Next.Idle && len(view.Own.Mine) == 0 { // nothing to do: show what others play, or have played
			if view.Board, shown, err = s.homeBoard(ctx, p, running); err != nil {
				return err
			}
		}
	}
	sh := s.Shell(c, p.T("home.title"))
	sh.Section, sh.Styles = "home", []string{"board.css", "live.css", "home.css", "notice.css", "rules.css"}
	sh.Scripts = []string{"home.js", "live.js"}
	sh.Card = s.LinkCard(c, p, templates.Card{Title: p.T("home.hero"), Text: p.T("home.lead"), URL: "/", Picture: "/picture.png"})
	switch {
	case v.HasAccount() && shown != "":
		sh.Feed = "/feed?board=" + string(shown)
	case v.HasAccount():
		sh.Feed = "/feed"
	case shown != "":
		sh.Feed = "/home/board/" + string(shown) + "/feed"
	}
	return s.Render(c, http.StatusOK, homeview.HomePage(sh, view))
}

// homeEvents fills in the tournaments: running, open, then over.
func homeEvents(tx *store.Tx, p lang.Printer, now time.Time, view *homeview.HomeView) error {
	over := []tournament.Status{tournament.Finished, tournament.Finalized}
	for _, statuses := range [][]tournament.Status{{tournament.Running}, {tournament.Registration}, over} {
		lines, _, err := tx.Tournaments(store.TournamentQuery{Statuses: statuses, Whole: true, Limit: homeTournaments / 2})
		if err != nil {
			return err
		}
		for _, t := range lines[:min(len(lines), homeTournaments-len(view.Events))] {
			view.Events = append(view.Events, words.TournamentLine(p, t, now))
		}
	}
	return nil
}

// homeRunning fills in and returns the matches of others to watch, and fills in the running match of a guest.
func homeRunning(tx *store.Tx, p lang.Printer, v player.Viewer, now time.Time, view *homeview.HomeView) (watched []store.Head, err error) {
	all, err := tx.WatchableMatches(now, homeMatches)
	if err != nil {
		return nil, err
	}
	for _, h := range all[:min(len(all), homeMatches)] {
		if h.SeatOf(v.ID) == 0 {
			watched = append(watched, h)
		}
	}
	if view.Live, err = page.LiveLines(tx, p, watched); err != nil {
		return nil, err
	}
	if v.Guest {
		mine, err := tx.MatchesOf(v.ID, 1)
		if err != nil {
			return nil, err
		}
		if len(mine) > 0 && mine[0].Status != match.Over {
			view.Continue = words.MatchURL(mine[0].ID)
		}
	}
	return watched, nil
}

// homeNotices limits the unread notices on the home page.
const homeNotices = 5

// newNotices returns the newest unread notices, except those about what the page shows anyway: standing, and how matches
// ended, which is beside their boards. A day of play would fill the list with results.
func newNotices(tx *store.Tx, p lang.Printer, v player.Viewer, now time.Time, standing []string) ([]accountview.NoticeLine, error) {
	list, _, err := tx.Notices(store.NoticeQuery{Player: v.ID, Unread: true, Except: notice.Result, Now: now, Limit: homeNotices})
	list = slices.DeleteFunc(list, func(n store.Told) bool { return slices.Contains(standing, n.URL) })
	return account.NoticeLines(p, list, now), err
}

// homeFeed streams the viewer's parts of the home page, and the match of others that it shows.
func (s *Server) homeFeed(c echo.Context) error {
	v, p := page.Viewer(c), s.Printer(c)
	feed := page.LivePage{Topics: []string{live.PlayerTopic(v.ID)}}
	board := func(context.Context, []live.Nudge) (g page.Snapshot, err error) { return g, nil }
	id := match.ID(c.QueryParam("board"))
	if id != "" {
		of, err := s.outside.Following(c.Request().Context(), p, id, homeBoardPlace, false)
		if err != nil {
			return err
		}
		feed.Topics, feed.Every, board = append(feed.Topics, of.Topics...), of.Every, of.Look
	}
	isOwn := func(n live.Nudge) bool { return id == "" || n.Topic != live.MatchTopic(id) }
	var own []page.Fragment // read anew only after news about the viewer
	feed.Look = func(ctx context.Context, news []live.Nudge) (g page.Snapshot, err error) {
		if g, err = board(ctx, news); err != nil {
			return g, err
		}
		if own == nil || len(news) == 0 || slices.ContainsFunc(news, isOwn) {
			if own, err = s.ownFragments(ctx, p, v); err != nil {
				return g, err
			}
		}
		g.Fragments = append(g.Fragments, own...)
		return g, nil
	}
	return s.Follow(c, feed)
}

// ownFragments renders the viewer's parts of the home page.
func (s *Server) ownFragments(ctx context.Context, p lang.Printer, v player.Viewer) ([]page.Fragment, error) {
	own, _, err := s.ownHome(ctx, p, v)
	return []page.Fragment{
		{ID: "next", What: homeview.HomeNext(own.Next, own.Setup != nil && !own.Setup.InUse)},
		{ID: "staff", What: homeview.HomeStaff(own.Staff)},
		{ID: "mine", What: homeview.HomeMine(own.Mine), ETag: liveMarks(own.Mine)},
		{ID: "challenges", What: playview.HomeChallenges(own.Challenges)},
		{ID: "duties", What: homeview.HomeDuties(own.Duties)}, {ID: "notices", What: homeview.HomeNotices(own.Notices)},
		{ID: "friends", What: homeview.HomeFriends(own.Friends)},
	}, err
}
