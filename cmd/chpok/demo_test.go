package main

import (
	"fmt"
	"strings"
	"testing"
)

// TestTheBundleOfTheDemoIsVerified: what the organizer takes away of the finished
// tournament is verified elsewhere, each board with its verdict.
func TestTheBundleOfTheDemoIsVerified(t *testing.T) {
	t.Parallel()
	file, links := demoFile(t)
	server := newTwin(t, file)
	organizer := stranger(t, server.base)
	organizer.open(links["Olena"])
	id := finishedTournament(t, server.base)
	var view tournamentView
	(&client{t: t, base: server.base, name: "a visitor"}).must("GET", "/tournaments/"+id, nil, &view)

	status, said, errs := runOn(t, organizer.raw("/tournaments/"+id+"/bundle.zip"), "verify")
	if status != 0 || !strings.Contains(said, "\nholds\n") {
		t.Errorf("status %d: %s%s", status, said, errs)
	}
	boards := 0
	for _, round := range view.Rounds {
		for _, p := range round.Pairings {
			if boards++; !strings.Contains(said, fmt.Sprintf("round %d, board %d: achieved open, holds\n", round.Round, p.Board)) {
				t.Errorf("round %d, board %d is not listed as holding", round.Round, p.Board)
			}
		}
	}
	if boards != 15 || strings.Count(said, "board ") != boards { // six players, each against each
		t.Errorf("%d boards:\n%s", boards, said)
	}
}
