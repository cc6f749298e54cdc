package web_test

import (
	"net/http"
	"strings"
	"testing"

	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
)

func TestTheLifeOfAClub(t *testing.T) {
	t.Parallel()
	s, people := peopled(t)
	olena, taras := s.as(people["organizer"], lang.English), s.as(people["player"], lang.English)
	made := olena.post("/clubs", "name", "  Ladder   Club ", "text", "First.\r\n\r\nSecond: https://chpok.org/x.").want(http.StatusOK)
	made.wants("heading", "Ladder Club").wants("status", "Club created").wants("link", "https://chpok.org/x")
	if !strings.Contains(made.body, `<p class="lines">First.</p>`) {
		t.Error("paragraphs are lost")
	}
	olena.post("/clubs", "name", "LADDER club").want(http.StatusUnprocessableEntity).wants("alert", "already")
	taras.post(made.path+"/join").want(http.StatusOK).wants("status", "in the club").wants("button", "Leave")
	olena.get(made.path).wantsNo("button", "Leave")
	if page := olena.get(made.path); !strings.Contains(page.body, "You are the last owner") {
		t.Error("the last owner is not told why he cannot leave")
	}
	olena.post(made.path + "/leave").want(http.StatusConflict)
	olena.post(made.path+"/roles", "player", string(people["player"].Handle), "role", "owner").want(http.StatusOK)
	olena.post(made.path+"/leave").want(http.StatusOK).wants("status", "left the club")
	taras.post(made.path, "name", "Ladder Club", "text", "Ours now.").want(http.StatusOK).wants("status", "Saved")
	taras.post(made.path+"/roles", "player", string(people["player"].Handle), "role", "member").want(http.StatusConflict)
}

func TestAClubOneAsksToJoin(t *testing.T) {
	t.Parallel()
	s, people := peopled(t)
	olena, taras := s.as(people["organizer"], lang.English), s.as(people["player"], lang.English)
	olena.post("/clubs/club1", "name", "Dragons", "text", "", "joining", "request").want(http.StatusOK)
	p := taras.post("/clubs/club1/join", "note", strings.Repeat("x", 301)).want(http.StatusUnprocessableEntity)
	p.wants("alert", "too long")
	s.browser(lang.English).get("/clubs/club1").want(http.StatusOK).wants("link", "Sign in to join")
	taras.get("/clubs/club1").wantsNo("link", "Sign in to join")
	taras.post("/clubs/club1/join", "note", "I bring cake").want(http.StatusOK).wants("status", "Request sent").wants("button", "Withdraw the request")
	desk := olena.get("/clubs/club1/people").wants("button", "Accept")
	if !strings.Contains(desk.body, "I bring cake") {
		t.Error("the note is not shown")
	}
	taras.post("/clubs/club1/unask").want(http.StatusOK).wants("button", "Ask to join")
	taras.post("/clubs/club1/join").want(http.StatusOK)
	olena.post("/clubs/club1/requests", "player", string(people["player"].Handle), "answer", "accept").want(http.StatusOK).wantsNo("button", "Accept")
	taras.get("/clubs/club1").wants("button", "Leave")
}

func TestAClubWithACode(t *testing.T) {
	t.Parallel()
	s, people := peopled(t)
	olena, taras := s.as(people["organizer"], lang.English), s.as(people["player"], lang.English)
	olena.post("/clubs/club1", "name", "Dragons", "joining", "code").want(http.StatusOK)
	desk := olena.get("/clubs/club1/people")
	_, rest, _ := strings.Cut(desk.body, `<code class="club-code">`)
	code, _, _ := strings.Cut(rest, "<")
	if len(code) != 11 {
		t.Fatalf("the code is %q", code)
	}
	taras.get("/clubs/club1/people").want(http.StatusForbidden)
	if strings.Contains(taras.get("/clubs/club1").body, code) {
		t.Error("the club's page tells everybody its code")
	}
	taras.post("/clubs/club1/join", "code", "abcde-fghjk").want(http.StatusUnprocessableEntity).wants("alert", "not the club")
	taras.post("/clubs/club1/join", "code", strings.ToUpper(code)).want(http.StatusOK).wants("status", "in the club")
}

func TestBansOfAClub(t *testing.T) {
	t.Parallel()
	s, people := peopled(t)
	olena, taras := s.as(people["organizer"], lang.English), s.as(people["player"], lang.English)
	taras.post("/clubs/club1/join").want(http.StatusOK)
	olena.post("/clubs/club1/bans", "handle", "Nobody", "reason", "x").want(http.StatusUnprocessableEntity).wants("alert", "No player has that handle")
	olena.post("/clubs/club1/bans", "handle", "Olena", "reason", "x").want(http.StatusUnprocessableEntity).wants("alert", "below you")
	olena.post("/clubs/club1/bans", "handle", "Taras").want(http.StatusUnprocessableEntity).wants("alert", "reason")
	olena.post("/clubs/club1/bans", "handle", "Taras", "reason", "x", "until", "2001-01-01").want(http.StatusUnprocessableEntity).wants("alert", "date ahead")
	olena.post("/clubs/club1/bans", "handle", "Taras", "reason", "Rude in the hall").want(http.StatusOK).wants("button", "Lift the ban")
	page := taras.get("/clubs/club1").wantsNo("button", "Join").wantsNo("button", "Leave")
	if !strings.Contains(page.body, "Rude in the hall") {
		t.Error("the banned player is not told why")
	}
	taras.post("/clubs/club1/join").want(http.StatusForbidden)
	olena.post("/clubs/club1/unban", "player", string(people["player"].Handle)).want(http.StatusOK)
	taras.post("/clubs/club1/join").want(http.StatusOK)
}

func TestNewsOfAClub(t *testing.T) {
	t.Parallel()
	s, people := peopled(t)
	olena, taras := s.as(people["organizer"], lang.English), s.as(people["player"], lang.English)
	p := olena.post("/clubs/club1/news", "title", "", "text", "Kept as it was written").want(http.StatusUnprocessableEntity).wants("alert", "title")
	if !strings.Contains(p.body, "Kept as it was written") {
		t.Error("the text is lost")
	}
	olena.post("/clubs/club1/news", "title", "Spring cup", "text", "Come <b>all</b>!").want(http.StatusOK).wants("heading", "Spring cup")
	page := taras.get("/clubs/club1/news").wants("heading", "Spring cup").wantsNo("link", "Edit")
	if strings.Contains(page.body, "<b>all</b>") {
		t.Error("news can hold markup")
	}
	_, rest, _ := strings.Cut(page.body, `id="post-`)
	id, _, _ := strings.Cut(rest, `"`)
	taras.post("/clubs/club1/news/"+id, "title", "Mine", "text", "x").want(http.StatusForbidden)
	taras.post("/clubs/club1/news/" + id + "/delete").want(http.StatusForbidden)
	olena.get("/clubs/club1/news/"+id).want(http.StatusOK).wants("button", "Delete")
	olena.post("/clubs/club1/news/"+id, "title", "Summer cup", "text", "x").want(http.StatusOK).wants("heading", "Summer cup")
	olena.post("/clubs/club1/news/"+id+"/delete").want(http.StatusOK).wantsNo("heading", "Summer cup")
}

func TestAClubsOrganizerHoldsItsTournaments(t *testing.T) {
	t.Parallel()
	s, people := peopled(t)
	olena, taras := s.as(people["organizer"], lang.English), s.as(people["player"], lang.English)
	taras.get("/tournaments/new").want(http.StatusForbidden)
	taras.post("/clubs/club1/join").want(http.StatusOK)
	olena.post("/clubs/club1/roles", "player", string(people["player"].Handle), "role", "organizer").want(http.StatusOK)
	form := taras.get("/tournaments/new?club=club1").want(http.StatusOK)
	p := taras.post("/tournaments", replaced(formValues(form), "name", "Dragon night")...).want(http.StatusOK)
	p.wants("heading", "Dragon night")
	path := eventPath(p.path)
	edit := taras.get(path + "/edit").want(http.StatusOK)
	taras.post(path, append(formValues(edit), "membersOnly", "on")...).want(http.StatusOK)
	stranger := s.as(people["operator"], lang.English)
	stranger.post(path + "/register").want(http.StatusConflict)
	if page := taras.get("/clubs/club1"); !strings.Contains(page.body, "Dragon night") {
		t.Error("it does not stand on the club's page")
	}
	olena.get(path+"/desk").wants("button", "Pause").says("Let people in") // an owner of the club
}

func TestAClubNamesItsChampionsAfterSigningOffToo(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	host := n.hostID()
	n.write(func(tx *store.Tx) error { return tx.AddClub(club.New("lions", "Lions", "", host, n.clock.Now())) })
	path := n.create("clubId", "lions")
	for _, handle := range []string{"anna", "borys", "clara", "danylo"} {
		n.host.post(path+"/entries", "handle", handle).want(http.StatusOK)
	}
	n.host.post(path + "/start").want(http.StatusOK)
	for range 3 {
		n.firstWins(path)
	}
	for _, step := range []string{"", "/life/finalize"} { // finished already, then signed off
		if step != "" {
			n.host.post(path + step).want(http.StatusOK)
		}
		n.host.get("/clubs/lions").want(http.StatusOK).wants("heading", "Champions").wants("link", "anna")
	}
	if status := n.tournament(path).Status; status != tournament.Finalized {
		t.Errorf("signed off, but %s", status)
	}
}
