package teamswiss

import (
	"slices"

	"chpok.org/chpok/tournament"
)

// upfloaters returns the teams that join a top scoregroup (3.5); false: no pairing is legal.
//
// In a legal set of the least size (C4) every team meets a resident: two that met each other could
// stay below. So the sets are what residents are matched with outside their group in a matching of
// all, and C4 to C7 are sums over pairs. Mostly the group below is all that matters: what is best
// there is best of all if everybody else can still be paired.
func (r *round) upfloaters(open set, top []int) (list []int, ok bool) {
	below := slices.Clone(open)
	for _, i := range top {
		below.drop(i)
	}
	if !r.whole {
		if next := r.top(below); len(next) > 0 {
			f := r.flow(top, next, false)
			if list, ok = f.best(); ok && f.leavesPairable(below) {
				return list, true
			}
		}
	}
	return r.flow(top, below.members(), true).best()
}

// flow is the choice among teams below a group.
type flow struct {
	r     *round
	top   []int
	lower []int // by score, then number: the order of 3.5.3
	all   bool  // lower is everybody left
	next  tournament.Score
	m     matcher
}

func (r *round) flow(top, lower []int, all bool) *flow {
	f := &flow{r: r, top: top, lower: lower, all: all, next: -1 << 30}
	if k := slices.Index(r.levels, r.teams[top[0]].score); k+1 < len(r.levels) {
		f.next = r.levels[k+1]
	}
	f.m = f.problem().solve()
	return f
}

// team returns the team at a vertex: residents first.
func (f *flow) team(v int) *team {
	if v < len(f.top) {
		return &f.r.teams[f.top[v]]
	}
	return &f.r.teams[f.lower[v-len(f.top)]]
}

func (f *flow) index(v int) int {
	if v < len(f.top) {
		return f.top[v]
	}
	return f.lower[v-len(f.top)]
}

func (f *flow) isTop(v int) bool { return v < len(f.top) }

// role is a class of vertices: residents, or the teams below of one level.
type role struct {
	level   int // 0: residents; 1: highest below …
	floated bool
}

// problem has, from the most important field on: everybody paired, or all residents; pairs of
// residents (C4); upfloaters above each level, the lowest first (C5); pairs within the following
// scoregroup (C6); upfloaters that did not float (C7).
func (f *flow) problem() problem {
	n := len(f.top) + len(f.lower)
	var roles []role
	scores := []tournament.Score{0}
	class := make([]int32, n)
	for v := range n {
		x := role{}
		if !f.isTop(v) {
			t := f.team(v)
			if len(scores) == 1 || scores[len(scores)-1] != t.score {
				scores = append(scores, t.score)
			}
			x = role{len(scores) - 1, t.floated}
		}
		k := slices.Index(roles, x)
		if k < 0 {
			k = len(roles)
			roles = append(roles, x)
		}
		class[v] = int32(k)
	}
	var l layout
	up, pairs := min(len(f.top), len(f.lower)), n/2
	spared, following := l.field(up), l.field(len(f.lower)/2)
	above := make([]field, len(scores))
	for k := 2; k < len(scores); k++ {
		above[k] = l.field(up)
	}
	together, everybody := l.field(len(f.top)/2), l.field(2*pairs)
	return problem{
		class: class, kinds: len(roles), width: l.width, adj: f.edges(), start: f.start, stop: f.r.stop,
		weigh: func(words []uint64, a, b int) {
			x, y := roles[a], roles[b]
			if x.level > y.level {
				x, y = y, x
			}
			switch {
			case y.level == 0:
				everybody.put(words, 2)
				together.put(words, 1)
			case x.level == 0:
				everybody.put(words, 1)
				for k := y.level + 1; k < len(scores); k++ {
					above[k].put(words, 1)
				}
				if !y.floated {
					spared.put(words, 1)
				}
			case scores[x.level] == f.next && x.level == y.level:
				following.put(words, 1)
			}
			if f.all && x.level > 0 {
				everybody.put(words, 2)
			}
			if f.all && x.level == 0 && y.level > 0 {
				everybody.put(words, 1)
			}
		},
	}
}

// edges returns who may be paired: below, all if everybody is in, else the following scoregroup.
func (f *flow) edges() [][]uint64 {
	n := len(f.top) + len(f.lower)
	adj := make([][]uint64, n)
	for u := range n {
		adj[u] = newSet(n)
		for v := range n {
			if !f.r.legal[f.index(u)].has(f.index(v)) {
				continue
			}
			if f.isTop(u) || f.isTop(v) || f.all || f.team(u).score == f.next && f.team(v).score == f.next {
				set(adj[u]).add(v)
			}
		}
	}
	return adj
}

// start proposes the upper half of each of the two groups to the lower.
func (f *flow) start(u int) int {
	begin, size := 0, len(f.top)
	if !f.isTop(u) {
		begin, size = size, len(f.lower)
	}
	if u -= begin; u >= size/2 {
		return -1
	}
	return begin + u + size/2
}

// best returns the first of the best sets (3.5.4); false: residents, or others, cannot be paired.
func (f *flow) best() (list []int, ok bool) {
	n, left := len(f.top)+len(f.lower), 0
	for v := range n {
		switch w := f.m.Mate(v); {
		case w < 0 && (f.all || f.isTop(v)):
			return nil, false
		case w >= 0 && f.isTop(v) && !f.isTop(w):
			left++
		}
	}
	for v := len(f.top); v < n && left > 0; v++ {
		if !wouldBe(f.m, v, f.isTop) {
			continue
		}
		f.m.Free(v)
		for w := len(f.top); w < n; w++ {
			f.m.Cut(v, w)
		}
		f.m.Bump(v, settled)
		forget(f.m, v)
		list = append(list, f.index(v))
		left--
	}
	return list, true
}

// leavesPairable reports whether everybody below whom the matching does not provide for can be
// paired, the following scoregroup with others only.
func (f *flow) leavesPairable(below set) bool {
	rest, apart := slices.Clone(below), newSet(len(f.r.teams))
	for v := len(f.top); v < len(f.top)+len(f.lower); v++ {
		if i := f.index(v); f.m.Mate(v) >= 0 {
			rest.drop(i)
		} else if f.team(v).score == f.next {
			apart.add(i)
		}
	}
	return f.r.pairableBut(rest, apart)
}
