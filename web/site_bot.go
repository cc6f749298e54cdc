package web

import (
	"context"
	"errors"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/notice/telegram"
	"chpok.org/chpok/player"
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
	switch _, err := s.giveBot(c, c.FormValue("secret")); {
	case errors.Is(err, notice.ErrBotToken), errors.Is(err, errBotUnknown), errors.Is(err, errBotUnreachable):
		return s.showSite(c, err)
	case err != nil:
		return err
	}
	return s.Redirect(c, page.LocalPath(c.FormValue("return")), "flash.saved")
}

func (s *Server) giveBot(c echo.Context, text string) (bot telegram.Account, err error) {
	token, err := notice.ParseBotToken(text)
	if err != nil {
		return bot, err
	}
	if bot, err = s.Bot.Meet(c.Request().Context(), token, s.Address(c, "")); err != nil {
		s.Log.Warn("bot refused", "request", page.RequestID(c), "err", err)
		if telegram.TroubleOf(err) == telegram.BadToken {
			return bot, errBotUnknown
		}
		return bot, errBotUnreachable
	}
	return bot, s.saveBot(c.Request().Context(), page.Viewer(c), bot)
}

func (s *Server) dropBot(c echo.Context) error {
	if err := s.saveBot(c.Request().Context(), page.Viewer(c), telegram.Account{}); err != nil {
		return err
	}
	return s.Redirect(c, page.LocalPath(c.FormValue("return")), "flash.saved")
}

func (s *Server) saveBot(ctx context.Context, by player.Viewer, bot telegram.Account) error {
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		part := kernel.SiteStep{By: by, Part: "telegram", Act: "telegram"}
		return s.Arbiter.OfSite(tx, part, func() error { return bot.Save(tx) })
	})
}
