package fairplay

import (
	"strings"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
)

// lockFrom is the ply from which on positions of a running match are locked:
// the first ones of many matches are alike.
const lockFrom = 6

// PositionKey is a position as the analysis lock knows it again: where the
// pieces stand, whose turn it is and the features, without the counters.
type PositionKey string

// KeyOf is the key of a position.
func KeyOf(p board.Position) PositionKey {
	cfen := p.CFEN()
	placement, rest, _ := strings.Cut(cfen, " ")
	turn, _, _ := strings.Cut(rest, " ")
	return PositionKey(placement + " " + turn + " " + p.Features().String())
}

// Locked tells whether our analysis must not answer for a position while this
// game is played: it stands on the board, stood there one or two plies before,
// or comes of one action.
func Locked(g match.Game, key PositionKey) bool {
	if !g.OnBoard() || g.PlyCount() < lockFrom {
		return false
	}
	positions := g.Positions()
	for _, p := range positions[len(positions)-3:] {
		if KeyOf(p) == key {
			return true
		}
	}
	now := g.Position()
	for _, a := range now.Moves(nil) {
		if next, _ := now.PlayUnchecked(a); KeyOf(next) == key {
			return true
		}
	}
	return false
}
