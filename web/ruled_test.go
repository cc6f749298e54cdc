package web_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
)

// TestAResultThatIsNotTheMatchsOwnSaysSoWhereverItStands: on every page with a mark
// that leads to who, when and why on that page, and in every file.
func TestAResultThatIsNotTheMatchsOwnSaysSoWhereverItStands(t *testing.T) {
	t.Parallel()
	n, path := swissNight(t)
	n.host.post(path + "/pairings").want(http.StatusOK)
	n.host.post(path + "/pairings/edit/publish").want(http.StatusOK)
	round := n.tournament(path).Rounds[0]
	// Board 1 is declared by the arbiter in the match, board 2 corrected after that.
	for _, b := range round.Pairings {
		n.host.post("/matches/"+string(b.Match)+"/rulings", "act", "declare", "declare-result", "first", "declare-why", "phone rang").want(http.StatusOK)
	}
	n.host.post(path+"/rounds/1/boards/2?result=0-1&reach=from-now&shown="+strconv.FormatInt(n.tournament(path).Version, 10), "reason", "it was the other").want(http.StatusOK)
	tour := n.tournament(path)
	one, two := tour.Rounds[0].Pairings[0].Result, tour.Rounds[0].Pairings[1].Result
	if one.Why != "phone rang" || one.By == "" || two.Kind != tournament.SecondWins || two.Why != "it was the other" || two.Stood != tournament.FirstWins {
		t.Fatalf("%+v\n%+v", one, two)
	}
	visitor := n.browser(lang.English)
	card := path + "/entries/1"
	for _, page := range []string{"/rounds/1", "/standings", "/crosstable", "/wallchart"} {
		body := visitor.get(path + page).want(http.StatusOK).body
		for _, want := range []string{`href="#ruled-1-1"`, `id="ruled-1-1"`, `href="#ruled-1-2"`, `id="ruled-1-2"`, "phone rang", "it was the other", "before: 1 : 0", "Olena, "} {
			if !strings.Contains(body, want) {
				t.Errorf("%s has no %s", page, want)
			}
		}
	}
	for _, page := range []string{card, path + "/cards"} {
		if body := visitor.get(page).want(http.StatusOK).body; !strings.Contains(body, `href="#ruled-1-`) || !strings.Contains(body, "Olena, ") {
			t.Errorf("%s says nothing", page)
		}
	}
	// Outside of the event, too, where the same matches stand.
	first, _ := tour.Entry(round.Pairings[0].First)
	second, _ := tour.Entry(round.Pairings[0].Second)
	for _, page := range []string{"/players/" + first.Name, "/players/" + second.Name, "/players/" + first.Name + "/vs/" + second.Name} {
		visitor.get(page).want(http.StatusOK).says("The event counts a different result")
	}
	id := strings.TrimPrefix(path, "/tournaments/")
	for file, want := range map[string]string{
		"/api/v1/tournaments/" + id:                                 `"why":"phone rang"`,
		path + "/tournament.json":                                   `"before": "1-0"`,
		path + "/rounds/1/pairings.csv":                             "by Olena",
		path + "/standings.csv":                                     ",ruled",
		path + "/report.trf":                                        `### ruled round 1 board 2 0-1: by Olena`,
		path + "/at/" + itoa(int(tour.Version)) + "?show=standings": `id="ruled-1-2"`,
	} {
		if body := visitor.get(file).want(http.StatusOK).body; !strings.Contains(body, want) {
			t.Errorf("%s has no %s:\n%s", file, want, body)
		}
	}
}

// TestTheLogOfTheAPIIsInNamesAndWords: no ids of players, no numbers of enums.
func TestTheLogOfTheAPIIsInNamesAndWords(t *testing.T) {
	t.Parallel()
	n, path := swissNight(t)
	body := n.browser(lang.English).get("/api/v1" + path + "/log").want(http.StatusOK).body
	for _, want := range []string{`"by":"Olena"`, `"duty":"owner"`, `"act":"start"`, `"what":"`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in\n%s", want, body)
		}
	}
	for _, bad := range []string{`"path"`, `"duty":1`, string(n.players["anna"].ID) + `"`} {
		if strings.Contains(body, bad) {
			t.Errorf("%s in\n%s", bad, body)
		}
	}
}
