package web_test

import (
	"net/http"
	"slices"
	"testing"

	"chpok.org/chpok/tournament"
)

func TestRequestsAndListsOverTheAPI(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.event(func(s *tournament.Settings) { s.Entry.Code, s.Entry.Approval, s.Capacity = "lion", true, 2 })
	api := path
	host, anna := n.program(n.viewer("Olena").Player), n.program(n.players["anna"])
	anna.refused(api+"/entries", `{"code":"x"}`, http.StatusUnprocessableEntity)
	var one struct{ Name, Status string }
	if anna.ask(http.MethodPost, api+"/entries", `{"code":"lion"}`, http.StatusCreated, &one); one.Status != "requested" {
		t.Errorf("%+v", one)
	}
	var waits struct {
		Requests []struct{ Name, Status string }
	}
	anna.ask(http.MethodGet, api+"/requests", "", http.StatusForbidden, nil)
	if host.ask(http.MethodGet, api+"/requests", "", http.StatusOK, &waits); len(waits.Requests) != 1 || waits.Requests[0].Name != "anna" {
		t.Errorf("%+v", waits)
	}
	anna.refused(api+"/requests/anna", `{"accept":true}`, http.StatusForbidden)
	if host.ask(http.MethodPost, api+"/requests/anna", `{"accept":true}`, http.StatusOK, &one); one.Status != "active" {
		t.Errorf("%+v", one)
	}
	host.refused(api+"/requests/borys", `{"accept":true}`, http.StatusNotFound)
	type line struct {
		Line                        int
		Player, Status, Error, Code string
	}
	want := []line{{1, "borys", "active", "", ""}, {2, "nobody", "", "No player has that handle.", "no-player"}, {3, "Guest One", "waiting", "", ""}}
	for _, test := range []struct {
		body    string
		entries int
	}{{`{"list":"borys\nnobody\nGuest One; 1500","preview":true}`, 1}, {`{"list":"borys\nnobody\nGuest One; 1500"}`, 3}} {
		var got struct{ Lines []line }
		host.ask(http.MethodPost, api+"/lists", test.body, http.StatusOK, &got)
		if !slices.Equal(got.Lines, want) || len(n.tournament(path).Entries) != test.entries {
			t.Errorf("%s: %+v, %d entries", test.body, got.Lines, len(n.tournament(path).Entries))
		}
		anna.refused(api+"/lists", test.body, http.StatusForbidden)
	}
}
