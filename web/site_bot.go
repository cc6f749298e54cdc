package web

import (
	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/notice/telegram"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/web/page"
)

var (
	errBotUnknown     = refusal.Invalid("home.error.bot-unknown", "web: Telegram knows no bot with this token")
	errBotUnreachable = refusal.Invalid("home.error.bot-unreachable", "web: Telegram does not answer")
)

// setBot makes the bot with a token the site's, once Telegram has said who it is.
func (s *Server) setBot(c echo.Context) error {
	token, err := notice.ParseBotToken(c.FormValue("secret"))
	if err != nil {
		return s.showSite(c, err)
	}
	bot, err := s.Bot.Meet(c.Request().Context(), token, s.Address(c, ""))
	if err != nil {
		s.Log.Warn("bot refused", "request", page.RequestID(c), "err", err)
		if telegram.TroubleOf(err) == telegram.BadToken {
			return s.showSite(c, errBotUnknown)
		}
		return s.showSite(c, errBotUnreachable)
	}
	return s.saveBot(c, bot)
}

func (s *Server) dropBot(c echo.Context) error { return s.saveBot(c, telegram.Account{}) }

func (s *Server) saveBot(c echo.Context, bot telegram.Account) error {
	err := s.Store.Write(c.Request().Context(), func(tx *store.Tx) error {
		part := kernel.SiteStep{By: page.Viewer(c), Part: "telegram", Act: "telegram"}
		return s.Arbiter.OfSite(tx, part, func() error { return bot.Save(tx) })
	})
	if err != nil {
		return err
	}
	return s.Redirect(c, page.LocalPath(c.FormValue("return")), "flash.saved")
}
