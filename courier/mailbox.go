package courier

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
)

// Mailbox is the mail server that an operator has named on the site itself,
// where the program was started without one.
type Mailbox struct {
	Server string `json:"server"` // as ParseServer reads it
	From   string `json:"from"`
	Base   string `json:"base"` // how visitors reach the site
}

const settingMailbox = "mailbox"

// SaveMailbox keeps it, sealed with the site's key: the server's password lies
// nowhere in clear. Every node uses it from the next letter on.
func (c *Courier) SaveMailbox(ctx context.Context, b Mailbox) error {
	text, err := json.Marshal(b)
	if err != nil {
		return err
	}
	sealer, err := c.sealer(ctx)
	if err != nil {
		return err
	}
	sealed := base64.StdEncoding.EncodeToString(sealer.Seal(nil, nil, text, nil))
	return c.store.Write(ctx, func(tx *store.Tx) error { return tx.SetSetting(settingMailbox, sealed) })
}

// sealer seals what the site keeps, by a key that follows from the site's own.
func (c *Courier) sealer(ctx context.Context) (cipher.AEAD, error) {
	site, err := c.siteKey(ctx)
	if err != nil {
		return nil, err
	}
	key, err := hkdf.Key(sha256.New, site.Seed(), nil, "chpok mailbox", 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// mailbox is what was saved; false: nothing, or sealed with another key than
// the site has now.
func (c *Courier) mailbox(ctx context.Context) (b Mailbox, ok bool, err error) {
	text, err := store.Get(ctx, c.store, func(tx *store.Tx) (string, error) { return tx.Setting(settingMailbox, "") })
	if err != nil || text == "" {
		return b, false, err
	}
	sealer, err := c.sealer(ctx)
	if err != nil {
		return b, false, err
	}
	sealed, err := base64.StdEncoding.DecodeString(text)
	if err == nil {
		text, err := sealer.Open(nil, nil, sealed, nil)
		if err == nil {
			return b, true, json.Unmarshal(text, &b)
		}
	}
	c.log.Warn("the mail server named on the site cannot be read: the site's key is another; name it again")
	return b, false, nil
}

// IsConfigured tells whether the program was started with a mail server.
func (c *Courier) IsConfigured() bool { return c.server != nil }

// IsOn tells whether the site sends mail.
func (c *Courier) IsOn(tx *store.Tx) (bool, error) {
	if c.server != nil {
		return true, nil
	}
	text, err := tx.Setting(settingMailbox, "")
	return text != "", err
}

// reach is a courier that has a server; nil: the site sends no mail.
func (c *Courier) reach(ctx context.Context) (*Courier, error) {
	if c.server != nil {
		return c, nil
	}
	b, ok, err := c.mailbox(ctx)
	if err != nil || !ok {
		return nil, err
	}
	return c.by(b)
}

func (c *Courier) by(b Mailbox) (*Courier, error) {
	server, err := ParseServer(b.Server, b.From)
	if err != nil {
		return nil, err
	}
	return &Courier{store: c.store, siteKey: c.siteKey, server: server, base: strings.TrimSuffix(b.Base, "/"), now: c.now, log: c.log}, nil
}

// Try sends a letter by a mailbox, to see whether it works.
func (c *Courier) Try(ctx context.Context, b Mailbox, to string, p lang.Printer) error {
	by, err := c.by(b)
	if err != nil {
		return err
	}
	view := templates.LetterView{
		Lang: string(p.Lang), Greeting: p.T("mail.try"),
		Lines: []templates.LetterLine{{Text: p.T("mail.try.text"), URL: by.base}}, Foot: p.T("mail.why", "Site", by.base),
	}
	var html strings.Builder
	if err := templates.Letter(view).Render(lang.With(ctx, p), &html); err != nil {
		return fmt.Errorf("letter: %w", err)
	}
	return by.server.send(ctx, message{to: to, subject: p.T("mail.try"), text: plain(p, view), html: html.String()})
}
