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
