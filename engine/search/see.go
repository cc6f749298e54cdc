package search

import "chpok.org/chpok/engine/board"

// exchange reports whether an action brings the mover at least the threshold, counting the
// captures that follow on its target square. Each side takes with its cheapest piece, and
// stops when that pays.
func (s *searcher) exchange(p *board.Position, a board.Action, threshold int) bool {
	if a.Kind() != board.Move {
		return threshold <= 0
	}
	piece, taken := p.At(a.From()), p.At(a.To())
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
	side := us.Other()
	occupied := p.Side(us).Or(p.Side(side)).Without(board.SquareSet(a.From()))
	attackers := p.Attackers(a.To(), occupied)
	for {
		theirs := attackers.And(p.Side(side))
		if theirs.IsEmpty() {
			break
		}
		from, kind := p.Cheapest(theirs)
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
