package main

import (
	"strings"
	"testing"
)

// TestThreeHundredRandomTournamentsPairTheSameTwice is the short form of `make
// swiss-5000`: every round by the engine and again by another way.
func TestThreeHundredRandomTournamentsPairTheSameTwice(t *testing.T) {
	t.Parallel()
	out := strings.Join(strings.Fields(chpok(t, "simulate", "--mixed", "--count", "300", "--check", "--largest", "60", "--seed", "20261121")), " ")
	if !strings.Contains(out, "tournaments 300 ") || !strings.HasSuffix(out, "discrepancies 0") {
		t.Errorf("the run says: %s", out)
	}
}

// TestEventsOutliveTheirNodes: two events of each format on nodes that are killed again
// and again; every log folds to its table.
func TestEventsOutliveTheirNodes(t *testing.T) {
	t.Parallel()
	killed := false
	for _, format := range []string{"round-robin", "swiss", "knock-out", "stages", "groups", "arena"} {
		out := strings.Join(strings.Fields(chpok(t, "simulate", "--format", format, "--check", "--count", "2", "--seed", "7")), " ")
		if !strings.HasPrefix(out, "events 2 ("+format+")") || !strings.HasSuffix(out, "discrepancies 0") {
			t.Error(out)
		}
		killed = killed || !strings.Contains(out, "nodes killed 0")
	}
	if !killed {
		t.Error("no node was killed")
	}
}
