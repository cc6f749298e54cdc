package board

import "fmt"

// KingPoints are the points for a king (Rules 2).
const KingPoints = 1000

// Effect is what an action did. Points go to the side that acted, except those for a
// removed king, which go to the opponent (Rules D18).
type Effect struct {
	Captured   Piece  // what left the board, even one's own; none for most actions
	CapturedAt Square // where it stood
	RankPoints int    // relative ranks 5 to 8
	MovePoints int    // by feature 7.4
	KingPoints int    // for kings taken, or counted on the hill or at the end of a run
	End        End    // why the game is now over
}

// IllegalError is the error for an action the position does not allow.
type IllegalError struct{ Action Action }

func (e *IllegalError) Error() string { return fmt.Sprintf("%q is not possible here", e.Action) }

// Play returns the position after an action, or an *IllegalError and the position as it
// was.
func (p Position) Play(a Action) (Position, Effect, error) {
	if !p.Legal(a) {
		return p, Effect{}, &IllegalError{a}
	}
	p, e := p.PlayUnchecked(a)
	return p, e, nil
}

// PlayUnchecked is Play for an action taken from Moves. For any other, the result is
// meaningless.
func (p Position) PlayUnchecked(a Action) (Position, Effect) {
	var e Effect
	p.Advance(a, &e)
	return p, e
}

// Advance is PlayUnchecked in place, for callers that keep their own copy.
func (p *Position) Advance(a Action, e *Effect) {
	*e = Effect{}
	us := p.turn & 1
	ep := p.ep
	p.ep = 0
	switch a.Kind() {
	case Move:
		p.move(a, ep, e)
	case Castling:
		p.castle(a.From(), a.To())
		e.MovePoints = int(p.rules.movePoints[King])
	case Birth:
		p.put(a.To(), NewPiece(us, Pawn))
		p.births[us]--
	case Removal:
		p.remove(a.To(), e)
	}
	p.points[us] += int32(e.RankPoints + e.MovePoints)
	if a.Kind() == Removal {
		p.points[us^1] += int32(e.KingPoints)
	} else {
		p.points[us] += int32(e.KingPoints)
	}
	p.end = e.End
	p.turn = us ^ 1
	p.fullMove += int32(us)
}

// Look returns the pieces on the two squares of a move: the one that moves, and the one
// it meets, if any.
func (p *Position) Look(a Action) (moves, meets Piece) { return p.At(a.From()), p.At(a.To()) }

func (p *Position) move(a Action, ep Square, e *Effect) {
	us := p.turn & 1
	from, to := a.From()&127, a.To()&127
	piece := p.At(from)
	kind := piece.Kind()
	e.RankPoints = int(rankPoints[us][to>>4])
	e.MovePoints = int(p.rules.movePoints[kind])
	if captured := p.At(to); captured != 0 {
		p.take(to, captured)
		e.Captured, e.CapturedAt = captured, to
	}
	switch kind {
	case Pawn:
		switch by := to ^ from; {
		case a.Promotion() != NoKind:
			p.take(from, piece)
			p.put(to, NewPiece(us, a.Promotion()))
			p.count(us, e)
			return
		case to == ep && by&15 != 0: // to the empty square on another file: en passant
			e.Captured, e.CapturedAt = NewPiece(us^1, Pawn), to^16
			p.take(to^16, e.Captured)
		case to-from == 32 || from-to == 32:
			if p.rules.on&noEnPassant == 0 {
				p.ep = (from + to) / 2
			}
		}
	case King:
		p.ascend(to, e)
	}
	p.rows[from>>4] ^= uint64(piece) << (from * 4 & 63)
	p.rows[to>>4] |= uint64(piece) << (to * 4 & 63)
	both := bit(from).Or(bit(to))
	p.sides[us] = p.sides[us].xor(both)
	p.pieces[kind] = p.pieces[kind].xor(both)
	p.count(us, e)
}

// count scores a captured king of the opponent, and ends the game with the last.
func (p *Position) count(us Color, e *Effect) {
	if e.Captured == NewPiece(us^1, King) && e.End == NotOver {
		e.KingPoints = KingPoints
		if p.Kings(us^1) == 0 {
			e.End = KingsCaptured
		}
	}
}

// ascend ends the game when a king has moved onto the hill or the opponent's home row
// (Rules 7.6, 7.7, D15, D21).
func (p *Position) ascend(to Square, e *Effect) {
	us := p.turn & 1
	if e.End = p.goal(us, to); e.End == NotOver {
		return
	}
	before := p.Kings(us ^ 1)
	if e.Captured == NewPiece(us^1, King) {
		before++
	}
	e.KingPoints = KingPoints * before
}

// castle swaps an adjacent king and rook. Otherwise the rook goes next to the king, and
// the king just beyond it (Rules 6.5).
func (p *Position) castle(king, rook Square) {
	us := p.turn & 1
	toward := Square(1)
	if rook < king {
		toward = -toward
	}
	rookTo, kingTo := king+toward, king+2*toward
	if rookTo == rook {
		rookTo, kingTo = king, rook
	}
	p.take(king, NewPiece(us, King))
	p.take(rook, NewPiece(us, Rook))
	p.put(rookTo, NewPiece(us, Rook))
	p.put(kingTo, NewPiece(us, King))
	p.castlings[us]--
}

func (p *Position) remove(s Square, e *Effect) {
	us := p.turn & 1
	e.Captured, e.CapturedAt = p.At(s), s
	p.take(s, e.Captured)
	if e.Captured.Kind() == King {
		e.KingPoints = KingPoints
		if p.Kings(us) == 0 {
			e.End = KingsCaptured
		}
	}
}
