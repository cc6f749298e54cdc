package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
)

// A club challenges another on its page; the other answers, both name members and line-ups, which nobody else sees before the match
// begins, and play it as any event of teams.
func TestAClubChallengesAnotherOnItsPage(t *testing.T) {
	t.Parallel()
	s, people := peopled(t)
	ivan := s.account("Ivan", player.Plain)
	s.write(func(tx *store.Tx) error { return tx.AddClub(club.New("club2", "Lions", "", ivan.ID, s.clock.Now())) })
	olena, taras, lion := s.as(people["organizer"], lang.English), s.as(people["player"], lang.English), s.as(ivan, lang.English)
	taras.get("/clubs/club1/challenge").want(http.StatusForbidden)
	olena.get("/clubs/club1").wants("link", "Challenge a club")
	form := replaced(formValues(olena.get("/clubs/club1/challenge").want(http.StatusOK)), "opponent", "club2")
	olena.post("/clubs/club1/challenge", replaced(form, "team_boards", "0")...).want(http.StatusUnprocessableEntity).wants("alert", "1 to 50")
	olena.post("/clubs/club1/challenge", replaced(form, "begins", "2001-01-01T10:00")...).want(http.StatusUnprocessableEntity).wants("alert", "in the future")
	olena.post("/clubs/club1/challenge", replaced(form, "opponent", "club1")...).want(http.StatusUnprocessableEntity).wants("alert", "choose the opponent")
	url := olena.post("/clubs/club1/challenge", replaced(form, "team_boards", "1")...).want(http.StatusOK).says("Lions").path
	if !strings.HasPrefix(url, "/tournaments/") {
		t.Fatal(url)
	}
	id := tournament.ID(strings.TrimPrefix(url, "/tournaments/"))
	tour := func() (t *tournament.Tournament) {
		s.write(func(tx *store.Tx) (err error) { t, err = tx.Tournament(id); return err })
		return t
	}
	home, guest := url+"/teams/1", url+"/teams/2"
	taras.get(url).want(http.StatusOK).saysNot(guest)
	lion.get("/notices").says("invites the team of Lions")
	lion.get(url).want(http.StatusOK).wants("link", "Invitation for Lions: answer")
	lion.get("/").says("Invitation for Lions: answer")
	taras.post(guest+"/invitation", "do", "accept").want(http.StatusForbidden)
	olena.get(guest).want(http.StatusOK).wantsNo("button", "Accept the invitation").says("has yet to accept")
	lion.get(guest).want(http.StatusOK).wants("button", "Accept the invitation")
	for _, place := range []string{url, guest, url + "/entries/2"} {
		lion.get(place).want(http.StatusOK).says("Lions is invited to “").says("The invitation is from " + tour().Club + ", Olena. ").
			says("The club can answer until the start: ").says("Accepting gives the team a place")
	}
	lion.get(url+"/entries/2").wants("link", "Invitation for Lions: answer")
	lion.get("/").says("until ")
	olena.get(url + "/entries/2").says("Lions is invited to “").says("has yet to accept")
	lion.post(guest+"/invitation", "do", "decline").want(http.StatusOK).says("has declined")
	olena.get("/notices").says("declines the invitation for Lions")
	olena.post(url+"/teams", "clubId", "club2").want(http.StatusOK).says("has yet to accept")
	lion.post(guest+"/invitation", "do", "accept").want(http.StatusOK).wants("heading", "Members of Lions")
	for _, place := range []string{"/clubs/club1", "/clubs/club2"} {
		taras.get(place).want(http.StatusOK).says(url)
	}
	zoia := s.as(s.account("Zoia", player.Plain), lang.English)
	zoia.post("/clubs/club1/join").want(http.StatusOK)
	olena.post(home+"/players", "members", "Taras").want(http.StatusConflict).wants("alert", "Taras can’t play in this team: Only members of its club")
	olena.post(guest+"/players", "members", "Ivan").want(http.StatusForbidden)
	olena.post(home+"/players", "members", "Zoia", "members", "Olena").want(http.StatusOK).says("2 of 2")
	zoia.get("/notices").says("– Lions")
	lion.post(guest+"/players", "members", "Ivan").want(http.StatusOK)
	if n := len(tour().Players()); n != 3 {
		t.Fatalf("%d players", n)
	}
	player1 := fmt.Sprint(tour().Roster(1)[1].ID) // Olena, on board 1 as Zoia is left out
	olena.get(home).want(http.StatusOK).says("Nobody sees it before the round begins").wants("button", "Hand in the line-up")
	olena.post(home+"/line-up", "round", "1", "players", player1).want(http.StatusOK)
	for _, b := range []*browser{lion, taras} {
		if page := b.get(url + "/log"); strings.Contains(page.body, "entries/"+player1+"\">Olena") {
			t.Error("the line-up is in the log")
		}
	}
	lion.get(home).want(http.StatusOK).wantsNo("button", "Hand in the line-up")
	lion.post(guest+"/line-up", "round", "1", "players", fmt.Sprint(tour().Roster(2)[0].ID)).want(http.StatusOK)
	zoia.post("/clubs/club1/leave").want(http.StatusOK)
	olena.get("/notices").says("Zoia has left")
	olena.post(url + "/start").want(http.StatusOK)
	s.clock.advance(7*24*time.Hour + time.Minute)
	if err := arbiter.New(s.store, s.live, arbiter.Config{Now: s.clock.Now}, nil).Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := tour().Accepted(s.clock.Now()); err == nil {
		t.Error("an invitation to a match that has begun can be accepted")
	}
	if r := tour().Rounds; len(r) != 1 || len(r[0].Pairings) != 1 || r[0].Pairings[0].Match == "" {
		t.Fatalf("%+v", r)
	}
	for _, page := range []string{url, url + "/rounds/1", url + "/rounds/1/matches/1", url + "/standings", url + "/crosstable", url + "/report.trf", url + "/tournament.json"} {
		taras.get(page).want(http.StatusOK)
	}
	taras.get(url+"/rounds/1/matches/1").wants("link", "Olena").wants("link", "Ivan")
}
