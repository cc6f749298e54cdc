package board

import "math/bits"

// Bitboard is a set of squares. Square s is bit s of 128, so the high word is the half
// where White scores and the low word the half where Black does.
type Bitboard struct{ lo, hi uint64 }

// bit returns the set of one square. It computes the words instead of branching.
func bit(s Square) Bitboard {
	word := uint64(1) << (s & 63)
	hi := word & -uint64(s>>6&1)
	return Bitboard{word ^ hi, hi}
}

// SquareSet returns the set of one square.
func SquareSet(s Square) Bitboard { return bit(s) }

// Has reports whether s is in the set.
func (b Bitboard) Has(s Square) bool {
	word := b.lo
	if s >= 64 {
		word = b.hi
	}
	return word>>(s&63)&1 != 0
}

// IsEmpty reports whether the set is empty.
func (b Bitboard) IsEmpty() bool { return b.lo|b.hi == 0 }

// Count returns the number of squares in the set.
func (b Bitboard) Count() int { return bits.OnesCount64(b.lo) + bits.OnesCount64(b.hi) }

// First returns the lowest square of a set that is not empty.
func (b Bitboard) First() Square {
	n := bits.TrailingZeros64(b.lo) // 64 for an empty word; a branch here would be unpredictable
	return Square(n + bits.TrailingZeros64(b.hi)&-(n>>6))
}

// Last returns the highest square of a set that is not empty.
func (b Bitboard) Last() Square {
	if b.hi != 0 {
		return Square(127 - bits.LeadingZeros64(b.hi))
	}
	return Square(63 - bits.LeadingZeros64(b.lo))
}

// Hash mixes the set into seed.
func (b Bitboard) Hash(seed uint64) uint64 {
	return fold(b.lo^seed^0x9e3779b97f4a7c15, b.hi^0xd1b54a32d192ed03)
}

// Rest returns the set without its lowest square.
func (b Bitboard) Rest() Bitboard {
	lo, borrow := bits.Sub64(b.lo, 1, 0)
	return Bitboard{b.lo & lo, b.hi & (b.hi - borrow)}
}

// Rank returns the set's files on a rank (0…7): bit 0 is file a.
func (b Bitboard) Rank(rank int) uint16 {
	if rank < 4 {
		return uint16(b.lo >> (rank & 3 * 16))
	}
	return uint16(b.hi >> (rank & 3 * 16))
}

// And returns the intersection of two sets.
func (b Bitboard) And(o Bitboard) Bitboard { return Bitboard{b.lo & o.lo, b.hi & o.hi} }

// Or returns the union of two sets.
func (b Bitboard) Or(o Bitboard) Bitboard { return Bitboard{b.lo | o.lo, b.hi | o.hi} }

// Without returns the squares of b that are not in o.
func (b Bitboard) Without(o Bitboard) Bitboard { return Bitboard{b.lo &^ o.lo, b.hi &^ o.hi} }

// Up moves every square that many ranks toward Black; squares that leave the board are
// dropped.
func (b Bitboard) Up(ranks uint) Bitboard { return b.shiftUp(16 * ranks) }

// Beside returns the left and right neighbors of the set's squares.
func (b Bitboard) Beside() Bitboard { return b.up(1).Or(b.down(1)) }

// Down moves every square that many ranks toward White.
func (b Bitboard) Down(ranks uint) Bitboard { return b.shiftDown(16 * ranks) }

func (b Bitboard) shiftUp(n uint) Bitboard {
	if n >= 64 {
		return Bitboard{0, b.lo << (n - 64)}
	}
	return b.up(n)
}

func (b Bitboard) shiftDown(n uint) Bitboard {
	if n >= 64 {
		return Bitboard{b.hi >> (n - 64), 0}
	}
	return b.down(n)
}

func (b Bitboard) xor(o Bitboard) Bitboard { return Bitboard{b.lo ^ o.lo, b.hi ^ o.hi} }

// up shifts every square up by n < 64; up(16) is one rank toward Black.
func (b Bitboard) up(n uint) Bitboard {
	return Bitboard{b.lo << n, b.hi<<n | b.lo>>(64-n)}
}

// down shifts every square down by n < 64.
func (b Bitboard) down(n uint) Bitboard {
	return Bitboard{b.lo>>n | b.hi<<(64-n), b.hi >> n}
}
