package stage

import (
	"cmp"
	"math/bits"
	"slices"

	"chpok.org/chpok/tournament/contest"
)

// Line is one line of a finished table.
type Line struct {
	Rank       int // shared by equal players
	PlayOff    int // place among them after play-offs; 0: none decided
	Matches    int
	Points     int
	Wins       int
	Difference int // of Chpok points, at most 100 per match; of teams their other score
}

// Place is a place in a table.
type Place struct {
	Table, Line int
	ByLot       bool // lots decided between equal lines
}

// mostNext limits the reserves of a table.
const mostNext = 8

// Qualifiers returns the first each places of every table by seed, and the reserves that
// follow them, table by table. It returns nothing if a table has fewer lines. pick returns
// a random number below its argument.
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
			return order(lines[a.Line], lines[b.Line])
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

// compare ranks the same place in different tables: by points, wins and difference per
// match. It is positive if a did better.
func compare(a, b Line) int {
	per := func(x, y int) int { return cmp.Compare(x*max(1, b.Matches), y*max(1, a.Matches)) }
	return cmp.Or(per(a.Points, b.Points), per(a.Wins, b.Wins), per(a.Difference, b.Difference))
}

// Cut returns the half-open range of lines that share the last of each places with one that
// would not advance: those to play off for it. It is empty if none do.
func Cut(lines []Line, each int) (from, to int) {
	if each < 1 || each >= len(lines) || order(lines[each-1], lines[each]) != 0 {
		return 0, 0
	}
	for from = each - 1; from > 0 && order(lines[from-1], lines[each]) == 0; {
		from--
	}
	for to = each + 1; to < len(lines) && order(lines[to], lines[each]) == 0; {
		to++
	}
	return from, to
}

// order compares lines of one table.
func order(a, b Line) int {
	return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.PlayOff, b.PlayOff))
}

// drawEqual sorts places and draws lots among equal ones.
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

// mostTogether is the most qualifiers for which every arrangement is tried. Beyond it, each
// class of places is arranged in turn.
const mostTogether = 16

// apart orders each class of places (the firsts, the seconds and so on) so that as few
// pairs from one table as possible can meet in round 1, then in round 2 and so on. Of
// equally good orders it takes the first.
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
			a.weigh(append(slices.Clip(chosen), order))
		}
		chosen = a.best
	}
	return chosen
}

// arranging is a search for the best orders.
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

// weigh keeps orders that are better than the best so far.
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
		a.best, a.key = orders, key
	}
}

// meetings returns a function for the round in which two seeds meet if both win until then.
func meetings(players int) func(a, b int) int {
	at := make([]int, players+1)
	for line, seed := range contest.Lines(contest.Size(players)) {
		if seed <= players {
			at[seed] = line
		}
	}
	return func(a, b int) int { return bits.Len(uint(at[a] ^ at[b])) }
}

// permutations lists the orders of 0 to n-1, sorted.
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
