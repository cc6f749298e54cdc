package web_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"testing"

	"chpok.org/chpok/club"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
)

// TestAKnownPersonIsRecognizedAtEveryDoor: last week's guest of the club, whose name is
// written in every way people write it, pasted, added alone, typed at the kiosk or sent by a
// program, is one account.
func TestAKnownPersonIsRecognizedAtEveryDoor(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	owner := n.viewer("Olena")
	n.write(func(tx *store.Tx) error {
		return tx.AddClub(club.New("dragons", "Dragons", "", owner.ID, n.clock.Now()))
	})
	path, door := n.opened(func(s *tournament.Settings) { s.ClubID = "dragons" })
	n.write(func(tx *store.Tx) error {
		known := player.Player{ID: "daria", Handle: "DariaIvanenko", Role: player.Plain, Unclaimed: true, Created: n.clock.Now()}
		if err := tx.AddPlayer(known, ""); err != nil {
			return err
		}
		return tx.AddClubGuest(club.Guest{Player: "daria", Club: "dragons", Tournament: "cup", Name: "Дар'я Іваненко", Made: n.clock.Now()})
	})
	program := n.program(owner.Player)
	for _, name := range []string{"Дар'я Іваненко", "Дар’я  Іваненко", "Дарʼя\u00a0Іваненко", "Іваненко дар`я", "Дap'я Іва\u00adненко", "И\u0306"} {
		if name == "И\u0306" { // a name of one letter is none
			n.host.post(path+"/players/add", "list", name+" ; 1500", "play", "on", "do", "preview").want(http.StatusOK).shows("2 to 100")
			continue
		}
		for _, play := range []string{"", "on"} {
			n.host.post(path+"/players/add", "list", name+"\nNobody Known", "play", play, "do", "preview").want(http.StatusOK).shows("known here as @DariaIvanenko")
		}
		n.host.post(path+"/entries", "guest", name).want(http.StatusConflict).wants("button", "The same person")
		body, err := json.Marshal(map[string]any{"list": name, "play": true, "preview": true})
		if err != nil {
			t.Fatal(err)
		}
		var plan struct{ Lines []struct{ Handle string } }
		program.ask(http.MethodPost, path+"/lists", string(body), http.StatusOK, &plan)
		if len(plan.Lines) != 1 || plan.Lines[0].Handle != "DariaIvanenko" {
			t.Errorf("a program with %q: %+v", name, plan)
		}
		n.browser(lang.English).get(door + "?q=" + url.QueryEscape(name)).want(http.StatusOK).shows("Дар")
	}
	n.host.post(path+"/players/add", "list", "Дар'я Іваненко", "do", "preview").want(http.StatusOK).shows("has not played here yet")
	n.host.post(path+"/players/add", "list", "Дар'я Іваненко;1500", "do", "add").want(http.StatusOK)
	if e := n.entry(path, "Дар'я Іваненко"); e.Player != "daria" || !e.OverTheBoard {
		t.Errorf("somebody on a paper list is their account, at a table: %+v", e)
	}
	daria := n.as(player.Player{ID: "daria"}, lang.English)
	daria.get(path).want(http.StatusOK).wants("button", "Play on this site")
	daria.post(path+"/play-here").want(http.StatusOK).wantsNo("button", "Play on this site")
	if e := n.entry(path, "Дар'я Іваненко"); e.OverTheBoard {
		t.Errorf("they play here now: %+v", e)
	}
	n.host.post(path+"/entries/1/correct", "name", "Дар'я Іваненко", "rating", "1500", "club", "", "over-the-board", "on", "reason", "no laptop").
		want(http.StatusOK).shows("results are entered by hand")
	n.host.get(path + "/log").want(http.StatusOK).shows("no laptop").shows("over the board")
	daria.post(door, "name", "whatever").want(http.StatusOK)
	if e := n.entry(path, "Дар'я Іваненко"); e.OverTheBoard {
		t.Errorf("whoever comes in at the door plays here: %+v", e)
	}
	n.host.post(path + "/entries/1/withdraw").want(http.StatusOK)
	n.host.post(path+"/players/add", "list", "Іваненко  Дарʼя\nДар’я Іваненко", "play", "on", "do", "add").want(http.StatusOK).shows("twice")
	if got := n.tournament(path).Entries; len(got) != 1 || got[0].Player != "daria" {
		t.Errorf("%+v", got)
	}
	n.host.post(path+"/entries", "guest", "Дар'я Іваненко", "another", "1").want(http.StatusOK)
	if got := n.tournament(path).Entries; len(got) != 2 || got[1].Player != "" {
		t.Errorf("another person of the name: %+v", got)
	}
	n.host.post(path+"/entries/1/correct", "name", "Дарина Іваненко", "rating", "1612,5", "club", "Lion").want(http.StatusOK)
	e := n.entry(path, "Дарина Іваненко")
	var guests []club.Guest
	n.write(func(tx *store.Tx) (err error) { guests, err = tx.ClubGuests("dragons"); return err })
	if e.Rating != 1613 || e.Club != "Lion" || len(guests) != 1 || guests[0].Name != "Дарина Іваненко" {
		t.Errorf("%+v, %+v", e, guests)
	}
	refused := n.host.post(path+"/entries/2/correct", "name", "Дарина  Іваненко", "rating", "x", "club", "Bear").want(http.StatusUnprocessableEntity)
	refused.shows("from 0 to 4000").shows(`value="Дарина  Іваненко"`).shows(`value="Bear"`)
	n.host.post(path+"/entries/2/correct", "name", "Дарина  Іваненко", "rating", "", "club", "Bear").want(http.StatusConflict).shows(`name="another"`)
	n.host.get(path + "/log").want(http.StatusOK).shows("Entry corrected")
	program.ask(http.MethodPut, path+"/entries/2/particulars", `{"club":"Eagle"}`, http.StatusNoContent, nil)
	if got := n.tournament(path).Entries[1]; got.Club != "Eagle" || got.Name != "Дар'я Іваненко" {
		t.Errorf("%+v", got)
	}
}
