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

// Attackers are the pieces of both sides that could capture on a square if
// those squares were occupied, as far as they still stand on one of them; en
// passant apart. It serves search.
func (p *Position) Attackers(s Square, occupied Bitboard) Bitboard {
	s &= 127
	here := bit(s)
	on := p.rules.on
	leapers := p.pieces[Knight]
	if on&mightyQueens != 0 {
		leapers = leapers.Or(p.pieces[Queen])
	}
	found := knightLeaps[s].And(leapers).
		Or(kingSteps[s].And(p.pieces[King])).
		Or(dragonLeaps[s].And(p.pieces[Dragon])).
		Or(here.down(15).Or(here.down(17)).And(p.pieces[Pawn]).And(p.sides[White])).
		Or(here.up(15).Or(here.up(17)).And(p.pieces[Pawn]).And(p.sides[Black]))
	if on&cornerBishops != 0 {
		found = found.Or(sideSteps[s].And(p.pieces[Bishop]).And(corners[p.rules.width]))
	}
	slanting := p.pieces[Bishop].Or(p.pieces[Queen])
	if !slanting.And(lines[s].rising.Or(lines[s].falling)).IsEmpty() {
		found = found.Or(bishopSlides(s, occupied).And(slanting))
	}
	if straight := p.pieces[Rook].Or(p.pieces[Queen]); !straight.IsEmpty() {
		found = found.Or(rookSlides(s, occupied).And(straight))
	}
	return found.And(occupied)
}

// Reach is the squares a piece of that type other than a pawn sees from a
// square, whatever stands on them. It serves search.
func (p *Position) Reach(k Kind, s Square, occupied Bitboard) Bitboard {
	s &= 127
	var seen Bitboard
	switch k {
	case Knight:
		seen = knightLeaps[s]
	case Dragon:
		seen = dragonLeaps[s]
	case King:
		seen = kingSteps[s]
	case Bishop:
		seen = bishopSlides(s, occupied)
		if p.rules.on&cornerBishops != 0 && corners[p.rules.width].Has(s) {
			seen = seen.Or(sideSteps[s])
		}
	case Rook:
		seen = rookSlides(s, occupied)
	case Queen:
		seen = bishopSlides(s, occupied).Or(rookSlides(s, occupied))
		if p.rules.on&mightyQueens != 0 {
			seen = seen.Or(knightLeaps[s])
		}
	}
	return seen.And(boards[p.rules.width])
}

// PawnReach is the squares a side's pawns attack.
func (p *Position) PawnReach(c Color) Bitboard {
	pawns := p.pieces[Pawn].And(p.sides[c&1])
	if c == White {
		return pawns.up(15).Or(pawns.up(17)).And(boards[p.rules.width])
	}
	return pawns.down(15).Or(pawns.down(17)).And(boards[p.rules.width])
}

// Goals is where a king of that side ends the game (Rules 7.6, 7.7).
func (p *Position) Goals(c Color) Bitboard {
	var goals Bitboard
	if p.rules.on&kingOfTheHill != 0 {
		goals = hills[p.rules.width][c&1]
	}
	if p.rules.on&kingsRun != 0 {
		goals = goals.Or(homes[c&1^1].And(boards[p.rules.width]))
	}
	return goals
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
