package teamswiss

import "math/bits"

// set is a set of indices of teams, or of places in a bracket.
type set []uint64

func newSet(n int) set { return make(set, (n+63)/64) }

func (s set) has(i int) bool { return s[i>>6]>>(uint(i)&63)&1 != 0 }
func (s set) add(i int)      { s[i>>6] |= 1 << (uint(i) & 63) }
func (s set) drop(i int)     { s[i>>6] &^= 1 << (uint(i) & 63) }

func (s set) isEmpty() bool { return s.next(0) < 0 }

// next returns the first member from i on, -1 for none.
func (s set) next(i int) int {
	for k := i >> 6; k < len(s); k++ {
		w := s[k]
		if k == i>>6 {
			w &= ^uint64(0) << (uint(i) & 63)
		}
		if w != 0 {
			return k<<6 + bits.TrailingZeros64(w)
		}
	}
	return -1
}

// members returns the members in ascending order.
func (s set) members() (list []int) {
	for i := s.next(0); i >= 0; i = s.next(i + 1) {
		list = append(list, i)
	}
	return list
}

// common returns the first member that is also in o, -1 for none.
func (s set) common(o set) int {
	for k, w := range s {
		if w &= o[k]; w != 0 {
			return k<<6 + bits.TrailingZeros64(w)
		}
	}
	return -1
}

// meet keeps the members that are also in o.
func (s set) meet(o set) {
	for k := range s {
		s[k] &= o[k]
	}
}
