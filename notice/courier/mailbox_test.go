package courier_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"log/slog"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/notice/courier"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

// TestAMailboxIsSealed: the password of a server that an operator names on the
// site lies nowhere in clear, every node with the site's key uses it, and one
// with another key says so and sends nothing.
func TestAMailboxIsSealed(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		p := newPost(t, s)
		p.reach("olena", "en")
		var log bytes.Buffer
		node := func(seed byte) *courier.Courier {
			key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{seed}, ed25519.SeedSize))
			return courier.New(s, nil, func(context.Context) (ed25519.PrivateKey, error) { return key, nil }, "", p.now,
				slog.New(slog.NewTextHandler(&log, nil)))
		}
		server := strings.Replace(p.inbox.URL, "?", "?secret=hunter2&", 1)
		save, err := node(1).SealMailbox(t.Context(), courier.Mailbox{Server: server, From: "site@club.example", Base: "https://club.example"})
		if err != nil {
			t.Fatal(err)
		}
		p.write(save)
		var kept string
		p.write(func(tx *store.Tx) (err error) {
			kept, err = tx.Setting("mailbox", "")
			return err
		})
		if kept == "" || strings.Contains(kept, "hunter2") || strings.Contains(kept, "club.example") {
			t.Errorf("kept as %q", kept)
		}
		p.paired("olena", "1")
		p.advance(time.Minute)
		if err := node(2).Deliver(t.Context()); err != nil || len(p.inbox.Letters()) != 0 || !strings.Contains(log.String(), "name it again") {
			t.Errorf("another key: %v, %d letters, %s", err, len(p.inbox.Letters()), log.String())
		}
		if err := node(1).Deliver(t.Context()); err != nil || len(p.inbox.Letters()) != 1 {
			t.Errorf("the site's key: %v, %d letters", err, len(p.inbox.Letters()))
		}
	})
}
