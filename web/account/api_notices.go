package account

import (
	"context"
	"errors"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
)

func (s api) noticeOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("GET /me/notices", player.ScopeRead, s.notices, "What one was told", "The latest first, in the account’s language."),
		page.Act("POST /me/notices/read", player.ScopeAccount, s.readAll, "Mark notices as read", "Those up to a moment; newer ones stay new."),
		page.Act("POST /me/notices/{id}/read", player.ScopeAccount, s.readOne, "Mark one notice as read", "As opening it does."),
		page.Op("GET /me/notices/settings", player.ScopeRead, s.noticeSettings, "How one is told of what",
			"On which channels, and how long before."),
		page.Op("PATCH /me/notices/settings", player.ScopeAccount, s.setNoticeSettings, "Choose how one is told of what",
			"What is left out stays."),
		page.Op("GET /me/mail", player.ScopeRead, s.mail, "Where notices are mailed to",
			"address is null until the link in a letter to it was opened."),
		page.Op("PUT /me/mail", player.ScopeAccount, s.setMail, "Have notices mailed to an address",
			"It is sent a link, and counts once somebody opens that; until then the one before does."),
		page.Act("DELETE /me/mail", player.ScopeAccount, s.dropMail, "Have nothing mailed any more", "The address is forgotten."),
		page.Op("GET /me/telegram", player.ScopeRead, s.telegram, "Whether the site’s bot on Telegram is connected",
			"And whether the site has one."),
		page.Op("POST /me/telegram", player.ScopeAccount, s.newTelegram, "Make a link that connects the site’s bot on Telegram",
			"Whoever opens it in their Telegram gets the account’s notices there. The link before ends.").Creates(),
		page.Act("DELETE /me/telegram", player.ScopeAccount, s.dropTelegram, "Be told nothing on Telegram any more",
			"The chat is forgotten."),
		page.Op("GET /me/calendar", player.ScopeRead, s.calendar, "Whether there is a link to one’s calendar",
			"The link itself is shown once, when it is made."),
		page.Op("POST /me/calendar", player.ScopeAccount, s.newCalendar, "Make a link to one’s calendar",
			"Calendar programs read one’s appointments there, without signing in. The link before ends.").Creates(),
		page.Act("DELETE /me/calendar", player.ScopeAccount, s.dropCalendar, "End the link to one’s calendar",
			"Programs that have it read nothing more."),
	}
}

// noticeKind is a kind of notices by its name.
type noticeKind string

// DescribeAPI lists them.
func (noticeKind) DescribeAPI() (string, page.Schema) {
	var names []any
	for _, k := range notice.Kinds() {
		names = append(names, k.Name())
	}
	return "NoticeKind", page.Schema{"type": "string", "enum": names, "description": "what a notice tells"}
}

type (
	noticesIn struct {
		page.Paged
		Unread string `query:"unread,omitempty" doc:"only those that are new and still of use" enum:"1" example:"1"`
	}
	apiNoticeLine struct {
		ID    string     `json:"id" doc:"the notice" example:"4k8wzr2n6h1c"`
		Kind  noticeKind `json:"kind" doc:"what it tells"`
		Text  string     `json:"text" doc:"as the account reads it" example:"Round 3 begins"`
		URL   string     `json:"url" doc:"page where one can act on it" example:"https://example.org/matches/5n2rkq3v0d8t"`
		At    time.Time  `json:"at" doc:"since when"`
		When  *time.Time `json:"when" doc:"the moment it is about; null: none"`
		Until *time.Time `json:"until" doc:"when it stops being of use; null: never"`
		Read  *time.Time `json:"read" doc:"when it was read; null: not yet"`
	}
	apiNotices struct {
		Notices []apiNoticeLine `json:"notices" doc:"the latest first"`
		Next    *string         `json:"next" doc:"after of the rest; null at the end" example:"50"`
	}
	readAllIn struct {
		Until *time.Time `json:"until" doc:"those told up to here; absent: up to now"`
	}
	noticePath struct {
		ID string `path:"id" doc:"the notice" example:"4k8wzr2n6h1c"`
	}
	apiNoticeChannels struct {
		Kind     noticeKind `json:"kind" doc:"of what one is told"`
		App      bool       `json:"app" doc:"on the site"`
		Mail     bool       `json:"mail" doc:"by mail"`
		Push     bool       `json:"push" doc:"on one’s devices"`
		Telegram bool       `json:"telegram" doc:"in the chat with the site’s bot on Telegram, once it is connected"`
	}
	apiNoticeSettings struct {
		Early form.Millis         `json:"early" doc:"first reminder so long before; 0: none" example:"86400000"`
		Late  form.Millis         `json:"late" doc:"second reminder so long before; 0: none" example:"900000"`
		Kinds []apiNoticeChannels `json:"kinds" doc:"every kind of notices"`
	}
	noticeSettingsIn struct {
		Early *form.Millis        `json:"early" doc:"first reminder so long before: 0, 6, 12, 24 or 48 hours" example:"86400000"`
		Late  *form.Millis        `json:"late" doc:"second reminder so long before: 0, 5, 15, 30 or 60 minutes" example:"900000"`
		Kinds []apiNoticeChannels `json:"kinds,omitempty" doc:"the kinds that change"`
	}
	apiMail struct {
		Offered bool    `json:"offered" doc:"whether the site sends mail"`
		Address *string `json:"address" doc:"where to; null: nowhere" example:"anna@example.org"`
		Pending *string `json:"pending" doc:"address that waits for its link to be opened; null: none" example:"anna@example.org"`
	}
	mailIn struct {
		Address string `json:"address" doc:"where to" example:"anna@example.org" max:"254"`
	}
	apiCalendar struct {
		Since *time.Time `json:"since" doc:"when the link was made; null: there is none"`
	}
	apiCalendarLink struct {
		URL string `json:"url" doc:"for calendar programs; secret, shown only now" example:"https://example.org/calendar/3b7wfs9y1g5j.ics"`
	}
)

func (s api) notices(c echo.Context, in noticesIn) (out apiNotices, err error) {
	from, err := in.Offset()
	if err != nil {
		return out, err
	}
	p, now := s.Printer(c), s.Now()
	out.Notices = []apiNoticeLine{}
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		list, total, err := tx.Notices(store.NoticeQuery{Player: page.Viewer(c).ID, Unread: in.Unread != "", Now: now,
			Limit: in.Most(100), Offset: from})
		for _, t := range list {
			out.Notices = append(out.Notices, apiNoticeLine{t.ID, noticeKind(t.Kind.Name()), t.Text(p.T), s.Address(c, t.URL), t.At,
				page.Optional(t.When), page.Optional(t.Until), page.Optional(t.Read)})
		}
		out.Next = in.Next(from+in.Most(100), total)
		return err
	})
	return out, err
}

func (s api) readAll(ctx context.Context, by player.Viewer, in readAllIn) error {
	until := s.Now()
	if in.Until != nil && in.Until.Before(until) {
		until = *in.Until
	}
	return notices(s).readUntil(ctx, by, until)
}

func (s api) readOne(ctx context.Context, by player.Viewer, in noticePath) error {
	_, err := notices(s).read(ctx, by, in.ID)
	return err
}

// chosen returns how somebody is told of what, and how long before.
func (s api) chosen(ctx context.Context, by player.Viewer) (chosen notice.Preferences, leads notice.Leads, err error) {
	err = s.Store.Read(ctx, func(tx *store.Tx) error {
		all, err := tx.NoticePreferences(by.ID)
		if err != nil {
			return err
		}
		of, err := tx.Leads(by.ID)
		chosen, leads = all[by.ID], of[by.ID]
		return err
	})
	return chosen, leads, err
}

func (s api) noticeSettings(c echo.Context, _ noInput) (out apiNoticeSettings, err error) {
	chosen, leads, err := s.chosen(c.Request().Context(), page.Viewer(c))
	if err != nil {
		return out, err
	}
	out.Early, out.Late = form.MillisOf(leads.Early), form.MillisOf(leads.Late)
	for _, k := range notice.Kinds() {
		x := chosen.Of(k)
		out.Kinds = append(out.Kinds, apiNoticeChannels{noticeKind(k.Name()), x.App, x.Mail, x.Push, x.Telegram})
	}
	return out, nil
}

func (s api) setNoticeSettings(c echo.Context, in noticeSettingsIn) (out apiNoticeSettings, err error) {
	ctx, by := c.Request().Context(), page.Viewer(c)
	was, leads, err := s.chosen(ctx, by)
	if err != nil {
		return out, err
	}
	kinds, chosen := map[noticeKind]notice.Kind{}, notice.Preferences{}
	for _, k := range notice.Kinds() {
		kinds[noticeKind(k.Name())], chosen[k] = k, was.Of(k)
	}
	for _, x := range in.Kinds {
		k, known := kinds[x.Kind]
		if !known {
			return out, page.BadValue("kinds", "kinds: there is none called "+string(x.Kind))
		}
		chosen[k] = notice.Channels{App: x.App, Mail: x.Mail, Push: x.Push, Telegram: x.Telegram}
	}
	if in.Early != nil {
		leads.Early = in.Early.Duration()
	}
	if in.Late != nil {
		leads.Late = in.Late.Duration()
	}
	if !leads.IsValid() {
		return out, page.BadValue("early", "early is 0, 6, 12, 24 or 48 hours, and late 0, 5, 15, 30 or 60 minutes")
	}
	if err := notices(s).choose(ctx, by, chosen, leads); err != nil {
		return out, err
	}
	return s.noticeSettings(c, noInput{})
}

func (s api) mail(c echo.Context, _ noInput) (out apiMail, err error) {
	if out.Offered, err = notices(s).sendsMail(c.Request().Context()); err != nil {
		return out, err
	}
	a, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (store.MailAddress, error) {
		return tx.MailAddress(page.Viewer(c).ID)
	})
	if errors.Is(err, store.ErrNotFound) {
		return out, nil
	}
	out.Address, out.Pending = page.Optional(string(a.Address)), page.Optional(string(a.Pending))
	return out, err
}

func (s api) setMail(c echo.Context, in mailIn) (out apiMail, err error) {
	if err := notices(s).confirm(c, in.Address); err != nil {
		return out, err
	}
	return s.mail(c, noInput{})
}

func (s api) dropMail(ctx context.Context, by player.Viewer, _ noInput) error {
	return notices(s).endMail(ctx, by)
}

func (s api) calendar(c echo.Context, _ noInput) (apiCalendar, error) {
	since, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (time.Time, error) {
		return tx.CalendarLinkSince(page.Viewer(c).ID)
	})
	return apiCalendar{page.Optional(since)}, err
}

func (s api) newCalendar(c echo.Context, _ noInput) (apiCalendarLink, error) {
	link, err := notices(s).newCalendarLink(c)
	return apiCalendarLink{link}, err
}

func (s api) dropCalendar(ctx context.Context, by player.Viewer, _ noInput) error {
	return notices(s).endCalendarLink(ctx, by)
}
