package courier

import (
	"context"
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

// Save stores b, sealed. Every node uses it from the next letter on.
func (b Mailbox) Save(tx *store.Tx) error {
	text, err := json.Marshal(b)
	if err != nil {
		return err
	}
	return tx.SetSecret(settingMailbox, string(text))
}

// IsConfigured reports whether the program was started with a mail server.
func (c *Courier) IsConfigured() bool { return c.server != nil }

// IsOn reports whether the site sends mail.
func (c *Courier) IsOn(tx *store.Tx) (bool, error) {
	if c.server != nil {
		return true, nil
	}
	text, err := tx.SecretSetting(settingMailbox)
	return text != "", err
}

// reach returns a courier that has a server; nil if the site sends no mail.
func (c *Courier) reach(ctx context.Context) (*Courier, error) {
	if c.server != nil {
		return c, nil
	}
	text, err := store.Get(ctx, c.store, func(tx *store.Tx) (string, error) { return tx.SecretSetting(settingMailbox) })
	if err != nil || text == "" {
		return nil, err
	}
	var b Mailbox
	if err := json.Unmarshal([]byte(text), &b); err != nil {
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
