// Package courier brings by mail what players are told: it makes letters of the
// notices that wait, in each reader's language and zone, and hands them to a
// mail server. It refuses to decide who is told what, and to send twice: a
// letter is noted as sent before it goes, and goes again only when the server
// has refused it.
package courier

import (
	"context"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
)

// Courier sends the mail of one site.
type Courier struct {
	store   *store.Store
	siteKey func(context.Context) (ed25519.PrivateKey, error)
	server  *Server // nil: the mailbox that an operator has named, if any
	base    string  // how visitors reach the site
	now     func() time.Time
	log     *slog.Logger
}

// New is a courier; base is the address of the site. Without a server it uses
// the mailbox that an operator has named on the site, if there is one; siteKey
// is what that one is sealed with.
func New(s *store.Store, server *Server, siteKey func(context.Context) (ed25519.PrivateKey, error), base string,
	now func() time.Time, log *slog.Logger) *Courier {
	return &Courier{store: s, siteKey: siteKey, server: server, base: strings.TrimSuffix(base, "/"), now: now, log: log}
}

// batch is how many letters one round of the job sends at most.
const batch = 50

var errNoServer = errors.New("courier: the site sends no mail")

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
		if key, err = siteKey(tx); err != nil {
			return err
		}
		letter, err = tx.TakeLetter(to, now)
		return err
	})
	if errors.Is(err, store.ErrConflict) {
		return nil // another node has it
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

// printer writes as a reader sees the site.
func printer(p player.Player, a store.MailAddress) lang.Printer {
	out := lang.Printer{Lang: lang.Ukrainian, Zone: time.UTC}
	for _, word := range []string{a.Lang, p.Settings.Lang} {
		if l, ok := lang.Parse(word); ok {
			out.Lang = l
		}
	}
	for _, name := range []string{a.Zone, p.Settings.Zone} {
		if z, err := time.LoadLocation(name); err == nil && name != "" {
			out.Zone = z
		}
	}
	return out
}

// write makes the letter that tells of notices.
func (c *Courier) write(ctx context.Context, l store.Letter, key string) (message, error) {
	p := printer(l.To, l.Address)
	stop := c.base + StopPath(l.To.ID, key)
	view := templates.LetterView{
		Lang: string(p.Lang), Greeting: p.T("mail.greeting", "Handle", string(l.To.Handle)), Site: c.base + "/notices",
		Foot: p.T("mail.why", "Site", c.base), Settings: c.base + "/settings/notices", Stop: stop,
	}
	for i, t := range l.Lines {
		if i == notice.MailLines {
			view.More = p.N("mail.more", len(l.Lines)-i)
			break
		}
		line := templates.LetterLine{Text: t.Text(p.T), URL: c.base + t.URL}
		if !t.When.IsZero() {
			line.When = p.Moment(t.When)
		}
		view.Lines = append(view.Lines, line)
	}
	subject := p.N("mail.subject", len(l.Lines))
	if len(l.Lines) == 1 {
		subject = view.Lines[0].Text
	}
	var html strings.Builder
	if err := templates.Letter(view).Render(lang.With(ctx, p), &html); err != nil {
		return message{}, fmt.Errorf("letter: %w", err)
	}
	return message{to: string(l.Address.Address), subject: line(subject), text: plain(p, view), html: html.String(), stop: stop}, nil
}

// line keeps a text from other people's hands on one line.
func line(s string) string { return strings.Join(strings.Fields(s), " ") }

// plain is the letter for those who read no HTML.
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

// Confirm sends the link by which somebody shows that an address is theirs.
func (c *Courier) Confirm(ctx context.Context, p player.Player, a store.MailAddress, secret player.Secret) error {
	c, err := c.reach(ctx)
	if err != nil {
		return err
	}
	if c == nil {
		return errNoServer
	}
	pr := printer(p, a)
	view := templates.LetterView{
		Lang: string(pr.Lang), Greeting: pr.T("mail.greeting", "Handle", string(p.Handle)),
		Lines: []templates.LetterLine{{Text: pr.T("mail.confirm"), URL: c.base + "/mail/confirm?key=" + url.QueryEscape(string(secret))}},
		Foot:  pr.T("mail.confirm-why", "Site", c.base),
	}
	var html strings.Builder
	if err := templates.Letter(view).Render(lang.With(ctx, pr), &html); err != nil {
		return fmt.Errorf("letter: %w", err)
	}
	return c.server.send(ctx, message{to: string(a.Pending), subject: pr.T("mail.confirm-subject"),
		text: plain(pr, view), html: html.String()})
}

// siteKey is what signs links that need no sign-in: made once, the same on every node.
func siteKey(tx *store.Tx) (string, error) {
	return tx.FirstSetting("mail-key", string(store.NewSecret()))
}

// StopPath is where a player stops all mail without signing in.
func StopPath(of player.ID, key string) string {
	return "/mail/stop?" + url.Values{"who": {string(of)}, "key": {sign(of, key)}}.Encode()
}

// MayStop tells whether a link stops the mail of a player.
func MayStop(tx *store.Tx, of player.ID, signature string) (bool, error) {
	key, err := tx.Setting("mail-key", "")
	return key != "" && hmac.Equal([]byte(sign(of, key)), []byte(signature)), err
}

func sign(of player.ID, key string) string {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte("stop mail of " + string(of)))
	return hex.EncodeToString(mac.Sum(nil))
}
