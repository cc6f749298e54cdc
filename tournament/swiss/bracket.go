package swiss

import (
	"chpok.org/chpok/tournament/internal/blossom"
)

// paired is the pairing of a bracket, by local numbers.
type paired struct {
	pairs    [][2]int // the higher ranked first
	floaters []int    // players who move down, in order
	later    []bool   // unpaired players with a provisional opponent in the window
	complete bool     // joined windows: everybody but the bye has an opponent
}

// tooWide is the panic of solve when a bracket has so many different scores that no
// weight holds them; Pair returns errTooWide.
type tooWide struct{}

// solve pairs the bracket of a window with weights as wide as needed.
func (w *window) solve() paired {
	of, classes, games := w.classify()
	l := w.plan(games)
	switch words := (l.width+63)/64 + 1; {
	case words <= 2:
		return solve[[2]uint64](w, l, of, classes)
	case words == 3:
		return solve[[3]uint64](w, l, of, classes)
	case words == 4:
		return solve[[4]uint64](w, l, of, classes)
	case words <= 6:
		return solve[[6]uint64](w, l, of, classes)
	case words <= 8:
		return solve[[8]uint64](w, l, of, classes)
	case words <= 16:
		return solve[[16]uint64](w, l, of, classes)
	case words <= 64:
		return solve[[64]uint64](w, l, of, classes)
	}
	panic(tooWide{})
}

// pairing is a bracket being paired.
type pairing[W blossom.Words] struct {
	*window
	m       *blossom.Matcher[W]
	settled []bool
	plain   bool // without the shortcut of transpose
	failed  bool // the shortcut was wrong
	out     paired
}

func solve[W blossom.Words](w *window, l *layout, of []int32, classes []class) paired {
	k := len(classes)
	table := make([]W, k*k)
	var buffer [64]uint64
	for i := range classes {
		for j := range i + 1 {
			var x W
			words := buffer[:len(x)]
			clear(words)
			l.weigh(words, &classes[i], &classes[j])
			for n := range words {
				x[n] = words[n]
			}
			table[i*k+j], table[j*k+i] = x, x
		}
	}
	for _, plain := range []bool{w.plain, true} {
		p := &pairing[W]{window: w, m: blossom.New(of, k, table, w.adjacency(), w.size), settled: make([]bool, len(w.who)), plain: plain}
		p.m.Stop = w.stop
		p.m.Start(p.fold())
		p.m.Solve()
		p.chooseMoved()
		p.pairMoved()
		p.pairRest()
		if p.failed {
			continue
		}
		p.conclude()
		return p.out
	}
	panic("swiss: the long way failed, too")
}

// fold proposes the pairing of a bracket without history: players moved down with the
// first residents, the upper half of the rest with the lower.
func (p *pairing[W]) fold() func(int) int {
	moved, rest := p.moved, p.size-2*p.moved
	if rest < 0 {
		moved, rest = p.size-p.moved, 0
	}
	first := p.moved + moved
	half := rest / 2
	below := p.size + (p.next-p.size)/2
	return func(u int) int {
		switch {
		case u < moved:
			return p.moved + u
		case u >= first && u < first+half:
			return u + half
		case u >= p.size && u < below:
			return u + below - p.size
		}
		return -1
	}
}

// inside reports whether u has an opponent in the bracket.
func (p *pairing[W]) inside(u int) bool {
	v := p.m.Mate(u)
	return v >= 0 && v < p.size
}

// Bonuses in the lowest word of the weights. Each outweighs all sums of the one before.
const (
	probe  = 2
	chosen = 1 << 20
)

// chooseMoved decides which of the players moved down are paired here (4.4): among equal
// ones the higher ranked. How many of each score are paired is already settled.
func (p *pairing[W]) chooseMoved() {
	for i := 0; i < p.moved; {
		j, todo := i, 0
		for ; j < p.moved && p.score(j) == p.score(i); j++ {
			if p.inside(j) {
				todo++
			}
		}
		if todo == 0 || todo == j-i {
			i = j
			continue
		}
		for ; i < j && todo > 0; i++ {
			if !p.inside(i) {
				p.rebump(i, probe)
			}
			if p.inside(i) {
				todo--
				p.rebump(i, chosen)
			}
		}
		i = j
	}
}

func (p *pairing[W]) score(u int) int { return int(p.r.players[p.who[u]].score) }

func (p *pairing[W]) rebump(u int, bonus uint64) {
	p.m.Bump(u, bonus)
	p.m.Loosen(u)
	p.m.Solve()
}

// pairMoved gives the players moved down their opponents, the highest possible resident
// to each in turn (4.2).
func (p *pairing[W]) pairMoved() {
	for u := range p.moved {
		if p.inside(u) {
			p.choose(u, func(v int) bool { return v >= p.moved })
		}
	}
}

// choose pairs u definitively with the first possible player of the bracket. The matching
// stays optimal throughout, so every proposal of it is possible.
func (p *pairing[W]) choose(u int, may func(v int) bool) {
	mate := p.m.Mate(u)
	for v := 0; v < p.size && v != mate; v++ {
		if !p.settled[v] && may(v) && p.m.Joined(u, v) && p.m.Tight(u, v) {
			p.m.Favour(u, func(v int) uint64 {
				if v < p.size && !p.settled[v] && may(v) {
					return uint64(p.size-v) * probe
				}
				return 0
			})
			p.m.Loosen(u)
			p.m.Solve()
			mate = p.m.Mate(u)
			break
		}
	}
	p.settle(u, mate)
}

func (p *pairing[W]) settle(u, v int) {
	p.m.Settled(u, v)
	p.m.Solve()
	p.settled[u], p.settled[v] = true, true
	p.out.pairs = append(p.out.pairs, [2]int{u, v})
}

// pairRest pairs the remaining residents as a homogeneous bracket (3.6): fewest
// exchanges, then the first among equals.
func (p *pairing[W]) pairRest() {
	var rest []int
	pairs := 0
	for v := p.moved; v < p.size; v++ {
		if !p.settled[v] {
			rest = append(rest, v)
			if p.inside(v) && p.m.Mate(v) < v {
				pairs++
			}
		}
	}
	if pairs == 0 {
		return
	}
	if !p.plain {
		if list := p.transpose(rest[:pairs], rest[pairs:]); list != nil {
			total := p.m.Total()
			p.m.Assign(list)
			p.m.Solve()
			if p.m.Total() != total {
				p.failed = true
				return
			}
			for _, q := range list {
				p.settled[q[0]], p.settled[q[1]] = true, true
			}
			p.out.pairs = append(p.out.pairs, list...)
			return
		}
	}
	if p.exchanges(rest[:pairs]) > 0 {
		p.exchange(rest, pairs)
	}
	upper := newBitset(len(p.who))
	for _, u := range rest {
		if p.isUpper(u) {
			upper.set(u)
		}
	}
	for _, u := range rest {
		p.m.Free(u)
	}
	for i, u := range rest {
		for _, v := range rest[i+1:] {
			if !upper.has(u) || upper.has(v) {
				p.m.Cut(u, v)
			}
		}
	}
	p.m.Solve()
	for _, u := range rest {
		if upper.has(u) {
			p.choose(u, func(v int) bool { return v > u && !upper.has(v) })
		}
	}
}

// isUpper reports whether u has an opponent below it in the bracket.
func (p *pairing[W]) isUpper(u int) bool { return p.inside(u) && p.m.Mate(u) > u }

// exchanges counts the players of S1 that the matching has moved to S2.
func (p *pairing[W]) exchanges(s1 []int) (n int) {
	for _, u := range s1 {
		if !p.isUpper(u) {
			n++
		}
	}
	return n
}

// exchange makes the matching use the first of the best exchanges between S1 =
// rest[:pairs] and S2 (4.3), and fixes it by cutting edges.
func (p *pairing[W]) exchange(rest []int, pairs int) {
	n := uint64(len(rest))
	unit := uint64(4 * probe)            // 4.3.2: difference of the numbers exchanged
	fewer := unit * n * uint64(pairs+1)  // 4.3.1: number of exchanges
	bound := fewer * uint64(pairs+1) * 2 // already decided
	for i, u := range rest {
		bonus := (n - uint64(i)) * unit
		if i < pairs {
			bonus += fewer
		}
		p.m.Pair(u, bonus)
	}
	for _, u := range rest {
		p.m.Free(u)
	}
	for _, u := range rest {
		p.m.Loosen(u)
	}
	p.m.Solve()
	total := p.exchanges(rest[:pairs])
	// 4.3.3: the lowest possible player of S1, then the next.
	for i, left := pairs-1, total; i >= 0 && left > 0; i-- {
		u := rest[i]
		wasUpper := p.isUpper(u)
		if wasUpper {
			p.favour(u, rest[i+1:], ^uint64(probe-1))
		}
		moved := !p.isUpper(u)
		if moved {
			left--
			p.m.Free(u)
			for _, v := range rest[i+1:] {
				p.m.Cut(u, v)
			}
		}
		p.unfavour(u, wasUpper)
	}
	// 4.3.4: the highest possible player of S2, then the next.
	for i, left := pairs, total; i < len(rest) && left > 0; i++ {
		u := rest[i]
		wasUpper := p.isUpper(u)
		if !wasUpper {
			p.favour(u, rest[i+1:], probe)
		}
		moved := p.isUpper(u)
		if moved {
			left--
			p.m.Free(u)
			for _, v := range rest[:i] {
				p.m.Cut(u, v)
			}
			p.m.Bump(u, bound)
			p.m.Favour(blossom.None, nil)
			p.m.Loosen(u)
			p.m.Solve()
			continue
		}
		p.unfavour(u, !wasUpper)
	}
}

// favour gives the edges from u to list a bonus and solves again.
func (p *pairing[W]) favour(u int, list []int, bonus uint64) {
	in := newBitset(len(p.who))
	for _, v := range list {
		in.set(v)
	}
	p.m.Favour(u, func(v int) uint64 {
		if in.has(v) {
			return bonus
		}
		return 0
	})
	p.m.Loosen(u)
	p.m.Solve()
}

func (p *pairing[W]) unfavour(u int, was bool) {
	if was {
		p.m.Favour(blossom.None, nil)
		p.m.Loosen(u)
	}
	p.m.Solve()
}

// conclude lists the floaters and who has a provisional opponent.
func (p *pairing[W]) conclude() {
	p.out.later = make([]bool, len(p.who))
	free := 0
	for v := range p.who {
		if p.settled[v] {
			continue
		}
		if v < p.size {
			p.out.floaters = append(p.out.floaters, v)
		}
		if p.m.Mate(v) >= 0 {
			p.out.later[v] = true
		} else {
			free++
		}
	}
	p.out.complete = free == 0 || free == 1 && p.r.odd
}
