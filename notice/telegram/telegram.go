// Package telegram tells people what concerns them through the site's bot on Telegram, and hears whom it reaches; no other
// package knows Telegram's Bot API. It does not decide who is told what. Whatever fails there is retried or given up, and holds
// nothing up.
package telegram

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"chpok.org/chpok/civil"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
)

// Bot is the bot of one site, as one node has it.
type Bot struct {
	store *store.Store
	api   string // address of the Bot API
	node  string
	now   func() time.Time
	log   *slog.Logger

	client *http.Client
	silent atomic.Int64 // until when Telegram wants to hear nothing, in milliseconds

	// Of the goroutine that listens.
	heard struct {
		of   string // the token of a bot
		next int64  // the update that it has not heard yet
	}
	calm time.Time // until when it does not listen, after trouble
}

// New returns the bot of a site. It asks the Bot API at an address; without one, Telegram's own.
func New(s *store.Store, address string, now func() time.Time, log *slog.Logger) *Bot {
	return &Bot{store: s, api: strings.TrimSuffix(cmp.Or(address, "https://api.telegram.org"), "/"), node: store.NewID(), now: now, log: log,
		client: &http.Client{
			Transport:     &http.Transport{Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: atOnce, IdleConnTimeout: time.Minute},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// Account is the bot that an operator entered on the site.
type Account struct {
	Token string `json:"token"`
	Name  string `json:"name"` // without @
	Base  string `json:"base"` // address of the site
}

// Settings of the site.
const (
	settingAccount = "telegram"
	settingTrouble = "telegram-trouble"
)

// Trouble is why the bot does not work; empty: it does.
type Trouble string

// The troubles.
const (
	BadToken    Trouble = "token"       // Telegram knows no bot with this token
	Taken       Trouble = "taken"       // another program listens for the same bot
	Unreachable Trouble = "unreachable" // no answer
)

const (
	patience = 10 * time.Second
	linger   = 25 * time.Second // how long Telegram keeps a question for news open
	lease    = time.Minute      // of the node that listens
	pause    = 15 * time.Second // before listening again after trouble
	batch    = 25               // notices at once: Telegram takes 30 messages a second
	atOnce   = 8
)

// Of returns the site's bot; without a name if there is none.
func Of(tx *store.Tx) (a Account, err error) {
	text, err := tx.SecretSetting(settingAccount)
	if err != nil || text == "" {
		return a, err
	}
	return a, json.Unmarshal([]byte(text), &a)
}

// TroubleNow returns what is wrong with the bot.
func TroubleNow(tx *store.Tx) (Trouble, error) {
	text, err := tx.Setting(settingTrouble, "")
	return Trouble(text), err
}

// Save makes a the site's bot, or none without a token. Chats belong to a bot: with another one, all are forgotten.
func (a Account) Save(tx *store.Tx) error {
	before, err := Of(tx)
	if err != nil {
		return err
	}
	text := []byte(nil)
	if a.Token != "" {
		if text, err = json.Marshal(a); err != nil {
			return err
		}
	}
	if err := errors.Join(tx.SetSecret(settingAccount, string(text)), tx.SetSetting(settingTrouble, "")); err != nil || before.Name == a.Name {
		return err
	}
	return tx.CloseTelegram()
}

// Link returns the address that opens the bot's chat and gives it a code.
func (a Account) Link(code player.Secret) string {
	return "https://t.me/" + a.Name + "?start=" + string(code)
}

// Origin is where links to bots lead.
const Origin = "https://t.me"

// Meet asks Telegram who the bot with a token is, and makes it listen.
func (b *Bot) Meet(ctx context.Context, token, base string) (Account, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	a, at := Account{Token: token, Base: strings.TrimSuffix(base, "/")}, api{b.api, token, b.client}
	var me user
	if err := at.ask(ctx, "getMe", struct{}{}, &me); err != nil {
		return a, err
	}
	a.Name = me.Username
	var done bool
	return a, at.ask(ctx, "deleteWebhook", struct{}{}, &done) // or else it would not be asked for news
}

// account returns the bot, and how to ask in its name; false: the site has none, or Telegram wants to hear nothing now.
func (b *Bot) account(ctx context.Context) (a Account, at api, ok bool, err error) {
	if b.now().UnixMilli() < b.silent.Load() {
		return a, at, false, nil
	}
	a, err = store.Get(ctx, b.store, Of)
	return a, api{b.api, a.Token, b.client}, a.Token != "", err
}

// keepSilent takes note of how long Telegram wants to hear nothing.
func (b *Bot) keepSilent(err error) (wait time.Duration) {
	if r, is := errors.AsType[*refused](err); is && r.Code == http.StatusTooManyRequests {
		wait = max(r.Wait, time.Second)
		b.silent.Store(b.now().Add(wait).UnixMilli())
	}
	return wait
}

// Deliver tells what is due. Every node may call it at any pace.
func (b *Bot) Deliver(ctx context.Context) error {
	isDue, err := store.Get(ctx, b.store, func(tx *store.Tx) (bool, error) { return tx.IsTelegramDue(b.now()) })
	if err != nil || !isDue {
		return err
	}
	a, at, ok, err := b.account(ctx)
	if err != nil || !ok {
		return err
	}
	var due []store.TelegramCall
	err = b.store.Write(ctx, func(tx *store.Tx) (err error) {
		due, err = tx.TakeTelegrams(b.now(), batch)
		return err
	})
	if errors.Is(err, store.ErrConflict) {
		return nil // another node took them
	}
	if err != nil {
		return err
	}
	errs, slots := make([]error, len(due)), make(chan struct{}, atOnce)
	var all sync.WaitGroup
	for i, one := range due {
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			errs[i] = b.deliver(ctx, at, a, one)
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// deliver tells one notice. It is tried again while Telegram does not answer or asks to wait.
func (b *Bot) deliver(ctx context.Context, at api, a Account, one store.TelegramCall) error {
	p := printer(one.Chat, one.Player)
	text := one.Text(p.T)
	if !one.When.IsZero() {
		text += "\n" + p.Of(civil.Zone(one.Zone)).Moment(one.When)
	}
	label := "telegram.open"
	if slices.Contains(notice.ToBoard, one.Kind) {
		label = "telegram.open-match"
	}
	err := at.say(ctx, one.Chat.Chat, text, p.T(label), a.Base+one.URL)
	wait := b.keepSilent(err)
	switch code := codeOf(err); {
	case err == nil:
		return nil
	case wait > 0:
		one.Tries-- // it was none
	case code == http.StatusForbidden: // they have blocked the bot, or are no more
		b.log.Info("telegram chat dropped", "player", one.Player.ID, "err", err)
		return b.store.Write(ctx, func(tx *store.Tx) error { return tx.BlockTelegram(one.Player.ID, b.now()) })
	case code == 0 || code >= 500 || code == http.StatusUnauthorized:
		wait = notice.PushWait << (2 * (one.Tries - 1))
	default:
		wait = 0
	}
	b.log.Warn("telegram refused", "player", one.Player.ID, "try", one.Tries, "again", wait, "err", err)
	if wait == 0 || one.Tries >= notice.PushTries {
		return nil
	}
	return b.store.Write(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		return tx.TelegramAgain(one.ID, one.Tries, b.now().Add(wait))
	})
}

// say writes to a chat, with a button that leads to an address. Telegram takes no button to an address without TLS, which
// might be anywhere: that one stands below the text.
func (a api) say(ctx context.Context, to int64, text, label, address string) error {
	return a.send(ctx, message{Chat: to, Text: text, Preview: preview{Off: true}}, label, address)
}

func (a api) send(ctx context.Context, m message, label, address string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	switch {
	case strings.HasPrefix(address, "https://"):
		m.Buttons = &buttons{[][]button{{{label, address}}}}
	case address != "":
		m.Text += "\n" + address
	}
	var sent struct{}
	return a.ask(ctx, "sendMessage", m, &sent)
}

// LinkGroup returns the address that lets its reader add the bot to a group of theirs, and gives it a code there.
func (a Account) LinkGroup(code player.Secret) string {
	return "https://t.me/" + a.Name + "?startgroup=" + string(code)
}

// Posted is how a message to a group went.
type Posted struct {
	Status int           // as of HTTP; 0: no answer
	Wait   time.Duration // before it may be tried again; 0: Telegram does not say
	Chat   int64         // what the group is called now; 0: as before
}

// Post writes to a group, with the picture of a page that the news lead to.
func (b *Bot) Post(ctx context.Context, group int64, n notice.News, label string) (Posted, error) {
	_, at, ok, err := b.account(ctx)
	if err != nil || !ok {
		return Posted{}, err
	}
	text := n.Title
	if n.Text != "" {
		text += "\n\n" + n.Text
	}
	m := message{Chat: group, Text: text, Preview: preview{Off: n.URL == "", URL: n.URL, Large: true}}
	err = at.send(ctx, m, label, n.URL)
	posted := Posted{Status: codeOf(err), Wait: b.keepSilent(err)}
	if r, is := errors.AsType[*refused](err); is {
		posted.Chat = r.Now
	}
	if err == nil {
		posted.Status = http.StatusOK
	}
	return posted, nil
}

// printer returns the printer in the language and time zone of a chat.
func printer(c store.TelegramChat, of player.Player) lang.Printer {
	return lang.To(civil.Zone(of.Settings.Zone, c.Zone), c.Lang, of.Settings.Lang)
}
