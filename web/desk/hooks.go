package desk

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/events"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/notice/telegram"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	deskview "chpok.org/chpok/templates/desk"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ladder"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s hooks) hookRoutes() []page.Route {
	return []page.Route{
		page.Get("/tournaments/:id/webhooks", s.hooksPage, page.SignedIn),
		page.Post("/tournaments/:id/webhooks", s.changeHooks, page.SignedIn),
		page.Get("/clubs/:id/webhooks", s.hooksPage, page.SignedIn),
		page.Post("/clubs/:id/webhooks", s.changeHooks, page.SignedIn),
		page.Get("/ladders/:id/webhooks", s.hooksPage, page.SignedIn),
		page.Post("/ladders/:id/webhooks", s.changeHooks, page.SignedIn),
	}
}

// topicOf returns what the webhooks of an address tell of, and the page of that.
func topicOf(c echo.Context) (of notice.Topic, at string) {
	id := c.Param("id")
	switch c.Path() {
	case "/clubs/:id/webhooks":
		return notice.TopicOf(notice.OfClub, id), words.ClubURL(club.ID(id))
	case "/ladders/:id/webhooks":
		return notice.TopicOf(notice.OfLadder, id), words.LadderURL(ladder.ID(id))
	}
	return notice.TopicOf(notice.OfTournament, id), words.TournamentURL(tournament.ID(id))
}

func (s hooks) hooksPage(c echo.Context) error { return s.showHooks(c, nil) }

// showHooks shows the webhooks of a topic; refused is why the last change was not made.
func (s hooks) showHooks(c echo.Context, refused error) error {
	of, at := topicOf(c)
	p := s.Printer(c)
	view := deskview.HooksView{URL: at + "/webhooks"}
	kind, id := of.Parts()
	var name string // of a club or ladder
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		if err := events.MayHook(tx, page.Viewer(c), of); err != nil {
			return err
		}
		switch kind {
		case notice.OfClub:
			x, err := tx.Club(club.ID(id))
			if err != nil {
				return err
			}
			name = x.Name
		case notice.OfLadder:
			l, err := tx.Ladder(ladder.ID(id))
			if err != nil {
				return err
			}
			name = l.Settings.Name
		}
		list, err := tx.Hooks(of)
		if err != nil {
			return err
		}
		for _, h := range list {
			sent, err := tx.HookMessages(h.ID, notice.HookMessagesShown)
			if err != nil {
				return err
			}
			view.Hooks = append(view.Hooks, s.viewHook(p, h, sent))
		}
		bot, err := telegram.Of(tx)
		view.Bot = bot.Name
		return err
	})
	if err != nil {
		return err
	}
	if view.Bot != "" {
		page.LeadTo(c, telegram.Origin)
	}
	if len(view.Hooks) < notice.MaxHooks {
		view.New = &templates.Field{Name: "url", Label: p.T("hook.url"), Hint: p.T("hook.url-hint"), Type: "url", Max: notice.MaxHookURL,
			Required: true}
	}
	status, text := page.RefusalStatus(p, refused)
	if view.New != nil && refused != nil {
		view.New.Value, view.New.Error = words.Shorten(c.FormValue("url"), notice.MaxHookURL), text
	} else {
		view.Problem = text
	}
	if name != "" {
		view.Back = templates.Link{Text: name, URL: at}
		sh := s.Shell(c, p.T("hook.title"))
		sh.Section, sh.NoIndex = kind+"s", true
		return s.Render(c, status, deskview.HooksPage(sh, view))
	}
	t, err := s.TournamentFor(c, tournament.ActSettings)
	if err != nil {
		return err
	}
	head := s.TournamentHead(c, t, "/webhooks")
	view.Head = &head
	return s.Render(c, status, deskview.HooksPage(s.TournamentShell(c, t, p.T("hook.title"), ""), view))
}

func (s hooks) viewHook(p lang.Printer, h notice.Hook, sent []notice.HookMessage) deskview.HookView {
	v := deskview.HookView{ID: h.ID, URL: h.URL, Secret: h.Secret}
	if _, is := h.Group(); is {
		v.URL = p.T("hook.group", "Title", h.Title)
	} else if h.Lang != "" {
		v.URL, v.Secret = p.T("hook.discord", "Number", discordNumber(h.URL)), ""
	}
	if now := s.Now(); now.Before(h.Until) {
		v.Rotated = p.T("hook.rotated", "Time", p.When(h.Until))
	}
	if !h.Stopped.IsZero() {
		v.Stopped = p.T("hook.stopped", "Time", p.When(h.Stopped))
	}
	for _, m := range sent {
		line := deskview.HookMessageView{ID: m.ID(), When: p.Moment(m.At), Stamp: p.Stamp(m.At), IsTaken: m.IsTaken(), IsDone: m.Due.IsZero()}
		switch kind, _ := m.Topic.Parts(); {
		case m.Seq == 0:
			line.What = p.T("hook.trial")
		case kind == notice.OfLadder:
			line.What = p.T("hook.ladder." + m.Act)
		case kind == notice.OfLeague:
			line.What = p.T("hook.league." + m.Act)
		default:
			line.What = actText(p, tournament.Act(m.Act))
		}
		switch {
		case m.Tries == 0:
			line.Answer = p.T("hook.answer.waits")
		case m.Status > 0:
			line.Answer = strconv.Itoa(m.Status)
		default:
			line.Answer = p.T("hook.answer." + map[string]string{"inside": "inside", "timeout": "timeout", "not public": "hidden"}[m.Trouble])
			if m.Trouble == "unreachable" || m.Trouble == "" {
				line.Answer = p.T("hook.answer.unreachable")
			}
		}
		if !m.Due.IsZero() && m.Tries > 0 {
			line.Again = p.T("hook.again-at", "Time", p.When(m.Due))
		}
		v.Messages = append(v.Messages, line)
	}
	return v
}

// changeHooks adds a webhook, or does what a button of one says.
func (s hooks) changeHooks(c echo.Context) error {
	of, at := topicOf(c)
	ctx, by, hook := c.Request().Context(), page.Viewer(c), words.Shorten(c.FormValue("hook"), 60)
	var err error
	switch do := c.FormValue("do"); do {
	case "add":
		_, err = s.Arbiter.Events.AddHook(ctx, by, of, words.Shorten(c.FormValue("url"), notice.MaxHookURL+1),
			string(s.Printer(c).Lang))
	case "telegram":
		return s.addGroup(c, of)
	case "again":
		err = s.Arbiter.Events.SendAgain(ctx, by, hook, words.Shorten(c.FormValue("message"), 120))
	default:
		act, known := events.HookActs[do]
		if !known {
			return page.ErrBadRequest
		}
		err = s.Arbiter.Events.ChangeHook(ctx, by, hook, act)
	}
	if status := page.StatusOf(err); status == http.StatusUnprocessableEntity || status == http.StatusConflict {
		return s.showHooks(c, err)
	}
	if err != nil {
		return err
	}
	return s.Redirect(c, at+"/webhooks", "flash.saved")
}

// addGroup leads to Telegram, where the site's bot is added to a group.
func (s hooks) addGroup(c echo.Context, of notice.Topic) error {
	code, err := s.Arbiter.Events.AskGroup(c.Request().Context(), page.Viewer(c), of, string(s.Printer(c).Lang))
	if err != nil {
		return err
	}
	bot, err := store.Get(c.Request().Context(), s.Store, telegram.Of)
	if err != nil {
		return err
	}
	if bot.Name == "" {
		return page.ErrBadRequest
	}
	page.LeadTo(c, telegram.Origin)
	return c.Redirect(http.StatusSeeOther, bot.LinkGroup(code))
}

// discordNumber is the number of a channel's webhook; the rest of its address is a secret.
func discordNumber(address string) string {
	_, rest, _ := strings.Cut(address, "/api/webhooks/")
	number, _, _ := strings.Cut(rest, "/")
	return number
}
