// Package stage decides who goes on from finished tables into the next stage of an
// event, and as which seed: the first of every table, equal places compared across
// tables, seeds so that players of one table meet again as late as can be. It refuses
// to know players but for where they stand, and to move anybody by itself.
package stage

import (
	"cmp"
	"math/bits"
	"slices"

	"chpok.org/chpok/tournament/contest"
)

// Version names the behaviour.
const Version = "stage-2"

// MostTables is how many tables can feed one stage.
const MostTables = 8

// Line is one line of a finished table, in its order.
type Line struct {
	Rank       int // shared by those whom nothing separates
	PlayOff    int // the place in a play-off between them; 0: there was none
	Matches    int
	Points     int
	Wins       int
	Difference int // Chpok points, at most 100 a match
}

// Place is a line of a table.
type Place struct {
	Table, Line int
	ByLot       bool // it was equal with another
}

// mostNext is how many of a table can stand by.
const mostNext = 8

// Qualifiers are the first of every table, by seed, and the next ones of every table in
// their order, who stand by. pick is chance: a number below its argument. Fewer than each
// in a table: none.
func Qualifiers(tables [][]Line, each int, pick func(int) int) (seeds, next []Place) {
	orders := make([][]Place, len(tables))
	for t, lines := range tables {
		if len(lines) < each {
			return nil, nil
		}
		for i := range lines {
			orders[t] = append(orders[t], Place{Table: t, Line: i})
		}
		drawEqual(orders[t], pick, func(a, b Place) int {
			x, y := lines[a.Line], lines[b.Line]
			return cmp.Or(cmp.Compare(x.Rank, y.Rank), cmp.Compare(x.PlayOff, y.PlayOff))
		})
		next = append(next, orders[t][each:min(len(lines), each+mostNext)]...)
	}
	line := func(p Place) Line { return tables[p.Table][p.Line] }
	classes := make([][]Place, each)
	for k := range classes {
		for _, order := range orders {
			classes[k] = append(classes[k], order[k])
		}
		if len(tables) > 1 {
			drawEqual(classes[k], pick, func(a, b Place) int { return compare(line(b), line(a)) })
		}
	}
	for k, order := range apart(classes) {
		for _, i := range order {
			seeds = append(seeds, classes[k][i])
		}
	}
	return seeds, next
}

// compare is which of two who have the same place in different tables did better:
// by points a match, wins a match, difference a match.
func compare(a, b Line) int {
	per := func(x, y int) int { return cmp.Compare(x*max(1, b.Matches), y*max(1, a.Matches)) }
	return cmp.Or(per(a.Points, b.Points), per(a.Wins, b.Wins), per(a.Difference, b.Difference))
}

// Cut are the lines that share the last of so many places with somebody who would not go
// on: those who could play off for it, from the first to before the last.
func Cut(lines []Line, each int) (from, to int) {
	if each < 1 || each >= len(lines) || lines[each-1].Rank != lines[each].Rank {
		return 0, 0
	}
	for from = each - 1; from > 0 && lines[from-1].Rank == lines[each].Rank; {
		from--
	}
	for to = each + 1; to < len(lines) && lines[to].Rank == lines[each].Rank; {
		to++
	}
	return from, to
}

// drawEqual orders places; lots decide among equal ones.
func drawEqual(list []Place, pick func(int) int, by func(a, b Place) int) {
	slices.SortStableFunc(list, by)
	for from := 0; from < len(list); {
		to := from + 1
		for to < len(list) && by(list[from], list[to]) == 0 {
			to++
		}
		for i := to - 1; i > from; i-- {
			j := from + pick(i-from+1)
			list[i], list[j] = list[j], list[i]
		}
		for i := from; to-from > 1 && i < to; i++ {
			list[i].ByLot = true
		}
		from = to
	}
}

// mostTogether is up to how many qualifiers every arrangement is looked at; beyond
// that each class of places takes its best one after the other.
const mostTogether = 16

// apart is the order of each class of places – the firsts, the seconds … – in which
// players of one table meet as late as can be: as few as can be in round 1, then in
// round 2 …; of equal orders the first.
func apart(classes [][]Place) [][]int {
	size := len(classes[0])
	a := arranging{classes: classes, meets: meetings(len(classes) * size)}
	natural := make([]int, size)
	for i := range natural {
		natural[i] = i
	}
	chosen := [][]int{natural}
	orders := [][]int{natural}
	if len(classes) > 1 && size > 1 {
		orders = permutations(size)
	}
	if len(classes)*size <= mostTogether {
		a.search(chosen, orders)
		return a.best
	}
	for k := 1; k < len(classes); k++ {
		a.best = nil
		for _, order := range orders {
			a.weigh(append(slices.Clone(chosen), order))
		}
		chosen = a.best
	}
	return chosen
}

// arranging looks for the best orders.
type arranging struct {
	classes [][]Place
	meets   func(a, b int) int
	best    [][]int
	key     []int
}

func (a *arranging) search(chosen, orders [][]int) {
	if len(chosen) == len(a.classes) {
		a.weigh(chosen)
		return
	}
	for _, order := range orders {
		a.search(append(slices.Clip(chosen), order), orders)
	}
}

// weigh keeps orders that are better than the best so far: fewer of one table who can
// meet in the first round, in the second …
func (a *arranging) weigh(orders [][]int) {
	var tables []int
	for k, order := range orders {
		for _, i := range order {
			tables = append(tables, a.classes[k][i].Table)
		}
	}
	key := make([]int, 16)
	for x := range tables {
		for y := range x {
			if tables[x] == tables[y] {
				key[a.meets(x+1, y+1)]++
			}
		}
	}
	if a.best == nil || slices.Compare(key, a.key) < 0 {
		a.best, a.key = slices.Clone(orders), key
	}
}

// meetings is in which round two seeds of a bracket meet, if both win until then.
func meetings(players int) func(a, b int) int {
	at := make([]int, players+1)
	for line, seed := range contest.Lines(contest.Size(players)) {
		if seed <= players {
			at[seed] = line
		}
	}
	return func(a, b int) int { return bits.Len(uint(at[a] ^ at[b])) }
}

// permutations are all orders of n, in their own order.
func permutations(n int) (list [][]int) {
	var grow func(order []int)
	grow = func(order []int) {
		if len(order) == n {
			list = append(list, slices.Clone(order))
			return
		}
		for i := range n {
			if !slices.Contains(order, i) {
				grow(append(order, i))
			}
		}
	}
	grow(nil)
	return list
}
