package web_test

import (
	"net/http"
	"strings"
	"testing"

	"chpok.org/chpok/tournament"
)

// An event of teams runs through the pages there are: a form with boards and reserves, a list whose lines name their team, the
// desk, boards, standings of teams and the report with its records of teams.
func TestAnEventOfTeamsRunsThroughThePages(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.create("format", "swiss", "rounds", "2", "pace", "manual", "tiebreaks", "EMGSB/C1, MPvGP", "team_boards", "2", "team_reserves", "1")
	list := "handle;team\nanna;Lions\nborys;Lions\nclara;Bears\ndanylo;Bears\n"
	n.host.post(path+"/players/add", "list", list, "do", "add").want(http.StatusOK)
	tour := n.tournament(path)
	if len(tour.Sides()) != 2 || len(tour.Players()) != 4 {
		t.Fatalf("%d teams, %d players", len(tour.Sides()), len(tour.Players()))
	}
	look := func() {
		t.Helper()
		for _, page := range []string{"", "/desk", "/players", "/standings", "/rounds/1", "/info", "/log", "/staff", "/schedule", "/pairings",
			"/crosstable", "/print/standings", "/print/pairings", "/calls", "/files", "/settings"} {
			if p := n.host.get(path + page); p.status != http.StatusOK && p.status != http.StatusNotFound {
				t.Errorf("%s: status %d", page, p.status)
			}
		}
	}
	look()
	n.host.post(path + "/start").want(http.StatusOK)
	n.host.post(path + "/rounds").want(http.StatusOK)
	look()
	n.firstWins(path)
	look()
	if tour = n.tournament(path); len(tour.Rounds) != 1 || tour.Rounds[0].Pairings[1].Result.Kind != tournament.FirstWins {
		t.Fatalf("%+v", tour.Rounds)
	}
	if report := n.host.get(path + "/report.trf"); report.status == http.StatusOK && !strings.Contains(report.body, "\n310   1 ") {
		t.Errorf("a report without teams:\n%s", report.body)
	}
}
