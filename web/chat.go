package web

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
)

func (s *Server) chatRoutes() []route {
	return []route{
		{get, "/tournaments/:id/chat", s.chat, anyone},
		{get, "/tournaments/:id/chat/feed", s.chatFeed, anyone},
		{post, "/tournaments/:id/chat", s.say, signedIn},
		{post, "/tournaments/:id/chat/open", s.setChat, signedIn},
		{post, "/tournaments/:id/announcements", s.announce, signedIn},
		{post, "/tournaments/:id/posts/:no/delete", s.deleteChatPost, signedIn},
		{post, "/tournaments/:id/posts/:no/report", s.reportChatPost, signedIn},
		{post, "/tournaments/:id/posts/:no/settle", s.settleChatPost, signedIn},
		{post, "/tournaments/:id/mutes", s.mute, signedIn},
		{post, "/tournaments/:id/mutes/:player/drop", s.unmute, signedIn},
	}
}

// How much of the talk a page shows.
const (
	shownAnnouncements = 50
	shownPosts         = 200
)

func (s *Server) chat(c echo.Context) error {
	t, err := s.seenTournament(c)
	if err != nil {
		return err
	}
	return s.showChat(c, t, http.StatusOK, "", "", "")
}

// showChat is the page; refused says why what was typed did not go out.
func (s *Server) showChat(c echo.Context, t *tournament.Tournament, status int, refused, said, announced string) error {
	view, err := s.chatView(c, t)
	if err != nil {
		return err
	}
	view.Refused, view.Said, view.Announced = refused, said, announced
	sh := s.tournamentShell(c, t, s.printer(c).T("chat.title"), "")
	sh.Feed = tournamentURL(t.ID) + "/chat/feed"
	return s.render(c, status, tournamentview.ChatPage(sh, view))
}

func (s *Server) chatView(c echo.Context, t *tournament.Tournament) (tournamentview.ChatView, error) {
	p, v, now := s.printer(c), viewer(c), s.now()
	at := tournamentURL(t.ID)
	view := tournamentview.ChatView{
		Head: s.tournamentHead(c, t, "/chat"), URL: at, MaxChat: tournament.MaxChatLength, MaxAnnouncement: tournament.MaxAnnouncementLength,
		MayAnnounce: t.May(v, tournament.ActAnnounce), MayModerate: t.May(v, tournament.ActModerate), IsOpen: t.Chat,
	}
	var announcements, posts, reported []tournament.Post
	var mutes []tournament.Mute
	var people map[player.ID]player.Player
	var silent error
	err := s.store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if announcements, err = tx.Posts(t.ID, true, shownAnnouncements); err != nil {
			return err
		}
		if posts, err = tx.Posts(t.ID, false, shownPosts); err != nil {
			return err
		}
		if mutes, err = tx.Mutes(t.ID); err != nil {
			return err
		}
		if view.MayModerate {
			if reported, err = tx.ReportedPosts(t.ID, shownPosts); err != nil {
				return err
			}
		}
		if people, err = tx.Players(authors(announcements, posts, reported, mutes)...); err != nil {
			return err
		}
		silent = arbiter.MayTalk(tx, t, v, mutes, now)
		return nil
	})
	if err != nil {
		return view, err
	}
	if err := silent; err == nil {
		view.MaySay = true
	} else if _, key, known := explain(err); known && v.IsSignedIn() && t.Chat {
		view.Silent = p.T(key)
	}
	line := func(x tournament.Post) tournamentview.ChatLine { return s.chatLine(c, t, x, people, view.MayModerate) }
	for _, x := range announcements {
		if x.DeletedBy == "" {
			view.Announcements = append(view.Announcements, line(x))
		}
	}
	for _, x := range posts {
		view.Posts = append(view.Posts, line(x))
	}
	for _, x := range reported {
		view.Reported = append(view.Reported, line(x))
	}
	for _, m := range mutes {
		if view.MayModerate && m.IsIn(now) {
			l := tournamentview.MuteLine{Handle: string(people[m.Player].Handle), Reason: m.Reason, Until: p.T("chat.for-good"), Action: at + "/mutes/" + string(people[m.Player].Handle) + "/drop"}
			if !m.Until.IsZero() {
				l.Until = p.DateTime(m.Until)
			}
			view.Mutes = append(view.Mutes, l)
		}
	}
	return view, nil
}

func authors(announcements, posts, reported []tournament.Post, mutes []tournament.Mute) []player.ID {
	var ids []player.ID
	for _, list := range [...][]tournament.Post{announcements, posts, reported} {
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

func (s *Server) chatLine(c echo.Context, t *tournament.Tournament, x tournament.Post, people map[player.ID]player.Player, moderates bool) tournamentview.ChatLine {
	p, v := s.printer(c), viewer(c)
	l := tournamentview.ChatLine{
		ID: "post-" + itoa(x.No), At: p.Moment(x.At), Stamp: p.Stamp(x.At), By: string(people[x.By].Handle), ByURL: playerURL(people[x.By].Handle),
		Words: paragraphs(x.Text), URL: tournamentURL(t.ID) + "/posts/" + itoa(x.No), IsDeleted: x.DeletedBy != "",
	}
	if t.DutyOf(player.Viewer{Player: people[x.By]}) != 0 {
		l.Staff = true
	}
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

// chatFeed keeps the posts of an open page up to date; visitors share it.
func (s *Server) chatFeed(c echo.Context) error {
	t, err := s.seenTournament(c)
	if err != nil {
		return err
	}
	page := func(c echo.Context) livePage {
		topics := []string{arbiter.ChatTopic(t.ID), live.TournamentTopic(string(t.ID))}
		return livePage{topics: topics, look: func(ctx context.Context, _ []live.Nudge) (g glance, err error) {
			c := during(ctx, c)
			t, err := s.seenTournament(c) // it can be hidden meanwhile
			if err != nil {
				return g, err
			}
			view, err := s.chatView(c, t)
			g.pieces = withHead(view.Head, piece{id: "chat", what: tournamentview.ChatFragment(view)})
			return g, err
		}}
	}
	if viewer(c).IsSignedIn() {
		return s.follow(c, page(c))
	}
	return s.share(c, "chat "+string(t.ID), s.printer(c), page(s.nobody(c)))
}

// posted answers a form of the chat: what was refused comes back filled in.
func (s *Server) posted(c echo.Context, err error, said, announced string) error {
	id := tournament.ID(c.Param("id"))
	if err == nil {
		return s.redirect(c, tournamentURL(id)+"/chat", "")
	}
	status, key, known := explain(err)
	if !known || status == http.StatusForbidden || status == http.StatusNotFound {
		return err
	}
	t, readErr := s.seenTournament(c)
	if readErr != nil {
		return readErr
	}
	return s.showChat(c, t, status, s.printer(c).T(key), said, announced)
}

func (s *Server) say(c echo.Context) error {
	text := c.FormValue("text")
	if err := s.count(c, limitTalk, string(viewer(c).ID)); err != nil {
		return s.posted(c, err, text, "")
	}
	return s.posted(c, s.arbiter.Post(c.Request().Context(), viewer(c), tournament.ID(c.Param("id")), text), text, "")
}

func (s *Server) announce(c echo.Context) error {
	text := c.FormValue("announcement")
	return s.posted(c, s.arbiter.Announce(c.Request().Context(), viewer(c), tournament.ID(c.Param("id")), text), "", text)
}

func (s *Server) setChat(c echo.Context) error {
	err := s.arbiter.SetChat(c.Request().Context(), viewer(c), tournament.ID(c.Param("id")), c.FormValue("open") == "yes")
	return s.posted(c, err, "", "")
}

// ofPost does something to the post of the address.
func (s *Server) ofPost(c echo.Context, f func(ctx context.Context, by player.Viewer, id tournament.ID, no int) error) error {
	no, err := strconv.Atoi(c.Param("no"))
	if err != nil {
		return store.ErrNotFound
	}
	return s.posted(c, f(c.Request().Context(), viewer(c), tournament.ID(c.Param("id")), no), "", "")
}

func (s *Server) deleteChatPost(c echo.Context) error { return s.ofPost(c, s.arbiter.DeletePost) }
func (s *Server) settleChatPost(c echo.Context) error { return s.ofPost(c, s.arbiter.SettlePost) }
func (s *Server) reportChatPost(c echo.Context) error {
	return s.ofPost(c, func(ctx context.Context, by player.Viewer, id tournament.ID, no int) error {
		return s.arbiter.ReportPost(ctx, by, id, no, c.FormValue("reason"))
	})
}

// muteFor are the times for which somebody is muted, by the words of the form.
var muteFor = map[string]time.Duration{"hour": time.Hour, "day": 24 * time.Hour, "good": 0}

func (s *Server) mute(c echo.Context) error {
	d, known := muteFor[c.FormValue("for")]
	if !known {
		return errBadRequest
	}
	who, err := s.named(c, c.FormValue("handle"))
	if err != nil {
		return err
	}
	reason := strings.TrimSpace(shorten(c.FormValue("reason"), tournament.MaxReportLength))
	return s.posted(c, s.arbiter.Mute(c.Request().Context(), viewer(c), tournament.ID(c.Param("id")), who.ID, d, reason), "", "")
}

func (s *Server) unmute(c echo.Context) error {
	who, err := s.named(c, c.Param("player"))
	if err != nil {
		return err
	}
	return s.posted(c, s.arbiter.Unmute(c.Request().Context(), viewer(c), tournament.ID(c.Param("id")), who.ID), "", "")
}

// named is the account with a handle.
func (s *Server) named(c echo.Context, handle string) (who player.Player, err error) {
	h, err := player.ParseHandle(handle)
	if err != nil {
		return who, store.ErrNotFound
	}
	err = s.store.Read(c.Request().Context(), func(tx *store.Tx) error {
		who, err = tx.PlayerByHandle(h)
		return err
	})
	return who, err
}
