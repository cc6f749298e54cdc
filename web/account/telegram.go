package account

import (
	"context"
	"errors"
	"net/http"
	"time"

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
	link, err := s.telegramLink(c)
	if err != nil {
		return err
	}
	page.LeadTo(c, telegram.Origin)
	return c.Redirect(http.StatusSeeOther, link)
}

func (s notices) telegramLink(c echo.Context) (string, error) {
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
	if err == nil && bot.Name == "" {
		err = errNoBot
	}
	return bot.Link(code), err
}

func (s notices) leaveTelegram(c echo.Context) error {
	if err := (api)(s).dropTelegram(c.Request().Context(), page.Viewer(c), noInput{}); err != nil {
		return err
	}
	return s.Redirect(c, "/settings/notices", "flash.saved")
}

type (
	apiTelegram struct {
		Bot  *string    `json:"bot" doc:"the site’s bot; null: it has none" example:"chpok_bot"`
		Down bool       `json:"down" doc:"Telegram does not take the site’s messages at present"`
		Join *time.Time `json:"joined" doc:"since when the account has connected it; null: not"`
	}
	apiTelegramLink struct {
		URL   string    `json:"url" doc:"for the account’s owner to open on the device with their Telegram, and press Start there" example:"https://t.me/chpok_bot?start=9f2c"`
		Until time.Time `json:"until" doc:"when the link ends"`
	}
)

func (s api) telegram(c echo.Context, _ noInput) (out apiTelegram, err error) {
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		t, err := readTelegram(tx, page.Viewer(c).ID)
		if out = (apiTelegram{Bot: page.Optional(t.bot.Name), Down: t.trouble != ""}); t.chat.Chat != 0 {
			out.Join = &t.chat.Joined
		}
		return err
	})
	return out, err
}

func (s api) newTelegram(c echo.Context, _ noInput) (apiTelegramLink, error) {
	link, err := notices(s).telegramLink(c)
	return apiTelegramLink{link, s.Now().Add(notice.JoinWithin)}, err
}

func (s api) dropTelegram(ctx context.Context, by player.Viewer, _ noInput) error {
	return s.Store.Write(ctx, func(tx *store.Tx) error { return tx.LeaveTelegram(by.ID) })
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
