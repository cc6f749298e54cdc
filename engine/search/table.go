package search

import "chpok.org/chpok/engine/board"

// bound is how a remembered score stands to the true one.
type bound uint8

const (
	exact bound = 1 + iota
	atLeast
	atMost
)

// seen is a node as the table remembers it.
type seen struct {
	key    uint64
	action board.Action
	score  int16 // from this node: the plies to an end count from it
	depth  int8
	bound  bound
}

// key is of all that decides how the game goes on: the position, the lead, and
// how near claims and the move limit are.
func (s *searcher) key(n *node) uint64 {
	p := &n.position
	lead := p.Points(board.White) - p.Points(board.Black)
	left := min(s.moveLimit-p.FullMove(), maxPly)
	state := uint64(uint16(lead)) | uint64(uint16(n.claims.margin))<<16 | uint64(uint8(min(n.claims.up, 63)))<<32 |
		uint64(uint8(min(n.claims.down, 63)))<<40 | uint64(uint8(left))<<48
	return p.Key() ^ mix(state)
}

// within is the remembered score, if it answers a question of that depth and
// window.
func (e *seen) within(ply, depth, alpha, beta int) (score int, ok bool) {
	if int(e.depth) < depth {
		return 0, false
	}
	score = int(e.score)
	switch {
	case score > won-2*maxPly:
		score -= ply
	case score < 2*maxPly-won:
		score += ply
	}
	switch e.bound {
	case exact:
		return score, true
	case atLeast:
		return score, score >= beta
	case atMost:
		return score, score <= alpha
	}
	return 0, false
}

func (e *seen) keep(key uint64, ply, depth, score, alpha, beta int, a board.Action) {
	b := exact
	switch {
	case score <= alpha:
		b = atMost
	case score >= beta:
		b = atLeast
	}
	switch {
	case score > won-2*maxPly:
		score += ply
	case score < 2*maxPly-won:
		score -= ply
	}
	*e = seen{key: key, action: a, score: int16(score), depth: int8(depth), bound: b}
}
