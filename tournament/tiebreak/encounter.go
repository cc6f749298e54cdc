package tiebreak

import (
	"cmp"
	"slices"
)

// encounter computes a group's separate standings (C.07, 6): the points of games among
// its members, with several games of a pair averaged (6.1.2). Points are scaled by a
// common multiple, so that averages stay whole.
type encounter struct {
	e        *event
	forfeits bool
}

// meeting sums up the games of two players.
type meeting struct {
	points int64
	games  int64
}

// places returns each member's place in the group from 1 on, shared by those who cannot
// be separated.
func (d encounter) places(group []int) map[int]int {
	places := map[int]int{}
	d.rank(group, 1, places)
	return places
}

func (d encounter) rank(group []int, first int, places map[int]int) {
	classes := d.separate(group)
	if len(classes) == 1 {
		d.share(group, first, places)
		return
	}
	for _, equal := range classes {
		d.rank(equal, first, places) // 6.2: article 6 again for those still equal
		first += len(equal)
	}
}

// separate applies the article once: those it cannot tell apart stay together, the best first.
func (d encounter) separate(group []int) (classes [][]int) {
	points, missing, all := d.standings(group)
	order := slices.Clone(group)
	if all {
		slices.SortStableFunc(order, func(p, q int) int { return cmp.Compare(points[q], points[p]) })
		return split(order, func(p, q int) bool { return points[p] == points[q] })
	}
	// 6.3: a player who stays alone at the top whatever the missing games bring is first;
	// the same for the next place, then article 6 for the rest.
	win, loss := points[-1], points[-2]
	for len(order) > 0 {
		top := slices.IndexFunc(order, func(p int) bool {
			for _, q := range order {
				if q != p && points[p]+loss*missing[p] <= points[q]+win*missing[q] {
					return false
				}
			}
			return true
		})
		if top < 0 {
			return append(classes, order)
		}
		classes = append(classes, order[top:top+1:top+1])
		order = slices.Delete(slices.Clone(order), top, top+1)
	}
	return classes
}

// counts reports whether a round is a game within a group.
func (d encounter) counts(c cell, group map[int]bool) bool {
	return c.isPaired() && group[c.opponent] && (c.Outcome.IsPlayed() || c.Outcome.IsForfeit() && d.forfeits)
}

func (d encounter) share(group []int, place int, places map[int]int) {
	for _, p := range group {
		places[p] = place
	}
}

// standings returns the points within the group, the number of members each has not met,
// and whether all have met. Keys -1 and -2 of points hold the value of a win and of a
// loss on the same scale.
func (d encounter) standings(group []int) (points, missing map[int]int64, all bool) {
	in := map[int]bool{}
	for _, p := range group {
		in[p] = true
	}
	met := map[[2]int]meeting{}
	scale := int64(1)
	for _, p := range group {
		for _, c := range d.e.cells[p] {
			if d.counts(c, in) {
				m := met[[2]int{p, c.opponent}]
				m.points += c.points
				m.games++
				met[[2]int{p, c.opponent}] = m
				scale = multiple(scale, m.games)
			}
		}
	}
	points, missing = map[int]int64{}, map[int]int64{}
	for pair, m := range met {
		points[pair[0]] += m.points * (scale / m.games)
		missing[pair[0]]--
	}
	all = true
	for _, p := range group {
		missing[p] += int64(len(group) - 1)
		all = all && missing[p] == 0
	}
	points[-1], points[-2] = int64(d.e.field.Points.Win)*scale, int64(d.e.field.Points.Loss)*scale
	return points, missing, all
}

// multiple returns the least common multiple.
func multiple(a, b int64) int64 {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	return a / x * b
}

// directEncounter is DE for a group of tied players.
func (e *event) directEncounter(group []int, c Code) (map[int]Value, map[int]Explanation) {
	d := encounter{e, c.Forfeits || e.field.RoundRobin}
	values, whys := map[int]Value{}, map[int]Explanation{}
	for p, place := range d.places(group) {
		values[p] = whole(place)
		whys[p] = d.explain(p, group)
	}
	return values, whys
}

// explain lists the games of a player within a group.
func (d encounter) explain(player int, group []int) Explanation {
	in := map[int]bool{}
	for _, p := range group {
		in[p] = true
	}
	why := Explanation{Tied: d.e.numbers(group)}
	for r, cell := range d.e.cells[player] {
		if d.counts(cell, in) {
			why.Terms = append(why.Terms, Term{
				Round: r + 1, Opponent: cell.Opponent, Points: tenths(cell.points), Worth: tenths(cell.points),
			})
		}
	}
	return why
}

// numbers returns the numbers of players in ascending order.
func (e *event) numbers(group []int) []int {
	list := make([]int, len(group))
	for i, p := range group {
		list[i] = e.field.Players[p].Number
	}
	slices.Sort(list)
	return list
}
