package web

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	accountview "chpok.org/chpok/templates/account"
	homeview "chpok.org/chpok/templates/home"
	"chpok.org/chpok/templates/lang"
	playview "chpok.org/chpok/templates/play"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/account"
	"chpok.org/chpok/web/ladder"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/play"
	"chpok.org/chpok/web/rating"
	"chpok.org/chpok/web/words"
)

func (s *Server) homeRoutes() []page.Route {
	return []page.Route{
		page.Get("/", s.home, page.Anyone),
		page.Get("/feed", s.homeFeed, page.Players),
		page.Get("/home/board/:id/feed", s.homeBoardFeed, page.Anyone),
	}
}

// How much of each the home page shows.
const (
	homeMatches     = 8
	homeTournaments = 6
)

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
	view := homeview.HomeView{IsSignedIn: v.HasAccount(), MayCreate: v.MayCreateTournament(), Host: "/sign-up?return=/tournaments/new"}
	var running []store.Head
	err := s.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if err := homeEvents(tx, p, now, &view); err != nil {
			return err
		}
		if err := homeOwn(tx, p, v, now, &view); err != nil {
			return err
		}
		running, err = homeRunning(tx, p, v, now, &view)
		return err
	})
	if err != nil {
		return err
	}
	if !view.IsSignedIn {
		names := make(map[match.ID][2]string, len(running))
		for i, line := range view.Live {
			names[running[i].ID] = [2]string{line.First, line.Second}
		}
		if view.Board, err = s.homeBoard(ctx, p, running, names); err != nil {
			return err
		}
		view.Now = p.T("home.now", "N", len(view.Live))
		if len(view.Mine) > 0 {
			view.Continue = view.Mine[0].URL
		}
	}
	sh := s.Shell(c, p.T("home.title"))
	sh.Section, sh.Styles = "home", []string{"board.css", "home.css", "notice.css"}
	sh.Scripts = []string{"home.js"}
	sh.Card = s.LinkCard(c, p, p.T("home.hero"), p.T("home.lead"), "/", "/picture.png")
	switch {
	case v.HasAccount():
		sh.Feed = "/feed"
	case view.Board.IsLive:
		sh.Feed = "/home/board/" + view.Board.Topic + "/feed"
	}
	return s.Render(c, http.StatusOK, homeview.HomePage(sh, view))
}

// homeEvents are the tournaments on the home page.
func homeEvents(tx *store.Tx, p lang.Printer, now time.Time, view *homeview.HomeView) error {
	for _, part := range []struct {
		into     *[]templates.TournamentCard
		statuses []tournament.Status
	}{
		{&view.Running, []tournament.Status{tournament.Running}},
		{&view.Open, []tournament.Status{tournament.Registration}},
		{&view.Finished, []tournament.Status{tournament.Finished, tournament.Finalized}},
	} {
		lines, _, err := tx.Tournaments(store.TournamentQuery{Statuses: part.statuses, Limit: homeTournaments})
		if err != nil {
			return err
		}
		for _, t := range lines {
			*part.into = append(*part.into, words.TournamentLine(p, t, now))
		}
	}
	return nil
}

// homeOwn is what waits for somebody who is signed in, but for his matches.
func homeOwn(tx *store.Tx, p lang.Printer, v player.Viewer, now time.Time, view *homeview.HomeView) (err error) {
	if !v.HasAccount() {
		return nil
	}
	if view.Ladders, err = ladder.Duties(tx, p, v, now); err != nil {
		return err
	}
	if view.Challenges, err = play.ChallengeLines(tx, p, v, now); err != nil {
		return err
	}
	if view.Duties, err = duties(tx, p, v, now); err != nil {
		return err
	}
	if view.Setup, err = setupSteps(tx, p, v); err != nil {
		return err
	}
	if view.Friends, err = account.FriendsLines(tx, p, v, homeMatches); err != nil {
		return err
	}
	view.Notices, err = newNotices(tx, p, v, now)
	return err
}

// setupSteps is what makes a new site ready, for its operator; none once it is.
func setupSteps(tx *store.Tx, p lang.Printer, v player.Viewer) ([]homeview.SetupStep, error) {
	if !v.MayOperate() {
		return nil, nil
	}
	_, events, err := tx.Tournaments(store.TournamentQuery{Limit: 1})
	if err != nil || events > 0 {
		return nil, err
	}
	bots, err := tx.Bots()
	if err != nil {
		return nil, err
	}
	memberships, err := tx.Memberships(v.ID)
	step := func(key, url string, done bool) homeview.SetupStep {
		return homeview.SetupStep{Title: p.T("home.setup." + key), Text: p.T("home.setup." + key + ".text"),
			Do: p.T("home.setup." + key + ".do"), URL: url, Done: done}
	}
	return []homeview.SetupStep{
		step("account", "", true), step("bots", "/play", len(bots) > 0),
		step("club", "/clubs/new", len(memberships) > 0), step("event", "/tournaments/new", false),
	}, err
}

// homeRunning are the viewer's matches, and those that they may watch, which it answers.
func homeRunning(tx *store.Tx, p lang.Printer, v player.Viewer, now time.Time, view *homeview.HomeView) (watched []store.Head, err error) {
	all, err := tx.WatchableMatches(now, homeMatches)
	if err != nil {
		return nil, err
	}
	all = all[:min(len(all), homeMatches)]
	var mine []store.Head
	if v.IsSignedIn() {
		if mine, err = tx.MatchesOf(v.ID, homeMatches); err != nil {
			return nil, err
		}
	}
	var ids []player.ID
	for _, h := range slices.Concat(mine, all) {
		ids = append(ids, h.Players[0], h.Players[1])
	}
	who, err := tx.Players(ids...)
	view.Mine = runningLines(p, v.ID, mine, who, now)
	for _, h := range all {
		if h.SeatOf(v.ID) == 0 {
			view.Live, watched = append(view.Live, page.LiveLine(p, h, who)), append(watched, h)
		}
	}
	return watched, err
}

// homeNotices is how many of the new notices the home page shows.
const homeNotices = 5

func newNotices(tx *store.Tx, p lang.Printer, v player.Viewer, now time.Time) ([]accountview.NoticeLine, error) {
	list, _, err := tx.Notices(store.NoticeQuery{Player: v.ID, Unread: true, Limit: homeNotices})
	return account.NoticeLines(p, list, now), err
}

// runningLines are those of somebody's matches that are not over: those that
// wait for him first, and of these the one whose time is over first.
func runningLines(p lang.Printer, of player.ID, heads []store.Head, who map[player.ID]player.Player, now time.Time) []templates.MatchLine {
	heads = slices.DeleteFunc(slices.Clone(heads), func(h store.Head) bool { return h.Status == match.Over })
	slices.SortStableFunc(heads, func(a, b store.Head) int {
		if aWaits, bWaits := a.WaitsFor(of), b.WaitsFor(of); aWaits != bWaits {
			if aWaits {
				return -1
			}
			return 1
		}
		return a.Deadline.Compare(b.Deadline)
	})
	var out []templates.MatchLine
	for _, h := range heads {
		line := rating.MatchLine(p, of, h, who, nil, now)
		if line.Waits && h.Deadline.Sub(now) > time.Hour { // nearer ones run on the board's own clock
			line.Date, line.Stamp = p.T("place.until", "When", p.Moment(h.Deadline)), p.Stamp(h.Deadline)
		}
		out = append(out, line)
	}
	return out
}

// homeFeed pushes the viewer's own matches when one of them begins, waits for
// him or ends, and his challenges.
func (s *Server) homeFeed(c echo.Context) error {
	v := page.Viewer(c)
	return s.Follow(c, page.LivePage{Topics: []string{live.PlayerTopic(v.ID)},
		Look: func(ctx context.Context, _ []live.Nudge) (g page.Glance, err error) {
			var mine []store.Head
			var who map[player.ID]player.Player
			var challenges []playview.ChallengeLine
			var waiting []homeview.Duty
			var told []accountview.NoticeLine
			var friends []homeview.LiveLine
			p, now := s.Printer(c), s.Now()
			err = s.Store.Read(ctx, func(tx *store.Tx) (err error) {
				if mine, err = tx.MatchesOf(v.ID, homeMatches); err != nil {
					return err
				}
				if challenges, err = play.ChallengeLines(tx, p, v, now); err != nil {
					return err
				}
				if waiting, err = duties(tx, p, v, now); err != nil {
					return err
				}
				if told, err = newNotices(tx, p, v, now); err != nil {
					return err
				}
				if friends, err = account.FriendsLines(tx, p, v, homeMatches); err != nil {
					return err
				}
				who, err = tx.Players(rating.OpponentsOf(v.ID, mine)...)
				return err
			})
			g.Pieces = []page.Piece{
				{ID: "duties", What: homeview.HomeDuties(waiting)}, {ID: "notices", What: homeview.HomeNotices(told)},
				{ID: "friends", What: homeview.HomeFriends(friends)},
				{ID: "challenges", What: playview.HomeChallenges(challenges)},
				{ID: "mine", What: homeview.HomeMine(runningLines(p, v.ID, mine, who, now))},
			}
			return g, err
		}})
}
