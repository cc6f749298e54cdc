// Package draw divides a list of players into groups – down the list and back up, or by
// lots from pots – and draws the lines of a bracket by lots within its pots, so that club
// mates are kept apart. Every draw that is allowed is as likely as any other. It refuses
// to know players but for their places in the list and their clubs, and where chance
// comes from.
package draw

import (
	"iter"
	"slices"
)

// Version names the behaviour.
const Version = "draw-2"

// Bounds of a division.
const (
	MostGroups = 8
	LeastGroup = 3      // players of a group
	mostDraws  = 10_000 // of which the first that is allowed stands
)

// Fits tells whether n players can be divided into so many groups.
func Fits(n, groups int) bool { return groups >= 2 && groups <= MostGroups && n >= LeastGroup*groups }

// Snake are groups of places, from 0: every second row runs backwards.
func Snake(n, groups int) [][]int {
	list := make([][]int, groups)
	for i := range n {
		k := i % groups
		if i/groups%2 == 1 {
			k = groups - 1 - k
		}
		list[k] = append(list[k], i)
	}
	return list
}

// Drawn is a division by lots.
type Drawn struct {
	Groups   [][]int
	Rejected int // draws that were not allowed
	Beyond   int // of the draw that stands: players of a club above what a group may have
}

// Pots draws groups: the first so many places are the first pot, and so on; every group
// has one of each pot, the last one as far as it goes. Of a club no group has more than
// its part, rounded up. All pots are drawn again until that is so; where it cannot be, or
// is too rare, the first of the draws with the fewest beyond stands. pick is chance: a
// number below its argument.
func Pots(clubs []string, groups int, pick func(int) int) (best Drawn) {
	size := map[string]int{}
	for _, club := range clubs {
		size[club]++
	}
	for draws := range mostDraws {
		list := make([][]int, groups)
		for low := 0; low < len(clubs); low += groups {
			order := upTo(groups)
			shuffle(order, pick)
			for i, k := range order {
				if low+i < len(clubs) {
					list[k] = append(list[k], low+i)
				}
			}
		}
		if beyond := beyond(list, clubs, size); draws == 0 || beyond < best.Beyond {
			best = Drawn{list, draws, beyond}
		}
		if best.Beyond == 0 {
			return best
		}
	}
	best.Rejected = mostDraws
	return best
}

// beyond is how many players stand in groups that have their part of the club already.
func beyond(groups [][]int, clubs []string, size map[string]int) (n int) {
	for _, group := range groups {
		has := map[string]int{}
		for _, i := range group {
			club := clubs[i]
			if has[club]++; club != "" && has[club] > (size[club]+len(groups)-1)/len(groups) {
				n++
			}
		}
	}
	return n
}

// upTo are the places from 0 to before n.
func upTo(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

// shuffle puts places into any order, each as likely as any other.
func shuffle(order []int, pick func(int) int) {
	for i := len(order) - 1; i > 0; i-- {
		j := pick(i + 1)
		order[i], order[j] = order[j], order[i]
	}
}

// Ordered is an order by lots.
type Ordered struct {
	Order    []int // places of the list, from 0
	Rejected int   // draws that were not allowed
	Together int   // of the order that stands: pairs that meet and should not
}

// Order draws lots within each part of a list – parts are its places from and to before –
// so that in the pairs of places that meet first nobody meets who should be kept apart.
// All lots are drawn again until that is so; where it cannot be, or is too rare, the first
// of the draws with the fewest such pairs is made better, as long as two of one part can
// be exchanged for it.
func Order(n int, parts, meet iter.Seq2[int, int], apart func(a, b int) bool, pick func(int) int) (best Ordered) {
	together := func(order []int) (count int) {
		for a, b := range meet {
			if apart(order[a], order[b]) {
				count++
			}
		}
		return count
	}
	order := upTo(n)
	for draws := range mostDraws {
		for low, high := range parts {
			shuffle(order[low:high], pick)
		}
		if met := together(order); draws == 0 || met < best.Together {
			best = Ordered{slices.Clone(order), draws, met}
		}
		if best.Together == 0 {
			return best
		}
	}
	best.Rejected = mostDraws
	for best.isBettered(parts, together) {
	}
	return best
}

// isBettered exchanges the first two of a part that make it better.
func (o *Ordered) isBettered(parts iter.Seq2[int, int], together func([]int) int) bool {
	for low, high := range parts {
		for i := low; i < high; i++ {
			for j := i + 1; j < high; j++ {
				o.Order[i], o.Order[j] = o.Order[j], o.Order[i]
				if met := together(o.Order); met < o.Together {
					o.Together = met
					return true
				}
				o.Order[i], o.Order[j] = o.Order[j], o.Order[i]
			}
		}
	}
	return false
}
