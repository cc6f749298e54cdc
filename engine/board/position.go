package board

import "math/bits"

// Position is a position on the board: the pieces, the side to move, and everything else
// that decides what may follow. It is a value, comparable with ==. The zero value is not
// a position.
type Position struct {
	// rows[rank] has four bits for each file; the bitboards say the same by side and type.
	// put, take and move keep them together.
	rows   [Ranks]uint64
	sides  [2]Bitboard
	pieces [kinds]Bitboard

	rules     rules
	points    [2]int32
	fullMove  int32
	ep        Square // the square just passed over by a pawn, or 0
	castlings [2]uint8
	births    [2]uint8
	turn      Color
	end       End
}

// End is why the board ended the game (Rules 3). The zero value means it has not.
type End uint8

const (
	NotOver End = iota
	KingsCaptured
	KingOfTheHill
	KingsRun
)

// String returns the reason code (Rules 3), "" while the game goes on.
func (e End) String() string {
	return [...]string{"", "kings-captured", "king-of-the-hill", "kings-run"}[e]
}

// Turn returns the side to move.
func (p *Position) Turn() Color { return p.turn }

// At returns what stands on a square, nothing for a square off the board.
func (p *Position) At(s Square) Piece {
	return Piece(p.rows[s>>4&7] >> (s * 4 & 63) & 15)
}

// Width returns the number of files.
func (p *Position) Width() int { return int(p.rules.width) }

// Features returns the extraordinary features in force.
func (p Position) Features() Features { return p.rules.features() }

// Points returns a side's points (Rules 2), without the penalty for a fallen flag.
func (p *Position) Points(c Color) int { return int(p.points[c&1]) }

// Kings returns how many kings a side has.
func (p *Position) Kings(c Color) int { return p.pieces[King].And(p.sides[c&1]).Count() }

// Pieces returns where a side has pieces of a type.
func (p *Position) Pieces(c Color, k Kind) Bitboard { return p.pieces[k&7].And(p.sides[c&1]) }

// Side returns where a side has pieces.
func (p *Position) Side(c Color) Bitboard { return p.sides[c&1] }

// FullMove returns the number of the move, which starts at 1 and rises after Black's.
func (p *Position) FullMove() int { return int(p.fullMove) }

// CastlingsLeft returns how many castlings a side has left (Rules 7.5).
func (p *Position) CastlingsLeft(c Color) int { return int(p.castlings[c&1]) }

// BirthsLeft returns how many newborn pawns a side has left (Rules 7.12).
func (p *Position) BirthsLeft(c Color) int { return int(p.births[c&1]) }

// EnPassant returns the square a double step has just passed over, whether or not a
// capture is possible (Rules 10).
func (p *Position) EnPassant() (Square, bool) { return p.ep, p.ep != 0 }

// IsOver reports whether the board has ended the game.
func (p *Position) IsOver() bool { return p.end != NotOver }

// End returns why the board ended the game.
func (p *Position) End() End { return p.end }

// Key hashes what decides the actions that may follow: placement, side to move, en
// passant, castlings and newborn pawns left; not features, points or the move number.
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

// put places a piece on an empty square.
func (p *Position) put(s Square, piece Piece) {
	b := bit(s)
	p.rows[s>>4&7] |= uint64(piece) << (s * 4 & 63)
	side, kind := &p.sides[piece.Color()], &p.pieces[piece.Kind()]
	*side, *kind = side.Or(b), kind.Or(b)
}

// take removes the piece from its square.
func (p *Position) take(s Square, piece Piece) {
	b := bit(s)
	p.rows[s>>4&7] ^= uint64(piece) << (s * 4 & 63)
	side, kind := &p.sides[piece.Color()], &p.pieces[piece.Kind()]
	*side, *kind = side.xor(b), kind.xor(b)
}
