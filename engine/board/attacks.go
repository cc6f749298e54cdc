package board

// Attacked tells whether a side could capture an opponent's piece on a square
// with its next action, if the turn were its own; en passant apart, where the
// square captured on is empty. It asks nothing about what stands there, and
// serves search.
func (p *Position) Attacked(s Square, by Color) bool {
	s &= 127
	them := p.sides[by&1]
	occupied := p.sides[0].Or(p.sides[1])
	here := bit(s)
	on := p.rules.on

	pawns := p.pieces[Pawn].And(them)
	var reached Bitboard
	if by == White {
		reached = pawns.up(15).Or(pawns.up(17))
	} else {
		reached = pawns.down(15).Or(pawns.down(17))
	}
	if !reached.And(here).IsEmpty() {
		return true
	}
	leapers := p.pieces[Knight]
	if on&mightyQueens != 0 {
		leapers = leapers.Or(p.pieces[Queen])
	}
	near := knightLeaps[s].And(leapers).
		Or(kingSteps[s].And(p.pieces[King])).
		Or(dragonLeaps[s].And(p.pieces[Dragon]))
	if on&cornerBishops != 0 {
		near = near.Or(sideSteps[s].And(p.pieces[Bishop]).And(corners[p.rules.width]))
	}
	if !near.And(them).IsEmpty() {
		return true
	}
	slanting := p.pieces[Bishop].Or(p.pieces[Queen]).And(them)
	straight := p.pieces[Rook].Or(p.pieces[Queen]).And(them)
	return !bishopSlides(s, occupied).And(slanting).IsEmpty() || !rookSlides(s, occupied).And(straight).IsEmpty()
}

// IsGoal tells whether a king of that side ends the game by moving there: on
// the hill, or at the end of its run (Rules 7.6, 7.7).
func (p *Position) IsGoal(c Color, s Square) bool { return p.goal(c, s) != NotOver }

func (p *Position) goal(c Color, s Square) End {
	switch {
	case p.rules.on&kingOfTheHill != 0 && hills[p.rules.width][c&1].Has(s):
		return KingOfTheHill
	case p.rules.on&kingsRun != 0 && s.relativeRank(c&1) == Ranks-1:
		return KingsRun
	}
	return NotOver
}
