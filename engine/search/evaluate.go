package search

import (
	"math/bits"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
)

// pieceValues are in hundredths of a pawn. A king counts only beyond the first.
var pieceValues = [...]int{
	board.Pawn: 100, board.Knight: 300, board.Bishop: 310, board.Rook: 500, board.Queen: 900,
	board.King: 600, board.Dragon: 290,
}

const (
	mightyBonus = 250 // a queen that leaps too

	pointValue  = 6   // of one point of lead, up to manyPoints
	manyPoints  = 60  //
	kingLead    = 900 // of a lead as by a king taken
	rateValue   = 12  // of each point the best placed piece earns with every move
	streakValue = 6   // fifths, times the square of the leader's streak
	lateValue   = 30  // of a point when the move limit is near
	late        = 8   // moves before the limit
	tempo       = 10
)

// stations is what a piece other than a pawn or king gains from its relative
// rank, advances what a pawn does.
var (
	stations = [board.Ranks]int{0, 5, 10, 12, 14, 15, 16, 16}
	advances = [board.Ranks]int{0, 0, 4, 10, 22, 45, 90, 0}
	exposure = [board.Ranks]int{0, 8, 25, 40, 45, 45, 40, 40} // of a last king
)

// evaluate is how well the side to move stands, in hundredths of a pawn: what it
// has, how safe its last king is, the lead with the claim it is growing into,
// and who earns more with every move.
func (s *searcher) evaluate(n *node) int {
	p := &n.position
	score := s.side(p, board.White) - s.side(p, board.Black)
	d := p.Points(board.White) - p.Points(board.Black)
	perPoint := pointValue
	if s.moveLimit-p.FullMove() < late {
		perPoint = lateValue
	}
	score += perPoint * max(-manyPoints, min(manyPoints, d))
	switch {
	case d >= board.KingPoints/2:
		score += kingLead
	case d <= -board.KingPoints/2:
		score -= kingLead
	}
	switch up, down := min(n.claims.up, match.ClaimSteps), min(n.claims.down, match.ClaimSteps); {
	case d > 0 && n.claims.margin > 0:
		score += streakValue * up * up / 5
	case d < 0 && n.claims.margin < 0:
		score -= streakValue * down * down / 5
	}
	if p.Turn() == board.Black {
		score = -score
	}
	// A little of the bot's own, so that it does not play every game alike.
	return score + tempo + int(mix(p.Key()^s.seed)&7) - 4
}

func (s *searcher) side(p *board.Position, c board.Color) int {
	flip := 0
	if c == board.Black {
		flip = board.Ranks - 1
	}
	pawns, kings := p.Pieces(c, board.Pawn), p.Pieces(c, board.King)
	score := pieceValues[board.Pawn] * pawns.Count()
	for k := board.Knight; k <= board.Dragon; k++ {
		if k != board.King {
			score += s.values[k] * p.Pieces(c, k).Count()
		}
	}
	others := p.Side(c).Without(pawns).Without(kings)
	rate := 0
	for r := range board.Ranks {
		if on := others.Rank(r ^ flip); on != 0 {
			score += stations[r] * bits.OnesCount16(on)
			rate = max(0, r-3)
		}
		if on := pawns.Rank(r ^ flip); on != 0 {
			score += advances[r] * bits.OnesCount16(on)
		}
	}
	score += rateValue * rate
	if n := kings.Count(); n > 1 {
		score += s.values[board.King] * (n - 1)
	} else if n == 1 {
		score -= exposure[kings.First().Rank()^flip]
	}
	return score
}
