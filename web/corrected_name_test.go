package web_test

import (
	"cmp"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web"
)

// history are the addresses that tell what an entry was called before.
var history = regexp.MustCompile(`^(/api/v1)?/tournaments/[^/]+/(log(\.\w+)?|at/.*|bundle\.zip|rounds/1/input\.trf)$`)

// former finds what an entry of the walk had before it was corrected: its name, club and rating.
var former = regexp.MustCompile(`Mistaken Writing|Former Club|\b1317\b`)

// TestACorrectionStandsEverywhere corrects the name, club and rating of somebody between the rounds of an event and looks
// at every address: only what tells of the past, and the report that a round was paired from, still has the old ones.
// The event is one of a series, and its day is written as its readers write days, but for programs and where it is edited.
func TestACorrectionStandsEverywhere(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.create("name", "Club night, 2026-12-04", "format", "swiss", "rounds", "3", "pace", "manual")
	n.host.post(path+"/entries", "guest", "Mistaken Writing", "club", "Former Club", "rating", "1317").want(http.StatusOK)
	for _, name := range []string{"Dana Right", "Borys Wright", "Olha Left"} {
		n.host.post(path+"/entries", "guest", name).want(http.StatusOK)
	}
	n.host.post(path+"/entries", "handle", "anna").want(http.StatusOK)
	n.host.post(path+"/screens", "name", "Hall", "seconds", "15", "shows", "standings", "lang", "en", "zone", "Europe/Kyiv").want(http.StatusOK)
	n.host.post(path+"/prizes", "currency", "EUR", "places", "30 20 10").want(http.StatusOK)
	n.host.post(path + "/start").want(http.StatusOK)
	n.host.post(path + "/rounds").want(http.StatusOK)
	wrong := n.entry(path, "Mistaken Writing")
	for _, b := range n.tournament(path).Rounds[0].Pairings {
		if b.Match == "" {
			n.host.post(path+"/results", "round", "1", "board", itoa(b.Board), "result", "1-0").want(http.StatusOK)
		}
	}
	n.host.post(path+"/entries/"+itoa(int(wrong.ID))+"/correct", "name", "Proper Spelling", "rating", "1500", "club", "Present Club", "reason", "misread").want(http.StatusOK)
	n.host.get(path + "/standings").want(http.StatusOK).says("Proper Spelling")
	if body := n.host.get(path + "/log").want(http.StatusOK).body; !strings.Contains(body, "Mistaken Writing") {
		t.Error("the log does not say what was corrected")
	}

	id, seen := strings.TrimPrefix(path, "/tournaments/"), 0
	params := map[string]string{":id": id, ":round": "1", ":entry": itoa(int(wrong.ID)), ":board": "1", ":token": n.screens(path)[0].Token}
	for who, by := range map[string]*browser{"staff": n.host, "a player": n.as(n.players["anna"], lang.Ukrainian)} {
		for _, r := range web.AllRoutes() {
			if r[0] != http.MethodGet || strings.HasSuffix(r[1], "/feed") || strings.HasSuffix(r[1], "/events") { // have no end
				continue
			}
			address := routeParam.ReplaceAllStringFunc(r[1], func(name string) string { return cmp.Or(params[name], "1") })
			told := n.answered(by, address)
			if strings.Contains(told, "Proper Spelling") {
				seen++
			}
			if old := former.FindString(told); old != "" && !history.MatchString(address) {
				t.Errorf("%s still shows %s %s", address, who, old)
			}
			isPage := strings.Contains(told, "<!doctype html>")
			if written := strings.NewReplacer(`value="Club night, 2026-12-04"`, "", `name="off" value="2026-12-04"`, "").Replace(told); isPage && strings.Contains(written, "2026-12-04") &&
				!history.MatchString(address) {
				at := strings.Index(written, "2026-12-04")
				t.Errorf("%s shows %s %q", address, who, written[max(0, at-60):at+10])
			}
		}
	}
	if seen < 30 {
		t.Errorf("the new name was seen at %d addresses only", seen)
	}
}
