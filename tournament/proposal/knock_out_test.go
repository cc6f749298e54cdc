package proposal_test

import (
	"slices"
	"testing"
	"time"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/contest"
	"chpok.org/chpok/tournament/proposal"
)

// Sixteen have an evening: a Swiss is proposed, and a knock-out of four rounds beside
// it. If every match is level, each of its four rounds has two more matches.
func TestAKnockOutIsOffered(t *testing.T) {
	t.Parallel()
	starts := time.Date(2026, 11, 27, 19, 0, 0, 0, time.UTC)
	a := proposal.Answers{People: 16, Starts: starts, Stake: proposal.Club}
	others := proposal.Others(a, proposal.Of(a))
	i := slices.IndexFunc(others, func(p proposal.Proposal) bool { return p.Shape.Format == tournament.KnockOut })
	if i < 0 {
		t.Fatal("no knock-out is offered")
	}
	s := others[i].Settings
	s.Name = "Cup"
	if err := s.Validate(); err != nil {
		t.Errorf("its settings are refused: %v", err)
	}
	if want := starts.Add(4*s.WorstRound() + 3*s.Break + 8*(s.WorstRound()+s.Break)); !others[i].End.Latest.Equal(want) {
		t.Errorf("it is over by %v at the latest, want %v", others[i].End.Latest, want)
	}
	// A prize is at stake and there are five hours: nothing is left to two more matches.
	a.Stake, a.Until, a.Shape = proposal.Prize, starts.Add(5*time.Hour), proposal.Shape{Format: tournament.KnockOut}
	if p := proposal.Of(a); !p.Fits || !slices.Equal(p.Settings.Tie, []contest.Step{contest.Seed}) {
		t.Errorf("fits: %v, level contests are decided by %v", p.Fits, p.Settings.Tie)
	}
	a.People = 3
	for _, p := range proposal.Others(a, proposal.Of(a)) {
		if p.Shape.Format == tournament.KnockOut {
			t.Error("a knock-out is offered to three")
		}
	}
}
