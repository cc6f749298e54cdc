package tournament

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/events"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/venue"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s chat) chatRoutes() []page.Route {
	return []page.Route{
		page.Get("/tournaments/:id/chat", s.chat, page.Anyone),
		page.Get("/tournaments/:id/chat/feed", s.chatFeed, page.Anyone),
		page.Post("/tournaments/:id/chat", s.say, page.SignedIn),
		page.Post("/tournaments/:id/chat/open", s.setChat, page.SignedIn),
		page.Post("/tournaments/:id/announcements", s.announce, page.SignedIn),
		page.Post("/tournaments/:id/posts/:no/delete", s.deleteChatPost, page.SignedIn),
		page.Post("/tournaments/:id/posts/:no/report", s.reportChatPost, page.SignedIn),
		page.Post("/tournaments/:id/posts/:no/settle", s.settleChatPost, page.SignedIn),
		page.Post("/tournaments/:id/mutes", s.mute, page.SignedIn),
		page.Post("/tournaments/:id/mutes/:player/drop", s.unmute, page.SignedIn),
	}
}

// How many posts a page shows.
const (
	shownAnnouncements = 50
	shownPosts         = 200
)

func (s chat) chat(c echo.Context) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	return s.showChat(c, t, http.StatusOK, typed{})
}

// typed is what a viewer has written in the forms of a chat, and why it was refused.
type typed struct{ refused, said, announced string }

// showChat shows the chat with what was typed and not posted.
func (s chat) showChat(c echo.Context, t *tournament.Tournament, status int, x typed) error {
	view, err := s.chatView(c, t)
	if err != nil {
		return err
	}
	view.Refused, view.Said, view.Announced = x.refused, x.said, x.announced
	sh := s.TournamentShell(c, t, s.Printer(c).T("chat.title"), "")
	sh.Feed = words.TournamentURL(t.ID) + "/chat/feed"
	return s.Render(c, status, tournamentview.ChatPage(sh, view))
}

func (s chat) chatView(c echo.Context, t *tournament.Tournament) (tournamentview.ChatView, error) {
	p, v, now := s.Printer(c), page.Viewer(c), s.Now()
	at := words.TournamentURL(t.ID)
	view := tournamentview.ChatView{
		Head: s.TournamentHead(c, t, "/chat"), URL: at, MaxChat: venue.MaxPost, MaxAnnouncement: venue.MaxAnnouncement,
		MayAnnounce: t.May(v, tournament.ActAnnounce), MayModerate: t.May(v, tournament.ActModerate), IsOpen: t.Chat,
	}
	talk, err := s.read(c, t)
	if err != nil {
		return view, err
	}
	if talk.silent == nil {
		view.MaySay = true
	} else if refused, _ := page.Of(talk.silent); refused != nil && v.IsSignedIn() && t.Chat {
		view.Silent = page.TextOf(p, talk.silent)
	}
	line := func(x venue.Post) tournamentview.ChatLine { return s.chatLine(c, t, x, talk.people, view.MayModerate) }
	for _, x := range talk.announcements {
		view.Announcements = append(view.Announcements, line(x))
	}
	for _, x := range talk.posts {
		view.Posts = append(view.Posts, line(x))
	}
	for _, x := range talk.reported {
		view.Reported = append(view.Reported, line(x))
	}
	for _, m := range talk.mutes {
		if view.MayModerate && m.IsIn(now) {
			who := string(talk.people[m.Player].Handle)
			l := tournamentview.MuteLine{Handle: who, Reason: m.Reason, Until: p.T("chat.for-good"), Action: at + "/mutes/" + who + "/drop"}
			if !m.Until.IsZero() {
				l.Until = p.When(m.Until)
			}
			view.Mutes = append(view.Mutes, l)
		}
	}
	return view, nil
}

// talk is what was announced and said in a tournament, with whom it names.
type talk struct {
	announcements, posts []venue.Post
	reported             []venue.Post // for moderators only
	mutes                []venue.Mute
	people               map[player.ID]player.Player
	silent               error // why the viewer may not talk
}

func (s chat) read(c echo.Context, t *tournament.Tournament) (x talk, err error) {
	v := page.Viewer(c)
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if x.announcements, err = tx.Posts(t.ID, true, shownAnnouncements); err != nil {
			return err
		}
		x.announcements = slices.DeleteFunc(x.announcements, func(p venue.Post) bool { return p.DeletedBy != "" })
		if x.posts, err = tx.Posts(t.ID, false, shownPosts); err != nil {
			return err
		}
		if x.mutes, err = tx.Mutes(t.ID); err != nil {
			return err
		}
		if t.May(v, tournament.ActModerate) {
			if x.reported, err = tx.ReportedPosts(t.ID, shownPosts); err != nil {
				return err
			}
		}
		if x.people, err = tx.Players(authors(x.announcements, x.posts, x.reported, x.mutes)...); err != nil {
			return err
		}
		x.silent = events.MayTalk(tx, t, v, x.mutes, s.Now())
		return nil
	})
	return x, err
}

func authors(announcements, posts, reported []venue.Post, mutes []venue.Mute) []player.ID {
	var ids []player.ID
	for _, list := range [...][]venue.Post{announcements, posts, reported} {
		for _, x := range list {
			ids = append(ids, x.By)
			for _, r := range x.Reports {
				ids = append(ids, r.By)
			}
		}
	}
	for _, m := range mutes {
		ids = append(ids, m.Player)
	}
	return ids
}

func (s chat) chatLine(c echo.Context, t *tournament.Tournament, x venue.Post, people map[player.ID]player.Player,
	moderates bool) tournamentview.ChatLine {
	p, v := s.Printer(c), page.Viewer(c)
	l := tournamentview.ChatLine{
		ID: "post-" + words.Itoa(x.No), At: p.When(x.At), Stamp: p.Stamp(x.At), By: string(people[x.By].Handle),
		ByURL: words.PlayerURL(people[x.By].Handle),
		Words: page.Paragraphs(x.Text), URL: words.TournamentURL(t.ID) + "/posts/" + words.Itoa(x.No), IsDeleted: x.DeletedBy != "",
	}
	l.Staff = t.DutyOf(player.Viewer{Player: people[x.By]}) != 0
	if l.IsDeleted {
		l.Words = nil
		return l
	}
	mine := v.Is(x.By)
	l.MayDelete = mine || moderates
	l.MayReport = v.IsSignedIn() && !mine && !moderates && !x.Announcement
	l.MayMute = moderates && !mine && !l.Staff && !x.Announcement
	if moderates {
		for _, r := range x.Reports {
			l.Reports = append(l.Reports, strings.TrimSpace(string(people[r.By].Handle)+": "+r.Reason))
		}
	}
	return l
}

// chatFeed updates the posts of an open page; visitors share a stream.
func (s chat) chatFeed(c echo.Context) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	sheet := func(c echo.Context) page.LivePage {
		topics := []string{events.ChatTopic(t.ID), live.TournamentTopic(string(t.ID))}
		return page.LivePage{Topics: topics, Look: func(ctx context.Context, _ []live.Nudge) (g page.Snapshot, err error) {
			c := page.During(ctx, c)
			t, err := s.SeenTournament(c) // it can be hidden meanwhile
			if err != nil {
				return g, err
			}
			view, err := s.chatView(c, t)
			g.Fragments = event.WithHead(view.Head, page.Fragment{ID: "chat", What: tournamentview.ChatFragment(view)})
			return g, err
		}}
	}
	if page.Viewer(c).IsSignedIn() {
		return s.Follow(c, sheet(c))
	}
	return s.Share(c, "chat "+string(t.ID), s.Printer(c), sheet(s.Nobody(c)))
}

// posted answers a form of the chat; a refused text comes back filled in.
func (s chat) posted(c echo.Context, err error, said, announced string) error {
	id := tournament.ID(c.Param("id"))
	if err == nil {
		return s.Redirect(c, words.TournamentURL(id)+"/chat", "")
	}
	status, isTold := page.InPlace(err, http.StatusForbidden, http.StatusNotFound)
	if !isTold {
		return err
	}
	t, readErr := s.SeenTournament(c)
	if readErr != nil {
		return readErr
	}
	return s.showChat(c, t, status, typed{page.TextOf(s.Printer(c), err), said, announced})
}

func (s chat) say(c echo.Context) error {
	text := c.FormValue("text")
	return s.posted(c, s.post(c, tournament.ID(c.Param("id")), text), text, "")
}

// post says something in a chat, not faster than people talk.
func (s chat) post(c echo.Context, id tournament.ID, text string) error {
	v := page.Viewer(c)
	if err := s.Count(c, page.LimitTalk, string(v.ID)); err != nil {
		return err
	}
	return s.Arbiter.Events.Post(c.Request().Context(), v, id, text)
}

func (s chat) announce(c echo.Context) error {
	text := c.FormValue("announcement")
	return s.posted(c, s.Arbiter.Events.Announce(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")), text), "", text)
}

func (s chat) setChat(c echo.Context) error {
	err := s.Arbiter.Events.SetChat(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")), c.FormValue("open") == "yes")
	return s.posted(c, err, "", "")
}

// ofPost runs f for the post of the address.
func (s chat) ofPost(c echo.Context, f func(ctx context.Context, by player.Viewer, id tournament.ID, no int) error) error {
	no, err := strconv.Atoi(c.Param("no"))
	if err != nil {
		return store.ErrNotFound
	}
	return s.posted(c, f(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")), no), "", "")
}

func (s chat) deleteChatPost(c echo.Context) error { return s.ofPost(c, s.Arbiter.Events.DeletePost) }
func (s chat) settleChatPost(c echo.Context) error { return s.ofPost(c, s.Arbiter.Events.SettlePost) }
func (s chat) reportChatPost(c echo.Context) error {
	return s.ofPost(c, func(ctx context.Context, by player.Viewer, id tournament.ID, no int) error {
		return s.Arbiter.Events.ReportPost(ctx, by, id, no, c.FormValue("reason"))
	})
}

// muteFor maps the words of the form to how long a mute lasts; 0 is for good.
var muteFor = map[string]time.Duration{"hour": time.Hour, "day": 24 * time.Hour, "good": 0}

func (s chat) mute(c echo.Context) error {
	d, known := muteFor[c.FormValue("for")]
	if !known {
		return page.ErrBadRequest
	}
	step := kernel.For(page.Viewer(c), strings.TrimSpace(words.Shorten(c.FormValue("reason"), venue.MaxReason)))
	return s.posted(c, s.Arbiter.Events.Mute(c.Request().Context(), step, tournament.ID(c.Param("id")), c.FormValue("handle"), d), "", "")
}

func (s chat) unmute(c echo.Context) error {
	id := tournament.ID(c.Param("id"))
	return s.posted(c, s.Arbiter.Events.Unmute(c.Request().Context(), page.Viewer(c), id, c.Param("player")), "", "")
}
