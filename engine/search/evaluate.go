package search

import (
	"math/bits"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
)

// A board counts as full at this phase (the standard row of eight files has 62), and as
// empty at 0.
const fullPhase = 58

// sight is what a side's pieces see in the position being evaluated.
type sight struct {
	pawns board.Bitboard // squares its pawns attack
	all   board.Bitboard // squares any of its pieces sees, pawns included
}

// judgment is what a placement is worth by itself, and the points the best safe piece of
// each side earns a move. It is kept because the same placement comes up again with
// another lead and other claims.
type judgment struct {
	placement uint64
	score     int32
	rates     [2]uint8
}

// evaluate returns how well the side to move stands, in hundredths of a pawn: its pieces
// and their squares, the safety of the last kings, the lead and the claim it is growing
// into, and who earns more with every move.
func (s *searcher) evaluate(n *node) int {
	p := &n.position
	j := &s.judged[n.placement%uint64(len(s.judged))]
	if j.placement != n.placement {
		*j = s.judge(n)
	}
	score := s.points(n, j)
	if p.Turn() == board.Black {
		score = -score
	}
	return bounded(score + s.knows.Tempo + s.whim(n.placement))
}

// judge works out the judgment of a node's placement.
func (s *searcher) judge(n *node) judgment {
	p := &n.position
	sights := &s.sights
	sights[board.White].pawns, sights[board.Black].pawns = p.PawnReach(board.White), p.PawnReach(board.Black)
	frame := s.frame(p)
	sum := n.tally + frame.tally
	sum += s.survey(p, board.White) - s.survey(p, board.Black)
	sum += s.threats(p, board.White, frame.passed) - s.threats(p, board.Black, frame.passed)
	if s.hasGoals {
		sum += s.way(p, board.White) - s.way(p, board.Black)
	}
	phase := min(fullPhase, sum.phase())
	score := (sum.middle()*phase + sum.end()*(fullPhase-phase)) / fullPhase
	return judgment{n.placement, int32(score), [2]uint8{s.rate(p, board.White), s.rate(p, board.Black)}}
}

func bounded(score int) int { return max(-decided+1, min(decided-1, score)) }

// whim returns by how much a bot misjudges a position: just enough not to play every game
// alike, or as much as its level errs.
func (s *searcher) whim(placement uint64) int {
	if s.seed == 0 {
		return 0
	}
	h := mix(placement ^ s.seed)
	return (int(h&255) + int(h>>8&255) - 255) * (4 + s.error) / 255
}

// points adds what the lead, the claims and the rates of scoring are worth.
func (s *searcher) points(n *node, j *judgment) int {
	p := &n.position
	score, rates := int(j.score), [2]int{int(j.rates[0]), int(j.rates[1])}
	w := s.knows
	d := p.Points(board.White) - p.Points(board.Black)
	left := s.moveLimit - p.FullMove() + 1
	// A king taken brings so many points that they would hide all others. They count apart,
	// and only near the move limit: until then the other side can have them back. Rank points
	// alone hardly make a lead of 800.
	kings := (abs(d) + board.KingPoints/5) / board.KingPoints
	if d < 0 {
		kings = -kings
	}
	rest := d - kings*board.KingPoints
	near := max(-w.Many, min(w.Many, rest))
	far := max(-4*w.Many, min(4*w.Many, rest-near))
	perPoint := w.Point
	if left < 30 {
		perPoint += (w.Late - w.Point) * (30 - left) / 30
		score += w.Late * (rates[0] - rates[1]) * left * (30 - left) / 300
		if left < 10 {
			score = score * (left + 2) / 12
		}
		score += w.KingLate * kings * (30 - left) / 30
	}
	score += perPoint*near + perPoint*far/4 + w.Rate[rates[0]] - w.Rate[rates[1]]
	switch up, down := min(n.claims.up, match.ClaimSteps), min(n.claims.down, match.ClaimSteps); {
	case d > 0 && n.claims.margin > 0:
		score += w.Streak[up]
	case d < 0 && n.claims.margin < 0:
		score -= w.Streak[down]
	}
	return score
}

// rate returns the points a move earns with a side's best piece that is not under attack.
func (s *searcher) rate(p *board.Position, c board.Color) uint8 {
	scorers := p.Side(c).Without(p.Pieces(c, board.Pawn)).Without(s.sights[c^1].all)
	if kings := p.Pieces(c, board.King); kings.IsEmpty() || kings.Rest().IsEmpty() {
		scorers = scorers.Without(kings)
	}
	switch {
	case scorers.IsEmpty():
		return 0
	case c == board.White:
		return uint8(scores(c, scorers.Last()))
	}
	return uint8(scores(c, scorers.First()))
}

// survey returns what a side's pieces are worth by what they see: mobility, and pressure
// on the opponent's last king.
func (s *searcher) survey(p *board.Position, c board.Color) tally {
	v := &s.view
	kings := p.Pieces(c^1, board.King)
	v.Ring = board.Bitboard{}
	if !kings.IsEmpty() && kings.Rest().IsEmpty() {
		v.Ring = board.Around(kings.First()).Or(kings).And(s.squares)
	}
	v.Open = s.squares.Without(s.sights[c^1].pawns.Or(p.Pieces(c, board.Pawn)).Or(p.Pieces(c, board.King)))
	p.Survey(c, v)
	me := &s.sights[c]
	me.all = v.All.Or(me.pawns)
	sum := tally(v.Free)
	if v.Watchers >= 2 {
		units := int(v.Near)
		danger := min(400, units*units/64+units/2)
		if p.Pieces(c, board.Queen).IsEmpty() {
			danger /= 2
		}
		sum += newTally(danger, danger/3, 0)
	}
	return sum
}

// threats returns what a side's threats are worth: pieces attacked by pawns or left
// unguarded, and passed pawns.
func (s *searcher) threats(p *board.Position, c board.Color, passed board.Bitboard) tally {
	w := s.knows
	me, them := &s.sights[c], &s.sights[c^1]
	theirs := p.Side(c ^ 1).Without(p.Pieces(c^1, board.Pawn))
	chased := theirs.And(me.pawns).Count()
	loose := theirs.Without(me.pawns).And(me.all).Without(them.all).Count()
	sum := newTally(chased*w.Chased[0]+loose*w.Hanging[0], chased*w.Chased[1]+loose*w.Hanging[1], 0)
	for set := passed.And(p.Side(c)); !set.IsEmpty(); set = set.Rest() {
		square := set.First()
		rank, ahead := square.Rank(), square+16
		if c == board.Black {
			rank, ahead = board.Ranks-1-rank, square-16
		}
		bonus := w.Passed[rank]
		if p.At(ahead) != 0 || them.all.Has(ahead) {
			bonus[0], bonus[1] = bonus[0]*2/3, bonus[1]*2/3
		}
		sum += newTally(bonus[0], bonus[1], 0)
	}
	return sum
}

// frame is what pawns and kings alone are worth, from White's view, and the passed pawns.
// It seldom changes, so it is kept.
type frame struct {
	key    uint64
	passed board.Bitboard
	tally  tally
}

func (s *searcher) frame(p *board.Position) *frame {
	key := p.Pieces(board.White, board.Pawn).Hash(s.salt)
	key = p.Pieces(board.Black, board.Pawn).Hash(key)
	key = p.Pieces(board.White, board.King).Hash(key)
	key = p.Pieces(board.Black, board.King).Hash(key)
	f := &s.frames[key%uint64(len(s.frames))]
	if f.key == key {
		return f
	}
	white, whitePassed := s.pawns(p, board.White)
	black, blackPassed := s.pawns(p, board.Black)
	*f = frame{key, whitePassed.Or(blackPassed), white - black + s.kings(p, board.White) - s.kings(p, board.Black)}
	return f
}

// kings returns what a side's kings are worth, given where they and the pawns stand.
func (s *searcher) kings(p *board.Position, c board.Color) tally {
	w := s.knows
	kings := p.Pieces(c, board.King)
	middle, end := 0, 0
	switch {
	case s.hasGoals:
		best := 0
		goals := p.Goals(c)
		for set := kings; !set.IsEmpty(); set = set.Rest() {
			best = max(best, w.Step[steps(set.First(), goals)])
		}
		middle, end = best, best
	case !kings.IsEmpty() && kings.Rest().IsEmpty():
		king := kings.First()
		rank := king.Rank()
		if c == board.Black {
			rank = board.Ranks - 1 - rank
		}
		middle = -w.Exposed[rank] - w.Shelter*s.openFiles(p, c, king)
	}
	// The first of several kings counts for no more than the others. What the game is about
	// is the last one, so all but one have a value.
	if !kings.IsEmpty() {
		middle -= w.Value[board.King][0]
		end -= w.Value[board.King][1]
	}
	return newTally(middle, end, 0)
}

// way returns what a king's way to its goal is worth, by its steps: all but the last must
// be onto squares the opponent does not see. Whoever gets there has won.
func (s *searcher) way(p *board.Position, c board.Color) tally {
	goals := p.Goals(c).Without(p.Side(c))
	free := s.squares.Without(p.Side(c)).Without(s.sights[c^1].all)
	reached := p.Pieces(c, board.King)
	for step := 1; step < board.Ranks; step++ {
		reached = reached.Or(reached.Beside())
		reached = reached.Or(reached.Up(1)).Or(reached.Down(1))
		if !reached.And(goals).IsEmpty() {
			way := s.knows.Way[step]
			return newTally(way[0], way[1], 0)
		}
		reached = reached.And(free)
	}
	return 0
}

// openFiles returns how many of the files at and beside a king have no pawn of its own in
// front of it.
func (s *searcher) openFiles(p *board.Position, c board.Color, king board.Square) int {
	pawns := p.Pieces(c, board.Pawn)
	front := board.SquareSet(king)
	front = front.Or(front.Beside())
	var all board.Bitboard
	for step := uint(1); step <= 2; step++ {
		if c == board.White {
			all = all.Or(front.Up(step))
		} else {
			all = all.Or(front.Down(step))
		}
	}
	sheltered := pawns.And(all)
	files := sheltered.Rank(king.Rank())
	for r := range board.Ranks {
		files |= sheltered.Rank(r)
	}
	want := front.Rank(king.Rank()) & (1<<p.Width() - 1)
	return bits.OnesCount16(want &^ files)
}

// pawns returns what a side's pawn structure is worth, and its passed pawns.
func (s *searcher) pawns(p *board.Position, c board.Color) (sum tally, passed board.Bitboard) {
	w := s.knows
	own, other := p.Pieces(c, board.Pawn), p.Pieces(c^1, board.Pawn)
	files := fileSet(own)
	beside := files<<1 | files>>1
	// The squares in front of the opponent's pawns, and those behind our own.
	var front, behind board.Bitboard
	if c == board.White {
		front, behind = fillDown(other.Down(1)), fillDown(own.Down(1))
	} else {
		front, behind = fillUp(other.Up(1)), fillUp(own.Up(1))
	}
	passed = own.Without(front).Without(front.Beside()).Without(behind)
	for set := own; !set.IsEmpty(); set = set.Rest() {
		square := set.First()
		if beside>>square.File()&1 == 0 {
			sum -= newTally(w.Isolated[0], w.Isolated[1], 0)
		}
		if behind.Has(square) {
			sum -= newTally(w.Doubled[0], w.Doubled[1], 0)
		}
	}
	return sum, passed
}

// fileSet returns the files the set has squares on.
func fileSet(b board.Bitboard) (files uint16) {
	for r := range board.Ranks {
		files |= b.Rank(r)
	}
	return files
}

func fillUp(b board.Bitboard) board.Bitboard {
	b = b.Or(b.Up(1))
	b = b.Or(b.Up(2))
	return b.Or(b.Up(4))
}

func fillDown(b board.Bitboard) board.Bitboard {
	b = b.Or(b.Down(1))
	b = b.Or(b.Down(2))
	return b.Or(b.Down(4))
}

// steps returns how many steps a king is from the nearest of the squares, at most 7.
func steps(king board.Square, goals board.Bitboard) int {
	nearest := board.Ranks - 1
	for ; !goals.IsEmpty(); goals = goals.Rest() {
		goal := goals.First()
		nearest = min(nearest, max(abs(goal.Rank()-king.Rank()), abs(goal.File()-king.File())))
	}
	return nearest
}
