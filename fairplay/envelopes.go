package fairplay

import (
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
)

// NamedEnvelope is a ready-made envelope.
type NamedEnvelope struct {
	Name     string // short, points, sprint
	Envelope bidding.Envelope
}

// Envelopes are those in which ordinary chess engines did worse when it was measured
// (docs/fair-play.md), each with defaults within its bounds (Rules D20). They protect
// nobody from a program that knows Chpok.
func Envelopes() []NamedEnvelope {
	narrowed := func(limit [2]int, uneven bool) bidding.Envelope {
		e := bidding.DefaultEnvelope()
		e.Minutes, e.Increment = [2]int{3, 15}, [2]int{0, 10}
		e.Presets = []bidding.TimeControl{{Minutes: 3, Increment: 2}, {Minutes: 5, Increment: 3}, {Minutes: 10, Increment: 5}}
		e.MoveLimit, e.Undos = limit, [2]int{0, 0}
		e.Defaults.MoveLimit = limit[1]
		if uneven {
			e.Defaults.MovePoints = unevenPoints
		}
		return e
	}
	return []NamedEnvelope{
		{"short", narrowed([2]int{10, 20}, false)},
		{"points", narrowed([2]int{10, 20}, true)},
		{"sprint", narrowed([2]int{10, 10}, true)},
	}
}

// unevenPoints are the points for moves that were measured.
var unevenPoints = [8]int{board.Pawn: 1, board.Knight: 6, board.Bishop: 5, board.Rook: 2, board.Queen: 3, board.King: 4}
