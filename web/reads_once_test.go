package web_test

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament/ladder"
	"chpok.org/chpok/web"
)

// busyPlace is a site where something of everything has happened: a club with news, a ladder with a challenge, and an
// event of each format with a round on its way.
func busyPlace(t *testing.T, db *store.Store) (n *clubNight, people map[string]*browser) {
	n = newClubNightAt(newSiteOn(t, db, web.Config{}))
	host := n.player("Olena")
	n.write(func(tx *store.Tx) error {
		return tx.AddClub(club.New("club1", "Dragons", "Every Tuesday.", host.ID, n.clock.Now()))
	})
	n.host.post("/clubs/club1/news", "title", "Prizes", "text", "There are some.").want(http.StatusOK)
	people = map[string]*browser{"visitor": n.browser(lang.English), "host": n.host, "operator": n.as(n.account("Boss", player.Operator), lang.English)}
	judge := arbiter.New(n.store, n.live, arbiter.Config{Now: n.clock.Now}, nil)
	settings := ladder.DefaultSettings()
	settings.Name, settings.Percent = "Ladder of all", 0
	id, err := judge.Ladders.Create(t.Context(), player.Viewer{Player: host}, settings)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range []string{"anna", "borys"} {
		people[h] = n.as(n.players[h], lang.English)
		if err := judge.Ladders.Join(t.Context(), player.Viewer{Player: n.players[h]}, id, ""); err != nil {
			t.Fatal(err)
		}
	}
	people["borys"].post("/ladders/"+string(id)+"/challenges", "player", "anna").want(http.StatusOK)
	delete(people, "borys")
	for _, kind := range []string{"swiss", "round-robin", "knock-out", "keizer"} {
		path := n.create("name", "The "+kind, "format", kind, "rounds", "3", "pace", "manual", "chips", "1", "tiebreaks", "", "losers", "out", "tie", "lot")
		for h := range n.players {
			n.host.post(path+"/entries", "handle", h).want(http.StatusOK)
		}
		if kind == "keizer" {
			continue // its players still come
		}
		n.host.post(path + "/start").want(http.StatusOK)
		if len(n.tournament(path).Rounds) == 0 {
			n.host.post(path + "/rounds").want(http.StatusOK)
		}
	}
	n.arena("anna", "borys")
	ended := n.group("The group", "anna", "borys", "clara")
	n.host.post(ended+"/chat", "text", "Well played.")
	return n, people
}

// ofOne are the parts of addresses that name one of many.
var ofOne = regexp.MustCompile(`/(matches|players|boards|entries|news|challenges|rounds|names)/[^/?]+`)

// pagesFrom follows the links of the site, one of a kind of each event, and returns the addresses found.
func (b *browser) pagesFrom(start string, look func(page)) []string {
	found, kinds := []string{start}, map[string]bool{}
	for i := 0; i < len(found); i++ {
		p := b.get(found[i])
		look(p)
		for e := range p.root.Descendants() {
			to, _ := attr(e, "href")
			at, err := url.Parse(to)
			if e.Data != "a" || err != nil || at.Host != "" || !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "/static/") {
				continue
			}
			if kind := ofOne.ReplaceAllString(at.Path, "/$1/ONE"); !kinds[kind] {
				kinds[kind] = true
				found = append(found, at.Path)
			}
		}
	}
	return found
}

// TestAPageReadsOnce follows the links of a site as its visitors, players and staff, and finds no page that reads in more
// than one transaction, except where it notes that somebody looked. The site has a single connection to read by: a page
// that asked for another would wait forever, alone or among others.
func TestAPageReadsOnce(t *testing.T) {
	t.Parallel()
	storetest.OneAfterAnother(t)
	db, err := store.Open(t.Context(), storetest.SQLiteDSN(t), store.Options{Fast: true, Connections: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	n, people := busyPlace(t, db)
	found := map[string][]string{}
	for who, b := range people {
		b.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		reads, writes := n.store.Reads(), n.store.Writes()
		found[who] = b.pagesFrom("/", func(p page) {
			r, w := n.store.Reads()-reads, n.store.Writes()-writes
			reads, writes = reads+r, writes+w
			if p.status >= http.StatusInternalServerError || p.status < http.StatusBadRequest && r > 1+w {
				t.Errorf("%s as %s: status %d, read in %d transactions, %d of them after a write", p.path, who, p.status, r, w)
			}
		})
		if len(found[who]) < 100 {
			t.Errorf("%s: only %d pages are linked", who, len(found[who]))
		}
	}
	var together errgroup.Group
	for who, b := range people {
		together.Go(func() error {
			for _, at := range found[who] {
				answer, err := b.client.Get(n.http.URL + at)
				if err != nil {
					return err
				}
				_, _ = io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
				if answer.StatusCode >= http.StatusInternalServerError {
					return errors.New(at + ": " + answer.Status)
				}
			}
			return nil
		})
	}
	if err := together.Wait(); err != nil {
		t.Error(err)
	}
}
