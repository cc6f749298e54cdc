package proposal_test

import (
	"slices"
	"testing"
	"time"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/proposal"
)

func groupsOf(list []proposal.Proposal) (proposal.Proposal, bool) {
	i := slices.IndexFunc(list, func(p proposal.Proposal) bool { return p.Shape.Groups > 0 })
	if i < 0 {
		return proposal.Proposal{}, false
	}
	return list[i], true
}

// Sixteen have an evening: four groups of four play three rounds, the first two of each a
// cup of three more, in which every match-up may be level and have two more matches.
func TestGroupsIntoAKnockOutAreOffered(t *testing.T) {
	t.Parallel()
	a := ask(16, 0, proposal.Club)
	p, offered := groupsOf(proposal.Others(a, proposal.Of(a)))
	if !offered || p.Shape.Format != tournament.KnockOut || p.Settings.Groups != 4 {
		t.Fatalf("%v, %+v", offered, p.Shape)
	}
	s := p.Settings
	s.Name = "Cup"
	if err := s.Validate(); err != nil {
		t.Errorf("its settings are refused: %v", err)
	}
	if want := eight.Add(12*s.WorstRound() + 11*s.Break); !p.End.Latest.Equal(want) {
		t.Errorf("it is over by %v at the latest, want %v", p.End.Latest, want)
	}
	if !p.End.Earliest.Before(p.End.From) || !p.End.From.Before(p.End.Likely) || !p.End.Likely.Before(p.End.To) || !p.End.To.Before(p.End.Latest) {
		t.Errorf("it ends %+v", p.End)
	}
}

// Seven are too few for two groups, 65 too many for eight; six rounds in an hour do not fit,
// in four hours they do, at a tempo of their own.
func TestGroupsAreOfferedWhereTheyFit(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		people int
		hours  float64
		want   int
	}{{7, 0, 0}, {8, 0, 2}, {13, 0, 3}, {24, 0, 6}, {64, 0, 8}, {65, 0, 0}, {16, 1, 0}, {16, 4, 4}} {
		a := ask(x.people, x.hours, proposal.Club)
		p, _ := groupsOf(proposal.Others(a, proposal.Of(a)))
		if p.Shape.Groups != x.want {
			t.Errorf("%d people, %v hours: %d groups, want %d", x.people, x.hours, p.Shape.Groups, x.want)
		}
		if x.want > 0 && x.hours > 0 && p.End.To.After(a.Until.Add(time.Second)) {
			t.Errorf("%d people are not done by %v but by %v", x.people, a.Until, p.End.To)
		}
	}
}
