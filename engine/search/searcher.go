package search

import (
	"context"
	"math/bits"
	"slices"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
)

const (
	won      = 30_000 // less the plies until the end
	maxDepth = 32
	maxPly   = 96
)

// node is a position on the line being looked at.
type node struct {
	position board.Position
	claims   claims
	actions  []board.Action
	weights  []int32
	killers  [2]board.Action
}

// searcher is one search: alpha-beta with a table of what was seen, deepened
// until its positions are used up.
type searcher struct {
	ctx       context.Context
	seed      uint64
	moveLimit int
	values    [8]int

	nodes, limit int
	isStopped    bool

	line    [maxPly + 1]node
	table   []seen
	history [2][8][board.Squares]int32
}

func newSearcher(ctx context.Context, p board.Position, c claims, nodes int, seed uint64) *searcher {
	s := &searcher{ctx: ctx, seed: seed, limit: nodes}
	s.line[0].position = p
	s.line[0].claims = c
	f := p.Features()
	s.moveLimit = f.MoveLimit
	copy(s.values[:], pieceValues[:])
	if f.MightyQueens {
		s.values[board.Queen] += mightyBonus
	}
	s.table = make([]seen, 1<<max(8, min(18, bits.Len(uint(max(nodes, 0))))))
	return s
}

// best is the best action found of a position that has some: without any
// search, the one that takes most.
func (s *searcher) best() board.Action {
	root := &s.line[0]
	actions := root.position.Moves(nil)
	us := root.position.Turn()
	slices.SortStableFunc(actions, func(a, b board.Action) int {
		return int(s.weight(root, us, b) - s.weight(root, us, a))
	})
	for depth := 1; depth <= maxDepth && !s.interrupted(); depth++ {
		i, score := s.root(actions, depth)
		best := actions[i]
		copy(actions[1:i+1], actions[:i])
		actions[0] = best
		if score > won-maxPly || score < maxPly-won {
			break
		}
	}
	return actions[0]
}

// root looks at every action, the best so far first, so that an interrupted
// look is no worse than the one before, and returns the index of the best.
func (s *searcher) root(actions []board.Action, depth int) (best, score int) {
	score = -won
	for i, a := range actions {
		v := s.value(0, depth, a, -won, -score, i > 0)
		if s.isStopped {
			break
		}
		if v > score {
			best, score = i, v
		}
	}
	return best, score
}

// value is what an action is worth to who plays it. The window is the
// opponent's; narrow asks first whether the action beats its upper bound at all.
func (s *searcher) value(ply, depth int, a board.Action, alpha, beta int, narrow bool) int {
	if score, over := s.play(ply, a); over {
		return score
	}
	if narrow && beta-alpha > 1 {
		if v := -s.search(ply+1, depth-1, beta-1, beta); v <= -beta || s.isStopped {
			return v
		}
	}
	return -s.search(ply+1, depth-1, alpha, beta)
}

// play makes the next node of the line. When the game is over with it, its
// value is to the one who played.
func (s *searcher) play(ply int, a board.Action) (value int, over bool) {
	n, next := &s.line[ply], &s.line[ply+1]
	s.nodes++
	mover, number := n.position.Turn(), n.position.FullMove()
	next.position, next.claims = n.position, n.claims
	effect := next.position.Advance(a)
	lead := next.position.Points(board.White) - next.position.Points(board.Black)
	if mover == board.Black {
		next.claims = n.claims.after(lead)
	}
	c := next.claims
	switch {
	case effect.End != board.NotOver, mover == board.Black && number >= s.moveLimit:
	case mover == board.White:
		return 0, false
	case lead > 0 && c.up >= match.ClaimSteps, lead < 0 && c.down >= match.ClaimSteps:
	case c.up >= match.ClaimSteps && c.down >= match.ClaimSteps:
	default:
		return 0, false
	}
	if mover == board.Black {
		lead = -lead
	}
	return ended(lead, ply+1), true
}

// ended is the worth of a game that ends with a lead.
func ended(lead, ply int) int {
	switch {
	case lead > 0:
		return won - ply
	case lead < 0:
		return ply - won
	}
	return 0
}

// search is the worth of a node to its side to move, within the window.
func (s *searcher) search(ply, depth, alpha, beta int) int {
	n := &s.line[ply]
	isHanging := hangs(&n.position)
	if isHanging && ply < maxPly/2 {
		depth++
	}
	if depth <= 0 || ply >= maxPly-1 {
		return s.quiet(ply, alpha, beta)
	}
	if s.interrupted() {
		return 0
	}
	key := s.key(n)
	known := &s.table[key&uint64(len(s.table)-1)]
	var first board.Action
	if known.key == key {
		first = known.action
		if score, ok := known.within(ply, depth, alpha, beta); ok {
			return score
		}
	}
	n.actions = n.position.Moves(n.actions[:0])
	if len(n.actions) == 0 {
		return s.stuck(n, ply)
	}
	s.weigh(n, n.actions, first)
	s.line[ply+1].killers = [2]board.Action{}

	low, best, bestAction := alpha, -won, board.Action(0)
	for i := range n.actions {
		a := n.next(i)
		isQuiet := n.weights[i] < weightCapture
		reduced := depth - 1
		if isQuiet && !isHanging && i >= 4 && depth >= 3 {
			reduced--
		}
		v, over := s.play(ply, a)
		if !over {
			switch {
			case i == 0:
				v = -s.search(ply+1, depth-1, -beta, -alpha)
			default:
				v = -s.search(ply+1, reduced, -alpha-1, -alpha)
				if v > alpha && (reduced < depth-1 || v < beta) && !s.isStopped {
					v = -s.search(ply+1, depth-1, -beta, -alpha)
				}
			}
		}
		if s.isStopped {
			return 0
		}
		if v > best {
			best, bestAction = v, a
		}
		alpha = max(alpha, v)
		if alpha >= beta {
			if isQuiet {
				s.reward(n, a, depth)
			}
			break
		}
	}
	known.keep(key, ply, depth, best, low, beta, bestAction)
	return best
}

// quiet goes on with captures, promotions and a king's last steps only, so that
// no exchange is judged half way; a side whose last king hangs tries everything.
func (s *searcher) quiet(ply int, alpha, beta int) int {
	n := &s.line[ply]
	best := -won + ply
	all := hangs(&n.position) && ply < maxPly/2
	if !all {
		best = s.evaluate(n)
		if best >= beta || ply >= maxPly-1 {
			return best
		}
		alpha = max(alpha, best)
	}
	if s.interrupted() {
		return 0
	}
	n.actions = n.position.Moves(n.actions[:0])
	if len(n.actions) == 0 {
		return s.stuck(n, ply)
	}
	s.weigh(n, n.actions, 0)
	for i := range n.actions {
		a := n.next(i)
		if !all && n.weights[i] < weightCapture {
			break
		}
		v, over := s.play(ply, a)
		if !over {
			v = -s.quiet(ply+1, -beta, -alpha)
		}
		if s.isStopped {
			return 0
		}
		best = max(best, v)
		alpha = max(alpha, v)
		if alpha >= beta {
			break
		}
	}
	return best
}

// stuck is a side without any action: its flag will fall (Rules D3).
func (s *searcher) stuck(n *node, ply int) int {
	us := n.position.Turn()
	lead := n.position.Points(us) - n.position.Points(us.Other()) - match.FlagPenalty
	return ended(lead, ply)
}

// hangs tells whether the last king of the side to move could be taken.
func hangs(p *board.Position) bool {
	us := p.Turn()
	kings := p.Pieces(us, board.King)
	return !kings.IsEmpty() && kings.Rest().IsEmpty() && p.Attacked(kings.First(), us.Other())
}

// interrupted asks for the end of the search: when its positions are used up
// or its context is done.
func (s *searcher) interrupted() bool {
	if s.nodes >= s.limit || s.nodes&0x3ff == 0 && s.ctx.Err() != nil {
		s.isStopped = true
	}
	return s.isStopped
}
