// Package keizer orders and pairs by the Keizer system, in which a win over somebody who stands high
// is worth more, so that people who come irregularly stay in the race. A club's season is played by it.
//
// With N players the first in the order has the value N-1 + ⌊(N-1)/2⌋, each of the others one less.
// A player's score is their own value, plus the opponent's value for a win and half of it for a draw;
// for a round without a game, a third of their own value. Values follow from the order and the order
// from the scores, over all rounds, until the order stays.
package keizer

import (
	"cmp"
	"fmt"
	"slices"

	"chpok.org/chpok/tournament"
)

// Version identifies the behavior of order and pairing.
const Version = "keizer-1"

// Line is a player in the order.
type Line struct {
	Number int
	Rank   int // shared by equal scores
	Value  int // what a win over them is worth; 0 if the order never settles
	// Score is in 6·Over parts of a point, so that it is exact.
	Score, Over int
	Points      tournament.Score // what their matches are worth as in other systems
}

// Tenths returns the score in tenths of a point, rounded.
func (l Line) Tenths() tournament.Score {
	return tournament.Score((20*l.Score + 6*l.Over) / (12 * l.Over))
}

// Order returns the order after the rounds of a field. Where orders repeat in a circle, the scores
// are averages over that circle. Equal scores stand by number.
func Order(f tournament.Field) []Line {
	by := make([]int, len(f.Players)) // indices of players, from the first in the order
	for i := range by {
		by[i] = i
	}
	slices.SortFunc(by, func(a, b int) int { return cmp.Compare(f.Players[a].Number, f.Players[b].Number) })
	index := map[int]int{}
	for i, p := range f.Players {
		index[p.Number] = i
	}
	var orders [][]int
	var scores [][]int
	for {
		if from := slices.IndexFunc(orders, func(o []int) bool { return slices.Equal(o, by) }); from >= 0 {
			return lines(f, scores[from:], from == len(orders)-1)
		}
		score := scored(f, by, index)
		orders, scores = append(orders, by), append(scores, score)
		by = ordered(f, score)
		if len(orders) == mostPasses*len(f.Players) {
			return lines(f, scores[len(scores)-1:], false)
		}
	}
}

// Scores returns the scores after the rounds of a field, by number.
func Scores(f tournament.Field) map[int]tournament.Score {
	scores := make(map[int]tournament.Score, len(f.Players))
	for _, l := range Order(f) {
		scores[l.Number] = l.Tenths()
	}
	return scores
}

// mostPasses times the number of players is how often the order is made at most.
const mostPasses = 4

// ordered returns the players by score, equal ones by number.
func ordered(f tournament.Field, score []int) []int {
	by := make([]int, len(score))
	for i := range by {
		by[i] = i
	}
	slices.SortFunc(by, func(a, b int) int {
		return cmp.Or(cmp.Compare(score[b], score[a]), cmp.Compare(f.Players[a].Number, f.Players[b].Number))
	})
	return by
}

// valueOf returns the value of a place, from 0, among n players.
func valueOf(place, n int) int { return n - 1 + (n-1)/2 - place }

// scored returns everybody's score by an order, in sixths.
func scored(f tournament.Field, by []int, index map[int]int) []int {
	value := make([]int, len(by))
	for place, i := range by {
		value[i] = valueOf(place, len(by))
	}
	score := make([]int, len(by))
	for i, p := range f.Players {
		score[i] = 6 * value[i]
		for r := range f.Played {
			c := p.Rounds[r]
			against := 0
			if c.Opponent != 0 {
				against = value[index[c.Opponent]]
			}
			switch c.Outcome {
			case tournament.Win, tournament.WinUnrated, tournament.ForfeitWin:
				score[i] += 6 * against
			case tournament.Draw, tournament.DrawUnrated:
				score[i] += 3 * against
			case tournament.FullBye:
				score[i] += 6 * value[i]
			case tournament.HalfBye:
				score[i] += 3 * value[i]
			case tournament.ZeroBye, tournament.PairingBye, tournament.NoRecord:
				score[i] += 2 * value[i]
			}
		}
	}
	return score
}

// lines returns the order by the average of some scores; settled: it makes these scores again.
func lines(f tournament.Field, scores [][]int, settled bool) []Line {
	sum := make([]int, len(f.Players))
	for _, score := range scores {
		for i, s := range score {
			sum[i] += s
		}
	}
	list := make([]Line, 0, len(sum))
	for place, i := range ordered(f, sum) {
		p := f.Players[i]
		l := Line{Number: p.Number, Rank: place + 1, Score: sum[i], Over: len(scores)}
		if settled {
			l.Value = valueOf(place, len(sum))
		}
		if place > 0 && list[place-1].Score == l.Score {
			l.Rank = list[place-1].Rank
		}
		for r := range f.Played {
			if c := p.Rounds[r]; c.Opponent != 0 {
				l.Points += f.Points.Of(c.Outcome)
			}
		}
		list = append(list, l)
	}
	return list
}

// String renders the exact score: "13 3/6".
func (l Line) String() string {
	if rest := l.Score % (6 * l.Over); rest != 0 {
		return fmt.Sprintf("%d %d/%d", l.Score/(6*l.Over), rest, 6*l.Over)
	}
	return fmt.Sprint(l.Score / (6 * l.Over))
}
