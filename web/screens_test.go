package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/venue"
)

func TestAScreenShowsWhatStaffChoose(t *testing.T) {
	storetest.ManyAtOnce(t)
	t.Parallel()
	n := newClubNight(t)
	path := n.played()
	anna, visitor := n.as(n.players["anna"], lang.English), n.browser(lang.English)
	anna.get(path + "/screens").want(http.StatusForbidden)
	n.host.get(path+"/screens").want(http.StatusOK).wants("heading", "Screens")

	// Faults are named, and nothing typed is lost.
	wrong := n.host.post(path+"/screens", "name", "Hall", "seconds", "2", "message", "Tea at nine", "lang", "uk", "zone",
		"Mars/North").want(http.StatusUnprocessableEntity)
	for _, want := range []string{"From 5 to 600 seconds.", "no such time zone", "Choose at least one thing", `value="Tea at nine"`, `value="Hall"`} {
		if !strings.Contains(wrong.body, want) {
			t.Errorf("no %q on the page", want)
		}
	}
	anna.post(path+"/screens", "name", "Mine", "seconds", "20", "shows", "standings", "lang", "uk", "zone",
		"Europe/Kyiv").want(http.StatusForbidden)
	n.host.post(path+"/screens", "name", "Hall", "seconds", "20", "shows", "standings", "shows", "pairings", "shows", "boards", "lang",
		"uk", "zone", "Europe/Kyiv").want(http.StatusOK)

	x := n.screens(path)[0]
	page := visitor.get("/screens/" + x.Token).want(http.StatusOK)
	for _, want := range []string{`id="picture-pairings"`, `id="picture-boards-1"`, `id="board-1"`, `id="picture-standings"`, `<html lang="uk"`, "anna"} {
		if !strings.Contains(page.body, want) {
			t.Errorf("no %s on the screen", want)
		}
	}
	if strings.Contains(page.body, `id="picture-countdown"`) {
		t.Error("the countdown was not chosen")
	}
	visitor.get("/screens/nonsense").want(http.StatusNotFound)

	// Open screens follow what is chosen, and go dark when the link ends.
	next := visitor.follow("/screens/" + x.Token + "/feed?last=0")
	next()
	n.host.post(path+"/screens/"+x.ID, "name"+x.ID, "Hall", "seconds"+x.ID, "30", "shows"+x.ID, "message", "message"+x.ID,
		"Tea at nine", "lang"+x.ID, "en", "zone"+x.ID, "Europe/Kyiv").want(http.StatusOK)
	if got := next(); !strings.Contains(got, "Tea at nine") || strings.Contains(got, "picture-standings") || !strings.Contains(got, `data-seconds="30"`) {
		t.Errorf("the screen shows %s", got)
	}
	n.host.post(path + "/screens/" + x.ID + "/drop").want(http.StatusOK)
	if got := next(); !strings.Contains(got, "вимкнено") {
		t.Errorf("the screen shows %s", got)
	}
	visitor.get("/screens/" + x.Token).want(http.StatusNotFound)

	acts := map[tournament.Act]int{}
	n.write(func(tx *store.Tx) error {
		deeds, err := tx.Deeds(tournament.ID(strings.TrimPrefix(path, "/tournaments/")))
		for _, d := range deeds {
			acts[d.Act]++
		}
		return err
	})
	if acts[tournament.ActScreen] != 3 {
		t.Errorf("the log has %d lines about screens, want 3", acts[tournament.ActScreen])
	}
}

// TestAScreenNamesPeopleAsTheyCameIn, on the boards, too; and ranks nobody before there
// is a result.
// TestAScreenLeadsToTheSiteAsItCallsIt: two screens of one link share what they show, but
// not under which name they reach the site.
func TestAScreenLeadsToTheSiteAsItCallsIt(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path, door := n.opened(nil)
	n.host.post(path+"/screens", "name", "Hall", "seconds", "20", "shows", "countdown", "lang", "en", "zone",
		"Europe/Kyiv").want(http.StatusOK)
	feed := "/screens/" + n.screens(path)[0].Token + "/feed?last=0"
	for _, host := range []string{"localhost:8080", "192.0.2.1:8080"} {
		if got := n.browser(lang.English).firstOf(feed, host); !strings.Contains(got, host+door) {
			t.Errorf("%s is shown %s", host, got)
		}
	}
}

func TestAScreenNamesPeopleAsTheyCameIn(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path, door := n.opened(func(s *tournament.Settings) { s.Pace = tournament.Manual })
	for _, name := range []string{"Дарина Ткач", "Марко Лис"} {
		n.browser(lang.English).post(door, "name", name).want(http.StatusOK)
	}
	n.host.post(path + "/start").want(http.StatusOK)
	n.host.post(path + "/rounds").want(http.StatusOK)
	n.host.post(path+"/screens", "name", "Hall", "seconds", "20", "shows", "boards", "shows", "standings", "lang", "en", "zone",
		"Europe/Kyiv").want(http.StatusOK)
	show := func() string {
		return n.browser(lang.English).get("/screens/" + n.screens(path)[0].Token).want(http.StatusOK).body
	}
	if body := show(); !strings.Contains(body, "Дарина Ткач") || strings.Contains(body,
		"DarynaTkach") || strings.Contains(body, "picture-standings") {
		t.Errorf("the boards of two who came in at the door:\n%s", body)
	}
	n.firstWins(path)
	if body := show(); !strings.Contains(body, "picture-standings") {
		t.Errorf("no standings after a result:\n%s", body)
	}
}

func (n *clubNight) screens(path string) (list []venue.Screen) {
	n.write(func(tx *store.Tx) (err error) {
		list, err = tx.Screens(tournament.ID(strings.TrimPrefix(path, "/tournaments/")))
		return err
	})
	return list
}

// Whatever a screen is to show may not be there yet: before the first pairings, before the first result. It then says
// what comes, not that it is off.
func TestAScreenIsNeverDarkWhileItIsThere(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	host := n.program(n.player("Olena"))
	for _, format := range []string{"swiss", "knock-out", "keizer", "arena"} {
		var made struct{ ID string }
		body := fmt.Sprintf(`{"name":"Cup","format":%q,"pace":"manual"}`, format)
		if format == "arena" {
			body = `{"name":"Cup","format":"arena"}`
		}
		host.ask("POST", "/tournaments", body, http.StatusCreated, &made)
		path := "/tournaments/" + made.ID
		var addresses []string
		for _, shows := range []string{"pairings", "names", "standings", "boards", "countdown"} {
			var screen struct{ URL string }
			host.ask("POST", path+"/screens", fmt.Sprintf(`{"name":%q,"shows":[%q],"each":15000,"lang":"en","zone":"Europe/Kyiv"}`, shows, shows),
				http.StatusCreated, &screen)
			addresses = append(addresses, shows, screen.URL[strings.Index(screen.URL, "/screens/"):])
		}
		look := func(when string) {
			for i := 0; i < len(addresses); i += 2 {
				if p := n.browser(lang.English).get(addresses[i+1]).want(http.StatusOK); strings.Contains(p.body, "This screen is off.") {
					t.Errorf("%s: the screen of %s of a %s is dark", when, addresses[i], format)
				}
			}
		}
		look("before the start")
		host.ask("POST", path+"/lists", `{"list":"Guest A\nGuest B\nGuest C\nGuest D"}`, http.StatusOK, nil)
		if format != "arena" {
			host.ask("POST", path+"/start", "", http.StatusOK, nil)
			look("before the first round")
			host.ask("POST", path+"/rounds", "", http.StatusCreated, nil)
			look("before the first result")
		}
	}
}
