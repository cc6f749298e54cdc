package web_test

import (
	"net/http"
	"strings"
	"testing"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
)

func TestEverythingWithANameIsFoundFromTheHead(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.create("name", "П’ятниця у «Ґанку»")
	draft := n.tournament(n.create("name", "П’ятниця в чернетці"))
	n.write(func(tx *store.Tx) error {
		hidden := draft.Clone()
		hidden.Status = tournament.Draft
		return tx.SaveTournament(draft, hidden, ledger.Deed{Act: tournament.ActHide})
	})
	club := n.host.post("/clubs", "name", "П'ятнична компанія", "joining", "open").want(http.StatusOK).path
	visitor := n.browser(lang.English)
	visitor.get("/").want(http.StatusOK)

	found := visitor.get("/search?q=%D0%BF%D1%8F%D1%82%D0%BD%D0%B8").want(http.StatusOK) // пятни
	found.wants("link", "П’ятниця у «Ґанку»").wants("link", "П'ятнична компанія")
	found.wantsNo("link", "чернетці")
	if !strings.Contains(found.body, `href="`+path+`"`) || !strings.Contains(found.body, `href="`+club+`"`) {
		t.Error("the hits lead elsewhere")
	}
	n.host.get("/search?q=%D0%BF%D1%8F%D1%82%D0%BD%D0%B8").wants("link", "чернетці") // its own staff sees the draft
	visitor.get("/search?q=ANNA").want(http.StatusOK).wants("link", "anna").wants("heading", "Players")
	// By either alphabet: who came in at a door has a Latin handle, and a Cyrillic name.
	visitor.get("/search?q=%D0%B0%D0%BD%D0%BD%D0%B0").want(http.StatusOK).wants("link", "anna") // анна
	visitor.get("/search?q=piatny").want(http.StatusOK).wants("link", "П'ятнична компанія")
	empty := visitor.get("/search?q=zzzz").want(http.StatusOK).wants("link", "Tournaments")
	if !strings.Contains(empty.body, "Nothing found for “zzzz”") {
		t.Error("an empty page says nothing")
	}
	visitor.get("/search").want(http.StatusOK).wants("button", "Search")

	privacy := player.DefaultPrivacy()
	privacy.Hidden = true
	n.write(func(tx *store.Tx) error {
		return tx.SetProfile(n.players["borys"].ID, player.Profile{Name: "Борис Тихий", Privacy: privacy})
	})
	visitor.get("/search?q=bory").want(http.StatusOK).wantsNo("link", "borys")
	visitor.get("/search?q=%D1%82%D0%B8%D1%85%D0%B8%D0%B9").want(http.StatusOK).wantsNo("link", "borys") // тихий
	if hit := visitor.get("/search?q=borys").wants("link", "borys"); strings.Contains(hit.body, "Тихий") {
		t.Error("the name of who is hidden is told")
	}
}
