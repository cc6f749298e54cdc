package blossom

import "math/bits"

// Cardinality is a matching of as many vertices as possible, without weights.
// Sets of vertices are bitsets of 64-bit words.
type Cardinality struct {
	n     int
	edges func(i int, row []uint64) // puts the neighbours of i into row
	mate  []int32
	row   []uint64

	// of one search
	outer, inner []uint64
	from, base   []int32
	queue        []int32
	seen         []int32
	now          int32
	alive        []uint64
}

// NewCardinality is an empty matching of the vertices in alive. edges puts the
// neighbours of a vertex, among the living, into row.
func NewCardinality(alive []uint64, n int, edges func(i int, row []uint64)) *Cardinality {
	words := len(alive)
	c := &Cardinality{
		n: n, edges: edges, mate: make([]int32, n), row: make([]uint64, words), alive: alive,
		outer: make([]uint64, words), inner: make([]uint64, words),
		from: make([]int32, n), base: make([]int32, n), seen: make([]int32, n),
	}
	for i := range c.mate {
		c.mate[i] = None
	}
	return c
}

// Pair matches two unmatched neighbours, as a start.
func (c *Cardinality) Pair(i, j int) { c.mate[i], c.mate[j] = int32(j), int32(i) }

// Match makes the matching as large as possible and returns those left over.
func (c *Cardinality) Match() []int {
	free := make([]uint64, len(c.alive))
	copy(free, c.alive)
	for i, j := range c.mate {
		if j >= 0 {
			free[i>>6] &^= 1 << (uint(i) & 63)
		}
	}
	for k := range free {
		for w := free[k]; w != 0; w &= free[k] & (w - 1) {
			i := k<<6 + bits.TrailingZeros64(w)
			c.edges(i, c.row)
			// From the far end: whoever is hard to pair stands low in the order.
			for x := len(c.row) - 1; x >= 0; x-- {
				if r := c.row[x] & free[x]; r != 0 {
					j := x<<6 + 63 - bits.LeadingZeros64(r)
					c.Pair(i, j)
					free[k] &^= 1 << (uint(i) & 63)
					free[x] &^= 1 << (uint(j) & 63)
					break
				}
			}
		}
	}
	var left []int
	for k, w := range free {
		for ; w != 0; w &= w - 1 {
			if i := k<<6 + bits.TrailingZeros64(w); c.mate[i] < 0 && !c.augment(i) {
				left = append(left, i)
			}
		}
	}
	return left
}

func has(set []uint64, i int32) bool { return set[i>>6]>>(uint(i)&63)&1 != 0 }

func (c *Cardinality) reach(v int32) {
	c.outer[v>>6] |= 1 << (uint(v) & 63)
	c.queue = append(c.queue, v)
}

// augment looks for a larger matching from the unmatched root.
func (c *Cardinality) augment(root int) bool {
	clear(c.outer)
	clear(c.inner)
	for i := range c.base {
		c.base[i], c.from[i] = int32(i), None
	}
	c.queue = c.queue[:0]
	c.reach(int32(root))
	for at := 0; at < len(c.queue); at++ {
		u := c.queue[at]
		c.edges(int(u), c.row)
		for k := range c.row {
			for w := c.row[k] &^ c.inner[k]; w != 0; w &= w - 1 {
				v := int32(k<<6 + bits.TrailingZeros64(w))
				if c.mate[u] == v || c.root(u) == c.root(v) {
					continue
				}
				if has(c.outer, v) {
					c.join(u, v)
					continue
				}
				if has(c.inner, v) {
					continue
				}
				c.from[v] = u
				if c.mate[v] < 0 {
					c.flip(v)
					return true
				}
				c.inner[k] |= 1 << (uint(v) & 63)
				c.reach(c.mate[v])
			}
		}
	}
	return false
}

func (c *Cardinality) flip(v int32) {
	for v >= 0 {
		u := c.from[v]
		next := c.mate[u]
		c.mate[u], c.mate[v] = v, u
		v = next
	}
}

// root is the base of the blossom around v.
func (c *Cardinality) root(v int32) int32 {
	for c.base[v] != v {
		c.base[v] = c.base[c.base[v]]
		v = c.base[v]
	}
	return v
}

// join contracts the odd cycle that the outer vertices u and v close.
func (c *Cardinality) join(u, v int32) {
	c.now++
	x, y := c.root(u), c.root(v)
	for {
		if x != None {
			if c.seen[x] == c.now {
				break
			}
			c.seen[x] = c.now
			if m := c.mate[x]; m < 0 {
				x = None
			} else {
				x = c.root(c.from[m])
			}
		}
		x, y = y, x
	}
	c.climb(u, v, x)
	c.climb(v, u, x)
}

func (c *Cardinality) climb(x, child, b int32) {
	for c.root(x) != b {
		c.from[x] = child
		child = c.mate[x]
		if !has(c.outer, child) {
			c.reach(child)
		}
		for _, y := range [2]int32{x, child} {
			if c.base[y] == y {
				c.base[y] = b
			}
		}
		x = c.from[child]
	}
}
