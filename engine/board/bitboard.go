package board

import "math/bits"

// Bitboard is a set of squares: square s is bit s of 128, so that White's
// scoring half is the high word and Black's the low one.
type Bitboard struct{ lo, hi uint64 }

// bit is the set of one square. No branch chooses the word.
func bit(s Square) Bitboard {
	word := uint64(1) << (s & 63)
	hi := word & -uint64(s>>6&1)
	return Bitboard{word ^ hi, hi}
}

// SquareSet is the set of one square.
func SquareSet(s Square) Bitboard { return bit(s) }

// Has tells whether a square is in the set.
func (b Bitboard) Has(s Square) bool {
	word := b.lo
	if s >= 64 {
		word = b.hi
	}
	return word>>(s&63)&1 != 0
}

// IsEmpty tells whether the set has no square.
func (b Bitboard) IsEmpty() bool { return b.lo|b.hi == 0 }

// Count is the number of squares in the set.
func (b Bitboard) Count() int { return bits.OnesCount64(b.lo) + bits.OnesCount64(b.hi) }

// First is the lowest square of a set that is not empty.
func (b Bitboard) First() Square {
	n := bits.TrailingZeros64(b.lo) // 64 for an empty word: a branch could not be predicted
	return Square(n + bits.TrailingZeros64(b.hi)&-(n>>6))
}

// Last is the highest square of a set that is not empty.
func (b Bitboard) Last() Square {
	if b.hi != 0 {
		return Square(127 - bits.LeadingZeros64(b.hi))
	}
	return Square(63 - bits.LeadingZeros64(b.lo))
}

// Hash mixes the set into a number.
func (b Bitboard) Hash(seed uint64) uint64 {
	return fold(b.lo^seed^0x9e3779b97f4a7c15, b.hi^0xd1b54a32d192ed03)
}

// Rest is the set without its lowest square.
func (b Bitboard) Rest() Bitboard {
	lo, borrow := bits.Sub64(b.lo, 1, 0)
	return Bitboard{b.lo & lo, b.hi & (b.hi - borrow)}
}

// Rank is the files of the set on a rank (0…7): bit 0 is file a.
func (b Bitboard) Rank(rank int) uint16 {
	if rank < 4 {
		return uint16(b.lo >> (rank & 3 * 16))
	}
	return uint16(b.hi >> (rank & 3 * 16))
}

// And is the intersection of two sets.
func (b Bitboard) And(o Bitboard) Bitboard { return Bitboard{b.lo & o.lo, b.hi & o.hi} }

// Or is the union of two sets.
func (b Bitboard) Or(o Bitboard) Bitboard { return Bitboard{b.lo | o.lo, b.hi | o.hi} }

// Without is the set less the other.
func (b Bitboard) Without(o Bitboard) Bitboard { return Bitboard{b.lo &^ o.lo, b.hi &^ o.hi} }

// Up moves every square that many ranks towards Black, Down towards White; what
// leaves the board is gone.
func (b Bitboard) Up(ranks uint) Bitboard { return b.shiftUp(16 * ranks) }

// Beside is the squares to the left and right of those of the set.
func (b Bitboard) Beside() Bitboard { return b.up(1).Or(b.down(1)) }

// Down is described at Up.
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

// up moves every square n < 64 numbers up; up(16) is one rank towards Black.
func (b Bitboard) up(n uint) Bitboard {
	return Bitboard{b.lo << n, b.hi<<n | b.lo>>(64-n)}
}

// down moves every square n < 64 numbers down.
func (b Bitboard) down(n uint) Bitboard {
	return Bitboard{b.lo>>n | b.hi<<(64-n), b.hi >> n}
}
