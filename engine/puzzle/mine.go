package puzzle

import (
	"context"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/search"
)

// Game is a game that was played.
type Game struct {
	Roots []search.Root // the start first
	Moves []board.Action
	White []float64 // White's expected share of the point, 0…1, at each root
}

// Limits of the search for puzzles. Shares are expected shares of the point.
const (
	opening   = 6      // plies without a puzzle
	mostMoves = 3      // of the solver
	mostFound = 3      // puzzles in a game
	look      = 60_000 // nodes
	wins      = 0.65   // least share after winning a piece
	stands    = 0.35   // least share of a game that can be saved
	lost      = 0.05   // highest share of a lost game
	apart     = 0.25   // least lead over the second-best action
	missed    = 0.15   // least loss of share that makes a position worth checking
	heldFor   = 6      // most moves before a claim

	mostTried = 5_000_000 // plays to prove a puzzle
)

// worth is the value of pieces in pawns.
var worth = [8]int{board.Pawn: 1, board.Knight: 3, board.Bishop: 3, board.Rook: 5, board.Queen: 9, board.King: 12, board.Dragon: 3}

// Mine returns the puzzles of a game. Its only error is that of the context, which ends it early.
func Mine(ctx context.Context, e *search.Engine, g Game) (found []Puzzle, err error) {
	for i := opening; i < len(g.Moves) && i+1 < len(g.White) && len(found) < mostFound; i++ {
		before, after := g.White[i], g.White[i+1]
		if g.Roots[i].Position.Turn() == board.Black {
			before, after = 1-before, 1-after
		}
		p, ok := Check(ctx, e, g.Roots[i], Hint{IsWon: before == 1, IsLost: after <= lost && before >= stands, IsMissed: before-after >= missed})
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		p.Last = g.Moves[i-1]
		found = append(found, p)
		i += len(p.Answer) // the same puzzle goes on
	}
	return found, nil
}

// Hint is what the game says about a position, to save time.
type Hint struct {
	IsWon    bool // by force
	IsLost   bool // the move that was played lost
	IsMissed bool // the move that was played was much worse than the best
}

// Check makes a puzzle of a position. It reports false if the position has none, or none that can be
// proved.
func Check(ctx context.Context, e *search.Engine, root search.Root, hint Hint) (p Puzzle, ok bool) {
	if _, over := root.Over(); over || len(root.Position.Moves(nil)) < 3 {
		return p, false
	}
	e.Forget()
	m := miner{e: e, root: root, prover: prover{ctx: ctx, plays: mostPlays}}
	switch {
	case hint.IsWon && (m.win() || m.hold()):
	case hint.IsLost && m.save():
	case hint.IsMissed && m.piece():
	default:
		return p, false
	}
	p = m.found
	p.Features, p.Position, p.Streak = root.Position.Features(), root.Position.CFEN(), root.Streak()
	p.Features.Undos = 0
	if !p.isPlain() || !p.Prove(ctx, mostTried) {
		return p, false
	}
	p.Rating = m.rate()
	return p, ctx.Err() == nil
}

// isPlain reports whether the solver only moves pieces.
func (p Puzzle) isPlain() bool {
	for i := 0; i < len(p.Answer); i += 2 {
		if p.Answer[i].Kind() != board.Move {
			return false
		}
	}
	return true
}

// miner looks for the puzzle of a position.
type miner struct {
	prover
	e     *search.Engine
	root  search.Root
	found Puzzle
}

// win finds a forced win with only one way at each move, other than capturing a hanging king.
func (m *miner) win() bool {
	seen := m.e.Search(m.ctx, m.root, search.Limits{Nodes: look}, nil)[0]
	if plies, ok := seen.IsDecided(); !ok || plies < 0 || plies > 2*mostMoves {
		return false
	}
	for n := 1; n <= mostMoves; n++ {
		winners := m.winners(m.root, n)
		if len(winners) == 0 {
			continue
		}
		if len(winners) > 1 {
			return false
		}
		answer, end := m.line(m.root, winners[0], n)
		m.found.Answer = answer
		switch position := end.Position; {
		case len(answer) == 0:
			return false
		case position.End() == board.KingOfTheHill || position.End() == board.KingsRun:
			m.found.Theme = Goal
		case position.IsOver():
			m.found.Theme = King
		case isClaimed(end):
			m.found.Theme = Claim
		default: // the move limit
			return false
		}
		return m.plays > 0 && (n > 1 || m.found.Theme == Claim)
	}
	return false
}

// hold finds the only action that keeps a lead until it can be claimed, further ahead than can be
// proved. After any other action the win is in doubt.
func (m *miner) hold() bool {
	p := &m.root.Position
	us := p.Turn()
	if leads, left, ok := m.root.ClaimIn(); !ok || leads != us || left > heldFor || p.Points(us) <= p.Points(us.Other()) {
		return false
	}
	lines := m.e.Search(m.ctx, m.root, search.Limits{Nodes: 2 * look, Lines: 2}, nil)
	if len(lines) < 2 || search.Expected(lines[0].Score) < 1 || search.Expected(lines[1].Score) > 1-apart {
		return false
	}
	end := m.root
	for _, a := range lines[0].Actions {
		end = end.Play(a)
	}
	m.found.Theme, m.found.Answer = Claim, lines[0].Actions[:1:1]
	return isClaimed(end)
}

// isClaimed reports whether a claim ended the game.
func isClaimed(end search.Root) bool {
	_, over := end.Over()
	p := &end.Position
	return over && !p.IsOver() && p.FullMove() <= p.Features().MoveLimit
}

// line returns the winning answer within n moves that begins with a, against the longest defense,
// and the position at its end. There is none if the solver has a choice.
func (m *miner) line(root search.Root, a board.Action, n int) (answer []board.Action, end search.Root) {
	next := root.Play(a)
	if _, over := next.Over(); over {
		return []board.Action{a}, next
	}
	replies := next.Position.Moves(nil)
	if best := m.e.Search(m.ctx, next, search.Limits{Nodes: look / 10}, nil); len(best) > 0 {
		replies = append([]board.Action{best[0].Actions[0]}, replies...)
	}
	for _, reply := range replies {
		after := next.Play(reply)
		if _, over := after.Over(); over {
			if n == 1 {
				return []board.Action{a}, after
			}
			continue
		}
		if n == 1 || n > 2 && m.wins(after, n-2) {
			continue
		}
		winners := m.winners(after, n-1)
		if len(winners) == 1 || n == 2 && len(winners) > 0 {
			if rest, end := m.line(after, winners[0], n-1); len(rest) > 0 {
				return append([]board.Action{a, reply}, rest...), end
			}
		}
	}
	return nil, end
}

// save finds the only action that does not lose.
func (m *miner) save() bool {
	lines := m.e.Search(m.ctx, m.root, search.Limits{Nodes: 2 * look, Lines: 2}, nil)
	if len(lines) < 2 || search.Expected(lines[0].Score) < stands || search.Expected(lines[1].Score) > lost {
		return false
	}
	m.found.Theme, m.found.Answer = Save, lines[0].Actions[:1:1]
	return true
}

// piece finds the only quiet action that wins a piece.
func (m *miner) piece() bool {
	lines := m.e.Search(m.ctx, m.root, search.Limits{Nodes: 2 * look, Lines: 2}, nil)
	if len(lines) < 2 || len(lines[0].Actions) < 3 {
		return false
	}
	best := search.Expected(lines[0].Score)
	if best < wins || best-search.Expected(lines[1].Score) < apart {
		return false
	}
	answer := lines[0].Actions[:3]
	root, us := m.root, m.root.Position.Turn()
	for i, a := range answer {
		_, effect := root.Position.PlayUnchecked(a)
		if taken := effect.Captured.Kind(); i < 2 && worth[taken] > worth[board.Pawn] {
			return false
		} else if i == 2 && (worth[taken] < worth[board.Knight] || effect.Captured.Color() == us) {
			return false
		} else if i == 2 {
			m.found.Prize = taken.String()
		}
		root = root.Play(a)
		if _, over := root.Over(); over {
			return false
		}
	}
	m.found.Theme, m.found.Answer = Piece, answer
	return true
}

// A puzzle is rated by the nodes that a bot needs to solve it.
const (
	easiest = 900
	harder  = 200 // added for each look that fails
)

var looks = [...]int{60, 300, 1500, 7500, 37_500}

// rate returns the initial rating of the puzzle.
func (m *miner) rate() int {
	rating := easiest + 100*(len(m.found.Answer)/2)
	for _, nodes := range looks {
		m.e.Forget()
		if m.e.Search(m.ctx, m.root, search.Limits{Nodes: nodes}, nil)[0].Actions[0] == m.found.Answer[0] {
			break
		}
		rating += harder
	}
	return rating
}

// side returns the result of search.Root.Over if a color wins.
func side(c board.Color) int {
	if c == board.White {
		return 1
	}
	return -1
}

// prover proves wins by trying every action, within a budget.
type prover struct {
	ctx   context.Context // nil: none
	plays int             // budget
}

const mostPlays = 1_000_000

// isTired spends one play, and reports whether the budget or the context is done.
func (p *prover) isTired() bool {
	p.plays--
	return p.plays <= 0 || p.ctx != nil && p.plays%4096 == 0 && p.ctx.Err() != nil
}

// winners returns the actions of the side to move that win within n moves, whatever the other side
// does.
func (p *prover) winners(root search.Root, n int) (list []board.Action) {
	for _, a := range root.Position.Moves(nil) {
		if p.winsBy(root, a, n) {
			list = append(list, a)
		}
	}
	return list
}

// wins reports whether there are winners.
func (p *prover) wins(root search.Root, n int) bool {
	for _, a := range root.Position.Moves(nil) {
		if p.winsBy(root, a, n) {
			return true
		}
	}
	return false
}

// winsBy reports whether an action wins within n moves, counting itself.
func (p *prover) winsBy(root search.Root, a board.Action, n int) bool {
	if p.isTired() {
		return false
	}
	won := side(root.Position.Turn())
	next := root.Play(a)
	if white, over := next.Over(); over {
		return white == won
	}
	replies := next.Position.Moves(nil)
	for _, reply := range replies {
		after := next.Play(reply)
		if white, over := after.Over(); over {
			if white != won {
				return false
			}
		} else if n == 1 || !p.wins(after, n-1) {
			return false
		}
	}
	return len(replies) > 0
}
