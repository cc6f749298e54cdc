package courier

import (
	"context"
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

// Save keeps it; every node uses it from the next letter on.
func (b Mailbox) Save(tx *store.Tx) error {
	text, err := json.Marshal(b)
	if err != nil {
		return err
	}
	return tx.SetSetting(settingMailbox, string(text))
}

// mailbox is what was saved; false: nothing.
func mailbox(tx *store.Tx) (b Mailbox, ok bool, err error) {
	text, err := tx.Setting(settingMailbox, "")
	if err != nil || text == "" {
		return b, false, err
	}
	return b, true, json.Unmarshal([]byte(text), &b)
}

// IsConfigured tells whether the program was started with a mail server.
func (c *Courier) IsConfigured() bool { return c.server != nil }

// IsOn tells whether the site sends mail.
func (c *Courier) IsOn(tx *store.Tx) (bool, error) {
	if c.server != nil {
		return true, nil
	}
	_, ok, err := mailbox(tx)
	return ok, err
}

// reach is a courier that has a server; nil: the site sends no mail.
func (c *Courier) reach(ctx context.Context) (*Courier, error) {
	if c.server != nil {
		return c, nil
	}
	var b Mailbox
	var ok bool
	err := c.store.Read(ctx, func(tx *store.Tx) (err error) {
		b, ok, err = mailbox(tx)
		return err
	})
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
	return &Courier{store: c.store, server: server, base: strings.TrimSuffix(b.Base, "/"), now: c.now, log: c.log}, nil
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
