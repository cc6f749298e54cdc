package board

import "math/bits"

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
	l := &lines[s]
	slanting := p.pieces[Bishop].Or(p.pieces[Queen]).And(them)
	if !slanting.And(l.rising.Or(l.falling)).IsEmpty() && !bishopSlides(s, occupied).And(slanting).IsEmpty() {
		return true
	}
	straight := p.pieces[Rook].Or(p.pieces[Queen]).And(them)
	return !straight.And(l.file).IsEmpty() && !l.slide(occupied, l.file).And(straight).IsEmpty() ||
		straight.Rank(int(s>>4)) != 0 && !rankSlide(s, occupied).And(straight).IsEmpty()
}

// InLine tells whether two squares are on one file, rank or diagonal.
func InLine(a, b Square) bool {
	l := &lines[a&127]
	return (a^b)&0x70 == 0 || l.file.Or(l.rising).Or(l.falling).Has(b)
}

// Has tells whether the side to move has that move of a piece other than a pawn.
// It is quick, and serves search.
func (p *Position) Has(a Action) bool {
	if a.Kind() != Move || a.Promotion() != NoKind || p.end != NotOver {
		return false
	}
	us := p.turn & 1
	own := p.sides[us]
	from, to := a.From()&127, a.To()&127
	kind := p.At(from).Kind()
	if kind <= Pawn || !own.Has(from) || own.Has(to) && (kind != King || p.rules.on&fierceKings == 0) {
		return false
	}
	return p.Reach(kind, from, own.Or(p.sides[us^1])).Has(to)
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
	return found.And(occupied).Or(p.Behind(s, occupied))
}

// Behind are the sliders of both sides that could capture on a square if those
// squares were occupied, for who knows the other attackers already.
func (p *Position) Behind(s Square, occupied Bitboard) Bitboard {
	s &= 127
	l := &lines[s]
	var found Bitboard
	slanting := p.pieces[Bishop].Or(p.pieces[Queen]).And(occupied)
	if !slanting.And(l.rising.Or(l.falling)).IsEmpty() {
		found = bishopSlides(s, occupied).And(slanting)
	}
	straight := p.pieces[Rook].Or(p.pieces[Queen]).And(occupied)
	if !straight.And(l.file).IsEmpty() {
		found = found.Or(l.slide(occupied, l.file).And(straight))
	}
	if straight.Rank(int(s>>4)) != 0 {
		found = found.Or(rankSlide(s, occupied).And(straight))
	}
	return found
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

// Sight is what a side's pieces other than pawns see.
type Sight struct {
	All      Bitboard
	Free     [kinds]int32 // squares that are not barred, by type, summed over the pieces
	Near     [kinds]int32 // squares in the ring
	Watchers int32        // pieces that see some of the ring
}

func (v *Sight) add(k Kind, seen, barred, ring Bitboard) {
	v.All = v.All.Or(seen)
	v.Free[k] += int32(seen.Without(barred).Count())
	if near := seen.And(ring); !near.IsEmpty() {
		v.Watchers++
		v.Near[k] += int32(near.Count())
	}
}

// Survey is what a side's pieces see, how much of it is not barred, and how much
// lies in a ring. It serves search.
func (p *Position) Survey(c Color, barred, ring Bitboard, v *Sight) {
	own := p.sides[c&1]
	occupied := own.Or(p.sides[c&1^1])
	board := boards[p.rules.width]
	*v = Sight{}
	for k := Knight; k <= Dragon; k++ {
		set := p.pieces[k].And(own)
		word, base := set.lo, Square(0)
		for {
			for ; word != 0; word &= word - 1 {
				s := base + Square(bits.TrailingZeros64(word))
				var seen Bitboard
				switch k {
				case Knight:
					seen = knightLeaps[s&127]
				case Dragon:
					seen = dragonLeaps[s&127]
				case King:
					seen = kingSteps[s&127]
				case Rook:
					seen = rookSlides(s&127, occupied)
				default:
					seen = p.Reach(k, s, occupied)
				}
				v.add(k, seen.And(board), barred, ring)
			}
			if base != 0 || set.hi == 0 {
				break
			}
			word, base = set.hi, 64
		}
	}
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
