package web_test

import (
	"net/http"
	"strings"
	"testing"

	"chpok.org/chpok/player"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
)

// group is a finished round robin of three, who come in that order.
func (n *clubNight) group(name string, handles ...string) (path string) {
	n.t.Helper()
	path = n.create("name", name, "format", "round-robin", "pace", "manual", "tiebreaks", "DE")
	for _, handle := range handles {
		n.host.post(path+"/entries", "handle", handle).want(http.StatusOK)
	}
	n.host.post(path + "/start").want(http.StatusOK)
	for n.tournament(path).Status == tournament.Running {
		n.open(path)
		n.wins(path, handles...)
	}
	return path
}

// Two groups of three; the first two of each go on into a knock-out, so that those of
// one group can meet again in the final only. A result is corrected before it starts,
// and the places are taken again; another one after, and nobody is moved.
func TestGroupsIntoAFinal(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	for _, h := range []player.Handle{"emil", "fiona"} {
		n.players[string(h)] = n.account(h, player.Plain)
	}
	a, b := n.group("Group A", "anna", "borys", "clara"), n.group("Group B", "danylo", "emil", "fiona")
	n.correct(b, "danylo", "fiona", "1/2-1/2") // the first of B has less than the first of A
	form := n.host.get(a+"/next").want(http.StatusOK).wants("heading", "Hold the next stage")
	if !strings.Contains(form.body, "Group B") || !strings.Contains(form.body, "Group A: final") {
		t.Error("the other group is not offered, or the stage has no name")
	}
	visitor := n.browser(lang.English)
	n.as(n.players["anna"], lang.English).get(a + "/next").want(http.StatusForbidden)
	n.host.post(a+"/next", "name", "Final", "each", "4", "format", "knock-out").want(http.StatusConflict).wants("alert", "not enough players")
	with := strings.TrimPrefix(b, "/tournaments/")
	final := strings.TrimSuffix(n.host.post(a+"/next", "name", "Final", "each", "2", "format", "knock-out", "with", with).
		want(http.StatusOK).wants("heading", "Who qualified").path, "/origin")
	n.wantSeeds(final, "anna", "danylo", "borys", "emil")
	if told := n.as(n.players["emil"], lang.English).get("/notices").want(http.StatusOK); !strings.Contains(told.body, "You are entered in “Final”") {
		t.Error("emil is not told that he has qualified")
	}

	// clara beats borys after all: she was third with no win.
	n.correct(a, "clara", "borys", "1-0")
	page := n.host.get(final+"/origin").want(http.StatusOK).wants("status", "1 seed would be different")
	if !strings.Contains(page.body, "clara") {
		t.Error("it is not told who would go on")
	}
	n.host.post(final+"/origin", "reason", "corrected").want(http.StatusOK)
	n.wantSeeds(final, "anna", "danylo", "clara", "emil")
	n.host.post(final + "/start").want(http.StatusOK)
	n.host.post(final + "/registration").want(http.StatusConflict)
	n.wantBoards(n.open(final), "anna-emil", "clara-danylo")

	n.correct(a, "borys", "clara", "1-0") // too late
	visitor.get(final+"/origin").want(http.StatusOK).wants("status", "1 seed would be different")
	n.host.post(final+"/origin", "reason", "again").want(http.StatusConflict)
	n.wantSeeds(final, "anna", "danylo", "clara", "emil")
	n.wins(final, "emil", "clara")
	n.wantBoards(n.open(final), "clara-emil", "anna-danylo")
	n.wins(final, "emil", "anna")
	if got := n.tournament(final).Field().Places; got[4] != 1 {
		t.Errorf("places %v", got)
	}
	n.imported(final)

	// Programs do the same, into a round robin.
	api := n.program(n.player("Olena"))
	var made struct{ ID string }
	api.ask("POST", a+"/next", `{"name":"Final B","each":2,"format":"round-robin","with":["`+with+`"]}`, http.StatusCreated, &made)
	var told struct {
		Qualified []struct {
			Player, From string
			Place        int
		}
	}
	if api.ask("GET", "/tournaments/"+made.ID, "", http.StatusOK, &told); len(told.Qualified) != 4 {
		t.Fatalf("%+v", told)
	}
	if q := told.Qualified[2]; q.Player != "borys" || q.Place != 2 || q.From != strings.TrimPrefix(a, "/tournaments/") {
		t.Errorf("the last seed: %+v", q)
	}

	// Two of three are disqualified after all: what has been played is still told.
	for _, entry := range []string{"1", "3"} {
		n.host.post(a+"/entries/"+entry+"/expel", "reason", "an engine").want(http.StatusOK)
	}
	visitor.get(final+"/origin").want(http.StatusOK).wants("status", "too few players are left").says("anna")
}

// wantSeeds compares who has qualified, by seed.
func (n *clubNight) wantSeeds(path string, want ...string) {
	n.t.Helper()
	t := n.tournament(path)
	for i, q := range t.Origin.Seeds {
		e, err := t.Entry(q.Own)
		if err != nil || e.Name != want[i] {
			n.t.Fatalf("seed %d is %s (%v), want %v; %+v", i+1, e.Name, err, want, t.Origin)
		}
	}
}

// correct corrects the board of two who have met, as seen from the first of them.
func (n *clubNight) correct(path, one, other, result string) {
	n.t.Helper()
	t := n.tournament(path)
	for _, r := range t.Rounds {
		for _, p := range r.Pairings {
			first, _ := t.Entry(p.First)
			second, _ := t.Entry(p.Second)
			if first.Name == other && second.Name == one && result == "1-0" {
				n.correctTo(path, r.Number, p.Board, "0-1", "from-now").want(http.StatusOK)
			} else if first.Name == one && second.Name == other || first.Name == other && second.Name == one {
				n.correctTo(path, r.Number, p.Board, result, "from-now").want(http.StatusOK)
			}
		}
	}
}
