package web_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
)

func TestProgramsJoinAndLeaveClubs(t *testing.T) {
	t.Parallel()
	s, people := peopled(t)
	taras, olena := s.program(people["player"]), s.program(people["organizer"])
	type answer struct {
		Clubs   []struct{ ID, Name, Joining string }
		Members []struct{ Player, Role string }
		Role    *string
		Member  bool
	}
	var a answer
	taras.ask("GET", "/clubs", "", http.StatusOK, &a)
	if len(a.Clubs) != 1 || a.Clubs[0].ID != "club1" || a.Clubs[0].Joining != "open" {
		t.Errorf("%+v", a.Clubs)
	}
	taras.ask("POST", "/clubs/club1/join", "", http.StatusOK, &a)
	if !a.Member {
		t.Error("an open club has not taken the program's player in")
	}
	var club struct{ Role *string }
	taras.ask("GET", "/clubs/club1", "", http.StatusOK, &club)
	if club.Role == nil || *club.Role != "member" {
		t.Errorf("%+v", club.Role)
	}
	var list answer
	taras.ask("GET", "/clubs/club1/members", "", http.StatusOK, &list)
	if len(list.Members) != 2 || list.Members[0].Player != "Olena" || list.Members[0].Role != "owner" || list.Members[1].Player != "Taras" {
		t.Errorf("%+v", list.Members)
	}
	taras.ask("POST", "/clubs/club1/leave", "", http.StatusNoContent, nil)
	olena.refused("/clubs/club1/leave", "", http.StatusConflict)
	taras.ask("GET", "/clubs/nothing", "", http.StatusNotFound, nil)
}

// TestProgramsRunAClub: who is in it and as what, its news, and who follows it.
func TestProgramsRunAClub(t *testing.T) {
	t.Parallel()
	s, people := peopled(t)
	host, taras, ivan := s.program(people["organizer"]), s.program(people["player"]), s.program(s.account("Ivan", player.Plain))
	var club struct {
		ID, Name, Text, Joining string
		Code, Role              *string
		Members                 int
		Follows                 bool
	}
	host.ask("POST", "/clubs", `{"name":"Knights","text":"We meet on Fridays"}`, http.StatusCreated, &club)
	if club.Role == nil || *club.Role != "owner" || club.Joining != "open" || club.Code != nil {
		t.Errorf("a new club: %+v", club)
	}
	if code := host.refused("/clubs", `{"name":"knights"}`, http.StatusUnprocessableEntity); code != "taken" {
		t.Errorf("a second club of the name: %s", code)
	}
	taras.ask("POST", "/clubs", `{"name":"Rooks of Taras"}`, http.StatusForbidden, nil)
	at := "/clubs/" + club.ID
	taras.ask("PATCH", at, `{"text":"Mine"}`, http.StatusForbidden, nil)
	host.ask("PATCH", at, `{"joining":"code"}`, http.StatusOK, &club)
	if club.Name != "Knights" || club.Text != "We meet on Fridays" || club.Code == nil {
		t.Errorf("joined by code: %+v", club)
	}
	old := *club.Code
	host.ask("POST", at+"/code", "", http.StatusOK, &club)
	if *club.Code == old {
		t.Error("the code is the old one")
	}
	taras.tells("POST", at+"/join", `{"code":"`+old+`"}`, http.StatusUnprocessableEntity, "")
	if _, seen := taras.answer("GET", at, ""); strings.Contains(seen, *club.Code) {
		t.Errorf("a stranger reads the code: %s", seen)
	}
	host.ask("PATCH", at, `{"name":"Dark Knights","joining":"request"}`, http.StatusOK, &club)

	taras.tells("POST", at+"/join", `{"note":"It’s me"}`, http.StatusOK, `"member":false`)
	taras.tells("GET", at, "", http.StatusOK, `"asked":true`)
	taras.tells("DELETE", at+"/join", "", http.StatusNoContent, "")
	taras.tells("GET", at, "", http.StatusOK, `"asked":false`)
	taras.tells("DELETE", at+"/join", "", http.StatusConflict, "")
	taras.tells("POST", at+"/join", `{"note":"It’s me"}`, http.StatusOK, "")
	ivan.tells("POST", at+"/join", "", http.StatusOK, "")
	taras.tells("GET", at+"/requests", "", http.StatusForbidden, "")
	host.tells("GET", at+"/requests", "", http.StatusOK, `"player":"Taras","note":"It’s me"`)
	host.tells("POST", at+"/requests/taras", `{"accept":true}`, http.StatusNoContent, "")
	host.tells("POST", at+"/requests/Ivan", `{"accept":false}`, http.StatusNoContent, "")
	host.tells("POST", at+"/requests/Ivan", `{"accept":true}`, http.StatusConflict, "")
	host.tells("POST", at+"/requests/nobody", `{"accept":true}`, http.StatusNotFound, "")
	taras.tells("PUT", at+"/members/Taras", `{"role":"owner"}`, http.StatusForbidden, "")
	host.tells("PUT", at+"/members/Taras", `{"role":"arbiter"}`, http.StatusNoContent, "")
	taras.tells("GET", at, "", http.StatusOK, `"role":"arbiter"`)

	var post struct {
		ID, Title, By string
		Edited        *time.Time
	}
	ivan.tells("POST", at+"/news", `{"title":"Mine","text":"Mine"}`, http.StatusForbidden, "")
	host.ask("POST", at+"/news", `{"title":"We move","text":"To the library"}`, http.StatusCreated, &post)
	host.ask("PUT", at+"/news/"+post.ID, `{"title":"We move soon","text":"To the library"}`, http.StatusOK, &post)
	if post.Title != "We move soon" || post.By != "Olena" || post.Edited == nil {
		t.Errorf("the post: %+v", post)
	}
	host.tells("PUT", at+"/news/none", `{"title":"We move soon","text":"To the library"}`, http.StatusNotFound, "")
	program{site: s}.tells("GET", at+"/news", "", http.StatusOK, `"title":"We move soon"`)
	host.tells("DELETE", at+"/news/"+post.ID, "", http.StatusNoContent, "")
	ivan.tells("GET", at+"/news", "", http.StatusOK, `"posts":[]`)

	host.tells("DELETE", at+"/members/Taras", "", http.StatusNoContent, "")
	until := s.clock.Now().Add(time.Hour).UTC().Format(time.RFC3339)
	host.tells("PUT", at+"/bans/Ivan", `{"reason":"Insults","until":"`+until+`"}`, http.StatusNoContent, "")
	ivan.tells("POST", at+"/join", "", http.StatusForbidden, "")
	ivan.tells("GET", at+"/bans", "", http.StatusForbidden, "")
	host.tells("GET", at+"/bans", "", http.StatusOK, `"player":"Ivan","by":"Olena","reason":"Insults"`)
	host.tells("DELETE", at+"/bans/Ivan", "", http.StatusNoContent, "")
	ivan.tells("POST", at+"/join", "", http.StatusOK, "")

	ivan.tells("POST", at+"/follow", "", http.StatusNoContent, "")
	ivan.tells("GET", at, "", http.StatusOK, `"follows":true`)
	ivan.tells("DELETE", at+"/follow", "", http.StatusNoContent, "")
	ivan.tells("GET", at, "", http.StatusOK, `"follows":false`)
	ivan.tells("POST", "/clubs/none/follow", "", http.StatusNotFound, "")
}

// TestProgramsRepeatATournament on the days of a series.
func TestProgramsRepeatATournament(t *testing.T) {
	t.Parallel()
	s, people := peopled(t)
	host, taras := s.program(people["organizer"]), s.program(people["player"])
	var cup struct{ ID string }
	host.ask("POST", "/tournaments", `{"name":"Cup","format":"swiss","clubId":"club1"}`, http.StatusCreated, &cup)
	type date struct {
		Day, Status string
		Tournament  *string
	}
	var x struct {
		ID, Name, Time, Zone, Event string
		Weekdays                    []string
		Ended                       *string
		Dates                       []date
	}
	body := `{"name":"Friday chpok","weekdays":["fri"],"time":"19:00","zone":"Europe/Kyiv","event":"` + cup.ID + `","lead":604800000}`
	taras.ask("POST", "/clubs/club1/series", body, http.StatusForbidden, nil)
	for _, wrong := range [][2]string{{"19:00", "25:00"}, {"Europe/Kyiv", "Mars/Base"}, {cup.ID, "none"}, {`["fri"]`, `[]`},
		{"Friday chpok", "F"}} {
		host.ask("POST", "/clubs/club1/series", strings.Replace(body, wrong[0], wrong[1], 1), http.StatusUnprocessableEntity, nil)
	}
	host.ask("POST", "/clubs/club1/series", body, http.StatusCreated, &x)
	if x.Time != "19:00" || !slices.Equal(x.Weekdays, []string{"fri"}) || x.Event != "Cup" || len(x.Dates) != 8 ||
		x.Dates[0].Tournament == nil || x.Dates[0].Status != "announced" || x.Dates[1].Status != "planned" {
		t.Fatalf("the series: %+v", x)
	}
	taras.tells("GET", "/tournaments/"+*x.Dates[0].Tournament, "", http.StatusOK, "Friday chpok, "+x.Dates[0].Day)
	at := "/clubs/club1/series/" + x.ID
	host.ask("PUT", at+"/dates/"+x.Dates[1].Day, `{"skip":true}`, http.StatusOK, &x)
	if x.Dates[1].Status != "skipped" {
		t.Errorf("a skipped date: %+v", x.Dates[1])
	}
	host.ask("PUT", at+"/dates/"+x.Dates[1].Day, `{"skip":false}`, http.StatusOK, &x)
	host.ask("PUT", at+"/dates/"+x.Dates[0].Day, `{"skip":true}`, http.StatusConflict, nil)
	host.ask("PATCH", at, `{"time":"18:30"}`, http.StatusOK, &x)
	if x.Time != "18:30" || x.Name != "Friday chpok" || x.Zone != "Europe/Kyiv" || x.Dates[1].Status != "planned" {
		t.Errorf("after a change: %+v", x)
	}
	taras.ask("PATCH", at, `{"time":"18:00"}`, http.StatusForbidden, nil)
	taras.tells("GET", "/clubs/club1/series", "", http.StatusOK, `"time":"18:30"`)
	taras.ask("DELETE", at, "", http.StatusForbidden, nil)
	host.ask("DELETE", "/clubs/club2/series/"+x.ID, "", http.StatusNotFound, nil)
	host.ask("DELETE", at, "", http.StatusNoContent, nil)
	host.ask("GET", at, "", http.StatusOK, &x)
	if x.Ended == nil || len(x.Dates) != 1 {
		t.Errorf("after its end: %+v", x)
	}
}

// TestProgramsArrangeAMatchOfClubs as an event of two teams.
func TestProgramsArrangeAMatchOfClubs(t *testing.T) {
	t.Parallel()
	s, people := peopled(t)
	ivan := s.account("Ivan", player.Plain)
	s.write(func(tx *store.Tx) error { return tx.AddClub(club.New("club2", "Lions", "", ivan.ID, s.clock.Now())) })
	match := `{"name":"Derby","format":"round-robin","clubId":"club1","capacity":2,"teams":{"boards":1,"byGames":true},"tiebreaks":["EDEBT"]}`
	host, lion := s.program(people["organizer"]), s.program(ivan)
	s.program(people["player"]).tells("POST", "/tournaments", match, http.StatusForbidden, "")
	var made struct{ ID string }
	host.ask("POST", "/tournaments", match, http.StatusCreated, &made)
	path := "/tournaments/" + made.ID
	host.tells("POST", path+"/registration", "", http.StatusNoContent, "")
	host.tells("POST", path+"/teams", `{"clubId":"club1"}`, http.StatusCreated, `"status":"active"`)
	host.tells("POST", path+"/teams", `{"clubId":"club2"}`, http.StatusCreated, `"status":"invited"`)
	host.tells("PUT", path+"/teams/2/invitation", `{"accept":true}`, http.StatusForbidden, "")
	if _, text := s.program(people["player"]).answer("GET", path+"/teams", ""); strings.Contains(text, "Lions") {
		t.Errorf("everybody reads who is invited: %s", text)
	}
	lion.tells("PUT", path+"/teams/2/invitation", `{"accept":true}`, http.StatusNoContent, "")
	lion.tells("GET", path+"/teams", "", http.StatusOK, `"clubId":"club2"`)
	lion.tells("POST", path+"/teams/2/players", `{"player":"Taras"}`, http.StatusConflict, "")
	lion.tells("POST", path+"/teams/2/players", `{"player":"Ivan"}`, http.StatusCreated, `"status":"active"`)
	lion.tells("GET", path+"/teams/2/line-up", "", http.StatusOK, `"round":1,"due":null`)
	lion.tells("PUT", path+"/teams/2/line-up", `{"round":1,"players":[3]}`, http.StatusNoContent, "")
	if _, text := host.answer("GET", path+"/teams/2/line-up", ""); strings.Contains(text, `"players"`) {
		t.Errorf("staff read a sealed line-up: %s", text)
	}
}

// TestAClubThatIsNotThereIsMissed by whatever is to be held in its name, also by an operator, who may do all of it.
func TestAClubThatIsNotThereIsMissed(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	boss := s.program(s.account("Boss", player.Operator))
	for at, body := range map[string]string{
		"/ladders":              `{"name":"Spring","club":"nowhere"}`,
		"/tournaments":          `{"name":"Spring","clubId":"nowhere"}`,
		"/rating-pools":         `{"name":"Spring","club":"nowhere"}`,
		"/attestations/issuers": `{"club":"nowhere"}`,
		"/webhooks":             `{"of":"club","id":"nowhere","url":"https://example.org/x"}`,
		"/leagues":              `{"club":"nowhere","name":"Winter","starts":"2030-01-15T18:00:00Z"}`,
	} {
		if status, text := boss.answer("POST", at, body); status != http.StatusNotFound && status != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d %s", at, status, text)
		}
	}
}
