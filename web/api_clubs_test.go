package web_test

import (
	"net/http"
	"testing"
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
