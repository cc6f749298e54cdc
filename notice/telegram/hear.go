package telegram

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
)

// Hear asks once what people have said to the bot, and answers. It waits for a while when there is nothing. Every node may call
// it at any pace: one of them listens.
func (b *Bot) Hear(ctx context.Context) error {
	a, at, ok, err := b.account(ctx)
	if err != nil || !ok || b.now().Before(b.calm) {
		return err
	}
	if b.heard.of != a.Token {
		b.heard.of, b.heard.next = a.Token, 0
	}
	mine := false
	err = b.store.Write(ctx, func(tx *store.Tx) (err error) {
		mine, err = tx.Lease("telegram", b.node, b.now(), b.now().Add(lease))
		return err
	})
	if errors.Is(err, store.ErrConflict) || err == nil && !mine {
		return nil
	}
	if err != nil {
		return err
	}
	asking, cancel := context.WithTimeout(ctx, linger+patience)
	defer cancel()
	var news []update
	err = at.ask(asking, "getUpdates", map[string]any{"offset": b.heard.next, "timeout": int(linger / time.Second),
		"allowed_updates": []string{"message", "my_chat_member"}}, &news)
	if ctx.Err() != nil {
		return nil // the node stops
	}
	if err := b.note(ctx, a, TroubleOf(err)); err != nil {
		return err
	}
	if err != nil {
		b.keepSilent(err)
		b.calm = b.now().Add(pause)
		return nil
	}
	for _, u := range news {
		b.heard.next = u.ID + 1 // whatever comes of it, it is not heard again
		if err := b.hear(ctx, at, a, u); err != nil {
			return err
		}
	}
	return nil
}

// TroubleOf says what an error of asking Telegram means.
func TroubleOf(err error) Trouble {
	switch code := codeOf(err); {
	case err == nil || code == http.StatusTooManyRequests:
		return ""
	case code == http.StatusUnauthorized || code == http.StatusNotFound:
		return BadToken
	case code == http.StatusConflict:
		return Taken
	}
	return Unreachable
}

// note keeps what is wrong with a bot for its operator, once.
func (b *Bot) note(ctx context.Context, a Account, now Trouble) error {
	before, err := store.Get(ctx, b.store, TroubleNow)
	if err != nil || before == now {
		return err
	}
	b.log.Warn("telegram", "trouble", string(now), "before", string(before))
	return b.store.Write(ctx, func(tx *store.Tx) error {
		if is, err := Of(tx); err != nil || is != a {
			return err // another one meanwhile
		}
		return tx.SetSetting(settingTrouble, string(now))
	})
}

// hear acts on what somebody has said, or done with the bot.
func (b *Bot) hear(ctx context.Context, at api, a Account, u update) error {
	switch {
	case u.Membership != nil && u.Membership.Chat.Type == private && u.Membership.New.Status == "kicked":
		return b.store.Write(ctx, func(tx *store.Tx) error {
			c, err := tx.TelegramChatBy(u.Membership.Chat.ID)
			if err == nil {
				err = tx.BlockTelegram(c.Player, b.now())
			}
			return unlessUnknown(err)
		})
	case u.Message != nil && u.Message.Chat.Type != private:
		command, code, _ := strings.Cut(strings.TrimSpace(u.Message.Text), " ")
		if command, _, _ = strings.Cut(command, "@"); command != "/start" || code == "" {
			return nil
		}
		return b.joinGroup(ctx, at, a, u.Message.Chat, player.Secret(strings.TrimSpace(code)))
	case u.Message != nil:
		command, rest, _ := strings.Cut(strings.TrimSpace(u.Message.Text), " ")
		return b.answer(ctx, at, a, u.Message.Chat.ID, u.Message.From.Language, command, player.Secret(strings.TrimSpace(rest)))
	}
	return nil
}

const private = "private"

func unlessUnknown(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}

// answer does what a person asks of the bot, and says so in their language.
func (b *Bot) answer(ctx context.Context, at api, a Account, chat int64, language, command string, code player.Secret) error {
	var c store.TelegramChat
	var who player.Player
	said := "telegram.help"
	err := b.store.Write(ctx, func(tx *store.Tx) (err error) {
		c, err = tx.TelegramChatBy(chat)
		switch isJoined := err == nil; {
		case err != nil && !errors.Is(err, store.ErrNotFound):
			return err
		case command == "/stop" && isJoined:
			said = "telegram.stopped"
			err = tx.LeaveTelegram(c.Player)
		case command == "/start" && code != "":
			said = "telegram.joined"
			var joined store.TelegramChat
			if joined, err = tx.JoinTelegram(code, chat, b.now()); err == nil {
				c = joined
			} else if errors.Is(err, store.ErrNotFound) && !isJoined {
				said = "telegram.old-link"
			}
		case isJoined:
			said = "telegram.joined"
		}
		if unlessUnknown(err) != nil || c.Player == "" {
			return unlessUnknown(err)
		}
		who, err = tx.Player(c.Player)
		return err
	})
	if err != nil {
		return err
	}
	p := printer(c, who)
	if c.Player == "" && !strings.HasPrefix(language, string(lang.Ukrainian)) {
		p.Lang = lang.English
	}
	err = at.say(ctx, chat, p.T(said, "Handle", string(who.Handle)), p.T("telegram.settings"), a.Base+"/settings/notices")
	if err != nil {
		b.keepSilent(err)
		b.log.Warn("telegram answer not sent", "err", err)
	}
	return nil
}

// joinGroup lets a group read of what its code is for, and says so there.
func (b *Bot) joinGroup(ctx context.Context, at api, a Account, group chat, code player.Secret) error {
	var h notice.Hook
	err := b.store.Write(ctx, func(tx *store.Tx) (err error) {
		h, err = tx.JoinGroup(code, group.ID, group.Title, b.now())
		return err
	})
	if errors.Is(err, store.ErrNotFound) { // anybody may write codes into a group
		return nil
	}
	said := "telegram.group-joined"
	if errors.Is(err, notice.ErrManyHooks) {
		said = "hook.error.many"
	} else if err != nil {
		return err
	}
	kind, id := h.Topic.Parts()
	p := lang.To(nil, h.Lang)
	address := a.Base + "/" + kind + "s/" + url.PathEscape(id)
	if err := at.say(ctx, group.ID, p.T(said), p.T("telegram.open"), address); err != nil {
		b.keepSilent(err)
		b.log.Warn("telegram answer not sent", "err", err)
	}
	return nil
}
