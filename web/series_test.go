package web_test

import (
	"net/http"
	"strings"
	"testing"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/player"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
)

func TestASeriesOnTheClubsPage(t *testing.T) {
	t.Parallel()
	s, people := peopled(t)
	olena, taras := s.as(people["organizer"], lang.English), s.as(people["player"], lang.English)
	settings := tournament.DefaultSettings(tournament.Swiss)
	settings.Name, settings.ClubID = "The first evening", "club1"
	host := arbiter.New(s.store, s.live, arbiter.Config{Now: s.clock.Now}, nil)
	like, err := host.Events.Create(t.Context(), player.Viewer{Player: people["organizer"]}, settings, true)
	if err != nil {
		t.Fatal(err)
	}
	taras.get("/clubs/club1/series/new").want(http.StatusForbidden)
	form := formValues(olena.get("/clubs/club1/series/new").want(http.StatusOK))
	p := olena.post("/clubs/club1/series", replaced(form, "zone", "Atlantis")...).want(http.StatusUnprocessableEntity)
	p.wants("alert", "3 to 80").wants("alert", "weekday").wants("alert", "No such time zone")
	form = append(replaced(replaced(form, "name", "Dragon Tuesday"), "lead", "1"), "weekdays", "2", "template", string(like))
	p = olena.post("/clubs/club1/series", form...).want(http.StatusOK).wants("heading", "Dragon Tuesday").wants("button", "Skip")
	olena.get("/").says("Dragon Tuesday")
	_, rest, _ := strings.Cut(p.body, `name="day" value="`)
	day, _, _ := strings.Cut(rest, `"`)
	visit := taras.get(p.path).want(http.StatusOK).wantsNo("button", "Skip")
	if !strings.Contains(visit.body, "Tuesdays, 19:00") {
		t.Error("the page does not say when it is held")
	}
	taras.post(p.path+"/skip", "day", day, "skip", "yes").want(http.StatusForbidden)
	olena.post(p.path+"/skip", "day", day, "skip", "yes").want(http.StatusOK).wants("button", "Hold it after all")
	olena.post(p.path+"/skip", "day", day, "skip", "no").want(http.StatusOK).wantsNo("button", "Hold it after all")
	// The master is a draft now, which others do not see, and a series can still be like it.
	if page := taras.get("/tournaments"); strings.Contains(page.body, "The first evening") {
		t.Error("the master of the series stands in the list as an event without a time")
	}
	olena.get("/clubs/club1/series/new").says("The first evening")
	if page := taras.get("/clubs/club1"); !strings.Contains(page.body, "Dragon Tuesday") {
		t.Error("the club's page does not show it")
	}
	edit := formValues(olena.get(p.path + "/edit").want(http.StatusOK))
	olena.post(p.path, replaced(edit, "name", "Dragon Night")...).want(http.StatusOK).wants("heading", "Dragon Night")
	olena.get("/").says("Dragon Night")
	olena.post(p.path+"/end").want(http.StatusOK).wantsNo("button", "Skip")
	olena.get("/").saysNot("Dragon Night")
	olena.post(p.path, replaced(edit, "name", "Too late")...).want(http.StatusConflict)
	if page := taras.get("/clubs/club1"); strings.Contains(page.body, "Dragon Night") {
		t.Error("the club's page shows a series that has ended")
	}
}
