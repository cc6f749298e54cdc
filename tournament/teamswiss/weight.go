package teamswiss

import (
	"math/bits"

	"chpok.org/chpok/tournament/internal/blossom"
)

// A weight holds criteria as fields of one number, the most important highest, each as wide as its
// sum over all pairs can be; so the heaviest matching is the best by the first criterion, then by the
// second … In every field more is better. The lowest word is left to probes.

// layout places fields from the least important one on.
type layout struct{ width uint }

// field is where a criterion stands in a weight; the zero value: it does not matter here.
type field struct{ shift, width uint }

// field makes room for sums of up to most.
func (l *layout) field(most int) field {
	f := field{l.width, uint(bits.Len(uint(most)))}
	l.width += f.width
	return f
}

// put adds n to the field of a weight.
func (f field) put(words []uint64, n uint64) {
	if n == 0 || f.width == 0 {
		return
	}
	k, s := f.shift/64+1, f.shift%64
	words[k] += n << s
	if s > 0 && n>>(64-s) != 0 {
		words[k+1] += n >> (64 - s)
	}
}

// tooWide is the panic for weights that do not fit.
type tooWide struct{}

// problem is a matching to be made as heavy as possible.
type problem struct {
	class []int32 // of vertices
	kinds int     // number of classes
	width uint
	weigh func(words []uint64, a, b int) // writes the weight of two classes
	adj   [][]uint64
	start func(u int) int // proposes partners
	stop  func() bool
}

// matcher is a blossom.Matcher of any width.
type matcher interface {
	Mate(v int) int
	Joined(u, v int) bool
	TightEdges(u int, f func(v int))
	Solve()
	Loosen(u int)
	Favour(u int, bonus func(v int) uint64)
	Bump(u int, bonus uint64)
	Cut(u, v int)
	Free(u int)
}

// solve returns the heaviest matching.
func (p problem) solve() matcher {
	switch words := 1 + (p.width+63)/64; {
	case words <= 2:
		return solveWith[[2]uint64](p)
	case words <= 4:
		return solveWith[[4]uint64](p)
	case words <= 8:
		return solveWith[[8]uint64](p)
	case words <= 64:
		return solveWith[[64]uint64](p)
	}
	panic(tooWide{})
}

func solveWith[W blossom.Words](p problem) matcher {
	table := make([]W, p.kinds*p.kinds)
	var one W
	words := make([]uint64, len(one))
	for a := range p.kinds {
		for b := range a + 1 {
			clear(words)
			p.weigh(words, a, b)
			var w W
			for i, x := range words {
				w[i] = x
			}
			table[a*p.kinds+b], table[b*p.kinds+a] = w, w
		}
	}
	m := blossom.New(p.class, p.kinds, table, p.adj, len(p.class))
	m.Stop = p.stop
	m.Start(p.start)
	m.Solve()
	return m
}

// A probe is the least that a weight can differ by. What is settled outweighs all probes.
const (
	probe   = 2
	settled = 1 << 20
)

// wouldBe reports whether u can have a partner who may, in some matching that is as heavy; then it
// has one now. The caller settles that, or calls forget.
func wouldBe(m matcher, u int, may func(v int) bool) bool {
	if v := m.Mate(u); v >= 0 && may(v) {
		return true
	}
	able := false
	m.TightEdges(u, func(v int) { able = able || may(v) })
	if !able {
		return false
	}
	m.Favour(u, func(v int) uint64 {
		if v != u && may(v) {
			return probe
		}
		return 0
	})
	m.Loosen(u)
	m.Solve()
	if v := m.Mate(u); v >= 0 && may(v) {
		return true
	}
	m.Favour(blossom.None, nil)
	return false
}

// forget takes the probe at u away.
func forget(m matcher, u int) {
	m.Favour(blossom.None, nil)
	m.Loosen(u)
	m.Solve()
}
