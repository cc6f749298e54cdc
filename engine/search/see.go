package search

import "chpok.org/chpok/engine/board"

// exchange tells whether the captures on an action's goal, each side taking
// with its cheapest piece and stopping when it pays, bring the mover at least
// the threshold.
func (s *searcher) exchange(p *board.Position, a board.Action, threshold int) bool {
	if a.Kind() != board.Move {
		return threshold <= 0
	}
	piece, taken := p.Look(a)
	gain := -threshold
	if !taken.IsEmpty() {
		gain += s.prices[taken.Kind()]
	} else if piece.Kind() == board.Pawn && a.From()&15 != a.To()&15 {
		gain += s.prices[board.Pawn] // en passant
	}
	if gain < 0 {
		return false
	}
	next := piece.Kind()
	if promotion := a.Promotion(); promotion != board.NoKind {
		gain += s.prices[promotion] - s.prices[board.Pawn]
		next = promotion
	}
	gain -= s.prices[next]
	if gain >= 0 {
		return true
	}
	us := p.Turn()
	occupied := p.Side(board.White).Or(p.Side(board.Black)).Without(board.SquareSet(a.From()).Or(board.SquareSet(a.To())))
	side := us.Other()
	attackers := p.Attackers(a.To(), occupied)
	for {
		from, kind := cheapest(p, attackers, side)
		if kind == board.NoKind {
			break
		}
		if kind == board.King && !attackers.And(p.Side(side.Other())).IsEmpty() {
			break // it would be taken
		}
		occupied = occupied.Without(board.SquareSet(from))
		attackers = attackers.And(occupied)
		if kind != board.Knight {
			attackers = attackers.Or(p.Behind(a.To(), occupied))
		}
		side = side.Other()
		gain = -gain - 1 - s.prices[kind]
		if gain >= 0 {
			break
		}
	}
	return side != us
}

// cheapest is the cheapest of a side's pieces among the attackers.
func cheapest(p *board.Position, attackers board.Bitboard, side board.Color) (board.Square, board.Kind) {
	attackers = attackers.And(p.Side(side))
	if attackers.IsEmpty() {
		return 0, board.NoKind
	}
	for _, k := range [...]board.Kind{board.Pawn, board.Dragon, board.Knight, board.Bishop, board.Rook, board.Queen, board.King} {
		if set := attackers.And(p.Pieces(side, k)); !set.IsEmpty() {
			return set.First(), k
		}
	}
	return 0, board.NoKind
}
