package search

import (
	"context"
	"math"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
)

const (
	won      = 30_000 // minus the plies until the end
	decided  = won - 2*maxPly
	maxDepth = 60
	maxPly   = 120
	// deepestEvasion is for how many plies beyond the search proper a side whose last king
	// hangs still tries everything. Without a limit, sharp positions would never complete
	// depth 1.
	deepestEvasion = 8
)

// node is a position on the line being searched.
type node struct {
	position  board.Position
	claims    claims
	tally     tally
	placement uint64 // Position.Key
	key       uint64 // of the position in the table
	static    int    // evaluation for the side to move; -won while its king hangs
	isNull    bool
	hangs     bool           // the side to move must parry a threat to end the game
	parries   board.Bitboard // while it hangs: where a piece other than a king must go to parry
	last      board.Action   // the action that led here
	moved     board.Piece    // the piece it moved
	actions   []board.Action
	ranked    []int64        // their weights, with their places
	tried     []board.Action // quiet actions that did not refute the last one
	killers   [2]board.Action
	best      []board.Action // the best line from here
}

// searcher is an alpha-beta search with a table of what it has seen, deepened until it
// reaches its limits. The fields every position needs come first, to be close together in
// memory.
type searcher struct {
	nodes, limit int
	isStopped    bool
	hasGoals     bool
	ctx          context.Context
	table        *table
	knows        *weights
	seed         uint64 // of the small whims that keep a bot from playing every game alike
	error        int    // by how much it may misjudge a position
	salt         uint64 // of the features, in the table's keys
	moveLimit    int
	squares      board.Bitboard // of the board
	prices       [8]int         // of the types in exchanges; a king is dear
	view         board.Survey
	sights       [2]sight
	effect       board.Effect // of the last action

	line     [maxPly + 2]node
	captures [8][8]int32 // weights of captures, by the types of what is taken and what takes it
	history  [2][8][board.Squares]int16
	places   [16][board.Squares]tally
	counters [16][board.Squares]board.Action
	frames   [1 << 11]frame
	judged   [1 << 13]judgment

	features board.Features
	values   [8]int // of the types in the evaluation
}

// prepare readies the searcher for a root; the table keeps what it knows.
func (s *searcher) prepare(ctx context.Context, root Root, nodes int, l Limits) {
	f := root.Position.Features()
	if f != s.features || s.knows == nil {
		s.features, s.moveLimit = f, f.MoveLimit
		s.weigh(f)
	}
	s.ctx, s.seed, s.error, s.limit = ctx, l.Seed, l.Error, nodes
	s.nodes, s.isStopped = 0, false
	for side := range s.history {
		for kind := range s.history[side] {
			for square := range s.history[side][kind] {
				s.history[side][kind][square] /= 2
			}
		}
	}
	n := &s.line[0]
	n.position, n.claims = root.Position, root.claims
	n.tally = s.count(&root.Position)
	n.last, n.moved, n.isNull, n.hangs, n.parries = 0, 0, false, true, s.squares
	s.table.age++
}

// reductions are the plies by which later actions are searched less deeply, by depth and
// index in the ordered list.
var reductions = func() (r [maxDepth + 1][64]int8) {
	for depth := 1; depth < len(r); depth++ {
		for place := 1; place < len(r[depth]); place++ {
			r[depth][place] = int8(0.4 + math.Log(float64(depth))*math.Log(float64(place))/2.1)
		}
	}
	return r
}()

// play makes the next node of the line. If that ends the game, or loses it because the
// mover's last king can be taken, over is true and value is the mover's.
func (s *searcher) play(ply int, a board.Action) (value int, over bool) {
	n, next := &s.line[ply], &s.line[ply+1]
	s.nodes++
	if n.hangs && n.isVain(a) {
		return ply + 2 - won, true
	}
	p := &next.position
	mover, number := n.position.Turn(), n.position.FullMove()
	next.position = n.position // separately: as one assignment with what follows, it would be copied twice
	next.claims, next.tally = n.claims, n.tally
	next.last, next.isNull = a, false
	next.moved = 0
	if a.Kind() == board.Move {
		next.moved = p.At(a.From())
	}
	effect := &s.effect
	p.Advance(a, effect)
	lead := p.Points(board.White) - p.Points(board.Black)
	if mover == board.Black {
		next.claims = n.claims.after(lead)
	}
	isEnd := effect.End != board.NotOver || mover == board.Black && (number >= s.moveLimit || next.claims.holds())
	if mover == board.Black {
		lead = -lead
	}
	if isEnd {
		return ended(lead, ply+1), true
	}
	next.placement = p.Key()
	next.key = s.key(next)
	prefetch(s.table.pair(next.key))
	s.recount(next, a, effect, mover)
	if lead < board.KingPoints && n.mayExpose(a, next.moved, mover) && isExposed(p, mover) {
		return ply + 2 - won, true
	}
	return 0, false
}

// ended returns the value of a game that has ended with a lead.
func ended(lead, ply int) int {
	switch {
	case lead > 0:
		return won - ply
	case lead < 0:
		return ply - won
	}
	return 0
}

// search returns the value of a node for its side to move, within the window.
func (s *searcher) search(ply, depth, alpha, beta int) int {
	n := &s.line[ply]
	n.best = n.best[:0]
	n.hangs = s.hangs(n)
	if n.hangs {
		depth++
	}
	if depth <= 0 {
		return s.quiet(ply, 0, alpha, beta)
	}
	if ply >= maxPly {
		return s.evaluate(n)
	}
	if s.interrupted() {
		return 0
	}
	// Nothing here is better than winning at once, or worse than losing at once.
	alpha, beta = max(alpha, ply-won), min(beta, won-ply-1)
	if alpha >= beta {
		return alpha
	}
	isWide := beta-alpha > 1
	key := n.key
	var first board.Action
	known := s.table.find(key)
	if known != nil {
		first = board.Action(known.action)
		if score := known.worth(ply); !isWide && int(known.depth) >= depth && known.answers(score, alpha, beta) {
			return score
		}
	}
	switch {
	case n.hangs:
		n.static = -won
	case known != nil && known.static != noStatic:
		n.static = int(known.static)
	default:
		n.static = s.evaluate(n)
	}
	if !isWide && !n.hangs && abs(beta) < decided {
		if score, ok := s.prune(n, ply, depth, alpha, beta); ok {
			return score
		}
	}
	if first == 0 && depth >= 5 {
		depth-- // without a first guess, the next iteration finds one sooner
	}
	return s.loop(n, ply, depth, alpha, beta, key, first)
}

// prune tries to settle a quiet node without looking at its actions.
func (s *searcher) prune(n *node, ply, depth, alpha, beta int) (score int, ok bool) {
	improves := 0
	if ply >= 2 && s.line[ply-2].static != -won && n.static > s.line[ply-2].static {
		improves = 1
	}
	if depth <= 6 && n.static-80*(depth-improves) >= beta {
		return n.static, true
	}
	if depth <= 2 && n.static+250*depth < alpha {
		if score = s.quiet(ply, 0, alpha, beta); score < alpha {
			return score, true
		}
	}
	// Try passing. It is a legal thought here even without the feature, and a tempo is
	// usually worth a few points; but a side with few pieces left may be glad to pass.
	if depth < 3 || n.isNull || n.static < beta || !hasPieces(&n.position) {
		return 0, false
	}
	if _, over := s.play(ply, board.NewSkip()); over {
		return 0, false
	}
	s.line[ply+1].isNull = true
	reduced := depth - 4 - depth/5 - min(3, (n.static-beta)/200)
	value := -s.search(ply+1, reduced, -beta, 1-beta)
	if s.isStopped || value < beta {
		return 0, false
	}
	return min(value, decided-1), true
}

func hasPieces(p *board.Position) bool {
	us := p.Turn()
	return !p.Side(us).Without(p.Pieces(us, board.Pawn)).Without(p.Pieces(us, board.King)).IsEmpty()
}

// loop searches a node's actions, the most promising first.
func (s *searcher) loop(n *node, ply, depth, alpha, beta int, key uint64, first board.Action) int {
	isListed := first == 0 || !n.position.Has(first)
	if !isListed { // most often it settles the node alone
		n.actions, n.ranked = append(n.actions[:0], first), append(n.ranked[:0], ranked(weightFirst, 0))
	} else if s.list(n, first); len(n.actions) == 0 {
		return s.stuck(n, ply)
	}
	n.tried = n.tried[:0]
	next := &s.line[ply+1]
	next.killers = [2]board.Action{}
	isWide := beta-alpha > 1
	low, best, bestAction := alpha, -won, board.Action(0)
	quiets := 0
	for i := 0; ; i++ {
		if i == 1 && !isListed {
			s.list(n, first)
		}
		if i >= len(n.actions) {
			break
		}
		a, weight := s.next(n, i)
		isQuiet := weight < weightBad
		if best > -decided && !n.hangs {
			if isQuiet && isLate(n, depth, alpha, quiets, weight) {
				break // and so do all that follow
			}
			if s.isHopeless(n, a, depth, isQuiet, weight) {
				continue
			}
		}
		if isQuiet {
			quiets++
		}
		v, over := s.play(ply, a)
		if !over {
			v = s.look(ply, depth, alpha, beta, i, weight, isWide)
		}
		if s.isStopped {
			return 0
		}
		if v > best {
			best, bestAction = v, a
			if isWide && v > alpha {
				n.best = append(append(n.best[:0], a), next.line(over)...)
			}
		}
		alpha = max(alpha, v)
		if alpha >= beta {
			if isQuiet {
				s.reward(n, a, depth)
			}
			break
		}
		if isQuiet {
			n.tried = append(n.tried, a)
		}
	}
	b := exact
	if best <= low {
		b, bestAction = atMost, 0
	} else if best >= beta {
		b = atLeast
	}
	s.table.keep(key, ply, depth, best, stored(n.static), b, bestAction)
	return best
}

// line returns the best line from a node, none if the game ended there.
func (n *node) line(isOver bool) []board.Action {
	if isOver {
		return nil
	}
	return n.best
}

// isLate reports whether a quiet action comes too late in the list to matter at its depth.
func isLate(n *node, depth, alpha, quiets int, weight int32) bool {
	return depth <= 5 && (quiets >= 5+depth*depth && weight < 4000 || n.static+110+110*depth <= alpha && weight < 8000)
}

// isHopeless reports whether an action gives away too much to matter at its depth.
func (s *searcher) isHopeless(n *node, a board.Action, depth int, isQuiet bool, weight int32) bool {
	if isQuiet {
		return depth <= 5 && a.Kind() == board.Move && !s.exchange(&n.position, a, -45*depth)
	}
	return weight < weightCapture && depth <= 5 && !s.exchange(&n.position, a, -110*depth)
}

// look returns the value of the action just played, at the depth its place deserves.
func (s *searcher) look(ply, depth, alpha, beta, place int, weight int32, isWide bool) int {
	deep := depth - 1
	if place == 0 {
		return -s.search(ply+1, deep, -beta, -alpha)
	}
	reduced := deep
	if depth >= 3 && place >= 2 && weight < weightCapture {
		r := int(reductions[min(depth, maxDepth)][min(place, 63)])
		if isWide {
			r--
		}
		if s.line[ply].hangs {
			r--
		}
		if weight < weightBad {
			r -= int(max(-2, min(2, weight/5000)))
		}
		reduced = max(1, min(deep, deep-r))
	}
	v := -s.search(ply+1, reduced, -alpha-1, -alpha)
	if v > alpha && reduced < deep && !s.isStopped {
		v = -s.search(ply+1, deep, -alpha-1, -alpha)
	}
	if v > alpha && v < beta && isWide && !s.isStopped {
		v = -s.search(ply+1, deep, -beta, -alpha)
	}
	return v
}

// quiet searches only captures, promotions and a king's last steps, so that no exchange is
// judged halfway through. A side whose last king hangs tries everything.
func (s *searcher) quiet(ply, beyond, alpha, beta int) int {
	n := &s.line[ply]
	n.best = n.best[:0]
	if s.interrupted() {
		return 0
	}
	if ply >= maxPly {
		return s.evaluate(n)
	}
	key := n.key
	var first board.Action
	known := s.table.find(key)
	if known != nil {
		if score := known.worth(ply); known.answers(score, alpha, beta) {
			return score
		}
		first = board.Action(known.action)
	}
	all := n.hangs && beyond < deepestEvasion
	best, low := ply-won, alpha
	static := noStatic
	if !all {
		if known != nil && known.static != noStatic {
			static = int(known.static)
		} else {
			static = s.evaluate(n)
		}
		n.static = static
		best = static
		if best >= beta {
			return best
		}
		alpha = max(alpha, best)
		n.actions = n.position.AppendTactical(n.actions[:0])
		s.order(n, first)
	} else if s.list(n, first); len(n.actions) == 0 {
		return s.stuck(n, ply)
	}
	bestAction := board.Action(0)
	next := &s.line[ply+1]
	for i := range n.actions {
		a, weight := s.next(n, i)
		if !all && weight < weightGoal && s.isFutile(n, a, weight, static, alpha) {
			continue
		}
		if all && best > -decided && weight < weightBad {
			break // one quiet way out is enough here
		}
		v, over := s.play(ply, a)
		if !over {
			next.hangs = s.hangs(next)
			v = -s.quiet(ply+1, beyond+1, -beta, -alpha)
		}
		if s.isStopped {
			return 0
		}
		if v > best {
			best, bestAction = v, a
		}
		alpha = max(alpha, v)
		if alpha >= beta {
			break
		}
	}
	b := atMost
	if best >= beta {
		b = atLeast
	} else if best > low {
		b = exact
	}
	s.table.keep(key, ply, 0, best, static, b, bestAction)
	return best
}

// isFutile reports whether a capture can hardly lift the score to the window, or loses.
func (s *searcher) isFutile(n *node, a board.Action, weight int32, static, alpha int) bool {
	gain := s.prices[board.Pawn]
	if taken := n.position.At(a.To()); !taken.IsEmpty() {
		gain = s.prices[taken.Kind()]
	}
	switch {
	case a.Promotion() != board.NoKind:
		return !s.exchange(&n.position, a, 0)
	case static+gain+180 <= alpha:
		return true
	case weight == weightFirst:
		return !s.exchange(&n.position, a, 0)
	}
	return weight < weightCapture/2 // as next found out
}

// stuck returns the value for a side without any action: its flag will fall (Rules D3).
func (s *searcher) stuck(n *node, ply int) int {
	us := n.position.Turn()
	lead := n.position.Points(us) - n.position.Points(us.Other()) - match.FlagPenalty
	return ended(lead, ply)
}

// interrupted stops the search once its positions are used up or its context is done.
func (s *searcher) interrupted() bool {
	if s.nodes >= s.limit || s.nodes&0x3ff == 0 && s.ctx.Err() != nil {
		s.isStopped = true
	}
	return s.isStopped
}

// noStatic stands in the table for an evaluation that was not made.
const noStatic = math.MinInt16

func stored(static int) int {
	if static == -won {
		return noStatic
	}
	return static
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
