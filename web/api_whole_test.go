package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// A club night by programs alone, with one guest who has no account: made, entered, played, finished and
// rated. No page is asked.
func TestAnEventWithAGuestIsHeldByTheAPIAlone(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	host := n.program(n.player("Olena"))
	var made struct{ ID string }
	host.ask("POST", "/tournaments", `{"name":"Cup","format":"swiss","rounds":3,"pace":"manual","rated":true}`, http.StatusCreated, &made)
	path := "/tournaments/" + made.ID
	type pairing struct {
		Board         int
		First, Second playerName
		Match, Result *string
	}
	type round struct {
		Round    int
		Pairings []pairing
	}
	var is struct {
		Status  string
		Entries []struct {
			Entry        int
			Name, Status string
		}
		Rounds    []round
		Standings []struct {
			Player playerName
			Score  float64
		}
	}
	host.ask("POST", path+"/lists", `{"list":"anna\nborys\nclara\nGuest One; 1500\nGuest Two"}`, http.StatusOK, nil)
	host.ask("GET", path, "", http.StatusOK, &is)
	for _, e := range is.Entries { // who has no account leaves all the same
		if e.Name == "Guest Two" {
			host.ask("POST", fmt.Sprint(path, "/entries/", e.Entry, "/withdrawal"), "", http.StatusNoContent, nil)
		}
	}
	host.ask("POST", path+"/start", "", http.StatusOK, nil)
	for no := 1; no <= 2; no++ {
		host.ask("GET", path, "", http.StatusOK, &is)
		if len(is.Rounds) < no {
			host.ask("POST", path+"/rounds", "", http.StatusCreated, nil)
			host.ask("GET", path, "", http.StatusOK, &is)
		}
		for _, p := range is.Rounds[no-1].Pairings {
			if p.Match != nil {
				at, second := "/matches/"+*p.Match+"/commands", n.program(n.players[string(p.Second)])
				n.program(n.players[string(p.First)]).ask("POST", at, `{"ready":true}`, http.StatusOK, nil)
				second.ask("POST", at, `{"ready":true}`, http.StatusOK, nil)
				second.ask("POST", at, `{"act":"resign"}`, http.StatusOK, nil)
				continue
			}
			result := fmt.Sprintf(`{"round":%d,"board":%d,"result":"1-0"}`, no, p.Board)
			host.ask("POST", path+"/results", result, http.StatusOK, nil)
			host.ask("POST", path+"/results", result, http.StatusOK, nil) // once more: it stands already
			if code := host.refused(path+"/results", strings.Replace(result, "1-0", "0-1", 1), http.StatusConflict); code == "" {
				t.Error("a result that stands is overwritten")
			}
		}
		host.ask("GET", path, "", http.StatusOK, &is)
		for _, p := range is.Rounds[no-1].Pairings {
			if p.Result == nil || *p.Result != "1-0" {
				t.Fatalf("round %d: %+v", no, p)
			}
		}
	}
	host.ask("POST", path+"/finish", "", http.StatusOK, &is) // it is late; the third round is not played
	if is.Status != "finished" || len(is.Standings) != 4 || is.Standings[0].Score != 2 {
		t.Errorf("%+v", is)
	}
	var list struct {
		Ratings []struct {
			Handle string
			Games  int
		}
	}
	host.ask("GET", "/ratings", "", http.StatusOK, &list)
	if len(list.Ratings) != 3 { // all but the guest
		t.Errorf("rated: %+v", list.Ratings)
	}
	for _, r := range list.Ratings {
		if r.Games == 0 || r.Games > 2 {
			t.Errorf("%+v", r)
		}
	}
}
