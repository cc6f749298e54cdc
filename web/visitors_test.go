package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web"
)

// deaf is the bus of a node that hears nothing of the others.
type deaf struct{ live.Bus }

func (d deaf) Join(func(string, int64)) (live.End, error) { return d.Bus.Join(func(string, int64) {}) }

// What ends or changes on one node holds on the others at once, and on one that
// hears nothing after a quarter of a minute.
func TestEveryNodeForgetsWhoIsSignedOut(t *testing.T) {
	t.Parallel()
	dsn := storetest.SQLiteDSN(t)
	bus := live.NewInProcess()
	first := newNode(t, storetest.Open(t, dsn), bus, web.Config{})
	second := newNode(t, storetest.Open(t, dsn), bus, web.Config{})
	third := newNode(t, storetest.Open(t, dsn), deaf{bus}, web.Config{})
	olena := first.account("Olena", player.Plain)
	var secret player.Secret
	first.write(func(tx *store.Tx) (err error) {
		secret, err = tx.AddToken(player.Token{Player: olena.ID, Name: "program", Scopes: player.Scopes[:1], Created: first.clock.Now()})
		return err
	})
	ask := func(node *site) page {
		t.Helper()
		req, err := http.NewRequest(http.MethodGet, node.http.URL+"/api/v1/me", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+string(secret))
		return node.browser(lang.English).do(req)
	}
	for range 2 {
		for _, node := range []*site{first, second, third} {
			ask(node).want(http.StatusOK)
		}
	}
	reads := second.store.Reads()
	ask(second)
	if got := second.store.Reads() - reads; got != 0 {
		t.Errorf("who asks again costs %d reads", got)
	}
	first.write(func(tx *store.Tx) error { return tx.SetRole(olena.ID, player.Operator) })
	if body := ask(second).want(http.StatusOK).body; !strings.Contains(body, "operator") {
		t.Errorf("the other node does not know of the new role: %s", body)
	}
	first.write(func(tx *store.Tx) error {
		tokens, err := tx.Tokens(olena.ID)
		if err != nil {
			return err
		}
		return tx.DropToken(olena.ID, tokens[0].ID)
	})
	ask(first).want(http.StatusUnauthorized)
	ask(second).want(http.StatusUnauthorized)
	ask(third).want(http.StatusOK)
	third.clock.advance(15 * time.Second)
	ask(third).want(http.StatusUnauthorized)
}
