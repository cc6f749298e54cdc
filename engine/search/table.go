package search

import (
	"chpok.org/chpok/engine/board"
)

// bound is how a remembered score relates to the true one.
type bound uint8

const (
	exact bound = 1 + iota
	atLeast
	atMost
)

// seen is a node as the table remembers it, in 16 bytes.
type seen struct {
	check  uint32 // the part of the key that its slot does not imply
	more   uint16
	score  int16 // from this node: plies to the end count from here
	action uint32
	static int16
	depth  int8
	mark   uint8 // its age and, in the low two bits, its bound
}

func (e *seen) bound() bound { return bound(e.mark & 3) }

func (e *seen) is(key uint64) bool { return e.check == uint32(key>>32) && e.more == uint16(key>>16) }

// table remembers nodes in two slots for each key: one prefers the deeper search, the
// other takes the latest.
type table struct {
	slots []seen
	age   uint8
}

func newTable(bits int) *table { return &table{slots: make([]seen, 1<<bits)} }

// key covers everything that decides how the game goes on: the placement, the features,
// the lead, and how near claims and the move limit are.
func (s *searcher) key(n *node) uint64 {
	p := &n.position
	lead := p.Points(board.White) - p.Points(board.Black)
	left := min(s.moveLimit-p.FullMove(), maxPly)
	state := uint64(uint16(lead)) | uint64(uint16(n.claims.margin))<<16 | uint64(uint8(min(n.claims.up, 63)))<<32 |
		uint64(uint8(min(n.claims.down, 63)))<<40 | uint64(uint8(left))<<48
	return n.placement ^ mix(state) ^ s.salt
}

// find returns what is remembered under a key, or nil.
func (t *table) find(key uint64) *seen {
	pair := t.pair(key)
	for i := range pair {
		if pair[i].is(key) && pair[i].bound() != 0 {
			return &pair[i]
		}
	}
	return nil
}

func (t *table) pair(key uint64) *[2]seen {
	i := key & uint64(len(t.slots)-1) &^ 1
	return (*[2]seen)(t.slots[i:])
}

// worth returns the remembered score as seen from the root.
func (e *seen) worth(ply int) int {
	score := int(e.score)
	switch {
	case score > won-2*maxPly:
		score -= ply
	case score < 2*maxPly-won:
		score += ply
	}
	return score
}

// answers reports whether a remembered score settles a window.
func (e *seen) answers(score, alpha, beta int) bool {
	switch e.bound() {
	case atLeast:
		return score >= beta
	case atMost:
		return score <= alpha
	}
	return e.bound() == exact
}

func (t *table) keep(key uint64, ply, depth, score, static int, b bound, a board.Action) {
	switch {
	case score > won-2*maxPly:
		score += ply
	case score < 2*maxPly-won:
		score -= ply
	}
	pair := t.pair(key)
	slot := &pair[0]
	isSame := slot.is(key)
	if !isSame && slot.mark>>2 == t.age&63 && int(slot.depth) > depth {
		slot = &pair[1]
		isSame = slot.is(key)
	}
	if a == 0 && isSame {
		a = board.Action(slot.action)
	}
	*slot = seen{
		check: uint32(key >> 32), more: uint16(key >> 16), action: uint32(a),
		score: int16(score), static: int16(static), depth: int8(depth), mark: t.age<<2 | uint8(b),
	}
}
