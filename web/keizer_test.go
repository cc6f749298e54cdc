package web_test

import (
	"net/http"
	"strings"
	"testing"

	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
)

// The orders of these four never settle, which the table says.
func TestAKeizerInACircleSaysSo(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.create("format", "keizer", "rounds", "3", "pace", "manual", "tiebreaks", "")
	for _, name := range []string{"Ada One", "Bo Two", "Cy Three", "Di Four"} {
		n.host.post(path+"/entries", "guest", name).want(http.StatusOK)
	}
	n.host.post(path + "/start").want(http.StatusOK)
	wins := map[[2]tournament.EntryID]tournament.EntryID{{1, 2}: 2, {3, 4}: 3, {2, 3}: 3, {1, 4}: 4, {1, 3}: 1, {2, 4}: 2}
	for round := range 3 {
		n.host.post(path + "/rounds").want(http.StatusOK)
		for _, b := range n.tournament(path).Rounds[round].Pairings {
			result := "0-1"
			if wins[[2]tournament.EntryID{min(b.First, b.Second), max(b.First, b.Second)}] == b.First {
				result = "1-0"
			}
			n.host.post(path+"/results", "round", itoa(round+1), "board", itoa(b.Board), "result", result).want(http.StatusOK)
		}
	}
	n.browser(lang.English).get(path + "/standings").want(http.StatusOK).says("goes round in a circle").says("–")
}

// Three rounds of a Keizer from the form to the last file: who wins against the first gets what the
// first was worth, an absent player keeps a third of their own, and everything is counted anew.
func TestAKeizerFromTheFormToItsFiles(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.create("format", "keizer", "rounds", "2", "pace", "manual", "tiebreaks", "")
	for _, name := range []string{"Ada One", "Bo Two", "Cy Three", "Di Four"} {
		n.host.post(path+"/entries", "guest", name).want(http.StatusOK)
	}
	n.host.get(path + "/desk").want(http.StatusOK).says("Players can still enter, until round 2.")
	n.host.post(path + "/start").want(http.StatusOK)
	n.host.post(path + "/rounds").want(http.StatusOK)
	visitor := n.browser(lang.English)
	if body := visitor.get(path + "/rounds/1").want(http.StatusOK).body; !strings.Contains(body, "Ada One") || strings.Contains(body, "why=yes") {
		t.Error("neighbors are not paired, or an explanation is promised that there is none of")
	}
	for _, b := range n.tournament(path).Rounds[0].Pairings {
		result := "1-0"
		if winner := b.First; winner != 2 && winner != 4 {
			result = "0-1"
		}
		n.host.post(path+"/results", "round", "1", "board", itoa(b.Board), "result", result).want(http.StatusOK)
	}
	// By value 4 3 2 1: 2 beat 1 and stands first, so 1 is worth 3; 4 beat 3.
	page := visitor.get(path + "/standings").want(http.StatusOK)
	for _, want := range []string{"Value", "Results", "What a win against this player is worth"} {
		if !strings.Contains(page.body, want) {
			t.Errorf("the table has no %q", want)
		}
	}
	csv := visitor.get(path + "/standings.csv").want(http.StatusOK).body
	for _, want := range []string{"rank,number,player,club,rating,score,value,points,", "1,2,Bo Two,,,7,4,1,"} {
		if !strings.Contains(csv, want) {
			t.Errorf("no %q in\n%s", want, csv)
		}
	}
	n.host.post(path + "/rounds").want(http.StatusOK)
	if body := visitor.get(path + "/rounds/2").want(http.StatusOK).body; !strings.Contains(body, "Bo Two") {
		t.Error("no second round")
	}
	// By points 2 and 4 would have 1 each.
	for at, want := range map[string]string{"/rounds/2": "Bo Two (7)", "/wallchart": "1 7 4"} {
		if got := strings.Join(strings.Fields(text(visitor.get(path+at).want(http.StatusOK).root)), " "); !strings.Contains(got, want) {
			t.Errorf("%s does not say %q: %s", at, want, got)
		}
	}
	if body := visitor.get(path + "/info").want(http.StatusOK).body; !strings.Contains(body, "A win brings the opponent") {
		t.Error("nobody says how the table comes about")
	}
}
