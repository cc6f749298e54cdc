package blossom

import "math/bits"

// search grows one alternating tree from the unmatched vertex root until it
// meets an unmatched vertex or an outer vertex whose dual is zero, which then
// becomes the unmatched one. With stay set the duals must not move, and false
// means that this was not possible.
func (m *Matcher[W]) search(root int, stay bool) bool {
	for _, t := range m.touched {
		m.label[t] = unlabelled
	}
	m.touched, m.queue = m.touched[:0], m.queue[:0]
	for v := range m.bestBy {
		m.bestBy[v], m.inTo[v] = None, None
	}
	done := m.makeOuter(m.top[root], link{None, None})
	for !done {
		for len(m.queue) > 0 && !done {
			u := m.queue[len(m.queue)-1]
			m.queue = m.queue[:len(m.queue)-1]
			done = m.scan(int(u))
		}
		if done {
			break
		}
		var ok bool
		if done, ok = m.step(stay); !ok {
			m.tidy()
			return false
		}
	}
	m.tidy()
	return true
}

// tidy opens outermost blossoms without dual, so that those kept between
// searches are the ones optimal matchings are bound by.
func (m *Matcher[W]) tidy() {
	for _, t := range m.touched {
		m.label[t] = unlabelled
	}
	m.touched = m.touched[:0]
	for again := true; again; {
		again = false
		for i := len(m.blooms) - 1; i >= 0; i-- {
			if b := m.blooms[i]; m.parent[b] == None && isZero(&m.z[b]) {
				m.release(b)
				again = true
				break
			}
		}
	}
}

// makeOuter labels node b outer. True: the search is over, since a vertex of b
// may stay unmatched.
func (m *Matcher[W]) makeOuter(b int32, by link) bool {
	m.label[b], m.from[b] = outer, by
	m.touched = append(m.touched, b)
	return m.enqueue(b)
}

func (m *Matcher[W]) enqueue(b int32) bool {
	exit := int32(None)
	m.leaves(b, func(v int32) {
		m.queue = append(m.queue, v)
		m.inTo[v] = None
		if isZero(&m.y[v]) {
			exit = v
		}
	})
	if exit >= 0 {
		m.flip(exit, None)
		return true
	}
	return false
}

// scan looks at every edge of the outer vertex u.
func (m *Matcher[W]) scan(u int) bool {
	var s W
	for i, row := range m.adj[u] {
		for ; row != 0; row &= row - 1 {
			v := i<<6 + bits.TrailingZeros64(row)
			b := m.top[v]
			if b == m.top[u] {
				continue
			}
			m.slack(&s, u, v)
			if m.label[b] == outer {
				if isZero(&s) {
					if m.shrink(int32(u), int32(v)) {
						return true
					}
				} else if m.inTo[u] == None || less(&s, &m.inward[u]) {
					m.inward[u], m.inTo[u] = s, int32(v)
				}
				continue
			}
			if m.label[b] == unlabelled && isZero(&s) {
				if m.grow(int32(u), int32(v)) {
					return true
				}
				continue
			}
			if m.bestBy[v] == None || less(&s, &m.best[v]) {
				m.best[v], m.bestBy[v] = s, int32(u)
			}
		}
	}
	return false
}

// grow extends the tree over the tight edge u–v to an unlabelled node.
func (m *Matcher[W]) grow(u, v int32) bool {
	b := m.top[v]
	w := m.mate[m.base[b]]
	if w < 0 {
		if int(b) >= m.n {
			m.rebase(b, v)
		}
		m.mate[v] = u
		m.flip(u, v)
		return true
	}
	m.label[b], m.from[b] = inner, link{u, v}
	m.touched = append(m.touched, b)
	return m.makeOuter(m.top[w], link{m.base[b], w})
}

// flip matches the outer vertex s with p and exchanges matched and unmatched
// edges on the way from s to the root.
func (m *Matcher[W]) flip(s, p int32) {
	for {
		b := m.top[s]
		if int(b) >= m.n {
			m.rebase(b, s)
		}
		m.mate[s] = p
		t := m.from[b].u
		if t < 0 {
			return
		}
		in := m.top[t]
		e := m.from[in]
		if int(in) >= m.n {
			m.rebase(in, e.v)
		}
		m.mate[e.v] = e.u
		s, p = e.u, e.v
	}
}

// rebase rematches the inside of blossom b so that v is its base.
func (m *Matcher[W]) rebase(b, v int32) {
	t := v
	for m.parent[t] != b {
		t = m.parent[t]
	}
	if int(t) >= m.n {
		m.rebase(t, v)
	}
	kids, links := m.kids[b], m.links[b]
	k := len(kids)
	i := 0
	for kids[i] != t {
		i++
	}
	step := -1
	if i&1 == 1 {
		step = 1
	}
	for j := i; j != 0 && j != k; {
		j += step
		var e link
		if step > 0 {
			e = links[j%k]
		} else {
			l := links[j-1]
			e = link{l.v, l.u}
		}
		if c := kids[j%k]; int(c) >= m.n {
			m.rebase(c, e.u)
		}
		j += step
		if c := kids[(j+k)%k]; int(c) >= m.n {
			m.rebase(c, e.v)
		}
		m.mate[e.u], m.mate[e.v] = e.v, e.u
	}
	m.kids[b] = append(append(make([]int32, 0, k), kids[i:]...), kids[:i]...)
	m.links[b] = append(append(make([]link, 0, k), links[i:]...), links[:i]...)
	m.base[b] = v
}

// shrink makes a blossom of the cycle that the tight edge u–v between two outer
// nodes closes.
func (m *Matcher[W]) shrink(u, v int32) bool {
	m.markNow++
	x, y := m.top[u], m.top[v]
	root := int32(None)
	for x != None || y != None {
		if x != None {
			if m.mark[x] == m.markNow {
				root = x
				break
			}
			m.mark[x] = m.markNow
			x = m.above(x)
		}
		x, y = y, x
	}
	var kids []int32
	var links []link
	for b := m.top[u]; b != root; b = m.top[m.from[b].u] {
		kids = append(kids, b)
		links = append(links, m.from[b])
	}
	kids = append(kids, root)
	for i, j := 0, len(kids)-1; i < j; i, j = i+1, j-1 {
		kids[i], kids[j] = kids[j], kids[i]
	}
	for i, j := 0, len(links)-1; i < j; i, j = i+1, j-1 {
		links[i], links[j] = links[j], links[i]
	}
	links = append(links, link{u, v})
	for b := m.top[v]; b != root; b = m.top[m.from[b].u] {
		kids = append(kids, b)
		links = append(links, link{m.from[b].v, m.from[b].u})
	}
	nb := m.unused[len(m.unused)-1]
	m.unused = m.unused[:len(m.unused)-1]
	m.blooms = append(m.blooms, nb)
	m.kids[nb], m.links[nb] = kids, links
	m.base[nb], m.parent[nb] = m.base[root], None
	var zero W
	m.z[nb] = zero
	m.label[nb], m.from[nb] = outer, m.from[root]
	m.touched = append(m.touched, nb)
	over := false
	for _, k := range kids {
		m.parent[k] = nb
		m.leaves(k, func(w int32) { m.top[w] = nb })
	}
	for _, k := range kids {
		if m.label[k] == inner && !over {
			over = m.enqueue(k)
		}
	}
	return over
}

// above is the outer node over the outer node b in the tree.
func (m *Matcher[W]) above(b int32) int32 {
	t := m.from[b].u
	if t < 0 {
		return None
	}
	return m.top[m.from[m.top[t]].u]
}

// step moves the duals until something becomes tight and acts on it. ok is
// false when that would need a move that is not allowed.
func (m *Matcher[W]) step(stay bool) (done, ok bool) {
	var delta, h W
	const (
		nothing = iota
		exit
		reach
		meet
		open
	)
	kind, at := nothing, int32(None)
	take := func(d *W, k int, x int32) {
		if kind == nothing || less(d, &delta) {
			delta, kind, at = *d, k, x
		}
	}
	for v := int32(0); v < int32(m.n); v++ {
		if m.gone[v] {
			continue
		}
		switch m.label[m.top[v]] {
		case outer:
			take(&m.y[v], exit, v)
			if m.inTo[v] != None && m.top[m.inTo[v]] == m.top[v] {
				m.lookInward(int(v))
			}
			if m.inTo[v] != None {
				halve(&h, &m.inward[v])
				take(&h, meet, v)
			}
		case unlabelled:
			if m.bestBy[v] != None {
				take(&m.best[v], reach, v)
			}
		}
	}
	for _, b := range m.blooms {
		if m.parent[b] == None && m.label[b] == inner {
			take(&m.z[b], open, b)
		}
	}
	if stay && !isZero(&delta) {
		return false, false
	}
	if !isZero(&delta) {
		m.move(&delta)
	}
	switch kind {
	case exit:
		m.flip(at, None)
		return true, true
	case reach:
		return m.grow(m.bestBy[at], at), true
	case meet:
		return m.shrink(at, m.inTo[at]), true
	}
	return m.open(at), true
}

// move shifts the duals of the tree by delta.
func (m *Matcher[W]) move(delta *W) {
	for v := 0; v < m.n; v++ {
		if m.gone[v] {
			continue
		}
		switch m.label[m.top[v]] {
		case outer:
			sub(&m.y[v], &m.y[v], delta)
			if m.inTo[v] != None {
				sub(&m.inward[v], &m.inward[v], delta)
				sub(&m.inward[v], &m.inward[v], delta)
			}
		case inner:
			add(&m.y[v], &m.y[v], delta)
		default:
			if m.bestBy[v] != None {
				sub(&m.best[v], &m.best[v], delta)
			}
		}
	}
	for _, b := range m.blooms {
		if m.parent[b] != None {
			continue
		}
		switch m.label[b] {
		case outer:
			add(&m.z[b], &m.z[b], delta)
		case inner:
			sub(&m.z[b], &m.z[b], delta)
		}
	}
}

// lookInward finds the least slack from the outer vertex u to another outer node.
func (m *Matcher[W]) lookInward(u int) {
	m.inTo[u] = None
	var s W
	m.each(u, func(v int) {
		if m.top[v] != m.top[u] && m.label[m.top[v]] == outer {
			m.slack(&s, u, v)
			if m.inTo[u] == None || less(&s, &m.inward[u]) {
				m.inward[u], m.inTo[u] = s, int32(v)
			}
		}
	})
}

// open replaces the inner blossom b, whose dual has come to zero, by its kids.
func (m *Matcher[W]) open(b int32) bool {
	kids, links, by := m.kids[b], m.links[b], m.from[b]
	k := len(kids)
	t := by.v
	for m.parent[t] != b {
		t = m.parent[t]
	}
	m.release(b)
	for _, c := range kids {
		m.label[c] = unlabelled
	}
	i := 0
	for kids[i] != t {
		i++
	}
	step := -1
	if i&1 == 1 {
		step = 1
	}
	over := false
	for j := i; ; {
		c := kids[(j+k)%k]
		m.label[c], m.from[c] = inner, by
		m.touched = append(m.touched, c)
		if j == 0 || j == k {
			break
		}
		j += step
		s := kids[(j+k)%k]
		x := m.base[c]
		m.label[s], m.from[s] = outer, link{x, m.mate[x]}
		m.touched = append(m.touched, s)
		if step > 0 {
			by = links[j%k]
		} else {
			l := links[j-1]
			by = link{l.v, l.u}
		}
		j += step
	}
	for _, c := range kids {
		if m.label[c] == outer && !over {
			over = m.enqueue(c)
		}
	}
	return over
}
