package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
)

// keys is what an account has: tokens by name, sessions, and a link to its calendar.
func (s *site) keys(p player.Player) (names string, sessions int, calendar bool) {
	s.t.Helper()
	s.write(func(tx *store.Tx) error {
		tokens, err := tx.Tokens(p.ID)
		if err != nil {
			return err
		}
		for _, t := range tokens {
			names += t.Name + " "
		}
		list, err := tx.Sessions(p.ID)
		if err != nil {
			return err
		}
		sessions = len(list)
		since, err := tx.CalendarLinkSince(p.ID)
		calendar = !since.IsZero()
		return err
	})
	return strings.TrimSpace(names), sessions, calendar
}

func TestANewPasswordEndsWhatTheOldOneMayHaveMade(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.account("Boss", player.Operator)
	olena := s.account("Olena", player.Plain)
	s.as(olena, lang.English)
	b := s.as(olena, lang.English)
	ids := map[string]string{}
	s.write(func(tx *store.Tx) error {
		for _, name := range []string{"mine", "theirs"} {
			if _, err := tx.AddToken(player.Token{Player: olena.ID, Name: name, Scopes: olena.MostScopes(), Created: s.clock.Now()}); err != nil {
				return err
			}
		}
		tokens, err := tx.Tokens(olena.ID)
		for _, t := range tokens {
			ids[t.Name] = "token:" + t.ID
		}
		if err == nil {
			_, err = tx.MakeCalendarLink(olena.ID, s.clock.Now())
		}
		return err
	})
	page := b.get("/settings").says("Other browsers: 1").says("Token “mine”").says("The link to your calendar")
	if !strings.Contains(page.body, `name="end" value="`+ids["theirs"]+`" checked`) || !strings.Contains(page.body, `name="end" value="sessions" checked`) ||
		strings.Contains(page.body, `value="calendar" checked`) {
		t.Error("what ends by default: sessions and tokens")
	}
	b.post("/settings/password", "old", password, "new", "four words of hers",
		"shown", "sessions", "shown", ids["mine"], "shown", ids["theirs"], "shown", "calendar", "end", "sessions", "end", ids["theirs"], "end", "calendar").want(http.StatusOK)
	if names, sessions, calendar := s.keys(olena); names != "mine" || sessions != 1 || calendar {
		t.Errorf("left: tokens %q, %d sessions, calendar %v", names, sessions, calendar)
	}
	b.post("/settings/password", "old", "four words of hers", "new", "five other words of hers").want(http.StatusOK)
	if names, _, _ := s.keys(olena); names != "" {
		t.Errorf("a token that the form did not show stays: %q", names)
	}
}

func TestWhoMakesATokenHasProvenLately(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.account("Boss", player.Operator)
	olena := s.account("Olena", player.Plain)
	b := s.as(olena, lang.English)
	b.post("/settings/tokens", "name", "at once").want(http.StatusOK)
	s.clock.advance(player.ProvenFor + time.Second)
	b.post("/settings/tokens", "name", "a thief's").want(http.StatusUnprocessableEntity).says("Wrong handle or password")
	b.post("/settings/tokens", "name", "later", "password", password).want(http.StatusOK)
	if names, _, _ := s.keys(olena); names != "later at once" {
		t.Errorf("made: %q", names)
	}
}

func TestATokenThatEndedServesNoLonger(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.account("Boss", player.Operator)
	olena := s.account("Olena", player.Plain)
	b := s.as(olena, lang.English)
	page := b.post("/settings/tokens", "name", "month", "ends", "30").want(http.StatusOK)
	_, rest, _ := strings.Cut(page.body, `id="secret">`)
	secret, _, _ := strings.Cut(rest, "<")
	ask := func() int {
		return s.answer("GET", "/api/v1/me", "192.0.2.7:1000", "", "Authorization", "Bearer "+secret).Code
	}
	if code := ask(); code != http.StatusOK {
		t.Fatalf("a new token: %d", code)
	}
	b.get("/settings").says("expires ")
	b.post("/settings/tokens", "name", "odd", "ends", "31").want(http.StatusBadRequest)
	s.clock.advance(30 * 24 * time.Hour)
	if code := ask(); code != http.StatusUnauthorized {
		t.Errorf("after its end: %d", code)
	}
	s.as(olena, lang.English).get("/settings").says("expired ")
}
