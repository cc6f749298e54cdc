package tiebreak

import (
	"errors"
	"fmt"
	"sort"

	"chpok.org/chpok/tournament"
)

// Standing is one line of the final table.
type Standing struct {
	Rank   int // shared by players whom no tie-break separates
	Number int // in the tournament
	Name   string
	Score  tournament.Score
	Values []Value // in the order of the codes
	Why    []Explanation
}

// ErrField is the error for a field that contradicts itself.
var ErrField = errors.New("inconsistent field")

// Standings orders the players of a field by score, then by the codes. Each
// code is computed for everybody. DE looks at the players still tied when its
// turn comes and is a place among them, 1 for who is tied with nobody. Players
// of one rank stand in the order of their numbers.
func Standings(f tournament.Field, codes []Code) ([]Standing, error) {
	if err := check(f); err != nil {
		return nil, err
	}
	e := newEvent(f)
	if f.Places != nil {
		return byPlace(f, e), nil
	}
	table := make([]Standing, len(f.Players))
	order := make([]int, len(f.Players))
	for i, p := range f.Players {
		order[i] = i
		table[i] = Standing{Number: p.Number, Name: p.Name, Score: tournament.Score(e.scores[i]) + p.Carried}
	}
	sort.Slice(order, func(a, b int) bool {
		x, y := order[a], order[b]
		if table[x].Score != table[y].Score {
			return table[x].Score > table[y].Score
		}
		return table[x].Number < table[y].Number
	})
	groups := split(order, func(a, b int) bool { return table[a].Score == table[b].Score })
	for k, c := range codes {
		values, whys := e.values(c, groups)
		for i := range table {
			table[i].Values = append(table[i].Values, values[i])
			table[i].Why = append(table[i].Why, whys[i])
		}
		var next [][]int
		for _, g := range groups {
			sort.SliceStable(g, func(a, b int) bool { return better(c, table[g[a]].Values[k], table[g[b]].Values[k]) })
			next = append(next, split(g, func(a, b int) bool { return table[a].Values[k] == table[b].Values[k] })...)
		}
		groups = next
	}
	standings := make([]Standing, 0, len(table))
	for _, g := range groups {
		rank := len(standings) + 1
		for _, i := range g {
			table[i].Rank = rank
			standings = append(standings, table[i])
		}
	}
	return standings, nil
}

// byPlace is the table of a knock-out: places are shared and no code separates them.
func byPlace(f tournament.Field, e *event) []Standing {
	table := make([]Standing, len(f.Players))
	for i, p := range f.Players {
		table[i] = Standing{Rank: f.Places[p.Number], Number: p.Number, Name: p.Name, Score: tournament.Score(e.scores[i])}
	}
	sort.Slice(table, func(a, b int) bool {
		if table[a].Rank != table[b].Rank {
			return table[a].Rank < table[b].Rank
		}
		return table[a].Number < table[b].Number
	})
	return table
}

func check(f tournament.Field) error {
	seen := map[int]bool{}
	for _, p := range f.Players {
		if seen[p.Number] {
			return fmt.Errorf("%w: number %d twice", ErrField, p.Number)
		}
		seen[p.Number] = true
	}
	for _, p := range f.Players {
		for r, c := range p.Rounds {
			if c.Opponent != 0 && !seen[c.Opponent] {
				return fmt.Errorf("%w: %d met %d in round %d, who is not in the field", ErrField, p.Number, c.Opponent, r+1)
			}
		}
	}
	return nil
}

// values is one code for everybody.
func (e *event) values(c Code, groups [][]int) ([]Value, []Explanation) {
	values, whys := make([]Value, len(e.cells)), make([]Explanation, len(e.cells))
	if c.Kind.Code == "DE" {
		for _, g := range groups {
			v, w := e.directEncounter(g, c)
			for _, i := range g {
				values[i], whys[i] = v[i], w[i]
			}
		}
		return values, whys
	}
	for i := range e.cells {
		values[i], whys[i] = e.value(i, c)
	}
	return values, whys
}

func (e *event) value(player int, c Code) (Value, Explanation) {
	switch c.Kind.Code {
	case "PS":
		return e.progressive(player, c)
	case "TPN":
		return whole(e.field.Players[player].Number), Explanation{}
	case "BH", "FB":
		return e.buchholz(player, c)
	case "AOB":
		return e.averageBuchholz(player, c)
	case "SB":
		return e.sonnebornBerger(player, c)
	case "KS":
		return e.koya(player, c)
	case "ARO":
		return e.averageRating(player, c)
	case "TPR":
		return e.performance(player, c)
	case "PTP":
		return e.perfect(player, c)
	case "APRO", "APPO":
		return e.averagePerformance(player, c)
	case "RTNG":
		return e.ratingItself(player, c)
	case "CPD":
		return e.difference(player, c)
	}
	return e.record(player, c)
}

// better puts undefined values last.
func better(c Code, a, b Value) bool {
	switch {
	case !a.Defined || !b.Defined:
		return a.Defined && !b.Defined
	case c.IsLowerBetter():
		return a.Hundredths < b.Hundredths
	}
	return a.Hundredths > b.Hundredths
}

// split cuts an ordered list into runs of equals.
func split(list []int, equal func(a, b int) bool) (groups [][]int) {
	for from := 0; from < len(list); {
		to := from + 1
		for to < len(list) && equal(list[from], list[to]) {
			to++
		}
		groups = append(groups, list[from:to:to])
		from = to
	}
	return groups
}
