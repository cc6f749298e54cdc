package board

import "math/bits"

// Moves appends every action of the side to move to buf: moves, castlings, births,
// removals, a skip. There are none once the board has ended the game. The order is fixed
// but means nothing. Moves allocates only when buf must grow.
func (p *Position) Moves(buf []Action) []Action {
	if p.end != NotOver {
		return buf
	}
	us := p.turn & 1
	own := p.sides[us]
	occupied := own.Or(p.sides[us^1])
	all := boards[p.rules.width]
	targets := all.Without(own)
	on := p.rules.on

	buf = p.appendPawns(buf, occupied)
	for b := p.pieces[Knight].And(own); !b.IsEmpty(); b = b.Rest() {
		s := b.First()
		buf = appendTargets(buf, s, leaps[Knight][s&127].And(targets))
	}
	for b := p.pieces[Dragon].And(own); !b.IsEmpty(); b = b.Rest() {
		s := b.First()
		buf = appendTargets(buf, s, leaps[Dragon][s&127].And(targets))
	}
	for b := p.pieces[Bishop].And(own); !b.IsEmpty(); b = b.Rest() {
		s := b.First()
		seen := bishopSlides(s&127, occupied)
		if on&cornerBishops != 0 && corners[p.rules.width].Has(s) {
			seen = seen.Or(sideSteps[s&127])
		}
		buf = appendTargets(buf, s, seen.And(targets))
	}
	for b := p.pieces[Rook].And(own); !b.IsEmpty(); b = b.Rest() {
		s := b.First()
		buf = appendTargets(buf, s, rookSlides(s&127, occupied).And(targets))
	}
	for b := p.pieces[Queen].And(own); !b.IsEmpty(); b = b.Rest() {
		s := b.First()
		seen := bishopSlides(s&127, occupied).Or(rookSlides(s&127, occupied))
		if on&mightyQueens != 0 {
			seen = seen.Or(leaps[Knight][s&127])
		}
		buf = appendTargets(buf, s, seen.And(targets))
	}
	kings := p.pieces[King].And(own)
	reach := targets
	if on&fierceKings != 0 {
		reach = all
	}
	for b := kings; !b.IsEmpty(); b = b.Rest() {
		s := b.First()
		buf = appendTargets(buf, s, leaps[King][s&127].And(reach))
	}
	if p.castlings[us] > 0 {
		buf = p.appendCastlings(buf, kings, occupied)
	}
	if on&(newbornPawns|removeOwn|skipMoves) != 0 {
		buf = p.appendSpecials(buf, all.Without(occupied))
	}
	return buf
}

// AppendTactical appends the most forcing of Moves: captures of the opponent's pieces,
// promotions, and king's steps that end the game.
func (p *Position) AppendTactical(buf []Action) []Action {
	if p.end != NotOver {
		return buf
	}
	us := p.turn & 1
	own, prey := p.sides[us], p.sides[us^1]
	occupied := own.Or(prey)
	buf = p.appendTacticalPawns(buf, occupied)
	for k := Knight; k <= Dragon; k++ {
		targets := prey
		if k == King {
			targets = prey.Or(p.Goals(us).Without(own))
		}
		for b := p.pieces[k].And(own); !b.IsEmpty(); b = b.Rest() {
			s := b.First()
			buf = appendTargets(buf, s, p.Reach(k, s, occupied).And(targets))
		}
	}
	return buf
}

func (p *Position) appendTacticalPawns(buf []Action, occupied Bitboard) []Action {
	us := p.turn & 1
	pawns := p.pieces[Pawn].And(p.sides[us])
	empty := boards[p.rules.width].Without(occupied)
	prey := p.sides[us^1]
	if p.ep != 0 {
		prey = prey.Or(bit(p.ep))
	}
	if us == White {
		buf = p.appendSteps(buf, pawns.up(16).And(empty).And(homes[Black]), 16)
		buf = p.appendSteps(buf, pawns.up(15).And(prey), 15)
		return p.appendSteps(buf, pawns.up(17).And(prey), 17)
	}
	buf = p.appendSteps(buf, pawns.down(16).And(empty).And(homes[White]), -16)
	buf = p.appendSteps(buf, pawns.down(15).And(prey), -15)
	return p.appendSteps(buf, pawns.down(17).And(prey), -17)
}

// appendPawns moves all pawns at once: each kind of step is a shift.
func (p *Position) appendPawns(buf []Action, occupied Bitboard) []Action {
	us := p.turn & 1
	pawns := p.pieces[Pawn].And(p.sides[us])
	if pawns.IsEmpty() {
		return buf
	}
	empty := boards[p.rules.width].Without(occupied)
	prey := p.sides[us^1]
	if p.ep != 0 {
		prey = prey.Or(bit(p.ep))
	}
	back := p.rules.on&pawnsBack != 0
	if us == White {
		single := pawns.up(16).And(empty)
		double := Bitboard{lo: single.lo & (0xffff << 32)}.up(16).And(empty)
		buf = p.appendSteps(buf, single, 16)
		buf = p.appendQuietSteps(buf, double, 32)
		buf = p.appendSteps(buf, pawns.up(15).And(prey), 15)
		buf = p.appendSteps(buf, pawns.up(17).And(prey), 17)
		if back {
			buf = p.appendQuietSteps(buf, pawns.down(16).And(empty), -16)
		}
		return buf
	}
	single := pawns.down(16).And(empty)
	double := Bitboard{hi: single.hi & (0xffff << 16)}.down(16).And(empty)
	buf = p.appendSteps(buf, single, -16)
	buf = p.appendQuietSteps(buf, double, -32)
	buf = p.appendSteps(buf, pawns.down(15).And(prey), -15)
	buf = p.appendSteps(buf, pawns.down(17).And(prey), -17)
	if back {
		buf = p.appendQuietSteps(buf, pawns.up(16).And(empty), 16)
	}
	return buf
}

// appendSteps appends pawn steps by their target squares, each reached by the same
// distance, and promotes on the last rank.
func (p *Position) appendSteps(buf []Action, to Bitboard, by int) []Action {
	last := to.And(homes[p.turn&1^1])
	if last.IsEmpty() {
		return p.appendQuietSteps(buf, to, by)
	}
	buf = p.appendQuietSteps(buf, to.Without(last), by)
	for ; !last.IsEmpty(); last = last.Rest() {
		s := last.First()
		a := NewMove(Square(int(s)-by), s, NoKind)
		for k := Knight; k <= Dragon; k++ {
			if k != King || p.rules.on&noKingPromotion == 0 {
				buf = append(buf, a|Action(k)<<16)
			}
		}
	}
	return buf
}

func (p *Position) appendQuietSteps(buf []Action, to Bitboard, by int) []Action {
	// s→s plus this base, which has the distance subtracted, is s−by→s.
	base := actionMove - Action(by)<<8
	for w := to.lo; w != 0; w &= w - 1 {
		buf = append(buf, base+Action(bits.TrailingZeros64(w))*0x101)
	}
	base += 64 * 0x101
	for w := to.hi; w != 0; w &= w - 1 {
		buf = append(buf, base+Action(bits.TrailingZeros64(w))*0x101)
	}
	return buf
}

func appendTargets(buf []Action, from Square, to Bitboard) []Action {
	base := actionMove | Action(from)<<8
	for w := to.lo; w != 0; w &= w - 1 {
		buf = append(buf, base|Action(bits.TrailingZeros64(w)))
	}
	base |= 64
	for w := to.hi; w != 0; w &= w - 1 {
		buf = append(buf, base|Action(bits.TrailingZeros64(w)))
	}
	return buf
}

// appendCastlings pairs every king with the rooks it sees along the home row (Rules 6.5).
func (p *Position) appendCastlings(buf []Action, kings, occupied Bitboard) []Action {
	home := homes[p.turn&1]
	rooks := p.pieces[Rook].And(p.sides[p.turn&1]).And(home)
	if rooks.IsEmpty() {
		return buf
	}
	for b := kings.And(home); !b.IsEmpty(); b = b.Rest() {
		king := b.First()
		for r := rankSlide(king, occupied).And(rooks); !r.IsEmpty(); r = r.Rest() {
			buf = append(buf, NewCastling(king, r.First()))
		}
	}
	return buf
}

// appendSpecials appends what features 7.12 to 7.14 add.
func (p *Position) appendSpecials(buf []Action, empty Bitboard) []Action {
	us := p.turn & 1
	if p.births[us] > 0 {
		for b := empty.And(births[us]); !b.IsEmpty(); b = b.Rest() {
			buf = append(buf, NewBirth(b.First()))
		}
	}
	if p.rules.on&removeOwn != 0 {
		for b := p.sides[us]; !b.IsEmpty(); b = b.Rest() {
			buf = append(buf, NewRemoval(b.First()))
		}
	}
	if p.rules.on&skipMoves != 0 {
		buf = append(buf, NewSkip())
	}
	return buf
}

// Legal reports whether the side to move has the action.
func (p Position) Legal(a Action) bool {
	var room [256]Action
	for _, b := range p.Moves(room[:0]) {
		if a == b {
			return true
		}
	}
	return false
}
