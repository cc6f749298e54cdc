package web_test

import (
	"strings"
	"testing"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
)

func TestABotsPageSaysWhoAnswersForIt(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	olena := s.account("Olena", player.Plain)
	s.write(func(tx *store.Tx) error {
		for _, b := range []player.Player{{ID: "hers", Handle: "her-bot", Maintainer: olena.ID}, {ID: "house", Handle: "house-bot"}} {
			b.Role, b.Bot, b.Created = player.Plain, true, s.clock.Now()
			if err := tx.AddPlayer(b, ""); err != nil {
				return err
			}
		}
		return nil
	})
	visitor := s.browser(lang.English)
	page := visitor.get("/players/her-bot").wants("link", "Olena")
	if !strings.Contains(page.body, "Answers for this bot:") || strings.Contains(page.body, "A bot of this site.") {
		t.Error("her bot is the house's")
	}
	if page = visitor.get("/players/house-bot"); !strings.Contains(page.body, "A bot of this site.") || strings.Contains(page.body, "Answers for") {
		t.Error("the house does not answer for its bot")
	}
	if page = visitor.get("/players/Olena"); strings.Contains(page.body, "Answers for") || strings.Contains(page.body, "A bot of") {
		t.Error("she is taken for a bot")
	}
}
