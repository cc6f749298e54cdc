package swiss

import (
	"cmp"
	"slices"
)

// bracket is one bracket of a finished pairing, by indices into the round.
type bracket struct {
	begin, end int      // its residents
	moved      []int    // moved down into it
	pairs      [][2]int // the higher ranked first, in order
	floaters   []int
}

// brackets takes a pairing apart. A pair belongs to the score group of its lower player.
func (r *round) brackets(mate []int) (list []bracket) {
	var moved []int
	for begin := 0; begin < len(r.players); {
		b := bracket{begin: begin, end: r.groupEnd(begin), moved: moved}
		members := slices.Clone(moved)
		for i := begin; i < b.end; i++ {
			members = append(members, i)
		}
		moved = nil
		for _, i := range members {
			switch j := mate[i]; {
			case j < 0 || j >= b.end:
				b.floaters = append(b.floaters, i)
			case j > i:
				b.pairs = append(b.pairs, [2]int{i, j})
			}
		}
		moved = b.floaters
		begin = b.end
		list = append(list, b)
	}
	return list
}

// value is how a bracket does by one criterion; smaller is better.
type value struct {
	name   string
	values []int
}

// assess measures a bracket by C6…C21.
func (r *round) assess(b bracket) []value {
	isMoved := func(i int) bool { return i < b.begin }
	var out []value
	put := func(name string, values ...int) { out = append(out, value{name, values}) }
	scores := func(list []int) []int {
		var s []int
		for _, i := range list {
			s = append(s, int(r.players[i].score))
		}
		slices.SortFunc(s, func(x, y int) int { return cmp.Compare(y, x) })
		return s
	}
	put("C6", len(b.floaters))
	put("C7", scores(b.floaters)...)
	if b.end < len(r.players) {
		w := r.window(b.floaters, b.end, r.groupEnd(b.end), r.groupEnd(r.groupEnd(b.end)), len(r.players))
		w.joined, w.plain = true, true
		var left []int
		for _, v := range w.solve().floaters {
			left = append(left, w.who[v])
		}
		put("C8", append([]int{len(left)}, scores(left)...)...)
	}
	if r.odd && r.bye >= r.players[b.begin].score && len(b.floaters) == 1 {
		put("C9", r.players[b.floaters[0]].unplayed)
	} else {
		put("C9")
	}
	var lead, thirds, wish, strongly int
	for _, p := range b.pairs {
		x, y := &r.players[p[0]], &r.players[p[1]]
		if !clash(x, y) {
			continue
		}
		wish++
		both := x.strength == absolute && y.strength == absolute
		if x.strength >= strong && y.strength >= strong && !both {
			strongly++
		}
		if both && x.lead > 1 && y.lead > 1 {
			lead++
		}
		if both && third(
			&class{want: uint8(x.want), lead: x.lead, twice: uint8(x.twice)},
			&class{want: uint8(y.want), lead: y.lead, twice: uint8(y.twice)}) {
			thirds++
		}
	}
	put("C10", lead)
	put("C11", thirds)
	put("C12", wish)
	put("C13", strongly)
	for back, names := range [2][2]string{{"C14", "C15"}, {"C16", "C17"}} {
		down, up := 0, 0
		for _, i := range b.floaters {
			if !isMoved(i) && r.players[i].down[back] {
				down++
			}
		}
		for _, p := range b.pairs {
			if isMoved(p[0]) && r.players[p[1]].up[back] {
				up++
			}
		}
		put(names[0], down)
		put(names[1], up)
	}
	for back, names := range [2][2]string{{"C18", "C19"}, {"C20", "C21"}} {
		var downs, ups []int
		for _, i := range b.floaters {
			if isMoved(i) && r.players[i].down[back] {
				downs = append(downs, unpairedGap+int(r.players[i].score))
			}
		}
		for _, p := range b.pairs {
			gap := int(r.players[p[0]].score - r.players[p[1]].score)
			if isMoved(p[0]) && r.players[p[0]].down[back] {
				downs = append(downs, gap)
			}
			if isMoved(p[0]) && r.players[p[1]].up[back] {
				ups = append(ups, gap)
			}
		}
		for _, list := range [][]int{downs, ups} {
			slices.SortFunc(list, func(x, y int) int { return cmp.Compare(y, x) })
		}
		put(names[0], downs...)
		put(names[1], ups...)
	}
	return out
}

// unpairedGap puts the score difference of somebody who floats on above all others.
const unpairedGap = 1 << 20
