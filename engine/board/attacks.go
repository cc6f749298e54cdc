package board

// Attacked reports whether a side could capture on a square if it were to move and an
// opponent's piece stood there. It leaves out en passant, which captures on an empty
// square.
func (p *Position) Attacked(s Square, by Color) bool {
	s &= 127
	them := p.sides[by&1]
	occupied := p.sides[0].Or(p.sides[1])
	on := p.rules.on
	leapers := p.pieces[Knight]
	if on&mightyQueens != 0 {
		leapers = leapers.Or(p.pieces[Queen])
	}
	near := leaps[Knight][s].And(leapers).
		Or(leaps[King][s].And(p.pieces[King])).
		Or(leaps[Dragon][s].And(p.pieces[Dragon])).
		Or(pawnLeaps[by&1^1][s].And(p.pieces[Pawn]))
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
	return !straight.And(l.file).IsEmpty() && !fileSlide(s, occupied).And(straight).IsEmpty() ||
		straight.Rank(int(s>>4)) != 0 && !rankSlide(s, occupied).And(straight).IsEmpty()
}

// InLine reports whether two squares share a file, rank or diagonal.
func InLine(a, b Square) bool {
	l := &lines[a&127]
	return (a^b)&0x70 == 0 || l.file.Or(l.rising).Or(l.falling).Has(b)
}

// Between returns the squares strictly between two that share a file, rank or diagonal.
func Between(a, b Square) Bitboard {
	a, b = a&127, b&127
	if (a^b)&15 == 0 || (a^b)>>4 == 0 {
		return rookSlides(a, bit(b)).And(rookSlides(b, bit(a)))
	}
	if l := &lines[a]; l.rising.Or(l.falling).Has(b) {
		return bishopSlides(a, bit(b)).And(bishopSlides(b, bit(a)))
	}
	return Bitboard{}
}

// Has reports whether the side to move has this move of a piece other than a pawn. It
// is much cheaper than Legal.
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

// Attackers returns the pieces of both sides that could capture on a square, en passant
// aside, if only the given squares were occupied.
func (p *Position) Attackers(s Square, occupied Bitboard) Bitboard {
	s &= 127
	on := p.rules.on
	leapers := p.pieces[Knight]
	if on&mightyQueens != 0 {
		leapers = leapers.Or(p.pieces[Queen])
	}
	found := leaps[Knight][s].And(leapers).
		Or(leaps[King][s].And(p.pieces[King])).
		Or(leaps[Dragon][s].And(p.pieces[Dragon])).
		Or(pawnLeaps[Black][s].And(p.sides[White]).Or(pawnLeaps[White][s].And(p.sides[Black])).And(p.pieces[Pawn]))
	if on&cornerBishops != 0 {
		found = found.Or(sideSteps[s].And(p.pieces[Bishop]).And(corners[p.rules.width]))
	}
	return found.And(occupied).Or(p.Behind(s, occupied))
}

// Behind returns the sliders among Attackers, for callers that know the rest.
func (p *Position) Behind(s Square, occupied Bitboard) Bitboard {
	s &= 127
	queens := p.pieces[Queen]
	slanting := bishopSlides(s, occupied).And(p.pieces[Bishop].Or(queens))
	straight := rookSlides(s, occupied).And(p.pieces[Rook].Or(queens))
	return slanting.Or(straight).And(occupied)
}

// Cheapest returns a piece of the least valuable type in a set that is not empty.
func (p *Position) Cheapest(of Bitboard) (Square, Kind) {
	for _, k := range [...]Kind{Pawn, Dragon, Knight, Bishop, Rook, Queen} {
		if set := of.And(p.pieces[k]); !set.IsEmpty() {
			return set.First(), k
		}
	}
	return of.First(), King
}

// Reach returns the squares a piece other than a pawn sees from a square, whatever
// stands on them.
func (p *Position) Reach(k Kind, s Square, occupied Bitboard) Bitboard {
	s &= 127
	var seen Bitboard
	switch k {
	case Knight:
		seen = leaps[Knight][s]
	case Dragon:
		seen = leaps[Dragon][s]
	case King:
		seen = leaps[King][s]
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
			seen = seen.Or(leaps[Knight][s])
		}
	}
	return seen.And(boards[p.rules.width])
}

// Survey sums up what a side's pieces other than pawns see. The caller fills in the
// fields before All.
type Survey struct {
	Open, Ring Bitboard
	Mobility   [kinds]int64 // value by type of each open square seen
	Pressure   [kinds]int64 // value by type of each ring square seen

	All      Bitboard // what any piece sees
	Free     int64
	Near     int64
	Watchers int // pieces that see any of the ring
}

func (v *Survey) add(k Kind, seen Bitboard) {
	v.All = v.All.Or(seen)
	v.Free += v.Mobility[k&7] * int64(seen.And(v.Open).Count())
	near := seen.And(v.Ring).Count()
	v.Near += v.Pressure[k&7] * int64(near)
	v.Watchers += (near + Squares - 1) >> 7 // 1 if near > 0
}

// Survey fills in v for a side.
func (p *Position) Survey(c Color, v *Survey) {
	own := p.sides[c&1]
	occupied := own.Or(p.sides[c&1^1])
	v.All, v.Free, v.Near, v.Watchers = Bitboard{}, 0, 0, 0
	leapers := p.pieces[Knight].Or(p.pieces[Dragon]).Or(p.pieces[King])
	for set := leapers.And(own); !set.IsEmpty(); set = set.Rest() {
		s := set.First() & 127
		kind := p.At(s).Kind()
		v.add(kind, leaps[kind][s])
	}
	for set := p.pieces[Bishop].And(own); !set.IsEmpty(); set = set.Rest() {
		s := set.First() & 127
		seen := bishopSlides(s, occupied)
		if p.rules.on&cornerBishops != 0 && corners[p.rules.width].Has(s) {
			seen = seen.Or(sideSteps[s])
		}
		v.add(Bishop, seen)
	}
	for set := p.pieces[Rook].And(own); !set.IsEmpty(); set = set.Rest() {
		v.add(Rook, rookSlides(set.First(), occupied))
	}
	for set := p.pieces[Queen].And(own); !set.IsEmpty(); set = set.Rest() {
		s := set.First() & 127
		seen := bishopSlides(s, occupied).Or(rookSlides(s, occupied))
		if p.rules.on&mightyQueens != 0 {
			seen = seen.Or(leaps[Knight][s])
		}
		v.add(Queen, seen)
	}
	v.All = v.All.And(boards[p.rules.width])
}

// Around returns the squares one king's step away, on the widest board.
func Around(s Square) Bitboard { return leaps[King][s&127] }

// PawnReach returns the squares a side's pawns attack.
func (p *Position) PawnReach(c Color) Bitboard {
	pawns := p.pieces[Pawn].And(p.sides[c&1])
	if c == White {
		return pawns.up(15).Or(pawns.up(17)).And(boards[p.rules.width])
	}
	return pawns.down(15).Or(pawns.down(17)).And(boards[p.rules.width])
}

// Goals returns the squares where a king of that side ends the game (Rules 7.6, 7.7).
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

// IsGoal reports whether a king of that side ends the game by moving to s: onto the
// hill, or to the end of its run (Rules 7.6, 7.7).
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
