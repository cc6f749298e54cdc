package account

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
	"golang.org/x/time/rate"

	"chpok.org/chpok/notice"
	"chpok.org/chpok/notice/courier"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	accountview "chpok.org/chpok/templates/account"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s notices) mailRoutes() []page.Route {
	return []page.Route{
		page.Post("/settings/mail", s.askMail, page.SignedIn),
		page.Post("/settings/mail/drop", s.dropMail, page.SignedIn),
		page.Get("/mail/confirm", s.confirmMailForm, page.Anyone),
		page.Post("/mail/confirm", s.confirmMail, page.Anyone),
		page.Get("/mail/stop", s.stopMailForm, page.Anyone),
		page.Post("/mail/stop", s.stopMail, page.Anyone),
	}
}

// LimitMail limits the letters that an account can have sent to any address.
var LimitMail = page.LimitClass{Name: "mail", Rate: rate.Every(10 * time.Minute), Burst: 5}

var (
	// ErrMailOff is the refusal of a site without a mail server.
	ErrMailOff  = refusal.NotFound("mail.error.off", "web: this site sends no mail")
	errMailDown = refusal.Invalid("mail.error.down", "web: the mail server refused the letter")
)

// askMail sends a confirmation link to an address, so that nobody gets mail they did not ask for.
func (s notices) askMail(c echo.Context) error {
	switch err := s.confirm(c, c.FormValue("address")); {
	case errors.Is(err, notice.ErrAddress), errors.Is(err, errMailDown):
		return s.showNoticeSettings(c, noticeForm{value: words.Shorten(c.FormValue("address"), 254), refused: err})
	case err != nil:
		return err
	}
	return s.Redirect(c, "/settings/notices", "flash.mail-asked")
}

// confirm sends a link to an address, which becomes the viewer's once it is opened.
func (s notices) confirm(c echo.Context, to string) error {
	v, p, now := page.Viewer(c), s.Printer(c), s.Now()
	if on, err := s.sendsMail(c.Request().Context()); err != nil || !on {
		return cmp.Or(err, error(ErrMailOff))
	}
	address, err := notice.ParseAddress(to)
	if err != nil {
		return err
	}
	if err := s.Count(c, LimitMail, string(v.ID)); err != nil {
		return err
	}
	a := store.MailAddress{Player: v.ID, Pending: address, Asked: now, Lang: string(p.Lang), Zone: page.ZoneName(p.Reader)}
	var secret player.Secret
	err = s.Store.Write(c.Request().Context(), func(tx *store.Tx) (err error) {
		secret, err = tx.AskMail(a)
		return err
	})
	if err != nil {
		return err
	}
	if err := s.Mail.Confirm(c.Request().Context(), v.Player, a, secret); err != nil {
		s.Log.Warn("confirmation not sent", "request", page.RequestID(c), "player", v.ID, "err", err)
		return errMailDown
	}
	return nil
}

func (s notices) dropMail(c echo.Context) error {
	if err := s.endMail(c.Request().Context(), page.Viewer(c)); err != nil {
		return err
	}
	return s.Redirect(c, "/settings/notices", "flash.saved")
}

func (s notices) endMail(ctx context.Context, by player.Viewer) error {
	return s.Store.Write(ctx, func(tx *store.Tx) error { return tx.DropMail(by.ID) })
}

// confirmMailForm asks before it confirms, because programs open links before people do.
func (s notices) confirmMailForm(c echo.Context) error {
	secret := player.Secret(c.QueryParam("key"))
	a, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (store.MailAddress, error) {
		return tx.MailLink(secret, s.Now())
	})
	if errors.Is(err, store.ErrNotFound) {
		return errLinkUsed
	}
	if err != nil {
		return err
	}
	p := s.Printer(c)
	return s.Render(c, http.StatusOK, accountview.MailQuestionPage(s.Shell(c, p.T("mail.confirm-title")), accountview.MailQuestion{
		Title: p.T("mail.confirm-title"), Text: p.T("mail.confirm-ask", "Address", string(a.Pending)), Button: p.T("mail.confirm-do"),
		Action: "/mail/confirm", Hidden: []templates.Choice{{Value: "key", Text: string(secret)}},
	}))
}

func (s notices) confirmMail(c echo.Context) error {
	err := s.Store.Write(c.Request().Context(), func(tx *store.Tx) error { return tx.ConfirmMail(player.Secret(c.FormValue("key")), s.Now()) })
	if errors.Is(err, store.ErrNotFound) {
		return errLinkUsed
	}
	if err != nil {
		return err
	}
	if page.Viewer(c).IsSignedIn() {
		return s.Redirect(c, "/settings/notices", "flash.mail-confirmed")
	}
	return s.Redirect(c, "/", "flash.mail-confirmed")
}

// mayStop returns whose mail a signed link stops.
func (s notices) mayStop(c echo.Context) (player.ID, error) {
	who, may := player.ID(c.FormValue("who")), false
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		may, err = courier.MayStop(tx, who, c.FormValue("key"))
		return err
	})
	if err == nil && !may {
		err = errLinkUsed
	}
	return who, err
}

func (s notices) stopMailForm(c echo.Context) error {
	who, err := s.mayStop(c)
	if err != nil {
		return err
	}
	p := s.Printer(c)
	return s.Render(c, http.StatusOK, accountview.MailQuestionPage(s.Shell(c, p.T("mail.stop")), accountview.MailQuestion{
		Title: p.T("mail.stop"), Text: p.T("mail.stop-ask"), Button: p.T("mail.stop-do"),
		Action: "/mail/stop", Hidden: []templates.Choice{{Value: "who", Text: string(who)}, {Value: "key", Text: c.QueryParam("key")}},
	}))
}

// stopMail ends all mail to a player, by the button of the page or the one click of mail programs (RFC 8058).
func (s notices) stopMail(c echo.Context) error {
	who, err := s.mayStop(c)
	if err != nil {
		return err
	}
	err = s.Store.Write(c.Request().Context(), func(tx *store.Tx) error { return tx.DropMail(who) })
	if err != nil {
		return err
	}
	return s.Redirect(c, "/", "flash.mail-stopped")
}

// sendsMail reports whether the site has a mail server.
func (s notices) sendsMail(ctx context.Context) (on bool, err error) {
	if s.Mail == nil {
		return false, nil
	}
	err = s.Store.Read(ctx, func(tx *store.Tx) (err error) {
		on, err = s.Mail.IsOn(tx)
		return err
	})
	return on, err
}
