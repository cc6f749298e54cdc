package search

import "chpok.org/chpok/engine/board"

// The classes of actions, in the order they are tried. History lies between
// plus and minus historyTop.
const (
	weightFirst   = 1 << 28 // what the table remembers
	weightGoal    = 1 << 26 // a king taken, or a king at its goal
	weightCapture = 1 << 24 // that loses nothing; and promotions
	weightBad     = 1 << 22 // a capture that loses
	weightUnsure  = 1       // with weightCapture: it may lose, which is found out when it is its turn
	weightKiller  = 1 << 18
	historyTop    = 1 << 14
	scoringWeight = 600 // for each rank point
)

// list makes and orders all actions of a node.
func (s *searcher) list(n *node, first board.Action) {
	n.actions = n.position.Moves(n.actions[:0])
	s.order(n, first)
}

// order gives every action of a node its weight.
func (s *searcher) order(n *node, first board.Action) {
	us := n.position.Turn()
	counter := s.counters[n.moved&15][n.last.To()&127]
	n.weights = n.weights[:0]
	for _, a := range n.actions {
		w := s.weight(n, us, a, counter)
		if a == first {
			w = weightFirst
		}
		n.weights = append(n.weights, w)
	}
}

func (s *searcher) weight(n *node, us board.Color, a board.Action, counter board.Action) int32 {
	if a.Kind() != board.Move {
		return -historyTop / 4
	}
	piece, taken := n.position.Look(a)
	kind := piece.Kind()
	switch {
	case !taken.IsEmpty() && taken.Color() != us:
		if taken.Kind() == board.King {
			return weightGoal
		}
		w := int32(16*s.prices[taken.Kind()]-s.prices[kind]) << 1
		if s.prices[kind] > s.prices[taken.Kind()] {
			w |= weightUnsure
		}
		return weightCapture + w
	case a.Promotion() == board.Queen, a.Promotion() == board.King:
		return weightCapture + int32(s.values[a.Promotion()])<<1
	case kind == board.King && s.hasGoals && n.position.IsGoal(us, a.To()):
		return weightGoal
	case kind == board.Pawn && a.From()&15 != a.To()&15:
		return weightCapture // en passant
	case a == n.killers[0]:
		return weightKiller + 1
	case a == n.killers[1]:
		return weightKiller
	case a == counter && counter != 0:
		return weightKiller - 1
	}
	return int32(s.history[us][kind][a.To()]) + scoringWeight*int32(scores(us, a.To()))
}

// scores is the rank points of a move that ends there (Rules 2).
func scores(us board.Color, to board.Square) int {
	rank := to.Rank()
	if us == board.Black {
		rank = board.Ranks - 1 - rank
	}
	return max(0, rank-3)
}

// next brings the weightiest of the actions from i on to place i.
func (s *searcher) next(n *node, i int) board.Action {
	for {
		weights := n.weights[i:]
		// The weight and how near the place is, in one number: its greatest is found
		// without branches, which nobody could predict.
		top := int64(weights[0])<<16 | 0xffff
		for j, w := range weights {
			more := (int64(w)<<16 | int64(0xffff-j)) - top
			top += more &^ (more >> 63)
		}
		best, most := 0xffff-int(top&0xffff), int32(top>>16)
		a := n.actions[i+best]
		if most&weightUnsure != 0 && most >= weightCapture/2 && most < weightGoal && !s.exchange(&n.position, a, 0) {
			weights[best] = weightBad + (most-weightCapture)>>1
			continue
		}
		n.actions[i+best] = n.actions[i]
		n.actions[i] = a
		weights[best] = weights[0]
		weights[0] = most
		return a
	}
}

// reward remembers a quiet action that refuted the opponent's, and holds it
// against those tried before that did not.
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

// learn moves an action's history towards its end of the scale, the slower the
// nearer it is.
func (s *searcher) learn(n *node, a board.Action, bonus int) {
	if a.Kind() != board.Move {
		return
	}
	piece, _ := n.position.Look(a)
	h := &s.history[n.position.Turn()][piece.Kind()][a.To()]
	*h += int16(bonus - int(*h)*abs(bonus)/historyTop)
}
