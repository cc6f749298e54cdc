package web_test

import (
	"net/http"
	"strings"
	"testing"

	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
)

// TestARequestToEnterIsBetweenThePlayerAndStaff on the card, in the log with its
// files, and over the API.
func TestARequestToEnterIsBetweenThePlayerAndStaff(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.event(func(s *tournament.Settings) { s.Entry.Approval, s.Entry.Code = true, "sesame" })
	anna, borys := n.as(n.players["anna"], lang.English), n.as(n.players["borys"], lang.English)
	anna.post(path+"/register", "code", "sesame").want(http.StatusOK)
	if e := n.tournament(path).Entries; len(e) != 1 || e[0].Status != tournament.Requested {
		t.Fatalf("%+v", e)
	}
	anna.get(path + "/entries/1").want(http.StatusOK)
	n.host.get(path + "/entries/1").want(http.StatusOK)
	borys.get(path + "/entries/1").want(http.StatusNotFound)
	for _, page := range []string{path, "/api/v1" + path, path + "/players", path + "/log", path + "/log.jsonl", path + "/log.csv", path + "/at/2"} {
		for _, private := range []string{"anna", "sesame"} {
			if answer := borys.get(page); strings.Contains(strings.ToLower(answer.body), private) {
				t.Errorf("%s tells of %q: %d", page, private, answer.status)
			}
		}
	}
}
