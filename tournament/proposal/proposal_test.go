package proposal_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chpok.org/chpok/arbiter/events"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/outlook"
	"chpok.org/chpok/tournament/proposal"
)

var eight = time.Date(2026, 11, 27, 18, 0, 0, 0, time.UTC)

func ask(people int, hours float64, stake proposal.Stake) proposal.Answers {
	a := proposal.Answers{People: people, Starts: eight, Stake: stake}
	if hours > 0 {
		a.Until = eight.Add(time.Duration(hours * float64(time.Hour)))
	}
	return a
}

func TestTheThreeQuestionsAreAnswered(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		ask    proposal.Answers
		format tournament.Format
		rounds int
		fits   bool
	}{
		{"24 people in two hours: 2^5 is the first above 24", ask(24, 2, proposal.Club), tournament.Swiss, 5, true},
		{"33 need a sixth", ask(33, 0, proposal.Club), tournament.Swiss, 6, true},
		{"a prize is worth a round more", ask(24, 0, proposal.Prize), tournament.Swiss, 6, true},
		{"six meet everybody", ask(6, 3, proposal.Club), tournament.RoundRobin, 0, true},
		{"eight have no time for seven rounds in an hour", ask(8, 1, proposal.Club), tournament.Swiss, 3, true},
		{"sixty in ninety minutes have fewer rounds", ask(60, 1.5, proposal.Club), tournament.Swiss, 4, true},
		{"or for fun an arena", ask(60, 1.5, proposal.Fun), tournament.Arena, 0, true},
		{"half an hour is too little", ask(24, 0.5, proposal.Club), tournament.Swiss, 3, false},
	} {
		p := proposal.Of(c.ask)
		if p.Shape.Format != c.format || p.Shape.Rounds != c.rounds || p.Fits != c.fits {
			t.Errorf("%s: %+v, fits %v, ends %v, want %v × %d, %v", c.name, p.Shape, p.Fits, p.End.Likely, c.format, c.rounds, c.fits)
		}
	}
}

// TestAnArenaIsOfferedForTheWholeEvening at each end that an organizer names: open until its last
// matches end in time, to the five minutes.
func TestAnArenaIsOfferedForTheWholeEvening(t *testing.T) {
	t.Parallel()
	for hours := 1.25; hours <= 6; hours += 0.25 { // an hour is too short for three matches
		a := ask(24, hours, proposal.Club)
		others := proposal.Others(a, proposal.Of(a))
		i := slices.IndexFunc(others, func(p proposal.Proposal) bool { return p.Shape.Format == tournament.Arena })
		if i < 0 {
			t.Errorf("%v h: no arena among %d others", hours, len(others))
			continue
		}
		arena := others[i]
		idle := a.Until.Sub(arena.End.To)
		if !arena.Fits || idle < 0 || idle >= 5*time.Minute {
			t.Errorf("%v h: open for %v, over by %v: %v unused, want none to 5 min", hours, arena.Settings.Window, arena.End.To, idle)
		}
	}
}

// Twenty-four in teams of four are six teams, of each of which four count. A battle has at most twenty teams, and with a prize
// there are rounds. Who is in no team plays for themselves.
func TestAnArenaOfTeamsIsABattle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name          string
		people, teams int
		stake         proposal.Stake
		names         []string // none: it is not offered
		leaders       int
	}{
		{"six teams of four", 24, 4, proposal.Club, []string{"1", "2", "3", "4", "5", "6"}, 4},
		{"for fun", 8, 4, proposal.Fun, []string{"1", "2"}, 4},
		{"more players than can count", 60, 30, proposal.Club, []string{"1", "2"}, tournament.MaxLeaders},
		{"too many teams", 42, 2, proposal.Club, nil, 0},
		{"too few people", 6, 3, proposal.Club, nil, 0},
		{"for a prize", 24, 4, proposal.Prize, nil, 0},
	} {
		a := proposal.Answers{People: c.people, Teams: c.teams, Starts: eight, Stake: c.stake}
		others := proposal.Others(a, proposal.Of(a))
		i := slices.IndexFunc(others, func(p proposal.Proposal) bool { return p.Shape.Format == tournament.Arena })
		if i < 0 {
			if c.names != nil {
				t.Errorf("%s: no battle among %d others", c.name, len(others))
			}
			continue
		}
		s := others[i].Settings
		s.Name = "Friday"
		if !slices.Equal(s.Battle.Teams, c.names) || s.Battle.Leaders != c.leaders || s.HasTeams() || s.Validate() != nil {
			t.Errorf("%s: %+v, %v", c.name, s.Battle, s.Validate())
		}
	}
	alone := proposal.Of(proposal.Answers{People: 24, Starts: eight, Stake: proposal.Club, Shape: proposal.Shape{Format: tournament.Arena}})
	if alone.Shape.Format != tournament.Arena || alone.Settings.IsBattle() {
		t.Errorf("without teams: %+v", alone.Settings.Battle)
	}
}

func TestMoreTimeMakesLongerMatchesNotMoreRounds(t *testing.T) {
	t.Parallel()
	two, four := proposal.Of(ask(24, 2, proposal.Club)), proposal.Of(ask(24, 4, proposal.Club))
	if two.Shape != four.Shape || four.Round <= two.Round {
		t.Errorf("two hours: %+v of %v, four: %+v of %v", two.Shape, two.Round, four.Shape, four.Round)
	}
}

func TestAPrizeEventFitsInTheWorstCase(t *testing.T) {
	t.Parallel()
	p := proposal.Of(ask(16, 5, proposal.Prize))
	if !p.Fits || !p.Settings.Firm || p.End.Latest.After(eight.Add(5*time.Hour)) {
		t.Errorf("fits %v, firm %v, at the latest %v", p.Fits, p.Settings.Firm, p.End.Latest)
	}
}

// TestEveryProposalIsAnEventThatCanBeMade, ends when the forecast of a tournament
// made of it says, and keeps its word about fitting.
func TestEveryProposalIsAnEventThatCanBeMade(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		a := ask(rapid.IntRange(0, 500).Draw(rt, "people"), rapid.Float64Range(0, 8).Draw(rt, "hours"), rapid.SampledFrom(proposal.Stakes).Draw(rt, "stake"))
		best := proposal.Of(a)
		for _, p := range append(proposal.Others(a, best), best) {
			s := p.Settings
			s.Name = "Friday"
			if err := events.CheckSettings(s); err != nil {
				rt.Fatalf("%+v: %v", p.Shape, err)
			}
			people := max(proposal.MinPeople, min(a.People, proposal.MaxPeople))
			if f := proposal.Plan(s, people, eight, outlook.TypicalDurations()); f.End != p.End {
				rt.Fatalf("%+v ends %v, a tournament of it %v", p.Shape, p.End, f.End)
			}
			if p.Fits && !a.Until.IsZero() && p.End.To.After(a.Until) {
				rt.Fatalf("%+v is said to fit until %v and ends up to %v", p.Shape, a.Until, p.End.To)
			}
		}
	})
}
