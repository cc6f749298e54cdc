// Package draw is about lots. It divides a list of players into groups, by snake or by lots from
// pots, and draws the lines of a bracket by lots within its pots, keeping club mates apart; every
// permitted draw is equally likely. It knows players only by their places in the list and their
// clubs, and leaves the source of chance to its caller.
//
// And it lets anyone check that a draw was settled before anyone knew what it would decide. Seeds
// form a hash chain: the SHA-256 of a seed is published before the draw, the seed after it, and
// that seed is in turn the promise of the next draw. Nobody promises without the secret that the
// chain started from.
package draw

import (
	"iter"
	"slices"
)

// Bounds of a division.
const (
	MostGroups = 8
	LeastGroup = 3      // players in a group
	mostDraws  = 10_000 // attempts at a permitted draw
)

// Fits reports whether n players can be divided into that many groups.
func Fits(n, groups int) bool { return groups >= 2 && groups <= MostGroups && n >= LeastGroup*groups }

// Snake deals the places 0 to n-1 to groups, every second row backwards.
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
	Rejected int // draws that were not permitted
	Beyond   int // players above their club's share of a group, in the draw that stands
}

// Pots draws groups. The first places, as many as there are groups, are the first pot, and
// so on; each group gets one place of each pot, though the last pot may run out. No group
// may hold more than an even share of a club, rounded up. All pots are redrawn until that
// holds; if no draw succeeds, the first one with the fewest players beyond it stands. pick
// returns a random number below its argument.
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

// beyond counts the players in groups that already hold their share of the club.
func beyond(groups [][]int, clubs []string, size map[string]int) (n int) {
	for _, group := range groups {
		has := map[string]int{}
		for _, i := range group {
			club := clubs[i]
			has[club]++
			if club != "" && has[club] > (size[club]+len(groups)-1)/len(groups) {
				n++
			}
		}
	}
	return n
}

// upTo lists the places 0 to n-1.
func upTo(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

// shuffle puts places in random order (Fisher–Yates).
func shuffle(order []int, pick func(int) int) {
	for i := len(order) - 1; i > 0; i-- {
		j := pick(i + 1)
		order[i], order[j] = order[j], order[i]
	}
}

// Ordered is an order by lots.
type Ordered struct {
	Order    []int // places in the list, from 0
	Rejected int   // draws that were not permitted
	Together int   // pairs that meet and should not, in the order that stands
}

// Order draws lots within each part of a list, a half-open range of places, so that no
// pair in meet is one to keep apart. All lots are redrawn until that holds. If no draw
// succeeds, the first one with the fewest such pairs is improved by swapping two places of
// one part for as long as that helps.
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
	for best.improve(parts, together) {
	}
	return best
}

// improve makes the first swap within a part that helps, and reports whether there is one.
func (o *Ordered) improve(parts iter.Seq2[int, int], together func([]int) int) bool {
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
