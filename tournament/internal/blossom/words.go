package blossom

import "math/bits"

// Words is a weight: an unsigned integer of a fixed number of 64-bit words,
// the least significant first. A solver is compiled for each width, so no
// weight is ever an object on the heap.
type Words interface {
	[2]uint64 | [3]uint64 | [4]uint64 | [6]uint64 | [8]uint64 | [16]uint64 | [64]uint64
}

func isZero[W Words](a *W) bool {
	var any uint64
	for i := 0; i < len(*a); i++ {
		any |= (*a)[i]
	}
	return any == 0
}

func less[W Words](a, b *W) bool {
	var borrow uint64
	for i := 0; i < len(*a); i++ {
		_, borrow = bits.Sub64((*a)[i], (*b)[i], borrow)
	}
	return borrow != 0
}

// add puts a+b into r.
func add[W Words](r, a, b *W) {
	var carry uint64
	for i := 0; i < len(*a); i++ {
		(*r)[i], carry = bits.Add64((*a)[i], (*b)[i], carry)
	}
}

// sub puts a-b into r; the caller knows that b does not exceed a.
func sub[W Words](r, a, b *W) {
	var borrow uint64
	for i := 0; i < len(*a); i++ {
		(*r)[i], borrow = bits.Sub64((*a)[i], (*b)[i], borrow)
	}
}

// halve puts a/2 into r.
func halve[W Words](r, a *W) {
	for i := 0; i < len(*a)-1; i++ {
		(*r)[i] = (*a)[i]>>1 | (*a)[i+1]<<63
	}
	(*r)[len(*a)-1] = (*a)[len(*a)-1] >> 1
}
