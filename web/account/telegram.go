package account

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/notice"
	"chpok.org/chpok/notice/telegram"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	accountview "chpok.org/chpok/templates/account"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/page"
)

var errNoBot = refusal.NotFound("telegram.error.off", "web: this site is not on Telegram")

// joinTelegram leads to the site's bot on Telegram, with a code that joins the chat there.
func (s notices) joinTelegram(c echo.Context) error {
	v, p := page.Viewer(c), s.Printer(c)
	var bot telegram.Account
	var code player.Secret
	err := s.Store.Write(c.Request().Context(), func(tx *store.Tx) (err error) {
		if bot, err = telegram.Of(tx); err != nil || bot.Name == "" {
			return err
		}
		code, err = tx.AskTelegram(store.TelegramChat{Player: v.ID, Asked: s.Now(), Lang: string(p.Lang), Zone: page.ZoneName(p.Reader)})
		return err
	})
	if err != nil {
		return err
	}
	if bot.Name == "" {
		return errNoBot
	}
	page.LeadTo(c, telegram.Origin)
	return c.Redirect(http.StatusSeeOther, bot.Link(code))
}

func (s notices) leaveTelegram(c echo.Context) error {
	if err := s.Store.Write(c.Request().Context(), func(tx *store.Tx) error { return tx.LeaveTelegram(page.Viewer(c).ID) }); err != nil {
		return err
	}
	return s.Redirect(c, "/settings/notices", "flash.saved")
}

// telegramState is what the settings show of the site's bot.
type telegramState struct {
	bot     telegram.Account
	trouble telegram.Trouble
	chat    store.TelegramChat
}

func readTelegram(tx *store.Tx, of player.ID) (t telegramState, err error) {
	if t.bot, err = telegram.Of(tx); err != nil {
		return t, err
	}
	if t.trouble, err = telegram.TroubleNow(tx); err != nil {
		return t, err
	}
	if t.chat, err = tx.TelegramChat(of); errors.Is(err, store.ErrNotFound) {
		err = nil
	}
	return t, err
}

func (t telegramState) view(p lang.Printer) accountview.TelegramSettings {
	view := accountview.TelegramSettings{Offered: t.bot.Name != "", Bot: t.bot.Name, Down: t.trouble != ""}
	if t.chat.Chat != 0 {
		view.Joined = p.Day(t.chat.Joined)
	} else if !t.chat.Blocked.IsZero() {
		view.Blocked = p.Day(t.chat.Blocked)
	}
	return view
}

// keepTelegram leaves what a player chose of Telegram as it was where the settings do not show it.
func keepTelegram(tx *store.Tx, of player.ID, chosen notice.Preferences) error {
	bot, err := telegram.Of(tx)
	if err != nil || bot.Name != "" {
		return err
	}
	before, err := tx.NoticePreferences(of)
	for k, channels := range chosen {
		channels.Telegram = before[of].Of(k).Telegram
		chosen[k] = channels
	}
	return err
}
