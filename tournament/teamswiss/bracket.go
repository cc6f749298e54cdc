package teamswiss

import (
	"cmp"
	"slices"
)

// bracket pairs a top scoregroup with its upfloaters (3.6): the fewest teams that do not get the seat
// they prefer (C8), strongly prefer (C9), the fewest that floated in the last round and meet an
// upfloater (C10); then the least identifier.
func (r *round) bracket(top, up []int) [][2]int {
	who := slices.Concat(top, up)
	slices.SortFunc(who, func(i, j int) int { return cmp.Compare(r.teams[i].number, r.teams[j].number) })
	isUp := newSet(len(r.teams))
	for _, i := range up {
		isUp.add(i)
	}
	m := r.pairs(who, isUp).solve()
	tops, bottoms := chooseTops(m, len(who))
	list := make([][2]int, 0, len(tops))
	for _, p := range chooseBottoms(m, tops, bottoms) {
		list = append(list, [2]int{who[p[0]], who[p[1]]})
	}
	return list
}

// member is a class of teams in a bracket.
type member struct {
	up, floated, strong bool
	want                uint8
}

// pairs is the matching of a bracket's teams, who stand by number.
func (r *round) pairs(who []int, isUp set) problem {
	n := len(who)
	var members []member
	class, adj := make([]int32, n), make([][]uint64, n)
	for u, i := range who {
		t := &r.teams[i]
		x := member{up: isUp.has(i), floated: t.floated && !isUp.has(i), want: uint8(t.want), strong: t.strong}
		k := slices.Index(members, x)
		if k < 0 {
			k = len(members)
			members = append(members, x)
		}
		class[u], adj[u] = int32(k), newSet(n)
		for v, j := range who {
			if r.legal[i].has(j) {
				set(adj[u]).add(v)
			}
		}
	}
	var l layout
	spared, strong, wish, paired := l.field(n/2), l.field(n/2), l.field(n/2), l.field(n/2)
	return problem{
		class: class, kinds: len(members), width: l.width, adj: adj, stop: r.stop,
		start: func(u int) int {
			if u < n/2 {
				return u + n/2
			}
			return -1
		},
		weigh: func(words []uint64, a, b int) {
			x, y := members[a], members[b]
			paired.put(words, 1)
			same := x.want != 0 && x.want == y.want
			wish.put(words, one(!same))
			strong.put(words, one(!same || !x.strong || !y.strong))
			spared.put(words, one(!(x.up && y.floated) && !(y.up && x.floated)))
		},
	}
}

func one(is bool) uint64 {
	if is {
		return 1
	}
	return 0
}

// chooseTops decides who is the top of a pair (3.6.1), the smallest possible numbers first, and cuts
// all other pairs: what is left joins tops with larger numbers.
func chooseTops(m matcher, n int) (tops, bottoms []int) {
	for u := range n {
		isAbove := m.Mate(u) > u
		isTop := len(tops) < n/2 && wouldBe(m, u, func(v int) bool { return v > u })
		m.Free(u)
		if isTop {
			for _, v := range tops {
				m.Cut(u, v)
			}
			tops = append(tops, u)
		} else {
			for v := u + 1; v < n; v++ {
				m.Cut(u, v)
			}
			bottoms = append(bottoms, u)
		}
		if isTop && !isAbove {
			forget(m, u)
		} else {
			m.Solve()
		}
	}
	for u := range n {
		m.Free(u)
	}
	m.Solve()
	return tops, bottoms
}

// chooseBottoms pairs each top in turn with the smallest possible number. Between tops and bottoms
// there are no odd circles, so that every pairing of tight edges is as good.
func chooseBottoms(m matcher, tops, bottoms []int) [][2]int {
	n := len(tops)
	place := map[int]int{}
	for j, v := range bottoms {
		place[v] = j
	}
	// Of row i, whom it may have; of column j, who may have it and who has.
	rows, columns := make([]set, n), make([]set, n)
	of, by := make([]int, n), make([]int, n)
	for i := range n {
		rows[i], columns[i] = newSet(n), newSet(n)
	}
	for i, u := range tops {
		of[i] = place[m.Mate(u)]
		by[of[i]] = i
		m.TightEdges(u, func(v int) {
			rows[i].add(place[v])
			columns[place[v]].add(i)
		})
	}
	open := newSet(n) // columns not yet given away
	for j := range n {
		open.add(j)
	}
	pairs := make([][2]int, n)
	for i, u := range tops {
		if first := rows[i].common(open); first != of[i] {
			give(i, rows, columns, of, by, open)
		}
		open.drop(of[i])
		pairs[i] = [2]int{u, bottoms[of[i]]}
	}
	return pairs
}

// give gives row i the smallest column that leaves all later rows one.
func give(i int, rows, columns []set, of, by []int, open set) {
	// Whoever can take what i has, directly or after others have moved on, can give up its own.
	n := len(rows)
	seen, free, to := newSet(n), newSet(n), make([]int, n)
	free.add(of[i])
	for queue := []int{of[i]}; len(queue) > 0; queue = queue[1:] {
		j := queue[0]
		for x := columns[j].next(i + 1); x >= 0; x = columns[j].next(x + 1) {
			if !seen.has(x) {
				seen.add(x)
				to[x] = j
				free.add(of[x])
				queue = append(queue, of[x])
			}
		}
	}
	free.meet(open)
	j := rows[i].common(free)
	for x := by[j]; x != i; {
		next := to[x]
		of[x] = next
		x, by[next] = by[next], x
	}
	of[i], by[j] = j, i
}
