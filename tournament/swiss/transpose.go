package swiss

import "slices"

// transpose searches for the first transposition of S2 (4.2) among the tight edges of an
// optimal matching, without exchanges; nil if there is none. It works on bitsets and
// treats downfloaters loosely, so the caller verifies the result by its weight: the
// search covers every optimal pairing without exchanges in the order of the rules, so if
// its first result is optimal it is the right one.
func (p *pairing[W]) transpose(s1, s2 []int) [][2]int {
	t := &transposition{
		rows: make([]bitset, len(s1)), cols: make([]bitset, len(s2)),
		of: make([]int, len(s1)), by: make([]int, len(s2)), free: newBitset(len(s2)), must: newBitset(len(s2)),
		seen: newBitset(len(s1)), got: newBitset(len(s2)), from: make([]int, len(s2)),
	}
	rows, cols := newBitset(len(s1)*64*len(t.free)), newBitset(len(s2)*64*len(t.seen))
	for i := range s1 {
		t.rows[i], t.of[i] = rows[i*len(t.free):(i+1)*len(t.free)], -1
	}
	for j, v := range s2 {
		t.cols[j], t.by[j] = cols[j*len(t.seen):(j+1)*len(t.seen)], -1
		t.free.set(j)
		if !p.mayFloat(v) {
			t.must.set(j)
		}
	}
	position := make([]int, len(p.who))
	for j, v := range s2 {
		position[v] = j + 1
	}
	for i, u := range s1 {
		p.m.TightEdges(u, func(v int) {
			if j := position[v] - 1; j >= 0 {
				t.rows[i].set(j)
				t.cols[j].set(i)
			}
		})
	}
	if !t.start() {
		return nil
	}
	pairs := make([][2]int, len(s1))
	for i, u := range s1 {
		j := t.first(i)
		pairs[i] = [2]int{u, s2[j]}
		t.fix(i, j)
	}
	return pairs
}

// mayFloat reports whether v can leave the bracket.
func (p *pairing[W]) mayFloat(v int) bool {
	if p.m.MayBeFree(v) {
		return true
	}
	found := false
	p.m.TightEdges(v, func(w int) { found = found || w >= p.size })
	return found
}

// transposition is a bipartite matching that covers S1 and the players of S2 that must
// not float.
type transposition struct {
	rows, cols []bitset // edges by S1 and by S2
	of, by     []int    // partners of S1 and of S2; -1: none
	free, must bitset   // S2: without a partner; needing one

	seen, got bitset // of one search: S1 visited, S2 that can be given up
	from      []int  // S2: the predecessor in the search
	queue     []int
}

func (t *transposition) pair(i, j int) {
	t.of[i], t.by[j] = j, i
	t.free.clear(j)
}

func (t *transposition) fix(i, j int) {
	for _, x := range t.cols {
		x.clear(i)
	}
	for _, x := range t.rows {
		x.clear(j)
	}
	t.must.clear(j)
}

// start finds any matching that covers what it must.
func (t *transposition) start() bool {
	for i := range t.rows {
		if i < len(t.by) && t.rows[i].has(i) && t.free.has(i) {
			t.pair(i, i)
			continue
		}
		for k, w := range t.rows[i] {
			if x := w & t.free[k]; x != 0 {
				t.pair(i, lowest(k, x))
				break
			}
		}
	}
	for i := range t.rows {
		if t.of[i] < 0 && !t.place(i) {
			return false
		}
	}
	for j := range t.cols {
		if t.by[j] < 0 && t.must.has(j) && !t.cover(j) {
			return false
		}
	}
	return true
}

// place finds a partner for i by moving others on.
func (t *transposition) place(i int) bool {
	clear(t.got)
	t.queue = append(t.queue[:0], i)
	for len(t.queue) > 0 {
		x := t.queue[0]
		t.queue = t.queue[1:]
		for k, row := range t.rows[x] {
			for w := row &^ t.got[k]; w != 0; w &= w - 1 {
				j := lowest(k, w)
				t.got.set(j)
				t.from[j] = x
				if !t.free.has(j) {
					t.queue = append(t.queue, t.by[j])
					continue
				}
				for {
					y := t.from[j]
					next := t.of[y]
					t.pair(y, j)
					if y == i {
						return true
					}
					j = next
				}
			}
		}
	}
	return false
}

// release explores which of S2 can be given up when the queue, which has no partners,
// takes over the partners of others. It stops at the first for which until returns true.
func (t *transposition) release(until func(j int) bool) int {
	for len(t.queue) > 0 {
		x := t.queue[0]
		t.queue = t.queue[1:]
		if until(x) {
			return x
		}
		for k, col := range t.cols[x] {
			for w := col &^ t.seen[k]; w != 0; w &= w - 1 {
				i := lowest(k, w)
				t.seen.set(i)
				if y := t.of[i]; !t.got.has(y) {
					t.reach(y, x)
				}
			}
		}
	}
	return -1
}

func (t *transposition) reach(j, from int) {
	t.got.set(j)
	t.from[j] = from
	t.queue = append(t.queue, j)
}

// begin resets the search.
func (t *transposition) begin() {
	clear(t.got)
	clear(t.seen)
	t.queue = t.queue[:0]
}

// give frees j of S2 by passing partners back along the last release.
func (t *transposition) give(j int) {
	i := t.by[j]
	for x := j; t.from[x] >= 0; x = t.from[x] {
		taken := t.by[t.from[x]]
		t.pair(i, t.from[x])
		i = taken
	}
	t.by[j] = -1
	t.free.set(j)
}

// cover gives j a partner, at the cost of one that may float.
func (t *transposition) cover(j int) bool {
	t.begin()
	t.reach(j, -1)
	x := t.release(func(x int) bool { return !t.must.has(x) })
	if x < 0 {
		return false
	}
	t.give(x)
	return true
}

// first gives i its first possible partner in S2 and returns it.
func (t *transposition) first(i int) int {
	now := t.of[i]
	j := t.rows[i].first(t.rows[i])
	if j < 0 || j == now {
		return now
	}
	switch x := t.by[j]; {
	case x >= 0 && t.rows[x].has(now):
		t.pair(x, now)
	case x < 0 && !t.must.has(now):
		t.by[now] = -1
		t.free.set(now)
	default:
		return t.search(i)
	}
	t.pair(i, j)
	return j
}

// search is the general case of first. One search finds all whose partner can end up with
// i's present one; if that one may float, another finds those whose partner can end up
// with a present floater.
func (t *transposition) search(i int) int {
	now := t.of[i]
	never := func(int) bool { return false }
	t.begin()
	t.seen.set(i)
	t.reach(now, -1)
	t.release(never)
	spare := -1
	t.got.each(func(x int) {
		if spare < 0 && !t.must.has(x) {
			spare = x
		}
	})
	near := slices.Clone(t.got)
	if spare >= 0 {
		t.free.each(func(j int) { t.reach(j, -1) })
		t.release(never)
	}
	j := t.rows[i].first(t.got)
	if j < 0 || j == now {
		return now
	}
	t.give(j)
	if !near.has(j) {
		t.give(spare)
	}
	t.pair(i, j)
	return j
}
