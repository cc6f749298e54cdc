package web

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/live"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	accountview "chpok.org/chpok/templates/account"
	"chpok.org/chpok/templates/lang"
)

func (s *Server) noticeRoutes() []route {
	return []route{
		{get, "/notices", s.notices, signedIn},
		{post, "/notices/read", s.readNotices, signedIn},
		{post, "/notices/:id", s.openNotice, signedIn},
		{get, "/notices/feed", s.noticeFeed, players},
		{get, "/settings/notices", s.noticeSettings, signedIn},
		{post, "/settings/notices", s.saveNoticeSettings, signedIn},
	}
}

func (s *Server) notices(c echo.Context) error {
	v, p, now := viewer(c), s.printer(c), s.now()
	unread := c.QueryParam("show") == "new"
	var list []store.Told
	var total, fresh int
	err := s.store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		q := store.NoticeQuery{Player: v.ID, Unread: unread, Limit: pageSize, Offset: (pageOf(c) - 1) * pageSize}
		if list, total, err = tx.Notices(q); err != nil {
			return err
		}
		fresh, err = tx.UnreadNotices(v.ID)
		return err
	})
	if err != nil {
		return err
	}
	view := accountview.NoticesView{
		Lines: noticeLines(p, list, now), OnlyNew: unread, Paging: paging(c, total), Until: strconv.FormatInt(now.UnixMilli(), 10), MayRead: fresh > 0,
	}
	sh := s.shell(c, p.T("notice.title"))
	sh.Styles = []string{"notice.css"}
	return s.render(c, http.StatusOK, accountview.NoticesPage(sh, view))
}

// noticeLines are notices as a person reads them.
func noticeLines(p lang.Printer, list []store.Told, now time.Time) []accountview.NoticeLine {
	out := make([]accountview.NoticeLine, len(list))
	for i, t := range list {
		out[i] = accountview.NoticeLine{
			ID: t.ID, Text: t.Text(p.T), Group: p.T("notice.group." + t.Kind.Group().Name()), At: p.Ago(t.At, now), Stamp: p.Stamp(t.At), New: t.Read.IsZero(),
		}
		if !t.When.IsZero() {
			out[i].When, out[i].WhenStamp = p.Moment(t.When), p.Stamp(t.When)
		}
	}
	return out
}

// readNotices marks all that the page has shown; what came since stays new.
func (s *Server) readNotices(c echo.Context) error {
	v, now := viewer(c), s.now()
	until := now
	if n, err := strconv.ParseInt(c.FormValue("until"), 10, 64); err == nil && n < now.UnixMilli() {
		until = time.UnixMilli(n)
	}
	err := s.store.Write(c.Request().Context(), func(tx *store.Tx) error { return tx.ReadNotices(v.ID, until, now) })
	if err != nil {
		return err
	}
	s.live.Nudge(live.PlayerTopic(v.ID), 0)
	return s.redirect(c, "/notices", "")
}

// openNotice leads to what a notice tells of, and marks it.
func (s *Server) openNotice(c echo.Context) error {
	v, url := viewer(c), ""
	err := s.store.Write(c.Request().Context(), func(tx *store.Tx) (err error) {
		url, err = tx.ReadNotice(v.ID, c.Param("id"), s.now())
		return err
	})
	if err != nil {
		return err
	}
	s.live.Nudge(live.PlayerTopic(v.ID), 0)
	return s.redirect(c, localPath(url), "")
}

// noticeFeed is the feed of pages that have none of their own: only the bell
// rings, which every page's stream does.
func (s *Server) noticeFeed(c echo.Context) error {
	return s.follow(c, livePage{look: func(context.Context, []live.Nudge) (glance, error) { return glance{}, nil }})
}

// bell keeps the number of unread notices in the frame of a page up to date.
type bell struct {
	server *Server
	sub    *live.Subscription
	shown  string // by the page; empty: not known, so nothing is sent until it changes
}

// bell is that of the viewer of a page's stream; nil for visitors and programs.
func (s *Server) bell(c echo.Context) *bell {
	v := viewer(c)
	if !v.IsSignedIn() || sessionID(c) == "" {
		return nil
	}
	return &bell{server: s, sub: s.live.Subscribe(c.Request().Context(), live.PlayerTopic(v.ID)), shown: c.QueryParam("bell")}
}

func (b *bell) close() {
	if b != nil {
		b.sub.Close()
	}
}

// rings receives when there may be something new.
func (b *bell) rings() <-chan struct{} {
	if b == nil {
		return nil
	}
	return b.sub.Ready()
}

// frames is the bell, where it is not as the page shows it.
func (b *bell) frames(c echo.Context) ([]frame, error) {
	if b == nil {
		return nil, nil
	}
	b.sub.Take()
	n, err := b.server.unread(c)
	if err != nil {
		return nil, err
	}
	before := b.shown
	if b.shown = strconv.Itoa(n); before == "" || before == b.shown {
		return nil, nil
	}
	html, err := b.server.fragments(c, templates.Bell(n))
	return []frame{{Event: "bell", Data: html}}, err
}

// unread is how many notices wait for the viewer.
func (s *Server) unread(c echo.Context) (n int, err error) {
	err = s.store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		n, err = tx.UnreadNotices(viewer(c).ID)
		return err
	})
	return n, err
}

func (s *Server) noticeSettings(c echo.Context) error { return s.showNoticeSettings(c, noticeForm{}) }

// noticeForm is what the page of notice settings shows besides what is stored:
// an address that was refused, and why; a link to the calendar just made.
type noticeForm struct {
	value    string
	refused  error
	calendar string
}

func (s *Server) showNoticeSettings(c echo.Context, f noticeForm) error {
	v, p := viewer(c), s.printer(c)
	var chosen notice.Preferences
	var address store.MailAddress
	var linked time.Time
	var leads map[player.ID]notice.Leads
	err := s.store.Read(c.Request().Context(), func(tx *store.Tx) error {
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
		if address, err = tx.MailAddress(v.ID); errors.Is(err, store.ErrNotFound) {
			return nil
		}
		return err
	})
	if err != nil {
		return err
	}
	view := accountview.NoticeSettingsView{Mail: accountview.MailSettings{
		Offered: s.mail != nil, Address: string(address.Address), Pending: string(address.Pending), Confirmed: address.Address != "",
		Field: templates.Field{
			Name: "address", Label: p.T("mail.address"), Type: "email", Autocomplete: "email", Max: 254, Required: true,
			Value: f.value, Error: s.formError(c, f.refused, notice.ErrAddress, errMailDown),
		},
	}}
	view.Calendar.URL = f.calendar
	if !linked.IsZero() {
		view.Calendar.Since = p.Date(linked)
	}
	view.Early = leadChoices(p, notice.EarlyChoices, leads[v.ID].Early)
	view.Late = leadChoices(p, notice.LateChoices, leads[v.ID].Late)
	for _, g := range notice.Groups {
		group := accountview.NoticeGroup{Name: g.Name(), Title: p.T("notice.group." + g.Name())}
		for _, k := range notice.Kinds() {
			if k.Group() == g {
				channels := chosen.Of(k)
				group.Kinds = append(group.Kinds, accountview.NoticeKind{Name: k.Name(), Text: p.T("notice.kind." + k.Name()), App: channels.App, Mail: channels.Mail})
			}
		}
		view.Groups = append(view.Groups, group)
	}
	sh := s.shell(c, p.T("notice.settings"))
	sh.Styles = []string{"settings.css", "notice.css"}
	sh.Path = "/settings/notices"
	status := http.StatusOK
	if f.refused != nil {
		status, _, _ = explain(f.refused)
	}
	return s.render(c, status, accountview.NoticeSettingsPage(sh, view))
}

func leadChoices(p lang.Printer, choices []time.Duration, chosen time.Duration) []templates.Choice {
	out := make([]templates.Choice, len(choices))
	for i, lead := range choices {
		out[i] = templates.Choice{Value: itoa(int(lead / time.Minute)), Text: p.T("notice.lead-none"), Chosen: lead == chosen}
		if lead > 0 {
			out[i].Text = p.T("notice.lead-before", "Lead", p.Duration(lead))
		}
	}
	return out
}

func (s *Server) saveNoticeSettings(c echo.Context) error {
	form, err := c.FormParams()
	if err != nil {
		return errBadRequest
	}
	chosen := notice.Preferences{}
	for _, k := range notice.Kinds() {
		chosen[k] = notice.Channels{App: slices.Contains(form["app"], k.Name()), Mail: slices.Contains(form["mail"], k.Name())}
	}
	minutes := func(name string) time.Duration {
		n, err := strconv.Atoi(c.FormValue(name))
		if err != nil {
			return -1
		}
		return time.Duration(n) * time.Minute
	}
	leads := notice.Leads{Early: minutes("early"), Late: minutes("late")}
	if !leads.IsValid() {
		return errBadRequest
	}
	err = s.store.Write(c.Request().Context(), func(tx *store.Tx) error {
		if err := tx.SetLeads(viewer(c).ID, leads); err != nil {
			return err
		}
		return tx.SetNoticePreferences(viewer(c).ID, chosen)
	})
	if err != nil {
		return err
	}
	return s.redirect(c, "/settings/notices", "flash.saved")
}
