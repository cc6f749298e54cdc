package keizer

import (
	"testing"

	"pgregory.net/rapid"
)

// Every way of pairing up to eight is tried: none costs less than the one that is found, and where
// nobody can be paired with all others, none pairs more.
func TestNoOtherPairingCostsLess(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := 2 * rapid.IntRange(1, 4).Draw(rt, "pairs")
		costs := map[[2]int]int{}
		for i := range n {
			for j := range i {
				costs[[2]int{j, i}] = rapid.IntRange(-1, 60).Draw(rt, "cost") // -1: they may not meet
			}
		}
		cost := func(i, j int) (int, bool) {
			c := costs[[2]int{min(i, j), max(i, j)}]
			return c, c >= 0
		}
		var best func(left []int) (pairs, sum int)
		best = func(left []int) (pairs, sum int) {
			if len(left) < 2 {
				return 0, 0
			}
			pairs, sum = best(left[1:]) // the first stays alone
			for k := 1; k < len(left); k++ {
				c, may := cost(left[0], left[k])
				if !may {
					continue
				}
				rest := append(append([]int{}, left[1:k]...), left[k+1:]...)
				if m, s := best(rest); m+1 > pairs || m+1 == pairs && s+c < sum {
					pairs, sum = m+1, s+c
				}
			}
			return pairs, sum
		}
		all := make([]int, n)
		for i := range all {
			all[i] = i
		}
		wantPairs, wantSum := best(all)
		pairs, sum := 0, 0
		for i, j := range matched(n, cost) {
			if j > i {
				c, _ := cost(i, j)
				pairs, sum = pairs+1, sum+c
			}
		}
		if pairs != wantPairs || sum != wantSum {
			rt.Fatalf("%d pairs at %d, want %d at %d: %v", pairs, sum, wantPairs, wantSum, costs)
		}
	})
}
