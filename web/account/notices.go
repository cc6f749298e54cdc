package account

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/civil"
	"chpok.org/chpok/live"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/notice/telegram"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	accountview "chpok.org/chpok/templates/account"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s notices) noticeRoutes() []page.Route {
	return []page.Route{
		page.Get("/notices", s.notices, page.SignedIn),
		page.Post("/notices/read", s.readNotices, page.SignedIn),
		page.Post("/notices/:id", s.openNotice, page.SignedIn),
		page.Get("/notices/feed", s.noticeFeed, page.Players),
		page.Get("/settings/notices", s.noticeSettings, page.SignedIn),
		page.Post("/settings/notices", s.saveNoticeSettings, page.SignedIn),
		page.Post("/settings/telegram", s.joinTelegram, page.SignedIn),
		page.Post("/settings/telegram/drop", s.leaveTelegram, page.SignedIn),
	}
}

func (s notices) notices(c echo.Context) error {
	v, p, now := page.Viewer(c), s.Printer(c), s.Now()
	unread := c.QueryParam("show") == "new"
	var list []store.Told
	var total, fresh int
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		q := store.NoticeQuery{Player: v.ID, Unread: unread, Now: s.Now(), Limit: page.Size,
			Offset: (page.Number(c) - 1) * page.Size}
		if list, total, err = tx.Notices(q); err != nil {
			return err
		}
		fresh, err = tx.UnreadNotices(v.ID, s.Now())
		return err
	})
	if err != nil {
		return err
	}
	view := accountview.NoticesView{
		Lines: NoticeLines(p, list, now), OnlyNew: unread, Paging: page.Paging(c, total), Until: strconv.FormatInt(now.UnixMilli(), 10),
		MayRead: fresh > 0,
	}
	sh := s.Shell(c, p.T("notice.title"))
	sh.Styles = []string{"notice.css"}
	return s.Render(c, http.StatusOK, accountview.NoticesPage(sh, view))
}

// NoticeLines returns notices as lines of a list.
func NoticeLines(p lang.Printer, list []store.Told, now time.Time) []accountview.NoticeLine {
	out := make([]accountview.NoticeLine, len(list))
	for i, t := range list {
		out[i] = accountview.NoticeLine{
			ID: t.ID, Text: t.Text(p.T), Group: p.T("notice.group." + t.Kind.Group().Name()), At: p.Ago(t.At), Stamp: p.Stamp(t.At),
			New: t.Read.IsZero() && t.IsTimely(now),
		}
		if !t.When.IsZero() {
			out[i].When, out[i].WhenStamp = p.Of(civil.Zone(t.Zone)).When(t.When), p.Stamp(t.When)
		}
	}
	return out
}

// readNotices marks all notices that the page has shown as read; newer ones stay new.
func (s notices) readNotices(c echo.Context) error {
	until := s.Now()
	if n, err := strconv.ParseInt(c.FormValue("until"), 10, 64); err == nil && n < until.UnixMilli() {
		until = time.UnixMilli(n)
	}
	if err := s.readUntil(c.Request().Context(), page.Viewer(c), until); err != nil {
		return err
	}
	return s.Redirect(c, "/notices", "")
}

// readUntil marks the notices up to a moment as read.
func (s notices) readUntil(ctx context.Context, by player.Viewer, until time.Time) error {
	err := s.Store.Write(ctx, func(tx *store.Tx) error { return tx.ReadNotices(by.ID, until, s.Now()) })
	if err == nil {
		s.Live.Nudge(live.PlayerTopic(by.ID), 0)
	}
	return err
}

// openNotice marks a notice as read and redirects to its subject.
func (s notices) openNotice(c echo.Context) error {
	url, err := s.read(c.Request().Context(), page.Viewer(c), c.Param("id"))
	if err != nil {
		return err
	}
	return s.Redirect(c, page.LocalPath(url), "")
}

// read marks a notice as read and returns the address of its subject.
func (s notices) read(ctx context.Context, by player.Viewer, id string) (url string, err error) {
	err = s.Store.Write(ctx, func(tx *store.Tx) (err error) {
		url, err = tx.ReadNotice(by.ID, id, s.Now())
		return err
	})
	if err == nil {
		s.Live.Nudge(live.PlayerTopic(by.ID), 0)
	}
	return url, err
}

// noticeFeed is the stream of pages without one of their own. It sends only the bell, as all streams do.
func (s notices) noticeFeed(c echo.Context) error {
	return s.Follow(c, page.LivePage{Look: func(context.Context, []live.Nudge) (page.Snapshot, error) { return page.Snapshot{}, nil }})
}

func (s notices) noticeSettings(c echo.Context) error { return s.showNoticeSettings(c, noticeForm{}) }

// noticeForm is what the page of notice settings shows about its forms.
type noticeForm struct {
	value    string // refused address
	refused  error
	calendar string // new calendar link
}

func (s notices) showNoticeSettings(c echo.Context, f noticeForm) error {
	v, p := page.Viewer(c), s.Printer(c)
	var chosen notice.Preferences
	var address store.MailAddress
	var linked time.Time
	var leads map[player.ID]notice.Leads
	var bot telegramState
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		all, err := tx.NoticePreferences(v.ID)
		if err != nil {
			return err
		}
		chosen = all[v.ID]
		if linked, err = tx.CalendarLinkSince(v.ID); err != nil {
			return err
		}
		if leads, err = tx.Leads(v.ID); err != nil {
			return err
		}
		if bot, err = readTelegram(tx, v.ID); err != nil {
			return err
		}
		if address, err = tx.MailAddress(v.ID); errors.Is(err, store.ErrNotFound) {
			return nil
		}
		return err
	})
	if err != nil {
		return err
	}
	sends, err := s.sendsMail(c.Request().Context())
	if err != nil {
		return err
	}
	view := accountview.NoticeSettingsView{Mail: accountview.MailSettings{
		Offered: sends, Address: string(address.Address), Pending: string(address.Pending), Confirmed: address.Address != "",
		Field: templates.Field{
			Name: "address", Label: p.T("mail.address"), Type: "email", Autocomplete: "email", Max: 254, Required: true,
			Value: f.value, Error: s.FormError(c, f.refused, notice.ErrAddress, errMailDown),
		},
	}}
	view.Telegram = bot.view(p)
	if view.Telegram.Offered {
		page.LeadTo(c, telegram.Origin)
	}
	view.Calendar.URL = f.calendar
	if !linked.IsZero() {
		view.Calendar.Since = p.Day(linked)
	}
	view.Early = leadChoices(p, notice.EarlyChoices, leads[v.ID].Early)
	view.Late = leadChoices(p, notice.LateChoices, leads[v.ID].Late)
	for _, g := range notice.Groups {
		var on [4]int
		group := accountview.NoticeGroup{Name: g.Name(), Title: p.T("notice.group." + g.Name())}
		for _, k := range notice.Kinds() {
			if k.Group() == g {
				channels := chosen.Of(k)
				group.Kinds = append(group.Kinds, accountview.NoticeKind{Name: k.Name(), Text: p.T("notice.kind." + k.Name()), App: channels.App,
					Mail: channels.Mail, Push: channels.Push, Telegram: channels.Telegram})
				on[0] += bit(channels.App)
				on[1] += bit(channels.Push)
				on[2] += bit(channels.Mail)
				on[3] += bit(channels.Telegram)
			}
		}
		group.On = p.T("notice.kinds-on", "App", p.Int(on[0]), "Push", p.Int(on[1]), "Mail", p.Int(on[2]))
		if view.Telegram.Offered {
			group.On += p.T("notice.kinds-telegram", "N", p.Int(on[3]))
		}
		view.Groups = append(view.Groups, group)
	}
	if view.PushKey, err = s.pushKey(c); err != nil {
		return err
	}
	sh := s.Shell(c, p.T("notice.settings"))
	sh.Scripts = []string{"push.js"}
	sh.Styles = []string{"settings.css", "notice.css"}
	sh.Path = "/settings/notices"
	return s.Render(c, page.StatusOf(f.refused), accountview.NoticeSettingsPage(sh, view))
}

func bit(on bool) int {
	if on {
		return 1
	}
	return 0
}

func leadChoices(p lang.Printer, choices []time.Duration, chosen time.Duration) []templates.Choice {
	out := make([]templates.Choice, len(choices))
	for i, lead := range choices {
		out[i] = templates.Choice{Value: words.Itoa(int(lead / time.Minute)), Text: p.T("notice.lead-none"), Chosen: lead == chosen}
		if lead > 0 {
			out[i].Text = p.T("notice.lead-before", "Lead", p.Duration(lead))
		}
	}
	return out
}

func (s notices) saveNoticeSettings(c echo.Context) error {
	form, err := c.FormParams()
	if err != nil {
		return page.ErrBadRequest
	}
	chosen := notice.Preferences{}
	for _, k := range notice.Kinds() {
		chosen[k] = notice.Channels{App: slices.Contains(form["app"], k.Name()), Mail: slices.Contains(form["mail"], k.Name()),
			Push: slices.Contains(form["push"], k.Name()), Telegram: slices.Contains(form["telegram"], k.Name())}
	}
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error { return keepTelegram(tx, page.Viewer(c).ID, chosen) })
	if err != nil {
		return err
	}
	minutes := func(name string) time.Duration {
		n, err := strconv.Atoi(c.FormValue(name))
		if err != nil {
			return -1
		}
		return time.Duration(n) * time.Minute
	}
	leads := notice.Leads{Early: minutes("early"), Late: minutes("late")}
	if err := s.choose(c.Request().Context(), page.Viewer(c), chosen, leads); err != nil {
		return err
	}
	return s.Redirect(c, "/settings/notices", "flash.saved")
}

// choose saves how somebody is told of what, and how long before.
func (s notices) choose(ctx context.Context, by player.Viewer, chosen notice.Preferences, leads notice.Leads) error {
	if !leads.IsValid() {
		return page.ErrBadRequest
	}
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.SetLeads(by.ID, leads); err != nil {
			return err
		}
		return tx.SetNoticePreferences(by.ID, chosen)
	})
}
