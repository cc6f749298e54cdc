package web_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
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
	n.host.post(path+"/entries/1/correct", "name", "Дар'я Іваненко", "rating", "1500", "club", "", "over-the-board", "on", "reason", "no laptop").
		want(http.StatusOK)
	var kiosk string
	n.write(func(tx *store.Tx) error {
		d, err := tx.Door(tournament.ID(strings.TrimPrefix(path, "/tournaments/")))
		kiosk = "/kiosk/" + d.Kiosk
		return err
	})
	n.browser(lang.English).post(kiosk, "name", "Дар'я Іваненко", "known", "DariaIvanenko").want(http.StatusOK)
	if e := n.entry(path, "Дар'я Іваненко"); e.OverTheBoard || e.Status != tournament.Active {
		t.Errorf("whoever comes in at the kiosk plays here: %+v", e)
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
	var read struct {
		Entries []struct {
			Rating int
			Club   string
		}
	}
	program.ask(http.MethodGet, path, "", http.StatusOK, &read)
	if len(read.Entries) != 2 || read.Entries[0].Rating != 1613 || read.Entries[0].Club != "Lion" || read.Entries[1].Club != "Eagle" {
		t.Errorf("a program reads %+v of what it corrects", read)
	}
}

// TestEveryDoorTakesTheSameNames: what is a name at one door is one at each, whole, and what is none is refused for the
// same reason. A report has 33 columns for a name, so that a longer one does not fit there.
func TestEveryDoorTakesTheSameNames(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path, door := n.opened(nil)
	var kiosk string
	n.write(func(tx *store.Tx) error {
		d, err := tx.Door("cup")
		kiosk = "/kiosk/" + d.Kiosk
		return err
	})
	program := n.program(n.viewer("Olena").Player)
	asJSON := func(what any) string {
		body, err := json.Marshal(what)
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	report := func(name string) string {
		return fmt.Sprintf("012 Cup\n142 3\n001    1      %-33s 1650                             0.0    1\n"+
			"001    2      %-33s 1500                             0.0    2\n", name, "Lesia Ukrainka")
	}
	doors := map[string]func(name string) string{
		"door":  func(name string) string { return n.browser(lang.English).post(door, "name", name).body },
		"kiosk": func(name string) string { return n.browser(lang.English).post(kiosk, "name", name).body },
		"paste": func(name string) string { return n.host.post(path+"/players/add", "list", name, "do", "add").body },
		"file": func(name string) string {
			return n.upload(path+"/players/add", "list.csv", "Name;Rating\n"+name+";1500\n").body
		},
		"alone": func(name string) string { return n.host.post(path+"/entries", "guest", name).body },
		"program": func(name string) string {
			var said json.RawMessage
			program.ask(http.MethodPost, path+"/lists", asJSON(map[string]any{"list": name, "preview": true}), http.StatusOK, &said)
			return string(said)
		},
		"report": func(name string) string { return n.upload("/tournaments/import", "cup.trf", report(name)).body },
	}
	for name, want := range map[string]string{
		strings.Repeat("й", 101): "at most 100 characters",
		"Anna <b>":               "none of the signs",
		"Я":                      "letters",
		"7 8":                    "letters",
	} {
		for which, enter := range doors {
			if which == "report" && len(name) > 100 {
				continue
			}
			if said := html.UnescapeString(enter(name)); !strings.Contains(said, want) {
				t.Errorf("%s, %q: it does not say %q: %.300s", which, name, want, said)
			}
		}
	}
	if got := n.tournament(path).Entries; len(got) > 0 {
		t.Fatalf("%+v", got)
	}
	for i, which := range []string{"door", "kiosk", "paste", "alone"} {
		long := strings.Repeat([]string{"Софія-", "Марко-", "Zenon-", "Ulyana-"}[i], 8) + "А" // 49 letters or more
		doors[which]("  " + long + "\u00a0 Ю ")
		if got := n.tournament(path).Entries; len(got) != i+1 || got[i].Name != long+" Ю" {
			t.Errorf("%s: %+v", which, got)
		}
	}
	for _, which := range []string{"file", "program"} {
		if said := doors[which]("Аї"); !strings.Contains(said, "Аї") || strings.Contains(said, "two of them") {
			t.Errorf("%s: two letters are a name", which)
		}
	}

	// One name twice is said with its count, and is one person until somebody says otherwise.
	twice := n.host.post(path+"/players/add", "list", "Ivan Franko\nОлена Пчілка\nIvan  Franko\nFranko Ivan", "do", "preview").want(http.StatusOK)
	twice.wants("button", "Add 2 players").shows("twice")
	same := report("Ukrainka  Lesia")
	n.upload("/tournaments/import", "cup.trf", same).want(http.StatusUnprocessableEntity).wants("alert", "2, “Lesia Ukrainka”: Somebody with that name is in already")
	n.host.post("/tournaments/import", "text", same, "another", "on", "do", "import").want(http.StatusOK)
	at := n.host.post("/tournaments/import", "text", report("Ivan\u00a0 Fra\u00adnko"), "do", "import").want(http.StatusOK).path
	if got := n.tournament(at).Entries[0].Name; got != "Ivan Franko" {
		t.Errorf("a report keeps %q", got)
	}
}
