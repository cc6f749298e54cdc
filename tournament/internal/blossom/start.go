package blossom

// Start sets duals from nothing and matches tight edges, those proposed first.
//
// The duals are those of the classes: with only the sizes of classes known, and
// everybody of two classes with an edge between them free to meet, the best
// matching is a transportation problem of a few classes, and its duals are
// feasible here. Where history forbids little they are optimal already.
func (m *Matcher[W]) Start(propose func(u int) int) {
	k := int(m.classes)
	words := 0
	if m.n > 0 {
		words = len(m.adj[0])
	}
	size := make([]int, k)
	members := make([][]uint64, k)
	reach := make([][]uint64, k)
	for c := range k {
		members[c], reach[c] = make([]uint64, words), make([]uint64, words)
	}
	for v, c := range m.class {
		size[c]++
		members[c][v>>6] |= 1 << (uint(v) & 63)
		for i, w := range m.adj[v] {
			reach[c][i] |= w
		}
	}
	meets := func(a, b int) bool {
		for i, w := range reach[a] {
			if w&members[b][i] != 0 {
				return true
			}
		}
		return false
	}
	t := &transport[W]{k: k, table: m.table, open: make([]bool, k*k), supply: size}
	for a := range k {
		for b := range k {
			t.open[a*k+b] = meets(a, b)
		}
	}
	t.solve()
	tight := make([][]uint64, k)
	for a := range k {
		tight[a] = make([]uint64, words)
		for b := range k {
			if !t.open[a*k+b] {
				continue
			}
			var s W
			add(&s, &t.dual[a], &t.dual[b])
			if s == m.table[a*k+b] {
				for i, w := range members[b] {
					tight[a][i] |= w
				}
			}
		}
	}
	alive := make([]uint64, words)
	for v, c := range m.class {
		m.y[v] = t.dual[c]
		alive[v>>6] |= 1 << (uint(v) & 63)
	}
	c := NewCardinality(alive, m.n, func(u int, row []uint64) {
		mask := tight[m.class[u]]
		for i, w := range m.adj[u] {
			row[i] = w & mask[i]
		}
	})
	for u := range m.n {
		if v := propose(u); v >= 0 && c.mate[u] < 0 && c.mate[v] < 0 && m.Joined(u, v) && tight[m.class[u]][v>>6]>>(uint(v)&63)&1 != 0 {
			c.Pair(u, v)
		}
	}
	c.Match()
	copy(m.mate, c.mate)
}

// transport matches classes with classes, each as often as it has members, on
// both sides of a bipartite copy of the graph. Column k stands for "nobody".
type transport[W Words] struct {
	k      int
	table  []W
	open   []bool
	supply []int
	dual   []W

	u, v        []W
	flow        []int // [a*(k+1)+b]
	left, space []int
}

func (t *transport[W]) solve() {
	k := t.k
	t.u, t.v = make([]W, k), make([]W, k+1)
	t.flow = make([]int, k*(k+1))
	t.left, t.space = append([]int(nil), t.supply...), append([]int(nil), t.supply...)
	for a := range k {
		for b := range k {
			if t.open[a*k+b] && less(&t.u[a], &t.table[a*k+b]) {
				t.u[a] = t.table[a*k+b]
			}
		}
	}
	for a := range k {
		for t.left[a] > 0 {
			t.augment(a)
		}
	}
	t.dual = make([]W, k)
	for a := range k {
		add(&t.dual[a], &t.u[a], &t.v[a])
		halve(&t.dual[a], &t.dual[a])
	}
}

// slack of row a and column b; false where they may not meet.
func (t *transport[W]) slack(s *W, a, b int) bool {
	if b == t.k {
		*s = t.u[a]
		return true
	}
	if !t.open[a*t.k+b] {
		return false
	}
	add(s, &t.u[a], &t.v[b])
	sub(s, s, &t.table[a*t.k+b])
	return true
}

// augment sends as much of row a as one path takes.
func (t *transport[W]) augment(a int) {
	k := t.k
	rows, cols := make([]bool, k), make([]bool, k+1)
	best := make([]W, k+1)
	by := make([]int, k+1) // the row a column was reached from
	via := make([]int, k)  // the column a row was reached from
	for b := range by {
		by[b] = None
	}
	var s W
	enter := func(r, from int) {
		rows[r], via[r] = true, from
		for b := range k + 1 {
			if !cols[b] && t.slack(&s, r, b) && (by[b] == None || less(&s, &best[b])) {
				best[b], by[b] = s, r
			}
		}
	}
	enter(a, None)
	for {
		next := None
		for b := range k + 1 {
			if !cols[b] && by[b] != None && (next == None || less(&best[b], &best[next])) {
				next = b
			}
		}
		if d := best[next]; !isZero(&d) {
			for r := range k {
				if rows[r] {
					sub(&t.u[r], &t.u[r], &d)
				}
			}
			for b := range k + 1 {
				switch {
				case cols[b]:
					add(&t.v[b], &t.v[b], &d)
				case by[b] != None:
					sub(&best[b], &best[b], &d)
				}
			}
		}
		cols[next] = true
		if next == k || t.space[next] > 0 {
			t.send(a, next, by, via)
			return
		}
		for r := range k {
			if !rows[r] && t.flow[r*(k+1)+next] > 0 {
				enter(r, next)
			}
		}
	}
}

// send moves flow along the path that ends in column b.
func (t *transport[W]) send(a, b int, by, via []int) {
	k := t.k
	amount := t.left[a]
	if b < k {
		amount = min(amount, t.space[b])
	}
	for c := b; by[c] != a; c = via[by[c]] {
		amount = min(amount, t.flow[by[c]*(k+1)+via[by[c]]])
	}
	t.left[a] -= amount
	if b < k {
		t.space[b] -= amount
	}
	for c := b; ; c = via[by[c]] {
		r := by[c]
		t.flow[r*(k+1)+c] += amount
		if r == a {
			return
		}
		t.flow[r*(k+1)+via[r]] -= amount
	}
}
