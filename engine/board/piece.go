package board

// Color is a side of the board. White moves first.
type Color uint8

const (
	White Color = 0
	Black Color = 1
)

// Other returns the opponent's color.
func (c Color) Other() Color { return c ^ 1 }

// String returns "white" or "black".
func (c Color) String() string {
	if c == White {
		return "white"
	}
	return "black"
}

// Kind is a type of piece. The zero value is none.
type Kind uint8

const (
	NoKind Kind = iota
	Pawn
	Knight
	Bishop
	Rook
	Queen
	King
	Dragon

	kinds = 8
)

const (
	upperLetters = "?PNBRQKD"
	lowerLetters = "?pnbrqkd"
)

// String returns the upper-case letter used in home rows: one of P N B R Q K D.
func (k Kind) String() string { return upperLetters[k&7 : k&7+1] }

// ParseKind returns the type with an upper-case letter, false for any other byte.
func ParseKind(letter byte) (Kind, bool) {
	for k := Pawn; k <= Dragon; k++ {
		if upperLetters[k] == letter {
			return k, true
		}
	}
	return NoKind, false
}

func parseLower(letter byte) (Kind, bool) {
	for k := Pawn; k <= Dragon; k++ {
		if lowerLetters[k] == letter {
			return k, true
		}
	}
	return NoKind, false
}

// Piece is a piece of a color. The zero value is an empty square.
type Piece uint8

// NewPiece returns the piece of a color and type.
func NewPiece(c Color, k Kind) Piece { return Piece(c)<<3 | Piece(k) }

// Color returns the piece's side, White for an empty square.
func (p Piece) Color() Color { return Color(p >> 3 & 1) }

// Kind returns the piece's type, NoKind for an empty square.
func (p Piece) Kind() Kind { return Kind(p & 7) }

// IsEmpty reports whether there is no piece.
func (p Piece) IsEmpty() bool { return p&7 == 0 }

// String returns the piece's letter in a CFEN: upper case for White, lower case for
// Black.
func (p Piece) String() string {
	if p.Color() == White {
		return upperLetters[p&7 : p&7+1]
	}
	return lowerLetters[p&7 : p&7+1]
}
