package search

import (
	"math/bits"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
)

// A board is full at this phase (the standard row of eight files has 62), and
// counts as empty at none.
const fullPhase = 58

// sight is what a side's pieces see, worked out once for an evaluation.
type sight struct {
	pawns board.Bitboard // squares its pawns attack
	all   board.Bitboard // squares any of its pieces sees
}

// judgment is what a placement is worth by itself, and what the best safe piece of
// each side earns a move. The same placement is met by other ways, with another lead
// and other claims.
type judgment struct {
	placement uint64
	score     int32
	rates     [2]uint8
}

// evaluate is how well the side to move stands, in hundredths of a pawn: what it
// has and where, how safe the last kings are, the lead with the claim it is
// growing into, and who earns more with every move.
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

// whim is how a bot misjudges a position: a little, so that it does not play
// every game alike, or as much as its level errs.
func (s *searcher) whim(placement uint64) int {
	if s.seed == 0 {
		return 0
	}
	h := mix(placement ^ s.seed)
	return (int(h&255) + int(h>>8&255) - 255) * (4 + s.error) / 255
}

// points adds what the lead, the claims and the rate of scoring are worth.
func (s *searcher) points(n *node, j *judgment) int {
	p := &n.position
	score, rates := int(j.score), [2]int{int(j.rates[0]), int(j.rates[1])}
	w := s.knows
	d := p.Points(board.White) - p.Points(board.Black)
	left := s.moveLimit - p.FullMove() + 1
	switch {
	case d >= board.KingPoints/2:
		score += w.KingLead
	case d <= -board.KingPoints/2:
		score -= w.KingLead
	}
	near := max(-w.Many, min(w.Many, d))
	far := max(-4*w.Many, min(4*w.Many, d-near))
	perPoint := w.Point
	if left < 30 {
		perPoint += (w.Late - w.Point) * (30 - left) / 30
		score += w.Late * (rates[0] - rates[1]) * left * (30 - left) / 300
		if left < 10 {
			score = score * (left + 2) / 12
		}
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

// rate is the points of each move by a side's best piece that nothing drives
// away.
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

// survey is what a side's pieces see: mobility, and pressure on the opponent's
// last king.
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

// threats are a side's: pieces chased and left alone, and pawns that have passed
// all others.
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

// frame is what pawns and kings alone are worth, White's view, and which pawns
// have passed all others. It seldom changes, so it is remembered.
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

// kings is what is known of a side's kings by where they and the pawns stand.
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
	// The first of several kings is no more than the rest; only the last is
	// what the game is about, so all but one count.
	if !kings.IsEmpty() {
		middle -= w.Value[board.King][0]
		end -= w.Value[board.King][1]
	}
	return newTally(middle, end, 0)
}

// way is what a king's way to its goal is worth by its steps, none but the last onto a
// square that the opponent sees: who gets there has won.
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

// openFiles is how many of the files at and beside a king have no own pawn in
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

// pawns is the structure of a side's pawns, and which have passed all others.
func (s *searcher) pawns(p *board.Position, c board.Color) (sum tally, passed board.Bitboard) {
	w := s.knows
	own, other := p.Pieces(c, board.Pawn), p.Pieces(c^1, board.Pawn)
	files := fileSet(own)
	beside := files<<1 | files>>1
	// What lies before the opponent's pawns, seen from theirs, and beside that.
	var front, ownFront board.Bitboard
	if c == board.White {
		front, ownFront = fillDown(other.Down(1)), fillDown(own.Down(1))
	} else {
		front, ownFront = fillUp(other.Up(1)), fillUp(own.Up(1))
	}
	passed = own.Without(front).Without(front.Beside()).Without(ownFront)
	for set := own; !set.IsEmpty(); set = set.Rest() {
		square := set.First()
		if beside>>square.File()&1 == 0 {
			sum -= newTally(w.Isolated[0], w.Isolated[1], 0)
		}
		if ownFront.Has(square) {
			sum -= newTally(w.Doubled[0], w.Doubled[1], 0)
		}
	}
	return sum, passed
}

// fileSet is the files on which the set has squares.
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

// steps is how many steps a king is away from the nearest of the squares, at
// most 7.
func steps(king board.Square, goals board.Bitboard) int {
	nearest := board.Ranks - 1
	for ; !goals.IsEmpty(); goals = goals.Rest() {
		goal := goals.First()
		nearest = min(nearest, max(abs(goal.Rank()-king.Rank()), abs(goal.File()-king.File())))
	}
	return nearest
}
