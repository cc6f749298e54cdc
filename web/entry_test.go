package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
	"chpok.org/chpok/tournament/setting"
)

// event is a tournament of the host's with settings that no form is needed for.
func (n *clubNight) event(change func(*tournament.Settings)) string {
	n.t.Helper()
	set := tournament.DefaultSettings(tournament.Swiss)
	set.Name, set.Lateness, set.Pace = "Cup", 0, tournament.Manual
	change(&set)
	host := n.viewer("Olena")
	t, err := tournament.New("cup", host.ID, set, n.clock.Now())
	if err == nil {
		err = t.OpenRegistration(host, n.clock.Now())
	}
	if err != nil {
		n.t.Fatal(err)
	}
	n.write(func(tx *store.Tx) error {
		return tx.AddTournament(t, ledger.Deed{At: n.clock.Now(), By: host.ID, Duty: tournament.Owner, Act: tournament.ActCreate})
	})
	return "/tournaments/cup"
}

// viewer is an account as it signs in.
func (n *clubNight) viewer(handle player.Handle) (v player.Viewer) {
	n.t.Helper()
	n.write(func(tx *store.Tx) (err error) {
		v.Player, err = tx.PlayerByHandle(handle)
		return err
	})
	return v
}

func TestConditionsAreShownWithVerdictsBeforeJoining(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.event(func(s *tournament.Settings) {
		s.Entry.Conditions = setting.Conditions{MinGames: 3, MaxRating: 1600, List: []player.Handle{"anna"}}
	})
	anna := n.as(n.players["anna"], lang.English)
	p := anna.get(path).want(http.StatusOK).wants("heading", "Entry requirements").wantsNo("button", "Enter the tournament")
	for _, text := range []string{"At least 3 rated matches", "0 so far", "Rating at most 1,600", "A name on the organizer’s list"} {
		if !strings.Contains(p.body, text) {
			t.Errorf("%q is not on the page", text)
		}
	}
	if got := strings.Count(p.body, "class=\"failed\""); got != 1 {
		t.Errorf("%d conditions are failed, want the games only", got)
	}
	anna.post(path+"/register").want(http.StatusConflict).wants("alert", "You don’t meet the entry requirements")
	visitor := n.browser(lang.English)
	if p := visitor.get(path).want(http.StatusOK).wants("link", "Sign in"); strings.Contains(p.body, "class=\"failed\"") || !strings.Contains(p.body, "At least 3 rated matches") {
		t.Error("a visitor is shown the conditions, and no verdict")
	}

	// Staff: refused without a reason, and the form keeps the name.
	p = n.host.post(path+"/entries", "handle", "anna").want(http.StatusConflict).wants("alert", "Give a reason")
	if !p.holds("handle", "anna") || !p.holds("reason", "") {
		t.Error("the form lost the handle, or asks for no reason")
	}
	n.host.post(path+"/entries", "handle", "anna", "reason", "our guest").want(http.StatusOK).wants("link", "anna")
	deeds := n.deeds(path)
	if d := deeds[len(deeds)-1]; d.Act != tournament.ActEnter || d.Reason != "our guest" || d.Duty != tournament.Owner {
		t.Errorf("%+v", d)
	}
}

// holds tells whether an input of that name has that value.
func (p page) holds(name, value string) bool {
	for n := range p.root.Descendants() {
		if got, _ := attr(n, "name"); n.Data == "input" && got == name {
			if v, _ := attr(n, "value"); v == value {
				return true
			}
		}
	}
	return false
}

func (n *clubNight) deeds(path string) (list []ledger.Deed) {
	n.t.Helper()
	n.write(func(tx *store.Tx) (err error) {
		list, err = tx.Deeds(tournament.ID(strings.TrimPrefix(path, "/tournaments/")))
		return err
	})
	return list
}

func TestACodeAWaitingListAndRequests(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.event(func(s *tournament.Settings) { s.Entry.Code, s.Entry.Approval, s.Capacity = "dragon7", true, 1 })
	anna, borys := n.as(n.players["anna"], lang.English), n.as(n.players["borys"], lang.English)
	if p := anna.get(path).wants("button", "Ask to enter"); strings.Contains(p.body, "dragon7") {
		t.Error("a player reads the code")
	}
	if p := n.host.get(path + "/players"); !strings.Contains(p.body, "dragon7") {
		t.Error("staff do not read the code")
	}
	p := anna.post(path+"/register", "code", "dragon8").want(http.StatusUnprocessableEntity).wants("alert", "not the entry code")
	if !p.holds("code", "dragon8") {
		t.Error("what was written is lost")
	}
	anna.post(path+"/register", "code", "Dragon7").want(http.StatusOK).wantsNo("button", "Ask to enter")
	borys.post(path+"/register", "code", "dragon7").want(http.StatusOK)
	visitor := n.browser(lang.English)
	if p := visitor.get(path); strings.Contains(p.body, "anna") {
		t.Error("requests are shown to everybody")
	}
	desk := n.host.get(path+"/players").want(http.StatusOK).wants("heading", "Requests").wants("link", "anna").wants("button", "Accept")
	_ = desk
	n.host.post(path+"/entries/1/accept").want(http.StatusOK).wantsNo("heading", "Waiting list")
	n.host.post(path+"/entries/2/accept").want(http.StatusOK).wants("heading", "Waiting list")
	if p := borys.get(path); !strings.Contains(p.body, "You are on the waiting list: 1 of 1.") {
		t.Error("borys is not told his place")
	}
	n.host.post(path+"/entries/2/accept").want(http.StatusConflict).wants("alert", "All places are taken")
	anna.post(path + "/withdraw").want(http.StatusOK)
	if p := borys.get(path); !strings.Contains(p.body, "You are in") {
		t.Error("borys is not promoted")
	}
	clara := n.as(n.players["clara"], lang.English)
	clara.post(path+"/register", "code", "dragon7").want(http.StatusOK)
	n.host.post(path+"/entries/3/refuse", "reason", "too late").want(http.StatusOK).wants("heading", "Withdrawn and declined")
	if p := clara.get(path); !strings.Contains(p.body, "The reason: too late") {
		t.Error("clara is not told why")
	}
	clara.post(path+"/register", "code", "dragon7").want(http.StatusForbidden)
}

func TestRegistrationSaysWhenItOpens(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	opens := n.clock.Now().Add(time.Hour)
	path := n.event(func(s *tournament.Settings) { s.Entry.Opens = opens })
	anna := n.as(n.players["anna"], lang.English)
	if p := anna.get(path).wantsNo("button", "Enter the tournament"); !strings.Contains(p.body, "Registration opens today ") {
		t.Error("the page does not say when registration opens")
	}
	anna.post(path + "/register").want(http.StatusConflict)
	n.clock.advance(time.Hour)
	anna.get(path).wants("button", "Enter the tournament")
	n.host.get(path+"/players").wants("button", "Close registration")
	n.host.post(path+"/registration/close", "back", "players").want(http.StatusOK).wants("button", "Open registration")
	anna.get(path).wantsNo("button", "Enter the tournament")
	n.host.post(path+"/registration", "back", "players").want(http.StatusOK)
	anna.post(path+"/register").want(http.StatusOK).wants("header", "anna")
}

func TestByesAreAskedForAndTakenBack(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.event(func(s *tournament.Settings) { s.Entry.HalfByes = 1 })
	for _, h := range []string{"anna", "borys", "clara"} {
		n.host.post(path+"/entries", "handle", h).want(http.StatusOK)
	}
	n.host.post(path + "/start").want(http.StatusOK)
	anna := n.as(n.players["anna"], lang.English)
	p := anna.post(path+"/byes", "round", "2", "kind", "half").want(http.StatusOK)
	if !strings.Contains(p.body, "Round 2: half-point bye") {
		t.Error("the bye is not shown")
	}
	anna.post(path+"/byes", "round", "3", "kind", "half").want(http.StatusConflict).wants("alert", "more byes like that")
	anna.post(path+"/byes", "round", "2", "kind", "none").want(http.StatusOK)
	anna.post(path+"/byes", "round", "3", "kind", "half").want(http.StatusOK)
	n.host.post(path+"/entries/1/byes", "round", "4", "kind", "half").want(http.StatusOK)
	n.host.post(path+"/entries/1/byes", "round", "99", "kind", "half").want(http.StatusConflict)
	if e, _ := n.tournament(path).Entry(1); len(e.Byes) != 2 {
		t.Errorf("%+v", e.Byes)
	}
	anna.post(path+"/withdraw").want(http.StatusOK).wants("button", "Come back")
	anna.post(path+"/return").want(http.StatusOK).wants("button", "Leave the tournament")
}

func TestAListOfPlayersIsShownBeforeItIsEntered(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.event(func(s *tournament.Settings) { s.Capacity = 3 })
	n.host.post(path+"/entries", "handle", "anna").want(http.StatusOK)
	list := "anna\nborys\nnobody\nІван Франко; 1650; Дракон\nLesia; much\nLion; 1500"
	p := n.host.post(path+"/players/add", "list", list, "do", "preview").want(http.StatusOK).wants("button", "Add 3 players")
	for _, text := range []string{"2 to add · 1 to the waiting list · 1 already in · 2 lines to fix", "line 3 has a problem", "line 5 has a problem", "A rating is a number"} {
		if !strings.Contains(p.body, text) {
			t.Errorf("%q is not there", text)
		}
	}
	if tour := n.tournament(path); len(tour.Entries) != 1 {
		t.Error("a preview entered somebody")
	}
	p = n.host.post(path+"/players/add", "list", list, "do", "add").want(http.StatusOK)
	if !strings.Contains(p.body, "nobody\nLesia; much</textarea>") || !strings.Contains(p.body, "Fix these lines") {
		t.Error("the bad lines are not left in the form")
	}
	if tour := n.tournament(path); len(tour.Entries) != 4 || tour.Entries[3].Status != tournament.Waiting || tour.Entries[2].Rating != 1650 {
		t.Errorf("%+v", tour.Entries)
	}
	if deeds := n.deeds(path); len(deeds) != 3 {
		t.Errorf("a list is one deed: %d", len(deeds))
	}
	n.host.post(path+"/players/add", "list", "anna", "do", "add").want(http.StatusUnprocessableEntity).wants("alert", "Nobody on this list")
	n.host.post(path+"/players/add", "list", " \n", "do", "preview").want(http.StatusUnprocessableEntity)
	n.as(n.players["anna"], lang.English).get(path + "/players/add").want(http.StatusForbidden)
}

// TestALateEntryReadsWhatTheMissedRoundsGive: nothing is said before one is missed.
func TestALateEntryReadsWhatTheMissedRoundsGive(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.event(func(s *tournament.Settings) { s.Entry.LateUntil, s.Entry.LateBye = 2, tournament.HalfBye })
	for _, handle := range []string{"anna", "borys"} {
		n.host.post(path+"/entries", "handle", handle).want(http.StatusOK)
	}
	n.host.post(path + "/start").want(http.StatusOK)
	clara := n.as(n.players["clara"], lang.English)
	if p := clara.get(path); strings.Contains(p.body, "You start in round") {
		t.Errorf("before the first round:\n%s", p.body)
	}
	n.host.post(path + "/rounds").want(http.StatusOK)
	if p := clara.get(path); !strings.Contains(p.body, "You start in round 2; each missed round scores half a point.") {
		t.Errorf("after the first round:\n%s", p.body)
	}
}

func TestARefusedEntryIsExplainedWhereTheDeskHasNoFormForIt(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.played()
	n.account("emil", player.Plain)
	n.host.post(path+"/entries", "handle", "emil").want(http.StatusConflict).wants("alert", "The tournament has started.")
}
