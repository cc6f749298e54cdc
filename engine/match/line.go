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

// ply is a link of the line of play, packed, since idle matches wait in memory.
// Links are never written after they are made, so that games share them.
type ply struct {
	prev       *ply
	n          int32 // plies up to and with this one
	act        int32
	move       int32
	points     [2]int32
	kingPoints int32
	action     board.Action

	// Rules 4: White's points − Black's after the last Black move, and over how
	// many Black moves up to it the margin did not fall, and did not rise.
	margin   int32
	up, down int32

	seat       Seat
	color      board.Color
	piece      board.Piece
	captured   board.Piece
	capturedAt board.Square
	rankPoints uint8
	movePoints uint8
	end        board.End
}

func (l *ply) len() int {
	if l == nil {
		return 0
	}
	return int(l.n)
}

// push is the line with one ply more, after which White leads by margin.
func (l *ply) push(p Ply, margin int) *ply {
	next := &ply{
		prev: l, n: int32(l.len() + 1), act: int32(p.Act), move: int32(p.Move),
		points: [2]int32{int32(p.Points[0]), int32(p.Points[1])}, kingPoints: int32(p.Effect.KingPoints),
		action: p.Action, seat: p.Seat, color: p.Color, piece: p.Piece,
		captured: p.Effect.Captured, capturedAt: p.Effect.CapturedAt,
		rankPoints: uint8(p.Effect.RankPoints), movePoints: uint8(p.Effect.MovePoints), end: p.Effect.End,
	}
	before, up, down := l.sample()
	next.margin, next.up, next.down = int32(before), int32(up), int32(down)
	if p.Color == board.Black {
		next.up, next.down = next.up+1, next.down+1
		if margin < before {
			next.up = 0
		}
		if margin > before {
			next.down = 0
		}
		next.margin = int32(margin)
	}
	return next
}

// ply is the link unpacked.
func (l *ply) ply() Ply {
	return Ply{
		Seat: l.seat, Color: l.color, Move: int(l.move), Action: l.action, Piece: l.piece,
		Effect: board.Effect{
			Captured: l.captured, CapturedAt: l.capturedAt, RankPoints: int(l.rankPoints),
			MovePoints: int(l.movePoints), KingPoints: int(l.kingPoints), End: l.end,
		},
		Points: [2]int{int(l.points[0]), int(l.points[1])}, Act: int(l.act),
	}
}

// sample is the latest sample with its two streaks; before the first Black
// move d₀ = 0 without any step.
func (l *ply) sample() (margin, up, down int) {
	if l == nil {
		return 0, 0, 0
	}
	return int(l.margin), int(l.up), int(l.down)
}

// list is the plies from the first.
func (l *ply) list() []Ply {
	plies := make([]Ply, l.len())
	for ; l != nil; l = l.prev {
		plies[l.n-1] = l.ply()
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
