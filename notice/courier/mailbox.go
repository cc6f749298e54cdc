package courier

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"

	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
)

// Mailbox is the mail server that an operator entered on the site, used if the program
// was started without one.
type Mailbox struct {
	Server string `json:"server"` // as ParseServer reads it
	From   string `json:"from"`
	Base   string `json:"base"` // address of the site
}

const settingMailbox = "mailbox"

// SealMailbox encrypts b with the site's key and returns what stores it. Every node uses it from the next letter on.
func (c *Courier) SealMailbox(ctx context.Context, b Mailbox) (save func(*store.Tx) error, err error) {
	text, err := json.Marshal(b)
	if err != nil {
		return nil, err
	}
	sealer, err := c.sealer(ctx)
	if err != nil {
		return nil, err
	}
	sealed := base64.StdEncoding.EncodeToString(sealer.Seal(nil, nil, text, nil))
	return func(tx *store.Tx) error { return tx.SetSetting(settingMailbox, sealed) }, nil
}

// sealer returns the cipher of the mailbox; its key is derived from the site's key.
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

// mailbox returns what was saved; false if nothing was, or if the site's key has changed
// since.
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

// IsConfigured reports whether the program was started with a mail server.
func (c *Courier) IsConfigured() bool { return c.server != nil }

// IsOn reports whether the site sends mail.
func (c *Courier) IsOn(tx *store.Tx) (bool, error) {
	if c.server != nil {
		return true, nil
	}
	text, err := tx.Setting(settingMailbox, "")
	return text != "", err
}

// reach returns a courier that has a server; nil if the site sends no mail.
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
	by := *c
	by.server, by.base = server, strings.TrimSuffix(b.Base, "/")
	return &by, nil
}

// Try sends a letter through b to test it.
func (c *Courier) Try(ctx context.Context, b Mailbox, to string, p lang.Printer) error {
	by, err := c.by(b)
	if err != nil {
		return err
	}
	m, err := compose(ctx, p, to, p.T("mail.try"), templates.LetterView{
		Greeting: p.T("mail.try"),
		Lines:    []templates.LetterLine{{Text: p.T("mail.try.text"), URL: by.base}}, Foot: p.T("mail.why", "Site", by.base),
	})
	if err != nil {
		return err
	}
	return by.server.send(ctx, m)
}
