package search

import (
	"slices"

	"chpok.org/chpok/engine/board"
)

// The classes of actions, in the order they are tried. History is between -historyTop and
// historyTop.
const (
	weightFirst   = 1 << 28 // the table's action
	weightGoal    = 1 << 26 // taking a king, or a king reaching its goal
	weightCapture = 1 << 24 // a capture that loses nothing, or a promotion
	weightBad     = 1 << 22 // a capture that loses
	weightUnsure  = 1       // set in a capture's weight: it may lose, which next finds out
	weightKiller  = 1 << 18
	historyTop    = 1 << 14
	scoringWeight = 600 // for each rank point
)

// list generates and orders all actions of a node.
func (s *searcher) list(n *node, first board.Action) {
	n.actions = n.position.Moves(n.actions[:0])
	s.order(n, first)
}

// ranked puts an action's weight above how near the front it is, so that the greatest
// number belongs to the first of the weightiest actions.
const placeBits = 16

func ranked(weight int32, place int) int64 {
	return int64(weight)<<placeBits | int64(1<<placeBits-1-place)
}

// order weighs every action of a node, and moves first to the front if it is among them.
func (s *searcher) order(n *node, first board.Action) {
	p := &n.position
	us := p.Turn() & 1
	history, points := &s.history[us], &rankWeights[us]
	counter := s.counters[n.moved&15][n.last.To()&127]
	actions := n.actions
	n.ranked = slices.Grow(n.ranked[:0], len(actions))[:len(actions)]
	list := n.ranked[:len(actions)]
	for i, a := range actions {
		weight := int32(-historyTop / 4)
		if a.Kind() == board.Move {
			to := a.To() & 127
			kind, taken := p.At(a.From()).Kind(), p.At(to)
			switch promotion := a.Promotion(); {
			case !taken.IsEmpty() && taken.Color() != us:
				weight = s.captures[taken.Kind()][kind]
			case kind == board.Pawn && (promotion == board.Queen || promotion == board.King || (a.From()^to)&15 != 0):
				weight = weightCapture + int32(s.values[promotion])<<1 // en passant adds nothing: values[NoKind] is 0
			case a == n.killers[0]:
				weight = weightKiller + 1
			case a == n.killers[1]:
				weight = weightKiller
			case a == counter:
				weight = weightKiller - 1
			default:
				weight = int32(history[kind][to]) + points[to>>4]
			}
		}
		list[i] = ranked(weight, i)
	}
	if s.hasGoals {
		n.orderGoals()
	}
	if first == 0 {
		return
	}
	if front := slices.Index(actions, first); front >= 0 {
		actions[0], actions[front] = first, actions[0]
		list[front] = list[0] - int64(front)
		list[0] = ranked(weightFirst, 0)
	}
}

// orderGoals gives a king's steps to its goal their weight.
func (n *node) orderGoals() {
	p := &n.position
	goals := p.Goals(p.Turn()).Without(p.Side(p.Turn().Other()))
	for i, a := range n.actions {
		if piece, _ := p.Look(a); a.Kind() == board.Move && piece.Kind() == board.King && goals.Has(a.To()) {
			n.ranked[i] = ranked(weightGoal, i)
		}
	}
}

// captureWeight returns the weight of a capture: the dearer what is taken, the better,
// then the cheaper what takes it.
func (s *searcher) captureWeight(taken, by board.Kind) int32 {
	if taken == board.King {
		return weightGoal
	}
	w := int32(16*s.prices[taken]-s.prices[by]) << 1
	if s.prices[by] > s.prices[taken] {
		w |= weightUnsure
	}
	return weightCapture + w
}

// rankWeights are the weights of rank points, by color and rank.
var rankWeights = func() (weights [2][board.Ranks]int32) {
	for c := range weights {
		for rank := range board.Ranks {
			weights[c][rank] = int32(scoringWeight * scores(board.Color(c), board.Sq(0, rank)))
		}
	}
	return weights
}()

// scores returns the rank points of a move to a square (Rules 2).
func scores(us board.Color, to board.Square) int {
	rank := to.Rank()
	if us == board.Black {
		rank = board.Ranks - 1 - rank
	}
	return max(0, rank-3)
}

// next moves the weightiest of the actions from index i on to index i.
func (s *searcher) next(n *node, i int) (a board.Action, weight int32) {
	actions := n.actions
	list := n.ranked[:len(actions)]
	for {
		top := list[i]
		if top >= weightFirst<<placeBits {
			return actions[i], weightFirst
		}
		top = greatest(list[i:])
		place := 1<<placeBits - 1 - int(top&(1<<placeBits-1))
		a, weight = actions[place], int32(top>>placeBits)
		if weight&weightUnsure != 0 && weight >= weightCapture/2 && weight < weightGoal && !s.exchange(&n.position, a, 0) {
			list[place] = ranked(weightBad+(weight-weightCapture)>>1, place)
			continue
		}
		actions[place], list[place] = actions[i], list[i]-int64(place-i)
		actions[i] = a
		return a, weight
	}
}

// greatest returns the largest number of a list. It must compile to conditional moves, as
// no branch predictor could guess; the compiler uses those only while no address depends
// on the result, hence the function of its own.
//
//go:noinline
func greatest(list []int64) int64 {
	top := list[0]
	for _, r := range list[1:] {
		top = max(top, r)
	}
	return top
}

// reward remembers a quiet action that refuted the opponent's last one, and penalizes
// those that were tried before it in vain.
func (s *searcher) reward(n *node, a board.Action, depth int) {
	if a != n.killers[0] {
		n.killers = [2]board.Action{a, n.killers[0]}
	}
	if n.last != 0 {
		s.counters[n.moved&15][n.last.To()&127] = a
	}
	bonus := min(1500, 20*depth*depth+100)
	s.learn(n, a, bonus)
	for _, b := range n.tried {
		s.learn(n, b, -bonus)
	}
}

// learn moves an action's history toward one end of the scale, more slowly the nearer it
// is.
func (s *searcher) learn(n *node, a board.Action, bonus int) {
	if a.Kind() != board.Move {
		return
	}
	piece, _ := n.position.Look(a)
	h := &s.history[n.position.Turn()][piece.Kind()][a.To()]
	*h += int16(bonus - int(*h)*abs(bonus)/historyTop)
}
