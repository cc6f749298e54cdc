// Package blossom finds a maximum-weight matching in a general graph and keeps
// it optimal while weights change a little or vertices leave. It knows nothing
// of tournaments.
//
// The method is Edmonds' primal-dual one on a dense graph: every vertex has a
// dual value, an edge is tight when the two duals equal its weight, matched
// edges are tight, and an unmatched vertex has the dual value zero. One search
// from an unmatched vertex costs at most O(n²).
package blossom

import "math/bits"

// Stopped is what Solve panics with when Stop says so.
type Stopped struct{}

// None stands for "no vertex".
const None = -1

const (
	unlabelled = iota
	outer      // reachable by an even alternating path from the root
	inner      // reachable by an odd one
)

// Matcher is a graph with its matching. Vertices are 0…n-1. The weight of an
// edge is looked up by the classes of its ends; the least significant word of
// the table must be zero, since that word belongs to the bonuses, which order
// matchings that are otherwise equal. Bonuses must be even numbers, so that
// duals stay integers.
type Matcher[W Words] struct {
	n       int
	class   []int32
	classes int32
	table   []W
	adj     [][]uint64

	// Bonuses. bump and pair apply to edges inside the first `inside` vertices.
	inside  int
	bump    []uint64 // bump[u]+bump[v]
	pair    []uint64 // pair[min(u,v)], where both have paired set
	paired  []bool
	special int      // the one vertex whose edges carry a bonus each
	favour  []uint64 // by the other end

	mate []int32
	y    []W

	// Nodes: the vertices, then blossoms.
	top     []int32 // of a vertex: the outermost blossom around it, or itself
	parent  []int32
	base    []int32
	kids    [][]int32
	links   [][]link // links[b][i] joins kids[b][i] to the next one
	z       []W      // of a blossom: half its dual
	unused  []int32
	blooms  []int32 // blossoms in use
	label   []uint8
	from    []link // the edge that gave the label: from.u outside, from.v inside
	queue   []int32
	best    []W // of a vertex that is not outer: least slack to an outer one
	bestBy  []int32
	inward  []W // of an outer vertex: least slack to an outer one elsewhere
	inTo    []int32
	mark    []int32
	markNow int32
	touched []int32 // nodes labelled in this search
	gone    []bool
	stack   []int32
	share   []W // see shareOf

	// Stop is asked before every search; when it says so, Solve panics with
	// Stopped, since a matching half solved is of no use to anybody.
	Stop func() bool
}

type link struct{ u, v int32 }

// New is a graph without matching: vertex u and v are joined when bit v of
// adj[u] is set (and bit u of adj[v]), with the weight table[class u × classes
// + class v], which must be symmetric and positive. The solver owns adj afterwards.
func New[W Words](class []int32, classes int, table []W, adj [][]uint64, inside int) *Matcher[W] {
	n := len(class)
	m := &Matcher[W]{
		n: n, class: class, classes: int32(classes), table: table, adj: adj, inside: inside,
		bump: make([]uint64, n), pair: make([]uint64, n), paired: make([]bool, n),
		special: None, favour: make([]uint64, n),
		mate: make([]int32, n), y: make([]W, n),
		top: make([]int32, n), parent: make([]int32, 2*n+1), base: make([]int32, 2*n+1),
		kids: make([][]int32, 2*n+1), links: make([][]link, 2*n+1), z: make([]W, 2*n+1),
		label: make([]uint8, 2*n+1), from: make([]link, 2*n+1),
		best: make([]W, n), bestBy: make([]int32, n), inward: make([]W, n), inTo: make([]int32, n),
		mark: make([]int32, 2*n+1), gone: make([]bool, n),
	}
	for v := 0; v < n; v++ {
		m.mate[v], m.top[v], m.parent[v], m.base[v] = None, int32(v), None, int32(v)
	}
	for b := 2 * n; b >= n; b-- {
		m.unused = append(m.unused, int32(b))
	}
	return m
}

// weight puts the weight of the edge u–v into w.
func (m *Matcher[W]) weight(w *W, u, v int) {
	*w = m.table[m.class[u]*m.classes+m.class[v]]
	if u < m.inside && v < m.inside {
		low := m.bump[u] + m.bump[v]
		if m.paired[u] && m.paired[v] {
			low += m.pair[min(u, v)]
		}
		(*w)[0] = low
	}
	if u == m.special {
		(*w)[0] += m.favour[v]
	} else if v == m.special {
		(*w)[0] += m.favour[u]
	}
}

// slack puts y(u)+y(v)-weight into s.
func (m *Matcher[W]) slack(s *W, u, v int) {
	var w W
	m.weight(&w, u, v)
	add(s, &m.y[u], &m.y[v])
	sub(s, s, &w)
}

// Mate is the partner of v, or None.
func (m *Matcher[W]) Mate(v int) int { return int(m.mate[v]) }

// Joined tells whether u and v have an edge.
func (m *Matcher[W]) Joined(u, v int) bool { return m.adj[u][v>>6]>>(uint(v)&63)&1 != 0 }

// Tight tells whether the edge u–v may be part of an optimal matching as far
// as the duals know: an edge that is not tight is in none.
func (m *Matcher[W]) Tight(u, v int) bool {
	var s, w W
	m.weight(&w, u, v)
	add(&s, &m.y[u], &m.y[v])
	if m.top[u] == m.top[v] {
		m.shareOf(u)
		add(&s, &s, &m.share[v])
	}
	return s == w
}

// TightEdges calls f for the other ends of the edges of u that may be part of
// an optimal matching as far as the duals know.
func (m *Matcher[W]) TightEdges(u int, f func(v int)) {
	var s, w W
	m.shareOf(u)
	m.each(u, func(v int) {
		m.weight(&w, u, v)
		add(&s, &m.y[u], &m.y[v])
		if m.top[u] == m.top[v] {
			add(&s, &s, &m.share[v])
		}
		if s == w {
			f(v)
		}
	})
}

// shareOf fills in what the blossoms around both u and v carry of the edge
// u–v, for every v in the outermost blossom of u.
func (m *Matcher[W]) shareOf(u int) {
	if m.share == nil {
		m.share = make([]W, m.n)
	}
	m.stack = m.stack[:0]
	for a := m.parent[u]; a != None; a = m.parent[a] {
		m.stack = append(m.stack, a)
	}
	var sum W
	for i := len(m.stack) - 1; i >= 0; i-- {
		a := m.stack[i]
		add(&sum, &sum, &m.z[a])
		add(&sum, &sum, &m.z[a])
		inner := int32(u)
		if i > 0 {
			inner = m.stack[i-1]
		}
		for _, k := range m.kids[a] {
			if k != inner {
				m.leaves(k, func(v int32) { m.share[v] = sum })
			}
		}
	}
}

// Total is the weight of the matching.
func (m *Matcher[W]) Total() W {
	var sum, w W
	for u := 0; u < m.n; u++ {
		if v := int(m.mate[u]); v > u {
			m.weight(&w, u, v)
			add(&sum, &sum, &w)
		}
	}
	return sum
}

// each calls f for every neighbour of u.
func (m *Matcher[W]) each(u int, f func(v int)) {
	for i, row := range m.adj[u] {
		for ; row != 0; row &= row - 1 {
			f(i<<6 + bits.TrailingZeros64(row))
		}
	}
}

// settle gives u, which stands alone and unmatched, the least dual its edges allow.
func (m *Matcher[W]) settle(u int) {
	var need, w, d W
	m.each(u, func(v int) {
		m.weight(&w, u, v)
		if less(&m.y[v], &w) {
			sub(&d, &w, &m.y[v])
			if less(&need, &d) {
				need = d
			}
		}
	})
	m.y[u] = need
}

// Solve makes the matching optimal again.
func (m *Matcher[W]) Solve() {
	for v := 0; v < m.n; v++ {
		if m.mate[v] < 0 && !m.gone[v] && !isZero(&m.y[v]) {
			if m.Stop != nil && m.Stop() {
				panic(Stopped{})
			}
			m.search(v, false)
		}
	}
}

// Loosen takes u out of its blossoms and its match and fits its dual to its
// edges; to be called after the bonuses or edges of u have changed.
func (m *Matcher[W]) Loosen(u int) {
	m.Free(u)
	if v := m.mate[u]; v >= 0 {
		m.mate[u], m.mate[v] = None, None
	}
	m.settle(u)
}

// Favour gives each edge of u its own bonus; nil takes them away. The caller
// calls Loosen and Solve afterwards.
func (m *Matcher[W]) Favour(u int, bonus func(v int) uint64) {
	m.special = u
	if u == None {
		return
	}
	for v := range m.favour {
		m.favour[v] = bonus(v)
	}
}

// Bump gives every inner edge of u a bonus.
func (m *Matcher[W]) Bump(u int, bonus uint64) { m.bump[u] = bonus }

// Pair gives every edge among the vertices with a pair bonus that of its lower end.
func (m *Matcher[W]) Pair(u int, bonus uint64) { m.pair[u], m.paired[u] = bonus, true }

// Cut removes the edge u–v, which must not be matched.
func (m *Matcher[W]) Cut(u, v int) {
	if !m.Joined(u, v) {
		return
	}
	m.adj[u][v>>6] &^= 1 << (uint(v) & 63)
	m.adj[v][u>>6] &^= 1 << (uint(u) & 63)
}

// Free dissolves every blossom around u, so that edges of u may be cut.
func (m *Matcher[W]) Free(u int) {
	for m.top[u] != int32(u) {
		m.dissolve(m.top[u])
	}
}

// Settled fixes the matched pair u–v for good: both leave the graph.
func (m *Matcher[W]) Settled(u, v int) {
	m.Free(u)
	m.Free(v)
	for _, x := range [2]int{u, v} {
		m.gone[x] = true
		m.each(x, func(v int) { m.adj[v][x>>6] &^= 1 << (uint(x) & 63) })
		clear(m.adj[x])
	}
	if m.special == u || m.special == v {
		m.special = None
	}
	m.mate[u], m.mate[v] = int32(v), int32(u)
}

// Assign fixes pairs for good that the matching may not hold yet; the caller
// solves for the others afterwards.
func (m *Matcher[W]) Assign(pairs [][2]int) {
	for _, p := range pairs {
		for _, u := range p {
			m.Free(u)
			if v := m.mate[u]; v >= 0 {
				m.mate[u], m.mate[v] = None, None
			}
		}
	}
	for _, p := range pairs {
		m.Settled(p[0], p[1])
	}
}

// MayBeFree tells whether u may stay unmatched in an optimal matching as far as
// the duals know.
func (m *Matcher[W]) MayBeFree(u int) bool { return isZero(&m.y[u]) }

// leaves calls f for every vertex of node b.
func (m *Matcher[W]) leaves(b int32, f func(v int32)) {
	if int(b) < m.n {
		f(b)
		return
	}
	for _, k := range m.kids[b] {
		m.leaves(k, f)
	}
}

// release makes the kids of b outermost and b unused.
func (m *Matcher[W]) release(b int32) {
	for _, k := range m.kids[b] {
		m.parent[k] = None
		m.leaves(k, func(v int32) { m.top[v] = k })
	}
	m.kids[b], m.links[b] = nil, nil
	m.label[b] = unlabelled
	m.unused = append(m.unused, b)
	for i, x := range m.blooms {
		if x == b {
			m.blooms[i] = m.blooms[len(m.blooms)-1]
			m.blooms = m.blooms[:len(m.blooms)-1]
			break
		}
	}
}

// dissolve opens the outermost blossom b outside a search. Its dual goes to its
// vertices, which keeps inner edges tight; the matched edge that leaves it is
// tight no more and is given up.
func (m *Matcher[W]) dissolve(b int32) {
	if !isZero(&m.z[b]) {
		m.leaves(b, func(v int32) { add(&m.y[v], &m.y[v], &m.z[b]) })
		v := m.base[b]
		if w := m.mate[v]; w >= 0 {
			m.mate[v], m.mate[w] = None, None
		}
	}
	m.release(b)
}
