package lesson

import "chpok.org/chpok/engine/board"

// Advice is the most urgent thing that a beginner to move should see.
type Advice struct {
	Kind   AdviceKind
	Piece  board.Kind   // which piece it is about, of TakeKing to TakePiece
	At     board.Square // where that piece stands
	Points int          // of Score
}

// AdviceKind says what an Advice is about, the most urgent first.
type AdviceKind uint8

const (
	TakeKing  AdviceKind = iota + 1 // a king of theirs can be taken, and it counts
	SaveKing                        // a king of ours can be taken
	SavePiece                       // a piece of ours can be taken at a profit
	TakePiece                       // a piece of theirs can be taken at a profit
	Score                           // a move scores by its rank and loses nothing
	Forward                         // nothing of these: go where points are
)

// prices are what pieces are worth in exchanges, in pawns; a king is dearer than all else.
var prices = [...]int{board.Pawn: 1, board.Dragon: 2, board.Knight: 3, board.Bishop: 3, board.Rook: 5, board.Queen: 9, board.King: 100}

// Advise looks one move ahead, with the captures that would follow on one square.
func Advise(p board.Position) Advice {
	us := p.Turn()
	best := Advice{Kind: Forward}
	moves := p.Moves(nil)
	for _, a := range moves {
		if next, effect := p.PlayUnchecked(a); effect.KingPoints > 0 && next.Points(us) > p.Points(us) {
			return Advice{Kind: TakeKing, Piece: board.King, At: a.To()}
		}
	}
	if s, kind, gain := dearest(&p, us); kind == board.King {
		return Advice{Kind: SaveKing, Piece: kind, At: s}
	} else if gain > prices[board.Pawn] {
		return Advice{Kind: SavePiece, Piece: kind, At: s}
	}
	if s, kind, gain := dearest(&p, us.Other()); gain > prices[board.Pawn] {
		return Advice{Kind: TakePiece, Piece: kind, At: s}
	}
	for _, a := range moves {
		next, effect := p.PlayUnchecked(a)
		if effect.RankPoints <= best.Points {
			continue
		}
		if _, _, loss := dearest(&next, us); loss == 0 {
			best = Advice{Kind: Score, Points: effect.RankPoints}
		}
	}
	return best
}

// dearest returns where a side can lose most by captures on one square, and how much; 0:
// nowhere.
func dearest(p *board.Position, of board.Color) (at board.Square, kind board.Kind, gain int) {
	for set := p.Side(of); !set.IsEmpty(); set = set.Rest() {
		s := set.First()
		if g := profit(p, s); g > gain {
			at, kind, gain = s, p.At(s).Kind(), g
		}
	}
	return at, kind, gain
}

// profit is what the other side wins by beginning to capture on a square, each side with
// its cheapest piece and stopping when that pays; not less than 0.
func profit(p *board.Position, s board.Square) int {
	owner := p.At(s).Color()
	occupied := p.Side(owner).Or(p.Side(owner.Other()))
	attackers := p.Attackers(s, occupied)
	gains := []int{prices[p.At(s).Kind()]}
	for side := owner.Other(); ; side = side.Other() {
		own := attackers.And(p.Side(side))
		if own.IsEmpty() {
			break
		}
		from, kind := p.Cheapest(own)
		gains = append(gains, prices[kind]-gains[len(gains)-1])
		occupied = occupied.Without(board.SquareSet(from))
		attackers = attackers.And(occupied).Or(p.Behind(s, occupied))
	}
	// The last entry is of a capture that nobody makes.
	for n := len(gains) - 2; n > 0; n-- {
		gains[n-1] = -max(-gains[n-1], gains[n])
	}
	if len(gains) == 1 {
		return 0 // nobody attacks it
	}
	return max(0, gains[0])
}
