// Package courier sends notices as mail: it writes a letter from the notices that wait,
// in the reader's language and time zone, and hands it to a mail server. It does not
// decide who is told what, and never sends a letter twice: a letter is marked as sent
// before it goes, and goes again only if the server rejected it.
package courier

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"chpok.org/chpok/civil"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
)

// Courier sends the mail of one site.
type Courier struct {
	store  *store.Store
	server *Server // nil: the mailbox that an operator entered, if any
	base   string  // address of the site
	now    func() time.Time
	log    *slog.Logger
}

// New returns a courier for the site at base. Without a server it uses the mailbox that
// an operator entered on the site, if any.
func New(s *store.Store, server *Server, base string, now func() time.Time, log *slog.Logger) *Courier {
	return &Courier{store: s, server: server, base: strings.TrimSuffix(base, "/"), now: now, log: log}
}

// batch is how many letters Deliver sends at most.
const batch = 50

var errNoServer = errors.New("courier: the site sends no mail")

const settingStopKey = "mail-key"

// Deliver sends the letters that are due. Every node may call it at any pace.
func (c *Courier) Deliver(ctx context.Context) error {
	c, err := c.reach(ctx)
	if err != nil || c == nil {
		return err
	}
	now := c.now()
	due, err := store.Get(ctx, c.store, func(tx *store.Tx) ([]player.ID, error) { return tx.PlayersToMail(now, batch) })
	if err != nil {
		return err
	}
	for _, id := range due {
		if err := c.deliver(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

func (c *Courier) deliver(ctx context.Context, to player.ID) error {
	now := c.now()
	var letter store.Letter
	var key string
	err := c.store.Write(ctx, func(tx *store.Tx) (err error) {
		if key, err = stopKey(tx); err != nil {
			return err
		}
		letter, err = tx.TakeLetter(to, now)
		return err
	})
	if errors.Is(err, store.ErrConflict) {
		return nil // another node took it
	}
	if err != nil || len(letter.Lines) == 0 {
		return err
	}
	m, err := c.write(ctx, letter, key)
	if err != nil {
		return err
	}
	err = c.server.send(ctx, m)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errUncertain):
		c.log.Warn("mail may be lost", "player", to, "err", err)
		return nil
	}
	wait, again := notice.RetryAfter(letter.Tries)
	again = again && !errors.Is(err, errRefused)
	c.log.Warn("mail refused", "player", to, "try", letter.Tries, "again", again, "err", err)
	if !again {
		return nil
	}
	return c.store.Write(context.WithoutCancel(ctx), func(tx *store.Tx) error { return tx.ReturnLetter(letter, now.Add(wait)) })
}

// printer returns the printer in a reader's language and time zone.
func printer(p player.Player, a store.MailAddress) lang.Printer {
	return lang.To(civil.Zone(p.Settings.Zone, a.Zone), a.Lang, p.Settings.Lang)
}

// write makes the letter with a player's notices.
func (c *Courier) write(ctx context.Context, l store.Letter, key string) (message, error) {
	p := printer(l.To, l.Address)
	view := templates.LetterView{
		Greeting: p.T("mail.greeting", "Handle", string(l.To.Handle)), Site: c.base + "/notices",
		Foot: p.T("mail.why", "Site", c.base), Settings: c.base + "/settings/notices", Stop: c.base + StopPath(l.To.ID, key),
	}
	for i, t := range l.Lines {
		if i == notice.MailLines {
			view.More = p.N("mail.more", len(l.Lines)-i)
			break
		}
		line := templates.LetterLine{Text: t.Text(p.T), URL: c.base + t.URL}
		if !t.When.IsZero() {
			line.When = p.Of(civil.Zone(t.Zone)).Moment(t.When)
		}
		view.Lines = append(view.Lines, line)
	}
	subject := p.N("mail.subject", len(l.Lines))
	if len(l.Lines) == 1 {
		subject = view.Lines[0].Text
	}
	return compose(ctx, p, string(l.Address.Address), line(subject), view)
}

// compose renders a letter in the printer's language.
func compose(ctx context.Context, p lang.Printer, to, subject string, view templates.LetterView) (message, error) {
	view.Lang = string(p.Lang)
	var html strings.Builder
	if err := templates.Letter(view).Render(lang.With(ctx, p), &html); err != nil {
		return message{}, fmt.Errorf("letter: %w", err)
	}
	return message{to: to, subject: subject, text: plain(p, view), html: html.String(), stop: view.Stop}, nil
}

// line puts a text written by users on one line.
func line(s string) string { return strings.Join(strings.Fields(s), " ") }

// plain returns the letter as plain text.
func plain(p lang.Printer, v templates.LetterView) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", v.Greeting)
	for _, l := range v.Lines {
		fmt.Fprintf(&b, "\n* %s", line(l.Text))
		if l.When != "" {
			fmt.Fprintf(&b, "\n  %s", l.When)
		}
		fmt.Fprintf(&b, "\n  %s\n", l.URL)
	}
	if v.More != "" {
		fmt.Fprintf(&b, "\n%s\n%s\n", v.More, v.Site)
	}
	if v.Foot != "" {
		fmt.Fprintf(&b, "\n-- \n%s\n", v.Foot)
	}
	if v.Stop != "" {
		fmt.Fprintf(&b, "%s: %s\n%s: %s\n", p.T("mail.settings"), v.Settings, p.T("mail.stop"), v.Stop)
	}
	return b.String()
}

// Confirm sends the link that confirms a new address.
func (c *Courier) Confirm(ctx context.Context, p player.Player, a store.MailAddress, secret player.Secret) error {
	c, err := c.reach(ctx)
	if err != nil {
		return err
	}
	if c == nil {
		return errNoServer
	}
	pr := printer(p, a)
	m, err := compose(ctx, pr, string(a.Pending), pr.T("mail.confirm-subject"), templates.LetterView{
		Greeting: pr.T("mail.greeting", "Handle", string(p.Handle)),
		Lines:    []templates.LetterLine{{Text: pr.T("mail.confirm"), URL: c.base + "/mail/confirm?key=" + url.QueryEscape(string(secret))}},
		Foot:     pr.T("mail.confirm-why", "Site", c.base),
	})
	if err != nil {
		return err
	}
	return c.server.send(ctx, m)
}

// stopKey returns the key that signs the links to stop mail: created once, shared by all
// nodes.
func stopKey(tx *store.Tx) (string, error) {
	return tx.FirstSetting(settingStopKey, string(store.NewSecret()))
}

// StopPath returns the page on which a player stops all mail without signing in.
func StopPath(of player.ID, key string) string {
	return "/mail/stop?" + url.Values{"who": {string(of)}, "key": {sign(of, key)}}.Encode()
}

// MayStop reports whether the signature of a link lets its reader stop a player's mail.
func MayStop(tx *store.Tx, of player.ID, signature string) (bool, error) {
	key, err := tx.Setting(settingStopKey, "")
	return key != "" && hmac.Equal([]byte(sign(of, key)), []byte(signature)), err
}

func sign(of player.ID, key string) string {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte("stop mail of " + string(of)))
	return hex.EncodeToString(mac.Sum(nil))
}
