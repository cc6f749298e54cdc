package swiss

import (
	"maps"
	"math/bits"
	"slices"
)

// window is what one bracket is paired from: the bracket (players moved down, then
// residents), the next score group, and, if joined, everybody below. Positions in a
// window are local numbers.
type window struct {
	r      *round
	who    []int // players, by local number
	moved  int   // 0…moved-1 were moved down
	size   int   // 0…size-1 are the bracket
	next   int   // size…next-1 are the next score group
	joined bool  // next… is everybody below; C4 and C5 are part of the weights
	stop   func() bool
	plain  bool // no shortcuts, for comparisons
	byeIn  bool // C9: the only floater is the holder of the bye
}

// adjacency returns who may meet whom, by local number. Two players moved down never
// meet: a bracket pairs them with its residents only (3.2).
func (w *window) adjacency() [][]uint64 {
	n := len(w.who)
	words := (n + 63) / 64
	slab := make([]uint64, n*words)
	adj := make([][]uint64, n)
	rest := n - w.moved
	for i, p := range w.who {
		row := bitset(slab[i*words : (i+1)*words])
		legal := w.r.legal[p]
		if i >= w.moved {
			for k := range w.moved {
				if legal.has(w.who[k]) {
					row.set(k)
				}
			}
		}
		if rest > 0 {
			row.copyRange(w.moved, legal, w.who[w.moved], rest)
		}
		adj[i] = row
	}
	return adj
}

// class is everything that a weight depends on.
type class struct {
	role     int // levels of players moved down from 0, the highest first; then residents, next group, below
	want     uint8
	strength strength
	lead     int
	twice    uint8
	down, up [2]bool
	bye      bool // may have the bye
	games    int  // C9: rank by unplayed games
}

// field is a part of a weight.
type field struct{ width, shift uint }

// layout positions the criteria in a weight, in order. A criterion that cannot matter has
// no field.
type layout struct {
	levels                 int // distinct scores of players moved down
	complete               field
	pairs                  field   // C6
	scores                 []field // C7, by level
	nextPairs              field   // C8
	nextScores             []field // C8 by level, residents last
	games                  field   // C9
	lead, third            field   // C10, C11
	wish, strong           field   // C12, C13
	down, up               [2]field
	downScores, upScores   [2][]field // C18-C21
	width                  uint
	counts                 []int // players moved down, by level
	residents, inNext, all int
}

func (w *window) levelsOf() (level []int, counts []int) {
	level = make([]int, w.moved)
	for i := range w.moved {
		if i == 0 || w.r.players[w.who[i]].score != w.r.players[w.who[i-1]].score {
			counts = append(counts, 0)
		}
		counts[len(counts)-1]++
		level[i] = len(counts) - 1
	}
	return level, counts
}

func (w *window) plan(games int) *layout {
	_, counts := w.levelsOf()
	l := &layout{levels: len(counts), counts: counts, residents: w.size - w.moved, inNext: w.next - w.size, all: len(w.who)}
	pairs := uint(bits.Len(uint(w.moved + (l.residents-min(w.moved, l.residents))/2 + 1)))
	nextPairs := uint(bits.Len(uint(l.inNext)))
	up := uint(bits.Len(uint(w.moved)))
	var order []*field
	take := func(f *field, width uint) {
		if width > 0 {
			f.width = width
			order = append(order, f)
		}
	}
	list := func(fs *[]field, residents uint) {
		*fs = make([]field, l.levels, l.levels+1)
		if residents > 0 {
			*fs = append(*fs, field{})
		}
		for i, c := range counts {
			take(&(*fs)[i], uint(bits.Len(uint(c))))
		}
		if residents > 0 {
			take(&(*fs)[l.levels], residents)
		}
	}
	if w.joined {
		take(&l.complete, uint(bits.Len(uint(3*len(w.who)/2))))
	}
	take(&l.pairs, pairs)
	list(&l.scores, 0)
	if l.inNext > 0 {
		take(&l.nextPairs, nextPairs)
		list(&l.nextScores, min(uint(bits.Len(uint(l.residents))), nextPairs))
	}
	if w.byeIn {
		take(&l.games, uint(bits.Len(uint(games*len(w.who)))))
	}
	if w.r.last {
		take(&l.lead, pairs)
		take(&l.third, pairs)
	}
	take(&l.wish, pairs)
	take(&l.strong, pairs)
	for back := range min(2, w.r.played) {
		take(&l.down[back], pairs+1)
		take(&l.up[back], up)
	}
	for back := range min(2, w.r.played) {
		list(&l.downScores[back], 0)
		list(&l.upScores[back], 0)
	}
	for i := len(order) - 1; i >= 0; i-- {
		order[i].shift = l.width
		l.width += order[i].width
	}
	return l
}

// classify returns the class of each local number.
func (w *window) classify() (of []int32, classes []class, games int) {
	level, counts := w.levelsOf()
	rank := w.unplayedRanks()
	for _, k := range rank {
		games = max(games, k)
	}
	index := map[class]int32{}
	of = make([]int32, len(w.who))
	for i, g := range w.who {
		p := &w.r.players[g]
		var c class
		switch {
		case i < w.moved:
			c.role = level[i]
		case i < w.size:
			c.role = len(counts)
		case i < w.next:
			c.role = len(counts) + 1
		default:
			c.role = len(counts) + 2
		}
		if i < w.size {
			c.want, c.strength = uint8(p.want), p.strength
			if w.r.last {
				c.lead, c.twice = p.lead, uint8(p.twice)
			}
			c.down, c.up = p.down, p.up
		}
		if w.joined {
			c.bye = w.r.odd && p.mayBye && p.score <= w.r.bye
			if w.byeIn && p.score == w.r.bye {
				c.games = rank[p.unplayed]
			}
		}
		k, ok := index[c]
		if !ok {
			k = int32(len(classes))
			index[c] = k
			classes = append(classes, c)
		}
		of[i] = k
	}
	return of, classes, games
}

// unplayedRanks ranks the numbers of unplayed games among players with the score of the
// bye, from 0 for the fewest.
func (w *window) unplayedRanks() map[int]int {
	if !w.byeIn {
		return nil
	}
	ranks := map[int]int{}
	for _, g := range w.who {
		if p := &w.r.players[g]; p.score == w.r.bye {
			ranks[p.unplayed] = 0
		}
	}
	for i, unplayed := range slices.Sorted(maps.Keys(ranks)) {
		ranks[unplayed] = i
	}
	return ranks
}

// put adds value to a field of a weight, whose lowest word holds bonuses.
func put(words []uint64, f field, value uint64) {
	if value == 0 || f.width == 0 {
		return
	}
	k, s := f.shift/64+1, f.shift%64
	words[k] += value << s
	if s > 0 && value>>(64-s) != 0 {
		words[k+1] += value >> (64 - s)
	}
}

func count(bs ...bool) (n uint64) {
	for _, b := range bs {
		if b {
			n++
		}
	}
	return n
}

// weigh writes the weight of a pair of classes to words. All criteria are arranged so
// that more is better.
func (l *layout) weigh(words []uint64, a, b *class) {
	if a.role > b.role {
		a, b = b, a
	}
	resident := l.levels
	put(words, l.complete, 1+count(!a.bye, !b.bye))
	put(words, l.games, uint64(a.games+b.games))
	if b.role == resident+1 {
		put(words, l.nextPairs, 1)
		if a.role <= resident {
			put(words, l.nextScores[a.role], 1)
		}
	}
	if b.role != resident {
		return
	}
	movedDown := a.role < resident
	put(words, l.pairs, 1)
	if movedDown {
		put(words, l.scores[a.role], 1)
	}
	same := a.want != 0 && a.want == b.want
	both := same && a.strength == absolute && b.strength == absolute
	put(words, l.lead, count(!both || a.lead < 2 || b.lead < 2))
	put(words, l.third, count(!both || !third(a, b)))
	put(words, l.wish, count(!same))
	put(words, l.strong, count(!same || a.strength < strong || b.strength < strong || both))
	for back := range 2 {
		put(words, l.down[back], count(!movedDown && a.down[back], b.down[back]))
		put(words, l.up[back], count(movedDown && !b.up[back]))
		if movedDown && len(l.downScores[back]) > 0 {
			put(words, l.downScores[back][a.role], count(a.down[back]))
			put(words, l.upScores[back][a.role], count(!b.up[back]))
		}
	}
}

// third reports whether a pair with the same absolute preference puts the loser on the
// same seat for the third time in a row.
func third(a, b *class) bool {
	other := 3 - a.want
	switch {
	case a.lead == b.lead:
		return a.twice != 0 && a.twice == b.twice
	case a.lead > b.lead:
		return b.twice == other
	}
	return a.twice == other
}
