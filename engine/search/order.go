package search

import "chpok.org/chpok/engine/board"

// The classes of actions, in the order they are tried.
const (
	weightFirst   = 1 << 24 // what the table remembers
	weightGoal    = 1 << 22 // a king taken, or a king at its goal
	weightCapture = 1 << 20 // and promotions
	weightKiller  = 1 << 19
)

// weigh gives every action of a node its place in the order.
func (s *searcher) weigh(n *node, actions []board.Action, first board.Action) {
	us := n.position.Turn()
	n.weights = n.weights[:0]
	for _, a := range actions {
		w := s.weight(n, us, a)
		if a == first {
			w = weightFirst
		}
		n.weights = append(n.weights, w)
	}
}

func (s *searcher) weight(n *node, us board.Color, a board.Action) int32 {
	if a.Kind() != board.Move {
		return 0
	}
	piece, taken := n.position.Look(a)
	switch kind := piece.Kind(); {
	case !taken.IsEmpty() && taken.Color() != us:
		if taken.Kind() == board.King {
			return weightGoal
		}
		return weightCapture + int32(16*s.values[taken.Kind()]-s.values[kind])
	case a.Promotion() != board.NoKind:
		return weightCapture + int32(s.values[a.Promotion()])
	case kind == board.King && n.position.IsGoal(us, a.To()):
		return weightGoal
	case a == n.killers[0], a == n.killers[1]:
		return weightKiller
	default:
		return s.history[us][kind][a.To()]
	}
}

// next brings the weightiest of the actions from i on to place i.
func (n *node) next(i int) board.Action {
	best := i
	for j := i + 1; j < len(n.weights); j++ {
		if n.weights[j] > n.weights[best] {
			best = j
		}
	}
	n.actions[i], n.actions[best] = n.actions[best], n.actions[i]
	n.weights[i], n.weights[best] = n.weights[best], n.weights[i]
	return n.actions[i]
}

// reward remembers a quiet action that refuted the opponent's.
func (s *searcher) reward(n *node, a board.Action, depth int) {
	if a != n.killers[0] {
		n.killers = [2]board.Action{a, n.killers[0]}
	}
	if a.Kind() == board.Move {
		h := &s.history[n.position.Turn()][n.position.At(a.From()).Kind()][a.To()]
		*h = min(weightKiller-1, *h+int32(depth*depth))
	}
}
