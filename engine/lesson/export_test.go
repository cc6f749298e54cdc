package lesson

import "chpok.org/chpok/engine/board"

// Risk is what the other side could win at once by captures on one square, in pawns.
func Risk(p board.Position, of board.Color) int {
	_, _, gain := dearest(&p, of)
	return gain
}
