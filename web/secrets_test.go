package web_test

import (
	"cmp"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
	"chpok.org/chpok/web"
)

// TestNoPageTellsASecretToWhomItIsNotFor looks at every address as a stranger, as an entrant, who is also a member of the
// club, and with a guest's session: none shows the code of entering, the kiosk's, screen's or club's secret, nor the code
// of a slip. The staff's own pages do.
func TestNoPageTellsASecretToWhomItIsNotFor(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	anna, owner := n.players["anna"], n.hostID()
	n.write(func(tx *store.Tx) error {
		r := club.New("dragons", "Dragons", "", owner, n.clock.Now())
		r.Joining, r.Code = club.ByCode, "karfu-nke23"
		r.Members = append(r.Members, club.Membership{Club: "dragons", Player: anna.ID, Role: club.Member,
			Joined: n.clock.Now()})
		return tx.AddClub(r)
	})
	path, door := n.opened(func(s *tournament.Settings) { s.ClubID, s.Entry.Code = "dragons", "kaninchen-7" })
	entrant, guest := n.as(anna, lang.English), n.browser(lang.English)
	entrant.post(path+"/register", "code", "kaninchen 7").want(http.StatusOK)
	guest.post(door, "name", "Mila Savchenko").want(http.StatusOK)
	n.host.post(path+"/screens", "name", "Hall", "seconds", "15", "shows", "standings", "lang", "en",
		"zone", "Europe/Kyiv").want(http.StatusOK)
	mila := n.entry(path, "Mila Savchenko")
	secrets := map[string]string{"the code of entering": "kaninchen", "the slip": n.guestCode(mila.Player), "the club's code": "karfu-nke23",
		"the screen": n.screens(path)[0].Token, "the kiosk": ""}
	n.write(func(tx *store.Tx) error {
		d, err := tx.Door(tournament.ID(strings.TrimPrefix(path, "/tournaments/")))
		secrets["the kiosk"] = d.Kiosk
		return err
	})
	for name, where := range map[string]string{"the code of entering": path + "/edit", "the slip": path + "/slips",
		"the club's code": "/clubs/dragons/people", "the screen": path + "/screens", "the kiosk": path + "/door"} {
		if body := n.host.get(where).want(http.StatusOK).body; secrets[name] == "" || !strings.Contains(body, secrets[name]) {
			t.Errorf("%s does not show its staff %s", where, name)
		}
	}

	secrets["an event that its staff still prepare or rehearse"] = "Geheimer Pokal"
	for _, id := range []tournament.ID{"draft", "rehearsal"} {
		set := tournament.DefaultSettings(tournament.Swiss)
		set.Name = "Geheimer Pokal"
		prepared, err := tournament.New(id, owner, set, n.clock.Now())
		if err == nil && id == "rehearsal" {
			prepared.Rehearsal = "cup"
			err = prepared.OpenRegistration(n.viewer("Olena"), n.clock.Now())
		}
		if err != nil {
			t.Fatal(err)
		}
		n.write(func(tx *store.Tx) error {
			return tx.AddTournament(prepared, ledger.Deed{At: n.clock.Now(), By: owner, Duty: tournament.Owner, Act: tournament.ActCreate})
		})
		n.host.get("/tournaments/" + string(id)).want(http.StatusOK).says("Geheimer Pokal")
	}

	params := map[string]string{":round": "1", ":entry": fmt.Sprint(mila.ID), ":handle": n.handleOf(mila.Player), ":board": "1",
		":code": strings.TrimPrefix(door, "/t/")}
	for who, by := range map[string]*browser{"a stranger": n.browser(lang.English), "an entrant": entrant, "a guest": guest} {
		asked := 0
		for _, r := range web.AllRoutes() {
			if r[0] != http.MethodGet || strings.HasSuffix(r[1], "/feed") {
				continue
			}
			ids := []string{"1"}
			if strings.Contains(r[1], "/tournaments/:id") {
				ids = []string{"cup", "draft", "rehearsal"}
			} else if strings.Contains(r[1], "/clubs/:id") {
				ids = []string{"dragons"}
			}
			for _, id := range ids {
				params[":id"] = id
				address := routeParam.ReplaceAllStringFunc(r[1], func(name string) string { return cmp.Or(params[name], "1") })
				told := n.answered(by, address)
				asked++
				for name, secret := range secrets {
					if strings.Contains(told, secret) {
						t.Errorf("%s tells %s %s", address, who, name)
					}
				}
			}
		}
		if asked < 100 {
			t.Errorf("%s looked at %d addresses only", who, asked)
		}
	}
}

// answered is all that an address answers a browser, headers too. The next one is asked a minute later: limits are another
// test's matter.
func (s *site) answered(by *browser, address string) string {
	req := httptest.NewRequestWithContext(s.t.Context(), http.MethodGet, address, nil)
	for _, cookie := range s.cookies(by) {
		req.AddCookie(cookie)
	}
	w := httptest.NewRecorder()
	s.web.ServeHTTP(w, req)
	s.clock.advance(time.Minute)
	return w.Body.String() + fmt.Sprint(w.Header())
}

// cookies are those of a browser.
func (s *site) cookies(by *browser) []*http.Cookie {
	s.t.Helper()
	u, err := url.Parse(s.http.URL)
	if err != nil {
		s.t.Fatal(err)
	}
	return by.client.Jar.Cookies(u)
}
