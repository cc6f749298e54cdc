package analysis

import (
	"context"
	"encoding/json"
	"math"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/search"
)

// Point is a position of the match: White's expected share of the point, and the best line
// for the side to move.
type Point struct {
	White float64        `json:"white"`
	Line  []board.Action `json:"line,omitempty"`
}

// Report is what is known of a match: its positions from the start, as far as they have
// been judged.
type Report struct {
	Points []Point       `json:"points"`
	Second map[int]Point `json:"second,omitempty"` // a longer look at some, by their index
	Better map[int]Point `json:"better,omitempty"` // after what would have been best instead of a played action, by its index
	Third  map[int]Point `json:"third,omitempty"`  // the longest look, at some beside an action whose word is close
	Bids   []Bid         `json:"bids,omitempty"`   // for each step of the bidding
}

// Bid is what a bid gave away of the expected score, and a better bid; empty for a draw, or
// if there was none.
type Bid struct {
	Loss   float64         `json:"loss,omitempty"`
	Better json.RawMessage `json:"better,omitempty"` // as in records
	IsCall bool            `json:"call,omitempty"`   // whether the better bid is a call
}

// chipsJudged is how many chips both may have left together where a bid is judged. With more, what is said of bids does not
// hold in matches played on from them (docs/engine.md).
const chipsJudged = 8

// JudgesBids reports whether it can be said what a bid gives away.
func JudgesBids(s bidding.State) bool {
	return s.Purse(match.First)+s.Purse(match.Second) <= chipsJudged
}

// Bids judges the last bids of a match, skipping draws. If the context ends before it does,
// the result means nothing.
func Bids(ctx context.Context, s match.State) []Bid {
	var list []Bid
	for _, step := range s.BidSteps() {
		var b Bid
		if step.Seat.Valid() && JudgesBids(step.Before) {
			loss, better := search.JudgeBid(ctx, step.Before, s.Options().Envelope, step.Seat, step.Bid)
			if b.Loss = math.Round(loss*1000) / 1000; b.Loss >= DearFrom {
				b.Better, _ = json.Marshal(better) // a bid always encodes
				b.IsCall = better.Chips == step.Before.Gap(better.Target, step.Seat)
			}
		}
		list = append(list, b)
	}
	return list
}

// DearFrom is the loss of the expected score from which a bid counts as dear.
const DearFrom = 0.03

// longestLine is how much of a line is kept.
const longestLine = 8

// Roots returns the positions of a match from the start and the actions between them; none
// if it ended in the bidding.
func Roots(g match.Game) (roots []search.Root, played []board.Action) {
	if !g.OnBoard() {
		return nil, nil
	}
	root := search.Root{Position: g.Positions()[0]}
	roots = append(roots, root)
	for _, p := range g.Plies() {
		root = root.Play(p.Action)
		roots, played = append(roots, root), append(played, p.Action)
	}
	return roots, played
}

// Nodes are how many positions to look at: at first for each position of a match; for the second look at those beside a
// move that seems to give something away, and at the one after the better move; and for the third look at those beside
// a move that is close to another hard word.
type Nodes struct{ First, Second, Third int }

// Look adds to a report what one more look tells: at the next position, or else at one that
// needs a second look. played are the actions between the roots. It returns false once
// there is nothing left to look at. If the context ends first, that is an error.
func (r *Report) Look(
	ctx context.Context, e *search.Engine, roots []search.Root, played []board.Action, nodes Nodes,
) (more bool, err error) {
	if i := len(r.Points); i < len(roots) {
		p, err := look(ctx, e, roots[i], nodes.First)
		if err == nil {
			r.Points = append(r.Points, p)
		}
		return true, err
	}
	if i, ok := r.doubtful(roots, played); ok {
		return true, r.again(ctx, e, roots, i, nodes.Second, &r.Second)
	}
	if more, err = r.prove(ctx, e, roots, played, nodes.Second); more || err != nil {
		return more, err
	}
	if i, ok := r.close(roots, played); ok {
		e.Forget() // what the shorter looks found must not decide
		return true, r.again(ctx, e, roots, i, nodes.Third, &r.Third)
	}
	return false, nil
}

// again looks at a position once more and keeps what that tells.
func (r *Report) again(ctx context.Context, e *search.Engine, roots []search.Root, i, nodes int, in *map[int]Point) error {
	p, err := look(ctx, e, roots[i], nodes)
	if err == nil {
		if *in == nil {
			*in = map[int]Point{}
		}
		(*in)[i] = p
	}
	return err
}

// prove looks at the position after a better move on which a word about the played one still rests unseen.
func (r *Report) prove(
	ctx context.Context, e *search.Engine, roots []search.Root, played []board.Action, nodes int,
) (more bool, err error) {
	for i, a := range played {
		best := r.longest(i).Line
		if _, known := r.Better[i]; known || len(best) == 0 {
			continue
		}
		if grade, _ := r.Grade(i, a, roots[i].Position.Turn()); grade == Sound {
			continue
		}
		p, err := look(ctx, e, roots[i].Play(best[0]), nodes)
		if err == nil {
			if r.Better == nil {
				r.Better = map[int]Point{}
			}
			r.Better[i] = p
		}
		return true, err
	}
	return false, nil
}

// doubtful returns a position that needs a second look, false without one.
func (r *Report) doubtful(roots []search.Root, played []board.Action) (int, bool) {
	for i, a := range played {
		if GradeOf(Loss(r.Points[i], r.Points[i+1], a, roots[i].Position.Turn())-doubt) == Sound {
			continue
		}
		for at := i; at <= i+1; at++ {
			if _, known := r.Second[at]; !known {
				return at, true
			}
		}
	}
	return 0, false
}

// close returns a position that needs a third look, false without one: beside an action with a hard word that is close to
// the other one, or of which the two looks before tell much different things.
func (r *Report) close(roots []search.Root, played []board.Action) (int, bool) {
	for i, a := range played {
		by := roots[i].Position.Turn()
		if grade, _ := r.Grade(i, a, by); grade < Mistake {
			continue
		}
		second := Loss(r.Second[i], r.Second[i+1], a, by)
		if math.Abs(second-blunderFrom) > closeTo && math.Abs(second-Loss(r.Points[i], r.Points[i+1], a, by)) <= closeTo {
			continue
		}
		for at := i; at <= i+1; at++ {
			if _, known := r.Third[at]; !known {
				return at, true
			}
		}
	}
	return 0, false
}

// longest returns what the longest look told that every word rests on; the third decides between words and tells nothing else.
func (r *Report) longest(i int) Point {
	if p, ok := r.Second[i]; ok {
		return p
	}
	return r.Points[i]
}

// Grade grades the action after the position with an index, and returns its loss. It is less than sound only if two looks
// say so, and the one after the better move does not deny it: the smallest loss that they found decides, less doubt. Which
// of the hard words it is, the longest looks decide, with no doubt either way; a third look that finds much less than the
// second leaves a slip at most.
func (r *Report) Grade(i int, a board.Action, by board.Color) (grade Grade, loss float64) {
	loss = Loss(r.Points[i], r.Points[i+1], a, by)
	before, hasBefore := r.Second[i]
	after, hasAfter := r.Second[i+1]
	if !hasBefore || !hasAfter {
		return Sound, loss
	}
	second := Loss(before, after, a, by)
	loss = min(loss, second)
	if best, ok := r.Better[i]; ok {
		loss = max(0, min(loss, side(best.White, by == board.Black)-side(after.White, by == board.Black)))
	}
	if grade = GradeOf(loss - doubt); grade < Mistake {
		return grade, loss
	}
	before, hasBefore = r.Third[i]
	after, hasAfter = r.Third[i+1]
	if !hasBefore || !hasAfter {
		return GradeOf(second), second
	}
	third := Loss(before, after, a, by)
	switch grade = GradeOf(third - doubt); {
	case third < second-closeTo:
		grade = min(Slip, grade)
	case grade >= Mistake:
		grade = GradeOf(third)
	}
	return grade, third
}

// Looks returns how many looks a report is made of.
func (r *Report) Looks() int { return len(r.Points) + len(r.Second) + len(r.Better) + len(r.Third) }

// look judges one position by looking at up to nodes others.
func look(ctx context.Context, e *search.Engine, root search.Root, nodes int) (Point, error) {
	if white, over := root.Over(); over {
		return Point{White: float64(white+1) / 2}, nil
	}
	lines := e.Search(ctx, root, search.Limits{Nodes: nodes}, nil)
	if err := ctx.Err(); err != nil {
		return Point{}, err
	}
	isBlack := root.Position.Turn() == board.Black
	if len(lines) == 0 { // the flag will fall (Rules D3)
		return Point{White: side(0, isBlack)}, nil
	}
	best := lines[0]
	return Point{
		White: math.Round(side(search.Expected(best.Score), isBlack)*1000) / 1000,
		Line:  best.Actions[:min(len(best.Actions), longestLine)],
	}, nil
}

// Loss returns what an action gave away of the expected score: nothing if it was the best.
func Loss(before, after Point, a board.Action, by board.Color) float64 {
	if len(before.Line) == 0 || before.Line[0] == a {
		return 0
	}
	isBlack := by == board.Black
	return max(0, side(before.White, isBlack)-side(after.White, isBlack))
}

// side turns one side's share into the other's, if that is asked for.
func side(share float64, other bool) float64 {
	if other {
		return 1 - share
	}
	return share
}

// Grade is how much of the expected score a move gave away.
type Grade uint8

const (
	Sound Grade = iota
	Slip
	Mistake
	Blunder
)

// String returns the grade as texts are keyed by it.
func (g Grade) String() string { return [...]string{"sound", "slip", "mistake", "blunder"}[g] }

// The losses from which a move is no longer sound.
const (
	slipFrom    = 0.08
	mistakeFrom = 0.15
	blunderFrom = 0.28
)

// doubt is how much less than the threshold a loss may truly be: that much is in the moves'
// favor, so that what is said of them holds (docs/engine.md).
const doubt = 0.03

// closeTo is how near the loss of a mistake or blunder may be to the border between them before a third look decides, and how
// far two looks may be from each other.
const closeTo = 0.06

// GradeOf returns the grade of a loss.
func GradeOf(loss float64) Grade {
	switch {
	case loss >= blunderFrom:
		return Blunder
	case loss >= mistakeFrom:
		return Mistake
	case loss >= slipFrom:
		return Slip
	}
	return Sound
}

// Cause is what was wrong with a move, if there is a name for it.
type Cause uint8

const (
	NoCause     Cause = iota
	KingLost          // a king can be taken now
	GoalAllowed       // the opponent's king reaches its goal
	KingMissed        // a king could have been taken
	GoalMissed        // one's own king could have reached its goal
	PieceLost         // a piece can be taken now
	PieceMissed       // a piece could have been taken
)

// String returns the cause as texts are keyed by it, "" for none.
func (c Cause) String() string {
	return [...]string{"", "king-lost", "goal-allowed", "king-missed", "goal-missed", "piece-lost", "piece-missed"}[c]
}

// Verdict is what there is to say about a move.
type Verdict struct {
	Ply   int // from 1
	Seat  match.Seat
	Loss  float64 // of the expected score
	Grade Grade
	Cause Cause
	Piece board.Kind     // that the cause is about
	Best  []board.Action // what would have been better, and the continuation; none if the move was best
	Reply []board.Action // what follows the move
}

// Verdicts judges the moves between positions that have both been judged.
func Verdicts(g match.Game, r Report) []Verdict {
	plies := g.Plies()
	var positions []board.Position
	if len(plies) > 0 {
		positions = g.Positions()
	}
	list := make([]Verdict, 0, len(plies))
	for i, p := range plies {
		if i+1 >= len(r.Points) {
			break
		}
		before, after := r.longest(i), r.longest(i+1)
		v := Verdict{Ply: i + 1, Seat: p.Seat, Reply: after.Line}
		v.Grade, v.Loss = r.Grade(i, p.Action, p.Color)
		if len(before.Line) > 0 && before.Line[0] != p.Action {
			v.Best = before.Line
		}
		if v.Grade > Sound {
			v.Cause, v.Piece = cause(positions[i], p, before.Line, positions[i+1], after.Line)
		}
		list = append(list, v)
	}
	return list
}

// near is how many plies of a line count as what it wins.
const near = 5

// cause names what was wrong with a move: what its refutation wins, or else what the better
// move would have won.
func cause(before board.Position, p match.Ply, best []board.Action, after board.Position, reply []board.Action) (Cause, board.Kind) {
	lost, missed := won(after, reply), won(before, best)
	switch {
	case lost.end == board.KingOfTheHill || lost.end == board.KingsRun:
		return GoalAllowed, board.King
	case lost.king:
		return KingLost, board.King
	case missed.end == board.KingOfTheHill || missed.end == board.KingsRun:
		return GoalMissed, board.King
	case missed.king && p.Effect.KingPoints == 0:
		return KingMissed, board.King
	case worth[lost.first] >= worth[missed.first] && worth[lost.first] > max(1, worth[p.Effect.Captured.Kind()]):
		return PieceLost, lost.first
	case worth[missed.first] > max(1, worth[p.Effect.Captured.Kind()]):
		return PieceMissed, missed.first
	}
	return NoCause, 0
}

// worth is the relative worth of pieces, in pawns.
var worth = [8]int{board.Pawn: 1, board.Knight: 3, board.Bishop: 3, board.Rook: 5, board.Queen: 9, board.King: 5, board.Dragon: 3}

// gains are what a line wins for the side that starts it.
type gains struct {
	king  bool
	end   board.End
	first board.Kind // what its first action takes
}

func won(p board.Position, line []board.Action) (g gains) {
	for i, a := range line[:min(len(line), near)] {
		next, effect, err := p.Play(a)
		if err != nil {
			return g
		}
		p = next
		if i%2 == 1 {
			continue
		}
		if i == 0 && !effect.Captured.IsEmpty() {
			g.first = effect.Captured.Kind()
		}
		if effect.KingPoints > 0 {
			g.king, g.end = true, effect.End
			return g
		}
	}
	return g
}

// Accuracy returns how exactly a seat played, out of 100; false if none of its moves was
// judged. A move that gives away a tenth of the point is worth 67.
func Accuracy(list []Verdict, seat match.Seat) (share float64, ok bool) {
	sum, n := 0.0, 0
	for _, v := range list {
		if v.Seat == seat {
			sum += math.Exp(-4 * v.Loss)
			n++
		}
	}
	if n == 0 {
		return 0, false
	}
	return 100 * sum / float64(n), true
}
