package search

import (
	"context"
	"slices"
	"sync"

	"chpok.org/chpok/engine/board"
)

// Engines search one position together: each has a table of its own and looks at a part
// of the actions. They are not safe for concurrent use by others.
type Engines []*Engine

// NewEngines returns n engines, each with a table of 2^bits slots.
func NewEngines(n, bits int) Engines {
	es := make(Engines, n)
	for i := range es {
		es[i] = NewEngine(bits)
	}
	return es
}

// Forget is Engine.Forget for all.
func (es Engines) Forget() {
	for _, e := range es {
		e.Forget()
	}
}

// Search is Engine.Search by all engines. report receives the best lines of all after
// each depth that every engine has completed. The limit of nodes is for all together.
func (es Engines) Search(ctx context.Context, root Root, limits Limits, report func([]Line)) []Line {
	if len(es) == 1 {
		return es[0].Search(ctx, root, limits, report)
	}
	parts := es.share(ctx, root, limits)
	if len(parts) <= 1 {
		return es[0].Search(ctx, root, limits, report)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	t := together{wanted: max(1, limits.Lines), parts: make([]part, len(parts)), report: report, stop: cancel}
	var all sync.WaitGroup
	for i, own := range parts {
		l := limits
		l.Nodes = (limits.Nodes + len(parts) - 1) / len(parts)
		l.Avoid = slices.DeleteFunc(root.Position.Moves(nil), func(a board.Action) bool { return slices.Contains(own, a) })
		all.Go(func() {
			last := es[i].Search(ctx, root, l, func(lines []Line) { t.deeper(i, lines) })
			t.end(i, last)
		})
	}
	all.Wait()
	return t.best
}

// share deals the actions out, good and bad ones alike, as a shallow search ranks them.
func (es Engines) share(ctx context.Context, root Root, limits Limits) [][]board.Action {
	actions := root.Position.Moves(nil)
	limits.Depth, limits.Nodes, limits.Lines = 2, 0, len(actions)
	ranked := es[0].Search(ctx, root, limits, nil)
	parts := make([][]board.Action, min(len(es), len(ranked)))
	for i, l := range ranked {
		to := i % len(parts)
		if i/len(parts)%2 == 1 {
			to = len(parts) - 1 - to
		}
		parts[to] = append(parts[to], l.Actions[0])
	}
	return parts
}

// together gathers what engines find.
type together struct {
	mu     sync.Mutex
	wanted int
	parts  []part
	depth  int // that all have completed
	best   []Line
	report func([]Line)
	stop   func()
}

// part is what one engine has found: its lines by depth, and at the end.
type part struct {
	depths [][]Line
	last   []Line
}

func (t *together) deeper(i int, lines []Line) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.parts[i].depths = append(t.parts[i].depths, lines)
	t.merge()
}

func (t *together) end(i int, last []Line) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.parts[i].last = last
	t.merge()
}

// merge joins the lines of the next depths that no engine has still to complete.
func (t *together) merge() {
	for {
		var lines []Line
		nodes, isNew := 0, false
		for _, p := range t.parts {
			found := p.last
			if len(p.depths) > t.depth {
				found, isNew = p.depths[t.depth], true
			} else if p.last == nil {
				return
			}
			lines = append(lines, found...)
			nodes += found[0].Nodes
		}
		if !isNew && t.best != nil {
			return
		}
		slices.SortStableFunc(lines, func(a, b Line) int { return b.Score - a.Score })
		t.best = lines[:min(t.wanted, len(lines))]
		for i := range t.best {
			t.best[i].Nodes = nodes
		}
		if !isNew {
			return
		}
		t.depth++
		if t.report != nil {
			t.report(slices.Clone(t.best))
		}
		if plies, ok := t.best[0].IsDecided(); ok && t.wanted == 1 && abs(plies) <= t.depth {
			t.stop()
		}
	}
}
