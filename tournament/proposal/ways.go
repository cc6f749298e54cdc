package proposal

import (
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/contest"
	"chpok.org/chpok/tournament/draw"
)

// ways is the list of formats that can be proposed.
var ways = map[tournament.Format]way{
	tournament.RoundRobin: byTable{}, tournament.Swiss: byScore{}, tournament.KnockOut: byBracket{}, tournament.Arena: byWaiting{},
}

// way is how a format is proposed.
type way interface {
	// suits reports whether the shape is possible for those people.
	suits(a Answers, of Shape) bool
	// ties lists how level contests are decided, the best first.
	ties(a Answers) [][]contest.Step
	// settle sets what only this format asks for.
	settle(a Answers, of Shape, s *tournament.Settings)
}

type byTable struct{}

func (byTable) suits(a Answers, of Shape) bool {
	return a.sides() <= tournament.DefaultSettings(of.Format).MostPlayers()
}
func (byTable) ties(Answers) [][]contest.Step               { return [][]contest.Step{nil} }
func (byTable) settle(Answers, Shape, *tournament.Settings) {}

type byScore struct{}

func (byScore) suits(a Answers, of Shape) bool { return of.Rounds < a.sides() }
func (byScore) ties(Answers) [][]contest.Step  { return [][]contest.Step{nil} }

func (byScore) settle(_ Answers, of Shape, s *tournament.Settings) {
	if of.Rounds > 2 {
		s.Entry.LateUntil, s.Entry.LateBye = 2, tournament.HalfBye
	}
}

type byBracket struct{}

func (byBracket) suits(a Answers, of Shape) bool {
	return a.canLose(of.Losers) && (of.Groups == 0 || draw.Fits(a.sides(), of.Groups))
}

// ties ends with the seed, which decides if time is short. Of teams the boards do.
func (byBracket) ties(a Answers) [][]contest.Step {
	if a.Teams > 0 {
		return [][]contest.Step{tournament.DefaultTie(true)}
	}
	return [][]contest.Step{{contest.Pair, contest.Seed}, {contest.Seed}}
}

func (byBracket) settle(a Answers, of Shape, s *tournament.Settings) {
	if of.Losers != "" {
		s.Losers = of.Losers
	}
	s.Groups = of.Groups
	if a.Stake != Prize {
		s.Numbering = tournament.Pots // without many ratings only the best are kept apart
	}
}

type byWaiting struct{}

func (byWaiting) suits(a Answers, _ Shape) bool { return a.canOpen() }
func (byWaiting) ties(Answers) [][]contest.Step { return [][]contest.Step{nil} }

func (byWaiting) settle(a Answers, of Shape, s *tournament.Settings) {
	s.Rounds, s.Break, s.Review, s.Capacity = 1, 0, false, 0
	s.Lateness = tournament.DefaultSettings(of.Format).Lateness
	s.Window = a.window(*s)
	if a.Teams > 0 {
		s.Battle.Leaders = min(a.Teams, tournament.MaxLeaders)
		for n := range a.sides() {
			s.Battle.Teams = append(s.Battle.Teams, a.TeamName(n+1))
		}
	}
}
