package match

import "chpok.org/chpok/engine/board"

// Ply is one action on the board of the game as it stands.
type Ply struct {
	Seat   Seat
	Color  board.Color
	Move   int // the number of the full move, from 1
	Action board.Action
	Piece  board.Piece // that moved (of a castling the king), appeared or went; none for a skip
	Effect board.Effect
	Points [2]int // by seat, after it
	Act    int    // which act of the game it was, from 0; those taken back count
}

// ply is a link of the line of play. Links are never written after they are
// made, so that games share them.
type ply struct {
	Ply
	prev *ply
	n    int // plies up to and with this one

	// Rules 4: White's points − Black's after the last Black move, and over how
	// many Black moves up to it the margin did not fall, and did not rise.
	margin, up, down int
}

func (l *ply) len() int {
	if l == nil {
		return 0
	}
	return l.n
}

// push is the line with one ply more, after which White leads by margin.
func (l *ply) push(p Ply, margin int) *ply {
	next := &ply{Ply: p, prev: l, n: l.len() + 1}
	next.margin, next.up, next.down = l.sample()
	if p.Color == board.Black {
		next.up, next.down = next.up+1, next.down+1
		if margin < next.margin {
			next.up = 0
		}
		if margin > next.margin {
			next.down = 0
		}
		next.margin = margin
	}
	return next
}

// sample is the latest sample with its two streaks; before the first Black
// move d₀ = 0 without any step.
func (l *ply) sample() (margin, up, down int) {
	if l == nil {
		return 0, 0, 0
	}
	return l.margin, l.up, l.down
}

// list is the plies from the first.
func (l *ply) list() []Ply {
	plies := make([]Ply, l.len())
	for ; l != nil; l = l.prev {
		plies[l.n-1] = l.Ply
	}
	return plies
}

// moved is the piece an action is about.
func moved(p board.Position, a board.Action) board.Piece {
	switch a.Kind() {
	case board.Birth:
		return board.NewPiece(p.Turn(), board.Pawn)
	case board.Skip:
		return 0
	}
	return p.At(a.From())
}
