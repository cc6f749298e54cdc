package board

import "math/bits"

// Position is a position on the board: what stands where, whose turn it is, and
// everything else that decides what may follow. It is a value and is compared
// with ==. The zero value is no position.
type Position struct {
	// What stands here: rows[rank] holds four bits for each file. Where they
	// are: the bitboards. Only put and take write them.
	rows   [Ranks]uint64
	sides  [2]Bitboard
	pieces [kinds]Bitboard

	rules     rules
	points    [2]int32
	fullMove  int32
	ep        Square // the square passed over by the last action, or 0
	castlings [2]uint8
	births    [2]uint8
	turn      Color
	end       End
}

// End is why the board ended the game (Rules 3). The zero value: it did not.
type End uint8

const (
	NotOver End = iota
	KingsCaptured
	KingOfTheHill
	KingsRun
)

// String is the reason code (Rules 3); empty while the game goes on.
func (e End) String() string {
	return [...]string{"", "kings-captured", "king-of-the-hill", "kings-run"}[e]
}

// Turn is the side to move.
func (p *Position) Turn() Color { return p.turn }

// At is what stands on a square; no piece for a square off the board.
func (p *Position) At(s Square) Piece {
	return Piece(p.rows[s>>4&7] >> (s * 4 & 63) & 15)
}

// Width is the number of files.
func (p *Position) Width() int { return int(p.rules.width) }

// Features are the extraordinary features in force.
func (p Position) Features() Features { return p.rules.features() }

// Points are a side's points (Rules 2); a fallen flag is not in them.
func (p *Position) Points(c Color) int { return int(p.points[c&1]) }

// Kings is how many kings a side has.
func (p *Position) Kings(c Color) int { return p.pieces[King].And(p.sides[c&1]).Count() }

// Pieces is where a side has pieces of a type.
func (p *Position) Pieces(c Color, k Kind) Bitboard { return p.pieces[k&7].And(p.sides[c&1]) }

// Side is where a side has pieces.
func (p *Position) Side(c Color) Bitboard { return p.sides[c&1] }

// FullMove is the number of the move, from 1, raised after Black's.
func (p *Position) FullMove() int { return int(p.fullMove) }

// CastlingsLeft is how many castlings a side has left (Rules 7.5).
func (p *Position) CastlingsLeft(c Color) int { return int(p.castlings[c&1]) }

// BirthsLeft is how many newborn pawns a side has left (Rules 7.12).
func (p *Position) BirthsLeft(c Color) int { return int(p.births[c&1]) }

// EnPassant is the square passed over by a double step just made, whether or
// not it can be used (Rules 10).
func (p *Position) EnPassant() (Square, bool) { return p.ep, p.ep != 0 }

// IsOver tells whether the board ended the game.
func (p *Position) IsOver() bool { return p.end != NotOver }

// End is why the board ended the game.
func (p *Position) End() End { return p.end }

// Key is a hash of what decides the actions that may follow: placement, turn,
// en passant, castlings and newborn pawns left. Features, points and the move
// number are not in it.
func (p *Position) Key() uint64 {
	state := uint64(p.turn) | uint64(p.ep)<<8 | uint64(p.castlings[0])<<16 | uint64(p.castlings[1])<<24 |
		uint64(p.births[0])<<32 | uint64(p.births[1])<<40
	h := fold(state^0x9e3779b97f4a7c15, 0xd1b54a32d192ed03)
	h = fold(h^p.rows[0], p.rows[1]^0x8bb84b93962eacc9)
	h = fold(h^p.rows[2], p.rows[3]^0x4b33a62ed433d4a3)
	h = fold(h^p.rows[4], p.rows[5]^0x2d358dccaa6c78a5)
	return fold(h^p.rows[6], p.rows[7]^0xa0761d6478bd642f)
}

func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

// put sets a piece on an empty square.
func (p *Position) put(s Square, piece Piece) {
	b := bit(s)
	p.rows[s>>4&7] |= uint64(piece) << (s * 4 & 63)
	side, kind := &p.sides[piece.Color()], &p.pieces[piece.Kind()]
	*side, *kind = side.Or(b), kind.Or(b)
}

// take clears a square on which that piece stands.
func (p *Position) take(s Square, piece Piece) {
	b := bit(s)
	p.rows[s>>4&7] ^= uint64(piece) << (s * 4 & 63)
	side, kind := &p.sides[piece.Color()], &p.pieces[piece.Kind()]
	*side, *kind = side.xor(b), kind.xor(b)
}
