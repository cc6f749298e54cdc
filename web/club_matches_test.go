package web_test

import (
	"net/http"
	"strings"
	"testing"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
)

func TestAClubMatchOnItsPages(t *testing.T) {
	t.Parallel()
	s, people := peopled(t)
	ivan := s.account("Ivan", player.Plain)
	s.write(func(tx *store.Tx) error { return tx.AddClub(club.New("club2", "Lions", "", ivan.ID, s.clock.Now())) })
	olena, taras, lion := s.as(people["organizer"], lang.English), s.as(people["player"], lang.English), s.as(ivan, lang.English)
	taras.get("/clubs/club1/matches/new").want(http.StatusForbidden)
	olena.get("/clubs/club1").wants("link", "Arrange a club match")
	form := replaced(formValues(olena.get("/clubs/club1/matches/new").want(http.StatusOK)), "opponentId", "club2")
	olena.post("/clubs/club1/matches", replaced(replaced(form, "name", "Derby"), "boards", "0")...).want(http.StatusUnprocessableEntity).wants("alert", "1 to 50")
	olena.post("/clubs/club1/matches", replaced(replaced(form, "name", "Derby"), "lineUpsBy", "2001-01-01T10:00")...).want(http.StatusUnprocessableEntity).wants("alert", "in the future")
	p := olena.post("/clubs/club1/matches", replaced(replaced(form, "name", "Derby"), "boards", "1")...).want(http.StatusOK).wants("button", "Name the line-up")
	url := strings.TrimSuffix(p.path, "/match")
	for _, place := range []string{"/", url + "/desk"} { // players are not added, nor is it started, before both are named
		olena.get(place).want(http.StatusOK).wants("link", "Name the line-up").wantsNo("link", "Add players").wantsNo("button", "Start")
	}
	taras.get(p.path).want(http.StatusOK).wantsNo("button", "Name the line-up")
	s.as(people["operator"], lang.English).get(p.path).wantsNo("button", "Name the line-up")
	olena.post(url+"/line-ups", "club", "club1", "players", "Taras").want(http.StatusUnprocessableEntity).wants("alert", "Not members of the club: Taras")
	olena.post(url+"/line-ups", "club", "club2", "players", "Ivan").want(http.StatusForbidden)
	olena.post(url+"/line-ups", "club", "club1", "players", strings.Repeat("long", 500)).want(http.StatusUnprocessableEntity).
		wants("alert", "Not members of the club: "+strings.Repeat("long", 10)+".")
	olena.post(url+"/line-ups", "club", "club1", "players", "Olena").want(http.StatusOK)
	if page := lion.get(p.path); strings.Contains(page.body, ">Olena<") || strings.Contains(page.body, "Olena\n") {
		t.Error("the other club sees the line-up")
	}
	zoia := s.as(s.account("Zoia", player.Plain), lang.English)
	zoia.post("/clubs/club1/join").want(http.StatusOK)
	olena.post(url+"/line-ups", "club", "club1", "players", "Zoia").want(http.StatusOK)
	zoia.post("/clubs/club1/leave").want(http.StatusOK)
	olena.get(p.path).wants("alert", "Zoia: no longer in the club. Name the line-up again.")
	olena.get("/notices").says("Zoia stood in the line-up")
	olena.post(url+"/line-ups", "club", "club1", "players", "Olena").want(http.StatusOK).wantsNo("alert", "no longer")
	id := tournament.ID(strings.TrimPrefix(url, "/tournaments/"))
	s.write(func(tx *store.Tx) error {
		before, err := tx.Tournament(id)
		if err != nil {
			return err
		}
		after := before.Clone()
		after.CallStops = true
		return tx.SaveTournament(before, after, ledger.Deed{Act: tournament.ActSettings})
	})
	edit := formValues(olena.get(url + "/edit").want(http.StatusOK))
	olena.post(url, replaced(edit, "name", "The derby")...).want(http.StatusOK).wants("heading", "The derby")
	s.write(func(tx *store.Tx) error {
		saved, err := tx.Tournament(id)
		if saved != nil && (saved.Name != "The derby" || !saved.CallStops) {
			t.Errorf("what the form does not have is lost: %+v", saved.Settings)
		}
		return err
	})
	lion.post(url+"/line-ups", "club", "club2", "players", "Ivan").want(http.StatusOK).wantsNo("button", "Name the line-up")
	taras.get(p.path).wants("link", "Olena").wants("link", "Ivan")
	for _, page := range []string{url, url + "/standings", url + "/crosstable", "/clubs/club1", "/clubs/club2"} {
		taras.get(page).want(http.StatusOK)
	}
	olena.post(url + "/start").want(http.StatusOK)
	taras.get(p.path).says("/api/v1" + url + "?csv=rounds.pairings")
	taras.get(url).want(http.StatusOK).wants("link", "Lions").wantsNo("heading", "Standings")
	for _, page := range []string{url, p.path, url + "/rounds/1", url + "/standings", url + "/crosstable", url + "/report.trf", url + "/standings.csv", url + "/tournament.json"} {
		taras.get(page).want(http.StatusOK)
	}
}
