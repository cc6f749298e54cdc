package format

import (
	"cmp"
	"slices"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/tiebreak"
)

// Scorer is a player of a team with what they scored over the board. Forfeits are no games.
type Scorer struct {
	Entry, Team tournament.Entry
	Number      int              // among the players of all teams
	Board       int              // place in the board order of the team, from 1
	Points      tournament.Score // of Games
	Games       int
	Performance tiebreak.Value // a rating (TPR)
	Rank        int            // among those who play on that board, or are reserves; 0: they played fewer than half of the rounds
}

// Scorers returns the players of teams by board and rank there, all reserves after the boards. Equal points are ordered by
// performance, then by fewer games.
func Scorers(t *tournament.Tournament) ([]Scorer, error) {
	f, numbers := t.PlayerField()
	code, err := tiebreak.Parse("TPR")
	if err != nil {
		return nil, err
	}
	lines, err := tiebreak.Standings(f, []tiebreak.Code{code})
	if err != nil {
		return nil, err
	}
	list := make([]Scorer, len(f.Players)) // by number
	for _, l := range lines {
		list[l.Number-1].Performance = l.Values[0]
	}
	for id, n := range numbers {
		x := &list[n-1]
		x.Number = n
		x.Entry, _ = t.Entry(id) // those of the field are in the tournament
		x.Team, _ = t.Entry(x.Entry.Team)
		for _, r := range f.Players[n-1].Rounds {
			if r.Outcome.IsPlayed() {
				x.Games, x.Points = x.Games+1, x.Points+f.Points.Of(r.Outcome)
			}
		}
	}
	for i := range list {
		if list[i].Board = 1; i > 0 && list[i-1].Team.ID == list[i].Team.ID {
			list[i].Board = list[i-1].Board + 1
		}
	}
	rank(list, t.Teams.Boards, len(t.Rounds))
	return list, nil
}

// rank orders players by board and what they scored there, and ranks those with games in half of the rounds.
func rank(list []Scorer, boards, rounds int) {
	group := func(x Scorer) int { return min(x.Board, boards+1) }
	isRanked := func(x Scorer) bool { return x.Games > 0 && 2*x.Games >= rounds }
	better := func(a, b Scorer) int {
		return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(b.Performance.Float(), a.Performance.Float()), cmp.Compare(a.Games, b.Games))
	}
	slices.SortStableFunc(list, func(a, b Scorer) int {
		switch {
		case group(a) != group(b):
			return group(a) - group(b)
		case isRanked(a) != isRanked(b):
			if isRanked(a) {
				return -1
			}
			return 1
		}
		return better(a, b)
	})
	first := 0 // of the group
	for i := range list {
		if i > 0 && group(list[i]) != group(list[i-1]) {
			first = i
		}
		switch {
		case !isRanked(list[i]):
		case i > first && better(list[i-1], list[i]) == 0:
			list[i].Rank = list[i-1].Rank
		default:
			list[i].Rank = i - first + 1
		}
	}
}
