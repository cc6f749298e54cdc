package puzzle

import (
	"cmp"
	"context"
	"slices"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/search"
)

// Prove reports whether a puzzle on the board has exactly one answer, by trying every action of
// both sides up to where the game is decided. It knows the rules and nothing else: what found the
// puzzle, an evaluation or a guess, has no part in it. It gives up after that many plays, or with
// the context; what is not proved by then is no puzzle.
func (p Puzzle) Prove(ctx context.Context, plays int) bool {
	if p.Table != nil {
		return p.Table.proves(ctx, plays)
	}
	root, err := p.Root()
	if err != nil || len(p.Answer) == 0 {
		return false
	}
	v := &verifier{ctx: ctx, plays: plays, us: root.Position.Turn(), memo: make([]memo, 1<<memoBits)}
	switch p.Theme {
	case King, Goal, Claim:
		return v.isOnlyWin(root, p.Answer, p.Moves())
	case Save:
		return v.isOnlySave(root, p.Answer[0])
	case Piece:
		return v.isOnlyGain(root, p.Answer[0])
	}
	return false
}

// Limits of proofs.
const (
	memoBits    = 17
	farthest    = 16 // plies to the end of a game that can be saved
	gained      = 2  // pawns that winning a piece brings at least
	unpromising = 2  // pawns less that any other action brings
)

// verifier tries everything on behalf of one side.
type verifier struct {
	ctx   context.Context
	plays int
	us    board.Color
	memo  []memo
}

// place is all that decides how a game goes on, placement and rights as a hash.
type place struct {
	key    uint64
	points [2]int32
	move   int32
	streak [3]int32
	least  int8
}

// memo is what has been learned of a place: within how many plies the outcome can be forced, and
// within how many it cannot; 0 for unknown.
type memo struct {
	place       place
	can, cannot int8
	try         board.Action // what forces it, or refutes it
}

// isTired spends one play, and reports whether the budget or the context is done.
func (v *verifier) isTired() bool {
	v.plays--
	if v.plays >= 0 && v.plays%4096 == 0 && v.ctx.Err() != nil {
		v.plays = -1
	}
	return v.plays < 0
}

// isOnlyWin reports whether each action of the solver in the answer is the only one that wins
// within as many moves as are left; of the last one it asks only that it wins.
func (v *verifier) isOnlyWin(root search.Root, answer []board.Action, moves int) bool {
	for i, a := range answer {
		if i%2 == 0 {
			plies, isLast := 2*(moves-i/2), i > 0 && i == len(answer)-1
			if !v.isOnly(root, a, 1, plies, isLast) {
				return false
			}
		}
		if root = root.Play(a); i < len(answer)-1 && isOver(root) {
			return false
		}
	}
	return true
}

func isOver(root search.Root) bool {
	_, over := root.Over()
	return over
}

// isOnly reports whether an action, and unless others may no other, forces the least outcome within
// some plies.
func (v *verifier) isOnly(root search.Root, a board.Action, least, plies int, othersMay bool) bool {
	if !root.Position.Legal(a) || !v.forces(root.Play(a), least, plies-1) {
		return false
	}
	for _, other := range root.Position.Moves(nil) {
		if other != a && !othersMay && v.forces(root.Play(other), least, plies-1) {
			return false
		}
	}
	return v.plays >= 0
}

// isOnlySave reports whether after an action the solver can hold to the end of the game, and after
// any other the opponent can win.
func (v *verifier) isOnlySave(root search.Root, a board.Action) bool {
	p := &root.Position
	if left := 2 * (p.Features().MoveLimit - p.FullMove() + 1); !p.Legal(a) || left > farthest {
		return false
	}
	held := root.Play(a)
	for plies := 1; ; plies++ { // the game ends at the move limit, if not sooner
		if v.plays < 0 || plies > farthest {
			return false
		}
		if v.forces(held, 0, plies) {
			break
		}
	}
	them := &verifier{ctx: v.ctx, plays: v.plays, us: v.us.Other(), memo: make([]memo, len(v.memo))}
	for _, other := range root.Position.Moves(nil) {
		if other == a {
			continue
		}
		next, isLost := root.Play(other), false
		for plies := 0; plies <= farthest && !isLost && them.plays >= 0; plies++ {
			isLost = them.forces(next, 1, plies)
		}
		if !isLost || them.plays < 0 {
			return false
		}
	}
	return true
}

// forces reports whether the verifier's side can force an outcome of at least that much (1 won, 0
// drawn) within some plies, whatever the other side does.
func (v *verifier) forces(root search.Root, least, plies int) bool {
	if white, over := root.Over(); over {
		return white*side(v.us) >= least
	}
	if plies <= 0 || v.isTired() {
		return false
	}
	p := &root.Position
	at := v.placeOf(root, least)
	known := &v.memo[at.index(len(v.memo))]
	var try board.Action
	if known.place == at {
		if known.can > 0 && int(known.can) <= plies {
			return true
		}
		if int(known.cannot) >= plies {
			return false
		}
		try = known.try
	} else {
		*known = memo{place: at}
	}
	isOurs := p.Turn() == v.us
	actions := promising(root, p.Moves(nil), try)
	can := !isOurs
	var best board.Action
	for _, a := range actions {
		if v.forces(root.Play(a), least, plies-1) == isOurs {
			can, best = isOurs, a
			break
		}
	}
	if len(actions) == 0 { // the flag of the side to move will fall (Rules D3)
		lead := p.Points(p.Turn()) - p.Points(p.Turn().Other()) - match.FlagPenalty
		can = cmp.Compare(lead, 0)*side(p.Turn())*side(v.us) >= least
	}
	if v.plays < 0 {
		return false // the budget refutes nothing
	}
	if known.place != at {
		*known = memo{place: at} // something else came to be remembered here
	}
	known.try = best
	if can {
		known.can = int8(plies)
	} else {
		known.cannot = max(known.cannot, int8(plies))
	}
	return can
}

func (v *verifier) placeOf(root search.Root, least int) place {
	p, streak := &root.Position, root.Streak()
	return place{
		key:    p.Key(),
		points: [2]int32{int32(p.Points(board.White)), int32(p.Points(board.Black))},
		move:   int32(p.FullMove()),
		streak: [3]int32{int32(streak[0]), int32(min(streak[1], match.ClaimSteps)), int32(min(streak[2], match.ClaimSteps))},
		least:  int8(least),
	}
}

func (at place) index(size int) int {
	h := at.key ^ uint64(at.points[0]-at.points[1])*0x9e3779b97f4a7c15 ^ uint64(at.streak[1])<<40 ^ uint64(at.streak[2])<<50
	return int((h * 0xd1b54a32d192ed03 >> 20) % uint64(size))
}

// promising returns actions of the side to move in another order: the first, if it is among them,
// then those that score most. The order saves time and decides nothing.
func promising(root search.Root, actions []board.Action, first board.Action) []board.Action {
	p := &root.Position
	us, before := p.Turn(), p.Points(p.Turn())
	type weighed struct {
		action board.Action
		weight int
	}
	list := make([]weighed, len(actions))
	for i, a := range actions {
		next, effect := p.PlayUnchecked(a)
		list[i] = weighed{a, 4*(next.Points(us)-before) + 5*worth[effect.Captured.Kind()]}
		if a == first {
			list[i].weight = everything * everything
		}
	}
	slices.SortStableFunc(list, func(a, b weighed) int { return b.weight - a.weight })
	for i, w := range list {
		actions[i] = w.action
	}
	return actions
}

// isOnlyGain reports whether an action alone wins a piece: whatever the opponent replies, the
// solver's next action brings two pawns or more, all captures after it counted; any other action
// brings at least two pawns less.
func (v *verifier) isOnlyGain(root search.Root, a board.Action) bool {
	if !root.Position.Legal(a) {
		return false
	}
	most := v.gain(root, a, gained-1)
	if most < gained {
		return false
	}
	for _, other := range root.Position.Moves(nil) {
		if other != a && v.gain(root, other, most-unpromising) > most-unpromising {
			return false
		}
	}
	return v.plays >= 0
}

// everything is more than all pieces are worth: the end of the game.
const everything = 1000

// gain returns what an action brings in pawns after the worst reply and the best second action; it
// may stop where that is no more than enough.
func (v *verifier) gain(root search.Root, a board.Action, enough int) int {
	least := v.brings(root, a)
	next := root.Play(a)
	if isOver(next) {
		return least
	}
	worst := everything
	for _, reply := range promising(next, next.Position.Moves(nil), 0) {
		lost := v.brings(next, reply)
		after := next.Play(reply)
		best := least - lost
		if !isOver(after) {
			best = -everything
			for _, b := range promising(after, after.Position.Moves(nil), 0) {
				if v.isTired() {
					return -everything
				}
				won := least - lost + v.brings(after, b)
				if last := after.Play(b); !isOver(last) {
					won -= v.captures(last, won-worst, won-best)
				}
				if best = max(best, won); best >= worst {
					break
				}
			}
		}
		if worst = min(worst, best); worst <= enough {
			return worst
		}
	}
	return worst
}

// captures returns what the side to move gains by captures alone; it may also leave them.
func (v *verifier) captures(root search.Root, low, high int) int {
	best := 0
	for _, a := range promising(root, root.Position.AppendTactical(nil), 0) {
		taken := v.brings(root, a)
		if taken <= 0 {
			continue
		}
		if v.isTired() {
			return best
		}
		won := taken
		if next := root.Play(a); !isOver(next) {
			won -= v.captures(next, taken-high, taken-max(low, best))
		}
		if best = max(best, won); best >= high {
			break
		}
	}
	return best
}

// brings returns what an action gains at once, in pawns: what it takes and promotes to, or the game.
func (v *verifier) brings(root search.Root, a board.Action) int {
	us := root.Position.Turn()
	if white, over := root.Play(a).Over(); over {
		return everything * white * side(us)
	}
	_, effect := root.Position.PlayUnchecked(a)
	gain := worth[effect.Captured.Kind()]
	if effect.Captured.Color() == us {
		gain = -gain
	}
	if kind := a.Promotion(); kind != board.NoKind {
		gain += worth[kind] - worth[board.Pawn]
	}
	return gain
}
