package web_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
)

// TestNobodyPlaysUncheckedByAnyDoor: whoever has the cookies alone is neither ready
// nor wins by forfeit, whichever way leads to the match.
func TestNobodyPlaysUncheckedByAnyDoor(t *testing.T) {
	t.Parallel()
	g := newVerified(t, "1", "lateness", "5", "on_claim", "on")
	ready := []string{"ready", "true"}
	forms := map[string][]string{g.path + "/ready": nil, g.path + "/ready/claim": nil, g.url() + "/commands": ready}
	try := func(what string) {
		t.Helper()
		before := g.state().Seq()
		for path, pairs := range forms {
			if p := g.browsers[1].post(path, pairs...); p.status != http.StatusForbidden {
				t.Errorf("%s: POST %s is %d", what, path, p.status)
			}
		}
		g.browsers[1].post(g.url()+"/commands", "forfeit", "true").want(http.StatusForbidden)
		for _, body := range []string{`{"ready":true}`, `{"forfeit":true}`} {
			g.browsers[1].json("/api/v1/matches/"+string(g.id)+"/commands", body)
			g.program(g.seats[1]).ask("POST", g.url()+"/commands", body, http.StatusForbidden, nil)
		}
		if s := g.state(); s.Seq() != before || s.IsReady(match.Second) {
			t.Errorf("%s: the log went on to %d", what, s.Seq())
		}
	}
	try("before anybody came")
	room := g.browsers[1].get(g.path).want(http.StatusOK).wantsNo("button", "I am ready").wants("link", "Check in")
	room.says("from a checked-in page only")
	refused := g.browsers[1].post(g.path+"/ready").want(http.StatusForbidden).wants("alert", "Check in first").wants("link", "Check in")
	if !strings.Contains(refused.body, g.url()+"/check-in") {
		t.Error("who is refused is not led to the check-in")
	}
	if door := g.browsers[1].get(g.url() + "/check-in").want(http.StatusOK); !strings.Contains(door.body, " disabled data-awaits-script>Check in<") {
		t.Error("the check-in can be pressed before its script asks the device")
	}
	g.as(g.seats[1], lang.Ukrainian).post(g.path+"/ready").want(http.StatusForbidden).wants("link", "Відмітитися")

	g.pages[0].checkIn().want(http.StatusOK)
	g.pages[0].act(ready...).want(http.StatusOK)
	g.clock.advance(5*time.Minute + time.Second)
	try("after the time to wait")
	thief := *g.browsers[0]
	thief.post(g.path + "/ready/claim").want(http.StatusForbidden)
	if g.state().Status() != match.Waiting {
		t.Fatalf("%v by cookies alone", g.state().Status())
	}
	thief.get(g.path).wantsNo("button", "Claim the forfeit").wants("link", "To the board")
	g.browsers[1].get(g.url()).wantsNo("button", "I am ready").wantsNo("button", "Claim the forfeit")
	g.pages[0].act("forfeit", "true").want(http.StatusOK)
	if r := g.state().Result(); r.Outcome != match.FirstWins || r.Reason != match.Forfeit {
		t.Errorf("%+v", r)
	}
}

// admitted lets a player's command in by whichever way, where that is another test's
// matter.
func admitted(context.Context, match.State, store.Head) error { return nil }
