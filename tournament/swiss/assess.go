package swiss

import (
	"cmp"
	"slices"
)

// bracket is one bracket of a finished pairing, by indices into the round.
type bracket struct {
	begin, end int      // its residents
	moved      []int    // players moved down into it
	pairs      [][2]int // the higher ranked first, in order
	floaters   []int
}

// brackets splits a pairing into brackets. A pair belongs to the score group of its lower
// player.
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

// value is the quality of a bracket by one criterion; smaller is better.
type value struct {
	name   string
	values []int
}

// assess returns the quality of a bracket by C6…C21.
func (r *round) assess(b bracket) []value {
	out := []value{{"C6", []int{len(b.floaters)}}, {"C7", r.scores(b.floaters)}}
	if b.end < len(r.players) {
		w := r.window(b.floaters, b.end, r.groupEnd(b.end), r.groupEnd(r.groupEnd(b.end)), len(r.players))
		w.joined, w.plain = true, true
		var left []int
		for _, v := range w.solve().floaters {
			left = append(left, w.who[v])
		}
		out = append(out, value{"C8", append([]int{len(left)}, r.scores(left)...)})
	}
	idle := value{name: "C9"}
	if r.odd && r.bye >= r.players[b.begin].score && len(b.floaters) == 1 {
		idle.values = []int{r.players[b.floaters[0]].unplayed}
	}
	return slices.Concat(append(out, idle), r.colors(b), r.floats(b), r.gaps(b))
}

// scores returns the scores of players, highest first.
func (r *round) scores(of []int) (list []int) {
	for _, i := range of {
		list = append(list, int(r.players[i].score))
	}
	slices.SortFunc(list, descending)
	return list
}

func descending(x, y int) int { return cmp.Compare(y, x) }

// colors returns C10…C13: color preferences that are not met.
func (r *round) colors(b bracket) []value {
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
	return []value{{"C10", []int{lead}}, {"C11", []int{thirds}}, {"C12", []int{wish}}, {"C13", []int{strongly}}}
}

// isMoved reports whether a player was moved down into the bracket.
func (b bracket) isMoved(i int) bool { return i < b.begin }

// floats returns C14…C17: players who float the same way as one and two rounds before.
func (r *round) floats(b bracket) (out []value) {
	for back, names := range [2][2]string{{"C14", "C15"}, {"C16", "C17"}} {
		down, up := 0, 0
		for _, i := range b.floaters {
			if !b.isMoved(i) && r.players[i].down[back] {
				down++
			}
		}
		for _, p := range b.pairs {
			if b.isMoved(p[0]) && r.players[p[1]].up[back] {
				up++
			}
		}
		out = append(out, value{names[0], []int{down}}, value{names[1], []int{up}})
	}
	return out
}

// gaps returns C18…C21: the score differences of those players, largest first.
func (r *round) gaps(b bracket) (out []value) {
	for back, names := range [2][2]string{{"C18", "C19"}, {"C20", "C21"}} {
		var downs, ups []int
		for _, i := range b.floaters {
			if b.isMoved(i) && r.players[i].down[back] {
				downs = append(downs, unpairedGap+int(r.players[i].score))
			}
		}
		for _, p := range b.pairs {
			gap := int(r.players[p[0]].score - r.players[p[1]].score)
			if b.isMoved(p[0]) && r.players[p[0]].down[back] {
				downs = append(downs, gap)
			}
			if b.isMoved(p[0]) && r.players[p[1]].up[back] {
				ups = append(ups, gap)
			}
		}
		slices.SortFunc(downs, descending)
		slices.SortFunc(ups, descending)
		out = append(out, value{names[0], downs}, value{names[1], ups})
	}
	return out
}

// unpairedGap makes the difference of a player who floats on larger than all others.
const unpairedGap = 1 << 20
