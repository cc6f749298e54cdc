package web

import (
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
	"golang.org/x/time/rate"

	"chpok.org/chpok/courier"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	accountview "chpok.org/chpok/templates/account"
)

func (s *Server) mailRoutes() []route {
	return []route{
		{post, "/settings/mail", s.askMail, signedIn},
		{post, "/settings/mail/drop", s.dropMail, signedIn},
		{get, "/mail/confirm", s.confirmMailForm, anyone},
		{post, "/mail/confirm", s.confirmMail, anyone},
		{get, "/mail/stop", s.stopMailForm, anyone},
		{post, "/mail/stop", s.stopMail, anyone},
	}
}

// limitMail bounds how many confirmations one account sends to wherever it says.
var limitMail = limitClass{"mail", rate.Every(10 * time.Minute), 5}

var (
	errMailOff  = refusal.NotFound("mail.error.off", "web: this site sends no mail")
	errMailDown = refusal.Invalid("mail.error.down", "web: the mail server did not take the letter")
)

// askMail sends a link to an address, so that nobody gets mail that he has not
// asked for.
func (s *Server) askMail(c echo.Context) error {
	v, p, now := viewer(c), s.printer(c), s.now()
	if s.mail == nil {
		return errMailOff
	}
	address, err := notice.ParseAddress(c.FormValue("address"))
	if err != nil {
		return s.showNoticeSettings(c, noticeForm{value: shorten(c.FormValue("address"), 254), refused: err})
	}
	if err := s.count(c, limitMail, string(v.ID)); err != nil {
		return err
	}
	a := store.MailAddress{Player: v.ID, Pending: address, Asked: now, Lang: string(p.Lang), Zone: p.Zone.String()}
	var secret player.Secret
	err = s.store.Write(c.Request().Context(), func(tx *store.Tx) (err error) {
		secret, err = tx.AskMail(a)
		return err
	})
	if err != nil {
		return err
	}
	if err := s.mail.Confirm(c.Request().Context(), v.Player, a, secret); err != nil {
		s.log.Warn("confirmation not sent", "request", requestID(c), "player", v.ID, "err", err)
		return s.showNoticeSettings(c, noticeForm{value: string(address), refused: errMailDown})
	}
	return s.redirect(c, "/settings/notices", "flash.mail-asked")
}

func (s *Server) dropMail(c echo.Context) error {
	if err := s.store.Write(c.Request().Context(), func(tx *store.Tx) error { return tx.DropMail(viewer(c).ID) }); err != nil {
		return err
	}
	return s.redirect(c, "/settings/notices", "flash.saved")
}

// confirmMailForm only asks: programs that look at links before people do must
// not confirm anything.
func (s *Server) confirmMailForm(c echo.Context) error {
	secret := player.Secret(c.QueryParam("key"))
	var a store.MailAddress
	err := s.store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		a, err = tx.MailLink(secret, s.now())
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return errLinkUsed
	}
	if err != nil {
		return err
	}
	p := s.printer(c)
	return s.render(c, http.StatusOK, accountview.MailQuestionPage(s.shell(c, p.T("mail.confirm-title")), accountview.MailQuestion{
		Title: p.T("mail.confirm-title"), Text: p.T("mail.confirm-ask", "Address", string(a.Pending)), Button: p.T("mail.confirm-do"),
		Action: "/mail/confirm", Hidden: []templates.Choice{{Value: "key", Text: string(secret)}},
	}))
}

func (s *Server) confirmMail(c echo.Context) error {
	err := s.store.Write(c.Request().Context(), func(tx *store.Tx) error { return tx.ConfirmMail(player.Secret(c.FormValue("key")), s.now()) })
	if errors.Is(err, store.ErrNotFound) {
		return errLinkUsed
	}
	if err != nil {
		return err
	}
	if viewer(c).IsSignedIn() {
		return s.redirect(c, "/settings/notices", "flash.mail-confirmed")
	}
	return s.redirect(c, "/", "flash.mail-confirmed")
}

// mayStop finds whose mail a signed link stops.
func (s *Server) mayStop(c echo.Context) (player.ID, error) {
	who, may := player.ID(c.FormValue("who")), false
	err := s.store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		may, err = courier.MayStop(tx, who, c.FormValue("key"))
		return err
	})
	if err == nil && !may {
		err = errLinkUsed
	}
	return who, err
}

func (s *Server) stopMailForm(c echo.Context) error {
	who, err := s.mayStop(c)
	if err != nil {
		return err
	}
	p := s.printer(c)
	return s.render(c, http.StatusOK, accountview.MailQuestionPage(s.shell(c, p.T("mail.stop")), accountview.MailQuestion{
		Title: p.T("mail.stop"), Text: p.T("mail.stop-ask"), Button: p.T("mail.stop-do"),
		Action: "/mail/stop", Hidden: []templates.Choice{{Value: "who", Text: string(who)}, {Value: "key", Text: c.QueryParam("key")}},
	}))
}

// stopMail ends all mail to a player: by the button of the page, or by the one
// click that mail programs offer (RFC 8058).
func (s *Server) stopMail(c echo.Context) error {
	who, err := s.mayStop(c)
	if err != nil {
		return err
	}
	err = s.store.Write(c.Request().Context(), func(tx *store.Tx) error { return tx.DropMail(who) })
	if err != nil {
		return err
	}
	return s.redirect(c, "/", "flash.mail-stopped")
}
