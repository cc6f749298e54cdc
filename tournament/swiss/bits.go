package swiss

import "math/bits"

// bitset is a set of small numbers.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (b bitset) has(i int) bool { return b[i>>6]>>(uint(i)&63)&1 != 0 }
func (b bitset) set(i int)      { b[i>>6] |= 1 << (uint(i) & 63) }
func (b bitset) clear(i int)    { b[i>>6] &^= 1 << (uint(i) & 63) }

// setRange adds lo…hi-1.
func (b bitset) setRange(lo, hi int) {
	for i := lo; i < hi; {
		if i&63 == 0 && i+64 <= hi {
			b[i>>6] = ^uint64(0)
			i += 64
			continue
		}
		b.set(i)
		i++
	}
}

// each calls f for the members in ascending order.
func (b bitset) each(f func(i int)) {
	for k, row := range b {
		for ; row != 0; row &= row - 1 {
			f(k<<6 + bits.TrailingZeros64(row))
		}
	}
}

// word returns the 64 members from i on as a number.
func (b bitset) word(i int) uint64 {
	k, s := i>>6, uint(i)&63
	w := b[k] >> s
	if s > 0 && k+1 < len(b) {
		w |= b[k+1] << (64 - s)
	}
	return w
}

// copyRange copies the members from…from+n-1 of src to to…to+n-1.
func (b bitset) copyRange(to int, src bitset, from, n int) {
	for i := 0; i < n; i += 64 {
		w := src.word(from + i)
		if n-i < 64 {
			w &= 1<<uint(n-i) - 1
		}
		k, s := (to+i)>>6, uint(to+i)&63
		b[k] |= w << s
		if s > 0 && w>>(64-s) != 0 {
			b[k+1] |= w >> (64 - s)
		}
	}
}

// first returns the lowest member that is also in another set, or -1.
func (b bitset) first(also bitset) int {
	for k, w := range b {
		if w &= also[k]; w != 0 {
			return lowest(k, w)
		}
	}
	return -1
}

// lowest returns the lowest member in word k of a set, masked to w.
func lowest(k int, w uint64) int { return k<<6 + bits.TrailingZeros64(w) }
