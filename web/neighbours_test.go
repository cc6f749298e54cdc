package web_test

import (
	"net/http"
	"testing"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/templates/lang"
)

// TestNeighboursShowToArbitersAndToThemselves: all tests play from one network.
func TestNeighboursShowToArbitersAndToThemselves(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Declared)
	g.toBoard()
	next := func(before func(path string)) string {
		t.Helper()
		path := g.create("format", "swiss", "rounds", "1", "policy", "declared")
		for _, h := range []string{"anna", "borys"} {
			g.host.post(path+"/entries", "handle", h).want(http.StatusOK)
		}
		before(path)
		g.host.post(path + "/start").want(http.StatusOK)
		return path
	}
	const said = "One network before the round"
	for _, b := range g.browsers {
		b.get("/fair-play/me").want(http.StatusOK).saysNot(said)
	}
	plain := next(func(string) {})
	g.host.get(plain + "/fair-play").want(http.StatusOK).says(said)
	g.host.get("/notices").want(http.StatusOK).says("opponents who shared a browser")
	for _, b := range g.browsers {
		b.get("/fair-play/me").want(http.StatusOK).says(said)
		b.get("/notices").want(http.StatusOK).saysNot("opponents who shared a browser")
	}
	g.as(g.players["clara"], lang.English).get(plain + "/fair-play").want(http.StatusForbidden)

	atVenue := next(func(path string) {
		g.browsers[0].post(path+"/fair-play/venue", "do", "name").want(http.StatusForbidden)
		g.host.post(path+"/fair-play/venue", "do", "name").want(http.StatusOK).says("Networks named: 1.")
	})
	g.host.get(atVenue + "/fair-play").want(http.StatusOK).saysNot(said)
	g.host.post(atVenue+"/fair-play/venue", "do", "forget").want(http.StatusOK).says("Networks named: 0.")

	drafted := g.create("format", "swiss", "rounds", "1", "policy", "declared", "review", "yes")
	for _, h := range []string{"anna", "borys"} {
		g.host.post(drafted+"/entries", "handle", h).want(http.StatusOK)
	}
	g.host.post(drafted + "/start").want(http.StatusOK)
	if g.tournament(drafted).Draft == nil {
		g.host.post(drafted + "/pairings").want(http.StatusOK)
	}
	g.host.get(drafted+"/fair-play").want(http.StatusOK).wants("heading", "one browser or one network").says("Board 1:").says(said)
}
