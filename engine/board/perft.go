package board

// Perft returns the number of positions at exactly the given depth of the tree of
// actions (Rules D29). A game that ends sooner does not count.
func Perft(p Position, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	return p.perft(make([]Action, 0, 256*depth), depth)
}

// Count is an action with the number of leaves below it.
type Count struct {
	Action Action
	Nodes  uint64
}

// Divide is Perft split by first action; nothing at depth 0.
func Divide(p Position, depth int) []Count {
	if depth <= 0 {
		return nil
	}
	var counts []Count
	for _, a := range p.Moves(nil) {
		next, _ := p.PlayUnchecked(a)
		counts = append(counts, Count{a, Perft(next, depth-1)})
	}
	return counts
}

// perft keeps its lists in the room behind buf. It counts the last ply by the length of
// the list.
func (p *Position) perft(buf []Action, depth int) uint64 {
	actions := p.Moves(buf)
	if depth == 1 {
		return uint64(len(actions))
	}
	nodes := uint64(0)
	rest := actions[len(actions):]
	var next Position // one for all turns of the loop, or each would be on the heap
	var e Effect
	for _, a := range actions {
		next = *p
		next.Advance(a, &e)
		nodes += next.perft(rest, depth-1)
	}
	return nodes
}
