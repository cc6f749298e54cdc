package account

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	accountview "chpok.org/chpok/templates/account"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s follows) followRoutes() []page.Route {
	return []page.Route{
		page.Get("/following", s.following, page.SignedIn),
		page.Get("/following/feed", s.followingFeed, page.SignedIn),
		page.Post("/players/:handle/follow", s.followPlayer, page.SignedIn),
		page.Post("/players/:handle/unfollow", s.unfollowPlayer, page.SignedIn),
		page.Post("/clubs/:id/follow", s.followClub, page.SignedIn),
		page.Post("/clubs/:id/unfollow", s.unfollowClub, page.SignedIn),
	}
}

// Limits of the page of what the viewer follows.
const (
	followedMatches = 20
	followedEvents  = 20
	followedClubs   = 20               // clubs whose news are read
	followedPace    = 10 * time.Second // when delayed matches come and go
	followedRest    = time.Second      // least time between two looks, as friends move more often
	newsDays        = 30
	endedDays       = 7
)

// following shows the players and clubs that the viewer follows, with their matches, tournaments and news.
func (s follows) following(c echo.Context) error {
	p, v, now := s.Printer(c), page.Viewer(c), s.Now()
	var view accountview.FollowingView
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		people, clubs, err := tx.Followed(v.ID)
		if err != nil {
			return err
		}
		view.Nothing = len(people)+len(clubs) == 0
		if view.Now, err = FriendsLines(tx, p, v, now, followedMatches); err != nil {
			return err
		}
		if view.Events, err = followedTournaments(tx, p, v, now); err != nil {
			return err
		}
		who, err := tx.Players(people...)
		if err != nil {
			return err
		}
		for _, id := range people {
			view.People = append(view.People, accountview.Followed{URL: words.PlayerURL(who[id].Handle), Name: string(who[id].Handle)})
		}
		return fillClubs(tx, p, clubs, now, &view)
	})
	if err != nil {
		return err
	}
	sh := s.Shell(c, p.T("follow.title"))
	sh.Section = "me"
	if !view.Nothing {
		sh.Feed = "/following/feed"
	}
	return s.Render(c, http.StatusOK, accountview.FollowingPage(sh, view))
}

// followingFeed streams who plays now.
func (s follows) followingFeed(c echo.Context) error {
	p, v := s.Printer(c), page.Viewer(c)
	return s.Follow(c, page.LivePage{Topics: []string{live.PlayerTopic(v.ID)}, Every: followedPace, Pause: followedRest,
		Look: func(ctx context.Context, _ []live.Nudge) (g page.Snapshot, err error) {
			err = s.Store.Read(ctx, func(tx *store.Tx) error {
				people, _, err := tx.Followed(v.ID)
				for _, id := range people {
					g.Topics = append(g.Topics, live.PlayerTopic(id))
				}
				if err != nil {
					return err
				}
				lines, err := FriendsLines(tx, p, v, s.Now(), followedMatches)
				g.Fragments = []page.Fragment{{ID: "followed-now", What: accountview.FollowedNow(lines)}}
				return err
			})
			return g, err
		}})
}

// FriendsLines returns the running matches, as watchers see them, of the players whom the viewer follows.
func FriendsLines(tx *store.Tx, p lang.Printer, v player.Viewer, now time.Time, most int) (lines []templates.LiveLine, err error) {
	heads, err := tx.FriendsMatches(v.ID, now, most)
	if err != nil {
		return nil, err
	}
	return page.LiveLines(tx, p, heads)
}

// followedTournaments returns followed tournaments that are coming, running or just over.
func followedTournaments(tx *store.Tx, p lang.Printer, v player.Viewer, now time.Time) (events []accountview.FollowedEvent, err error) {
	lines, _, err := tx.Tournaments(store.TournamentQuery{FollowedBy: v.ID, Whole: true, Limit: followedEvents})
	if err != nil {
		return nil, err
	}
	lines = slices.DeleteFunc(lines, func(l store.TournamentLine) bool {
		return l.Status.IsOver() && now.Sub(l.EndedAt) > endedDays*24*time.Hour
	})
	ids := make([]tournament.ID, len(lines))
	for i, l := range lines {
		ids[i] = l.ID
	}
	friends, err := tx.FriendsIn(v.ID, ids)
	for _, l := range lines {
		e := accountview.FollowedEvent{Card: words.TournamentLine(p, l, now)}
		if names := friends[l.ID]; len(names) > 0 {
			e.With = p.T("follow.with", "Names", strings.Join(names, ", "))
		}
		events = append(events, e)
	}
	return events, err
}

// fillClubs adds the clubs and the latest post of each.
func fillClubs(tx *store.Tx, p lang.Printer, ids []club.ID, now time.Time, view *accountview.FollowingView) error {
	names, err := tx.ClubNames(ids...)
	if err != nil {
		return err
	}
	for i, id := range ids {
		view.Clubs = append(view.Clubs, accountview.Followed{URL: words.ClubURL(id), Name: names[id]})
		if i >= followedClubs {
			continue
		}
		posts, _, err := tx.ClubPosts(id, 1, 0)
		if err != nil {
			return err
		}
		for _, post := range posts {
			if now.Sub(post.At) < newsDays*24*time.Hour {
				view.News = append(view.News, accountview.FollowedPost{
					URL: words.ClubURL(id) + "/news", Title: post.Title, Club: names[id], When: p.Ago(post.At), Stamp: p.Stamp(post.At),
				})
			}
		}
	}
	return nil
}

// follows calls f and redirects to the page of the button.
func (s follows) follows(c echo.Context, to string, f func(context.Context, player.Viewer) error) error {
	if err := f(c.Request().Context(), page.Viewer(c)); err != nil {
		return err
	}
	if back := c.FormValue("back"); back != "" {
		to = page.LocalPath(back)
	}
	return s.Redirect(c, to, "")
}

func (s follows) followPlayer(c echo.Context) error {
	handle := words.Shorten(c.Param("handle"), 40)
	return s.follows(c, words.PlayerURL(player.Handle(handle)), func(ctx context.Context, v player.Viewer) error {
		return s.Arbiter.Persons.Follow(ctx, v, handle)
	})
}

func (s follows) unfollowPlayer(c echo.Context) error {
	handle := player.Handle(words.Shorten(c.Param("handle"), 40))
	return s.follows(c, words.PlayerURL(handle), func(ctx context.Context, v player.Viewer) error {
		return s.unfollow(ctx, v, handle)
	})
}

func (s follows) unfollow(ctx context.Context, by player.Viewer, handle player.Handle) error {
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		x, err := kernel.PlayerByHandle(tx, string(handle))
		if err != nil {
			return err
		}
		return tx.Unfollow(by.ID, x.ID)
	})
}

func (s follows) followClub(c echo.Context) error {
	id := club.ID(c.Param("id"))
	return s.follows(c, words.ClubURL(id), func(ctx context.Context, v player.Viewer) error {
		return s.Arbiter.Persons.FollowClub(ctx, v, id)
	})
}

func (s follows) unfollowClub(c echo.Context) error {
	id := club.ID(c.Param("id"))
	return s.follows(c, words.ClubURL(id), func(ctx context.Context, v player.Viewer) error {
		return s.Store.Write(ctx, func(tx *store.Tx) error { return tx.UnfollowClub(v.ID, id) })
	})
}
