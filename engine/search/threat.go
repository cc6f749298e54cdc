package search

import (
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
)

// isExposed reports whether a side's last king can be taken now.
func isExposed(p *board.Position, us board.Color) bool {
	kings := p.Pieces(us, board.King)
	return !kings.IsEmpty() && kings.Rest().IsEmpty() && p.Attacked(kings.First(), us.Other())
}

// mayExpose reports whether an action could leave the mover's last king to be taken. Most
// cannot, unless it hung before.
func (n *node) mayExpose(a board.Action, moved board.Piece, mover board.Color) bool {
	if n.hangs || a.Kind() == board.Castling || a.Kind() == board.Removal || moved.Kind() == board.King {
		return true
	}
	if a.Kind() != board.Move {
		return false
	}
	king := n.position.Pieces(mover, board.King)
	if king.IsEmpty() || !king.Rest().IsEmpty() {
		return !king.IsEmpty()
	}
	return board.InLine(king.First(), a.From()) || moved.Kind() == board.Pawn && a.From()&15 != a.To()&15
}

// hangs reports whether the side to move must parry a threat to end the game: its last king
// can be taken, or a king of the opponent is one step from its goal.
func (s *searcher) hangs(n *node) bool {
	p := &n.position
	us, them := p.Turn(), p.Turn().Other()
	if isExposed(p, us) {
		n.parries = s.parries(n)
		return true
	}
	if !s.hasGoals {
		return false
	}
	n.parries = s.squares
	goals := p.Goals(them).Without(p.Side(them))
	for kings := p.Pieces(them, board.King); !kings.IsEmpty(); kings = kings.Rest() {
		if !board.Around(kings.First()).And(goals).IsEmpty() {
			return true
		}
	}
	return false
}

// mostPoints is the most a move scores without taking a king (Rules 2).
const mostPoints = 4 + 9

// parries returns the squares where a piece other than the attacked king must go to save
// it: all squares, if the game may end before the king is taken.
func (s *searcher) parries(n *node) board.Bitboard {
	p := &n.position
	us, them := p.Turn(), p.Turn().Other()
	isLastMove := p.FullMove() >= s.moveLimit || max(n.claims.up, n.claims.down)+1 >= match.ClaimSteps
	if us == board.Black && isLastMove || p.Points(us)-p.Points(them)+mostPoints >= board.KingPoints {
		return s.squares
	}
	king := p.Pieces(us, board.King).First()
	attackers := p.Attackers(king, p.Side(us).Or(p.Side(them))).And(p.Side(them))
	if !attackers.Rest().IsEmpty() {
		return board.Bitboard{}
	}
	return attackers.Or(board.Between(king, attackers.First()))
}

// isVain reports whether an action is sure to leave the attacked king where it is, and
// under attack. A quarter of all actions played are, so play does not make their positions.
func (n *node) isVain(a board.Action) bool {
	if a.Kind() != board.Move || n.parries.Has(a.To()) || a.Promotion() == board.King {
		return false
	}
	piece, taken := n.position.Look(a)
	isEnPassant := piece.Kind() == board.Pawn && taken.IsEmpty() && a.From()&15 != a.To()&15
	return piece.Kind() != board.King && taken.Kind() != board.King && !isEnPassant
}
