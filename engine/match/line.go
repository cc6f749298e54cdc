package match

import "chpok.org/chpok/engine/board"

// Ply is one action on the board.
type Ply struct {
	Seat   Seat
	Color  board.Color
	Move   int // number of the full move, from 1
	Action board.Action
	Piece  board.Piece // that moved (when castling, the king), appeared or was removed; 0 for a skip
	Effect board.Effect
	Points [2]int // by seat, after it
	Act    int    // number of the act in the game, from 0; those taken back count
}

// ply is a link of the line of play. It is packed, as idle matches stay in memory, and never
// changed, so that games can share it.
type ply struct {
	prev       *ply
	n          int32 // length of the line
	act        int32
	move       int32
	points     [2]int32
	kingPoints int32
	action     board.Action

	// White's points − Black's after the last Black move, and the latest Black moves over
	// which that did not fall (up) or rise (down); see Rules 4.
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

// push returns the line with one more ply, after which White leads by margin.
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

// ply returns the link unpacked.
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

// sample returns the latest margin and its two streaks; zeros before the first Black move.
func (l *ply) sample() (margin, up, down int) {
	if l == nil {
		return 0, 0, 0
	}
	return int(l.margin), int(l.up), int(l.down)
}

// list returns the plies in order.
func (l *ply) list() []Ply {
	plies := make([]Ply, l.len())
	for ; l != nil; l = l.prev {
		plies[l.n-1] = l.ply()
	}
	return plies
}

// moved returns the piece of Ply.Piece.
func moved(p board.Position, a board.Action) board.Piece {
	switch a.Kind() {
	case board.Birth:
		return board.NewPiece(p.Turn(), board.Pawn)
	case board.Skip:
		return 0
	}
	return p.At(a.From())
}
