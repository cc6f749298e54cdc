package web_test

import (
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"chpok.org/chpok/templates/lang"
)

// TestWhoWasDisqualifiedIsNeverCalledWithdrawn walks everything that an event shows to everybody, and what programs are
// told: where a table has the players, it says how they are out, in words.
func TestWhoWasDisqualifiedIsNeverCalledWithdrawn(t *testing.T) {
	t.Parallel()
	n, path := swissNight(t)
	n.host.post(path + "/rounds").want(http.StatusOK)
	n.firstWins(path)
	n.host.post(path+"/entries/1/expel", "reason", "an engine").want(http.StatusOK)
	n.host.post(path + "/rounds").want(http.StatusOK)
	n.host.post(path+"/screens", "name", "Hall", "seconds", "20", "shows", "standings", "lang", "en", "zone", "Europe/Kyiv").want(http.StatusOK)
	screen := "/screens/" + n.screens(path)[0].Token
	visitor := n.browser(lang.English)
	links := regexp.MustCompile(`(?:href|src)="((?:/embed)?` + path + `[^"#]*)`)
	api := "/api/v1" + path
	tables := map[string]bool{path: false, path + "/standings": false, path + "/crosstable": false, path + "/wallchart": false,
		"/embed" + path + "/standings": false, screen: false, api: false, api + "?csv=entries": false,
		path + "/standings.csv": false, path + "/crosstable.csv": false, path + "/wallchart.csv": false}
	todo, seen := []string{path}, map[string]bool{}
	for at := range tables {
		todo = append(todo, at)
	}
	for len(todo) > 0 {
		at := todo[0]
		todo = todo[1:]
		if seen[at] {
			continue
		}
		seen[at] = true
		body := visitor.get(at).want(http.StatusOK).body
		for _, m := range links.FindAllStringSubmatch(body, -1) {
			todo = append(todo, html.UnescapeString(m[1]))
		}
		if strings.Contains(body, "withdrawn") {
			t.Errorf("%s speaks of somebody withdrawn", at)
		}
		if _, is := tables[at]; is && strings.Contains(body, "disqualified") {
			tables[at] = true
		}
	}
	for at, says := range tables {
		if !says {
			t.Errorf("%s does not say who was disqualified", at)
		}
	}
	if len(seen) < 25 {
		t.Errorf("only %d pages were found", len(seen))
	}
}
