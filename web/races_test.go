package web_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web"
)

// atOnce posts n forms at one moment and counts the answers by status.
func atOnce(n int, post func(i int) page) map[int]int {
	var all sync.WaitGroup
	var mu sync.Mutex
	begin, got := make(chan struct{}), map[int]int{}
	for i := range n {
		all.Go(func() {
			<-begin
			status := post(i).status
			mu.Lock()
			got[status]++
			mu.Unlock()
		})
	}
	close(begin)
	all.Wait()
	return got
}

// TestOneSetsTheSiteUp: of many who set a new site up at one moment, one does.
func TestOneSetsTheSiteUp(t *testing.T) {
	storetest.ManyAtOnce(t)
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.Store) {
		s := newSiteOn(t, db, web.Config{})
		got := atOnce(4, func(i int) page {
			return s.browser(lang.English).post("/setup", "handle", fmt.Sprint("Boss", i), "password", "a long enough one")
		})
		if got[http.StatusOK] != 1 || got[http.StatusForbidden] != 3 {
			t.Errorf("%v", got)
		}
	})
}

// TestNobodyHasMoreBots: several forms at one moment make no more bots than one may have.
func TestNobodyHasMoreBots(t *testing.T) {
	storetest.ManyAtOnce(t)
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.Store) {
		s := newSiteOn(t, db, web.Config{})
		ana := s.as(s.account("Ana", player.Plain), lang.English)
		got := atOnce(player.MostBots+3, func(i int) page { return ana.post("/settings/bots", "handle", fmt.Sprint("AnaBot", i)) })
		if got[http.StatusOK] != player.MostBots || len(got) != 2 {
			t.Errorf("%v", got)
		}
	})
}
