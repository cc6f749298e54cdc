package courier_test

import (
	"crypto/sha256"
	"log/slog"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/notice/courier"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

// TestAMailboxIsSealed: the password of a server that an operator names on the site lies nowhere in clear, every node with
// the site's key uses it, and to one with another key the site has none.
func TestAMailboxIsSealed(t *testing.T) {
	t.Parallel()
	dsn := storetest.SQLiteDSN(t)
	under := func(name string) *store.Store {
		key := sha256.Sum256([]byte(name))
		s, err := store.Open(t.Context(), dsn, store.Options{Fast: true, Key: key[:]})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}
	p := newPost(t, under("site"))
	p.reach("olena", "en")
	server := strings.Replace(p.inbox.URL, "?", "?secret=hunter2&", 1)
	p.write(courier.Mailbox{Server: server, From: "site@club.example", Base: "https://club.example"}.Save)
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
	for _, c := range []struct {
		key     string
		letters int
	}{{"another", 0}, {"site", 1}} {
		s := under(c.key)
		node := courier.New(s, nil, "", p.now, slog.New(slog.DiscardHandler))
		if on, err := store.Get(t.Context(), s, node.IsOn); err != nil || on != (c.letters == 1) {
			t.Errorf("under the key %q mail is on: %v, %v", c.key, on, err)
		}
		if err := node.Deliver(t.Context()); err != nil || len(p.inbox.Letters()) != c.letters {
			t.Errorf("under the key %q: %v, not %d letters", c.key, err, c.letters)
		}
	}
}
