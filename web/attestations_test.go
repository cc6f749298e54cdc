package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/fairplay/vouch"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
)

func TestAPlayerIsVouchedForThroughThePages(t *testing.T) {
	t.Parallel()
	s, people := peopled(t)
	boss, olena, taras := s.as(people["operator"], lang.English), s.as(people["organizer"], lang.English), s.as(people["player"], lang.English)
	visitor := s.browser(lang.English)

	taras.post("/attestations/issuers", "club", "club1").want(http.StatusForbidden)
	boss.post("/attestations/issuers", "club", "nowhere").want(http.StatusNotFound)
	boss.post("/attestations/issuers", "club", "club1").want(http.StatusOK)
	boss.post("/attestations/issuers", "club", "club1").want(http.StatusConflict).wants("alert", "may vouch already")
	issuer := s.issuerOfClub("club1")
	path := "/attestations/issuers/" + issuer
	taras.get(path).want(http.StatusForbidden)

	word := []string{"handle", "Taras", "kind", "identity", "how", "in-person", "days", "365", "name", "Тарас Коваль", "born", "1999-04-05", "note", "plays on Tuesdays"}
	refused := olena.post(path, word...).want(http.StatusUnprocessableEntity).wants("alert", "must be known to two other clubs")
	if !strings.Contains(refused.body, "Тарас Коваль") {
		t.Error("what was typed is lost")
	}
	boss.post("/attestations/issuers/site", "handle", "Olena", "kind", "identity", "how", "video", "days", "400", "name", "Олена", "born", "1980-01-01").want(http.StatusOK)
	olena.post(path).want(http.StatusUnprocessableEntity).wants("alert", "No player has that handle")
	olena.post(path, "kind", "identity").want(http.StatusUnprocessableEntity).wants("alert", "the name and date of birth")
	given := olena.post(path, word...).want(http.StatusOK)
	taras.get("/attestations").want(http.StatusOK).says("/api/v1/attestations?csv=attestations")
	if strings.Contains(given.body, "Коваль") || strings.Contains(visitor.get("/attestations").body, "1999") {
		t.Error("who the person is was kept")
	}
	if page := visitor.get("/attestations").want(http.StatusOK); !strings.Contains(page.body, "Taras") || !strings.Contains(page.body, "plays on Tuesdays") {
		t.Error("the word is not public")
	}
	taras.get("/attestations/mine").want(http.StatusOK).wants("header", "What they say")

	// Of a minor only with a guardian's consent; the public does not read of it.
	s.write(func(tx *store.Tx) error {
		return tx.AddPlayer(player.Player{ID: "mia", Handle: "Mia", Role: player.Plain, Created: s.clock.Now()}, player.HashPassword("password", [player.SaltBytes]byte{}))
	})
	minor := []string{"handle", "Mia", "kind", "identity", "how", "in-person", "days", "365", "name", "Мія", "born", s.clock.Now().AddDate(-18, 0, 1).Format(time.DateOnly)}
	olena.post(path, minor...).want(http.StatusUnprocessableEntity).wants("alert", "under 18")
	olena.post(path, append(minor, "guardian", "on")...).want(http.StatusOK).says("with a guardian’s consent")
	if strings.Contains(visitor.get("/attestations").body, "guardian’s consent") {
		t.Error("everybody reads that the player is a minor")
	}
	boss.get("/attestations").says("with a guardian’s consent")
	s.as(s.player("Mia"), lang.English).get("/attestations/mine").says("with a guardian’s consent")
	if page := visitor.get("/players/Taras").want(http.StatusOK); !strings.Contains(page.body, "Identity known to") {
		t.Error("the player's page does not say who knows him")
	}
	visitor.get("/clubs/club1").want(http.StatusOK).wants("heading", "Vouched by this club").wantsNo("link", "Vouch")
	olena.get("/clubs/club1").wants("link", "Vouch")

	// Born on the same day by the same name: operators are told, others are not.
	olena.post(path, "handle", "Boss", "kind", "identity", "how", "in-person", "days", "30", "name", "Коваль Тарас", "born", "1999-04-05").want(http.StatusOK)
	boss.get("/attestations").wants("heading", "one person").want(http.StatusOK)
	visitor.get("/attestations").wantsNo("heading", "one person")

	id := s.words(people["player"].ID)[0].ID
	taras.post("/attestations/"+id+"/revoke", "code", "error").want(http.StatusForbidden)
	olena.post("/attestations/"+id+"/revoke", "code", "nonsense").want(http.StatusBadRequest)
	olena.post("/attestations/"+id+"/revoke", "code", "left-club", "issuer", issuer).want(http.StatusOK)
	if page := taras.get("/attestations/mine"); !strings.Contains(page.body, "left the club") {
		t.Error("the player does not see that it was taken back")
	}
	if page := visitor.get("/players/Taras"); strings.Contains(page.body, "Identity known to") {
		t.Error("a word that was taken back stands on the player's page")
	}
	boss.post("/attestations/issuers/"+issuer+"/revoke", "code", "fraud").want(http.StatusOK)
	olena.get(path).want(http.StatusForbidden)
}

func (s *site) issuerOfClub(id string) (issuer string) {
	s.write(func(tx *store.Tx) error {
		issuers, _, err := tx.Issuers()
		for _, i := range issuers {
			if i.Club == id {
				issuer = string(i.ID)
			}
		}
		return err
	})
	return issuer
}

func (s *site) words(about player.ID) (list []vouch.Attestation) {
	s.write(func(tx *store.Tx) (err error) {
		list, err = tx.AttestationsAbout(about)
		return err
	})
	return list
}

func TestEntriesOfOnePersonAreAReasonToAsk(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.create("format", "swiss", "rounds", "2")
	for _, h := range []string{"anna", "borys", "clara"} {
		n.as(n.players[h], lang.English).post(path + "/register").want(http.StatusOK)
	}
	n.write(func(tx *store.Tx) error {
		for h, mark := range map[string]string{"anna": "x", "borys": "x", "clara": "y", "danylo": "y"} { // danylo plays elsewhere
			if _, err := tx.AddPersonMark(mark, n.players[h].ID, n.clock.Now()); err != nil {
				return err
			}
		}
		return nil
	})
	page := n.host.get(path+"/fair-play").want(http.StatusOK).wants("heading", "one person’s").says("anna, borys")
	if strings.Contains(page.body, "clara, danylo") {
		t.Error("who has not entered is named")
	}
	n.as(n.players["anna"], lang.English).get(path + "/fair-play").want(http.StatusForbidden)
}
