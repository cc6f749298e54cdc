package tiebreak

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"chpok.org/chpok/tournament"
)

// Standing is one line of the table.
type Standing struct {
	Rank   int // shared by players that no tie-break separates
	Number int // tournament number
	Name   string
	Score  tournament.Score
	Values []Value // in the order of the codes
	Why    []Explanation
}

// ErrField is the error of an inconsistent field.
var ErrField = errors.New("inconsistent field")

// Standings orders the players or teams of a field by score, then by the codes, each of which is
// computed for everybody. DE compares the players still tied at its turn and is a place
// among them, 1 for a player who is not tied. Players of one rank stand in the order of
// their numbers.
func Standings(f tournament.Field, codes []Code) ([]Standing, error) {
	if err := check(f); err != nil {
		return nil, err
	}
	if f.Teams != nil {
		if err := checkTeams(f.Teams); err != nil {
			return nil, err
		}
		return teamEvent(f).standings(codes), nil
	}
	if i := slices.IndexFunc(codes, func(c Code) bool { return c.Teams || c.Of != PrimaryScore }); i >= 0 {
		return nil, fmt.Errorf("%w: %s is for teams", ErrField, codes[i])
	}
	return newEvent(f).standings(codes), nil
}

func (e *event) standings(codes []Code) []Standing {
	f := e.field
	if f.Places != nil {
		return byPlace(f, e)
	}
	table := make([]Standing, len(f.Players))
	order := make([]int, len(f.Players))
	for i, p := range f.Players {
		order[i] = i
		table[i] = Standing{Number: p.Number, Name: p.Name, Score: tournament.Score(e.scores[i]) + p.Carried}
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(table[b].Score, table[a].Score), cmp.Compare(table[a].Number, table[b].Number))
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
			slices.SortStableFunc(g, func(a, b int) int { return c.compare(table[a].Values[k], table[b].Values[k]) })
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
	return standings
}

// byPlace returns the table of a knock-out, whose places are shared without tie-breaks.
func byPlace(f tournament.Field, e *event) []Standing {
	table := make([]Standing, len(f.Players))
	for i, p := range f.Players {
		table[i] = Standing{Rank: f.Places[p.Number], Number: p.Number, Name: p.Name, Score: tournament.Score(e.scores[i])}
	}
	slices.SortFunc(table, func(a, b Standing) int {
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Number, b.Number))
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

// values computes one code for everybody.
func (e *event) values(c Code, groups [][]int) ([]Value, []Explanation) {
	e = e.by(c.Of)
	values, whys := make([]Value, len(e.cells)), make([]Explanation, len(e.cells))
	if c.among == nil {
		for i := range e.cells {
			values[i], whys[i] = c.of(e, i, c)
		}
		return values, whys
	}
	for _, g := range groups {
		v, w := c.among(e, g, c)
		for _, i := range g {
			values[i], whys[i] = v[i], w[i]
		}
	}
	return values, whys
}

// compare orders values from the best to the worst; undefined ones come last.
func (c Code) compare(a, b Value) int {
	switch {
	case a.Defined && !b.Defined:
		return -1
	case b.Defined && !a.Defined:
		return 1
	case c.IsLowerBetter():
		return a.compare(b)
	}
	return b.compare(a)
}

// split cuts an ordered list into runs of equal elements.
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
