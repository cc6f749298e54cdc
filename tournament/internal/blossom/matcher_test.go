package blossom_test

import (
	"math/rand/v2"
	"testing"

	"chpok.org/chpok/tournament/internal/blossom"
)

type words = [2]uint64

// graph is a small random graph whose weights the tests know by heart.
type graph struct {
	n      int
	class  []int32
	table  []words
	edge   [][]bool
	bump   []uint64
	pair   []uint64
	favour func(u, v int) uint64
	inside int
}

func random(rng *rand.Rand) (*graph, *blossom.Matcher[words]) {
	n := 2 + rng.IntN(9)
	classes := 1 + rng.IntN(n)
	g := &graph{n: n, inside: rng.IntN(n + 1), bump: make([]uint64, n), pair: make([]uint64, n), favour: func(int, int) uint64 { return 0 }}
	for range n {
		g.class = append(g.class, int32(rng.IntN(classes)))
	}
	g.table = make([]words, classes*classes)
	top := 1 + rng.IntN(6)
	for i := range classes {
		for j := range i + 1 {
			w := words{0, uint64(1 + rng.IntN(top))}
			g.table[i*classes+j], g.table[j*classes+i] = w, w
		}
	}
	density := rng.Float64()
	adj := make([][]uint64, n)
	for u := range n {
		adj[u] = make([]uint64, 1)
		g.edge = append(g.edge, make([]bool, n))
	}
	for u := range n {
		for v := range u {
			if rng.Float64() < density {
				adj[u][0] |= 1 << v
				adj[v][0] |= 1 << u
				g.edge[u][v], g.edge[v][u] = true, true
			}
		}
	}
	m := blossom.New(g.class, classes, g.table, adj, g.inside)
	m.Start(func(u int) int { return n - 1 - u })
	return g, m
}

func (g *graph) weight(classes, u, v int) uint64 {
	w := g.table[int(g.class[u])*classes+int(g.class[v])][1] << 20
	if u < g.inside && v < g.inside {
		w += g.bump[u] + g.bump[v]
		if g.pair[u] > 0 && g.pair[v] > 0 {
			w += g.pair[min(u, v)]
		}
	}
	return w + g.favour(u, v)
}

// heaviest tries every matching.
func (g *graph) heaviest(used uint) uint64 {
	classes := 0
	for classes*classes < len(g.table) {
		classes++
	}
	memo := map[uint]uint64{}
	var walk func(used uint) uint64
	walk = func(used uint) uint64 {
		if used == 1<<g.n-1 {
			return 0
		}
		if w, ok := memo[used]; ok {
			return w
		}
		u := 0
		for used>>u&1 != 0 {
			u++
		}
		best := walk(used | 1<<u)
		for v := u + 1; v < g.n; v++ {
			if used>>v&1 == 0 && g.edge[u][v] {
				best = max(best, g.weight(classes, u, v)+walk(used|1<<u|1<<v))
			}
		}
		memo[used] = best
		return best
	}
	return walk(used)
}

func (g *graph) total(m *blossom.Matcher[words]) uint64 {
	w := m.Total()
	return w[1]<<20 + w[0]
}

// The optimum is that of trying everything, from nothing and after any number
// of changes of bonuses, cuts and fixed pairs.
func TestMatchingIsHeaviest(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for trial := range 6000 {
		g, m := random(rng)
		m.Solve()
		if got, want := g.total(m), g.heaviest(0); got != want {
			t.Fatalf("trial %d: weight %x, heaviest %x", trial, got, want)
		}
		var used uint
		var fixed uint64
		for step := range 8 {
			u := rng.IntN(g.n)
			if used>>u&1 != 0 {
				continue
			}
			switch rng.IntN(5) {
			case 0:
				g.bump[u] = 2 * uint64(rng.IntN(3))
				m.Bump(u, g.bump[u])
				m.Loosen(u)
			case 1:
				g.favour = func(a, b int) uint64 {
					if a == u || b == u {
						return uint64(2 * ((a + b) % 5))
					}
					return 0
				}
				m.Favour(u, func(v int) uint64 { return uint64(2 * ((u + v) % 5)) })
				for v := range g.n {
					if used>>v&1 == 0 {
						m.Loosen(v)
					}
				}
			case 2:
				v := rng.IntN(g.n)
				if u != v && m.Mate(u) != v {
					m.Free(u)
					m.Free(v)
					m.Cut(u, v)
					g.edge[u][v], g.edge[v][u] = false, false
				}
			case 3:
				if v := m.Mate(u); v >= 0 && rng.IntN(2) == 0 {
					before := g.total(m)
					m.Settled(u, v)
					used |= 1<<u | 1<<v
					classes := 0
					for classes*classes < len(g.table) {
						classes++
					}
					_ = before
					fixed = 0
					for a := range g.n {
						if b := m.Mate(a); used>>a&1 != 0 && b > a {
							fixed += g.weight(classes, a, b)
						}
					}
				}
			case 4:
				g.pair[u] = 2 * uint64(1+rng.IntN(4))
				m.Pair(u, g.pair[u])
				for v := range g.n {
					if used>>v&1 == 0 {
						m.Loosen(v)
					}
				}
			}
			m.Solve()
			classes := 0
			for classes*classes < len(g.table) {
				classes++
			}
			fixed = 0
			for a := range g.n {
				if b := m.Mate(a); used>>a&1 != 0 && b > a {
					fixed += g.weight(classes, a, b)
				}
			}
			var free uint64
			for a := range g.n {
				if b := m.Mate(a); used>>a&1 == 0 && b > a {
					free += g.weight(classes, a, b)
				}
			}
			if want := g.heaviest(used); free != want {
				t.Fatalf("trial %d step %d: weight %x, heaviest %x (fixed %x)", trial, step, free, want, fixed)
			}
		}
	}
}
