package search

import (
	"context"
	"slices"

	"chpok.org/chpok/engine/board"
)

// Engine searches one position after another and remembers what it has seen. It is not
// safe for concurrent use.
type Engine struct{ s *searcher }

// Limits bound a search; 0 means no limit of that kind. Without Nodes or Depth, a search
// goes on until its context ends.
type Limits struct {
	Nodes int
	Depth int
	Lines int // how many of the best actions to score; 0 means 1
	Seed  uint64
	Avoid []board.Action // actions not to play, as long as there are others
	Error int            // with a seed: by how much a position may be misjudged, in hundredths of a pawn
}

// Line is a good action and the expected continuation.
type Line struct {
	Score   int // hundredths of a pawn for the side to move
	Depth   int
	Nodes   int
	Actions []board.Action
}

// IsDecided reports whether the line leads to the end of the game, and in how many plies;
// negative if the side to move loses.
func (l Line) IsDecided() (plies int, ok bool) {
	switch {
	case l.Score > decided:
		return won - l.Score, true
	case l.Score < -decided:
		return -won - l.Score, true
	}
	return 0, false
}

// NewEngine returns an engine whose table has 2^bits slots of 16 bytes.
func NewEngine(bits int) *Engine { return &Engine{&searcher{table: newTable(bits)}} }

// Forget clears the table and what the engine has learned about ordering actions.
func (e *Engine) Forget() {
	clear(e.s.table.slots)
	e.s.history = [2][8][board.Squares]int16{}
	e.s.counters = [16][board.Squares]board.Action{}
}

// Search returns the best lines of a position that is not over, best first; none if the
// side to move has no action. report, unless nil, receives the lines after each depth.
func (e *Engine) Search(ctx context.Context, root Root, limits Limits, report func([]Line)) []Line {
	s := e.s
	nodes := limits.Nodes
	if nodes <= 0 {
		nodes = 1<<63 - 1
	}
	s.prepare(ctx, root, nodes, limits)
	first := &s.line[0]
	actions := root.Position.Moves(nil)
	if len(actions) == 0 {
		return nil
	}
	isAvoided := func(a board.Action) bool { return slices.Contains(limits.Avoid, a) }
	if others := slices.DeleteFunc(slices.Clone(actions), isAvoided); len(others) > 0 {
		actions = others
	}
	first.actions = actions
	s.order(first, 0)
	for i := range actions {
		s.next(first, i)
	}
	wanted := max(1, min(limits.Lines, len(actions)))
	lines := make([]Line, 0, wanted)
	lines = append(lines, Line{Actions: actions[:1:1]})
	for depth := 1; depth <= maxDepth && (limits.Depth <= 0 || depth <= limits.Depth); depth++ {
		before, done := slices.Clone(lines), 0
		for k := range wanted {
			guess, hasGuess := 0, depth >= 5 && k < len(lines)
			if hasGuess {
				guess = lines[k].Score
			}
			line, ok := s.deepen(actions, k, depth, guess, hasGuess)
			if !ok {
				break
			}
			if k < len(lines) {
				lines[k] = line
			} else {
				lines = append(lines, line)
			}
			done++
		}
		if s.isStopped { // what was not looked at again keeps what was known of it
			lines = complete(lines[:done], before)
			break
		}
		slices.SortStableFunc(lines, func(a, b Line) int { return b.Score - a.Score })
		if report != nil {
			report(slices.Clone(lines))
		}
		if s.isSettled(lines, len(actions), depth) {
			break
		}
	}
	return lines
}

// complete adds to lines those of before that begin with other actions, up to as many as before had.
func complete(lines, before []Line) []Line {
	for _, l := range before {
		same := func(x Line) bool { return x.Actions[0] == l.Actions[0] }
		if len(lines) < len(before) && !slices.ContainsFunc(lines, same) {
			lines = append(lines, l)
		}
	}
	slices.SortStableFunc(lines, func(a, b Line) int { return b.Score - a.Score })
	return lines
}

// isSettled reports whether more thought cannot change the choice.
func (s *searcher) isSettled(lines []Line, actions, depth int) bool {
	plies, ok := lines[0].IsDecided()
	return len(lines) == 1 && (ok && abs(plies) <= depth || actions == 1 && s.limit < 1<<62)
}

// deepen searches the root's actions from index k on, and moves the best of them to index
// k. It returns false if the search stopped before it knew better.
func (s *searcher) deepen(actions []board.Action, k, depth, guess int, hasGuess bool) (Line, bool) {
	low, high, wide := -won, won, 30
	if hasGuess && abs(guess) < decided {
		low, high = guess-wide, guess+wide
	}
	for {
		best, score, line, ok := s.root(actions, k, depth, low, high)
		if s.isStopped && !ok {
			return Line{}, false
		}
		isDone := s.isStopped || score > low && score < high || low == -won && high == won
		if isDone || score > low {
			a := actions[best]
			copy(actions[k+1:best+1], actions[k:best])
			actions[k] = a
		}
		switch {
		case isDone:
			return Line{Score: score, Depth: depth, Nodes: s.nodes, Actions: line}, true
		case score <= low:
			low = max(-won, low-wide)
		default:
			high = min(won, high+wide)
		}
		if wide *= 3; wide > 800 {
			low, high = -won, won
		}
	}
}

// root searches the root's actions from index k on, within a window. ok means the best so
// far can be trusted: either the first was searched to the end, or a later one beat it.
func (s *searcher) root(actions []board.Action, k, depth, alpha, beta int) (best, score int, line []board.Action, ok bool) {
	n, next := &s.line[0], &s.line[1]
	score, best = -won-1, k
	for i := k; i < len(actions); i++ {
		a := actions[i]
		next.killers = [2]board.Action{}
		v, over := s.play(0, a)
		if !over {
			switch {
			case i == k:
				v = -s.search(1, depth-1, -beta, -alpha)
			default:
				deep := depth - 1
				if depth >= 4 && i-k >= 6 && n.position.At(a.To()) == 0 {
					deep--
				}
				v = -s.search(1, deep, -alpha-1, -alpha)
				if v > alpha && !s.isStopped {
					v = -s.search(1, depth-1, -beta, -alpha)
				}
			}
		}
		if s.isStopped {
			break
		}
		ok = true
		if v > score {
			best, score = i, v
			line = append(append(make([]board.Action, 0, 1+len(next.best)), a), next.line(over)...)
		}
		alpha = max(alpha, v)
		if alpha >= beta {
			break
		}
	}
	return best, score, line, ok
}
