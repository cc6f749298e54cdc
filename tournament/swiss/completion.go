package swiss

import "math/bits"

// completion is a maximum matching without weights, on bitsets: it answers
// whether those alive can all be paired (C4), and who may be left over.
type completion struct {
	n     int
	edges func(i int, row bitset) // puts the neighbours of i among the living into row
	alive bitset
	mate  []int32
	row   bitset

	// of one search
	outer, inner bitset
	from         []int32
	base         []int32
	queue        []int32
}

func newCompletion(alive bitset, n int, edges func(i int, row bitset)) *completion {
	c := &completion{
		n: n, edges: edges, alive: alive, mate: make([]int32, n), row: newBitset(n),
		outer: newBitset(n), inner: newBitset(n), from: make([]int32, n), base: make([]int32, n),
	}
	for i := range c.mate {
		c.mate[i] = -1
	}
	return c
}

// match finds a maximum matching and returns those left over.
func (c *completion) match() []int {
	free := make(bitset, len(c.alive))
	copy(free, c.alive)
	c.alive.each(func(i int) {
		if !free.has(i) {
			return
		}
		c.edges(i, c.row)
		// From the far end: whoever is hard to pair stands low in the order.
		for k := len(c.row) - 1; k >= 0; k-- {
			if w := c.row[k] & free[k]; w != 0 {
				j := k<<6 + 63 - bits.LeadingZeros64(w)
				c.mate[i], c.mate[j] = int32(j), int32(i)
				free.clear(i)
				free.clear(j)
				return
			}
		}
	})
	var left []int
	free.each(func(i int) {
		if c.mate[i] < 0 && !c.augment(i) {
			left = append(left, i)
		}
	})
	return left
}

// augment looks for a better matching from the unmatched root. Without one,
// outer holds everybody who could be left over instead of the root.
func (c *completion) augment(root int) bool {
	clear(c.outer)
	clear(c.inner)
	for i := range c.base {
		c.base[i], c.from[i] = int32(i), -1
	}
	c.outer.set(root)
	c.queue = append(c.queue[:0], int32(root))
	for len(c.queue) > 0 {
		u := int(c.queue[0])
		c.queue = c.queue[1:]
		c.edges(u, c.row)
		row := append(bitset(nil), c.row...)
		for k := range row {
			for w := row[k]; w != 0; w &= w - 1 {
				v := k<<6 + bits.TrailingZeros64(w)
				if c.base[u] == c.base[v] || int(c.mate[u]) == v {
					continue
				}
				if c.outer.has(v) {
					c.join(int32(u), int32(v))
					continue
				}
				if c.inner.has(v) {
					continue
				}
				c.from[v] = int32(u)
				if c.mate[v] < 0 {
					c.flip(int32(v))
					return true
				}
				c.inner.set(v)
				c.outer.set(int(c.mate[v]))
				c.queue = append(c.queue, c.mate[v])
			}
		}
	}
	return false
}

func (c *completion) flip(v int32) {
	for v >= 0 {
		u := c.from[v]
		next := c.mate[u]
		c.mate[u], c.mate[v] = v, u
		v = next
	}
}

// join contracts the odd cycle that the outer vertices u and v close.
func (c *completion) join(u, v int32) {
	seen := map[int32]bool{}
	for x := c.base[u]; ; x = c.base[c.from[c.mate[x]]] {
		seen[x] = true
		if c.mate[x] < 0 {
			break
		}
	}
	b := c.base[v]
	for !seen[b] {
		b = c.base[c.from[c.mate[b]]]
	}
	in := map[int32]bool{}
	climb := func(x, child int32) {
		for c.base[x] != b {
			in[c.base[x]], in[c.base[c.mate[x]]] = true, true
			c.from[x] = child
			child = c.mate[x]
			x = c.from[c.mate[x]]
		}
	}
	climb(u, v)
	climb(v, u)
	for i := range c.base {
		if in[c.base[i]] {
			c.base[i] = b
			if !c.outer.has(i) && c.alive.has(i) {
				c.outer.set(i)
				c.queue = append(c.queue, int32(i))
			}
		}
	}
}
