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
	board.Sight
	pawns board.Bitboard // squares its pawns attack
	all   board.Bitboard // squares any of its pieces sees
}

// evaluate is how well the side to move stands, in hundredths of a pawn: what it
// has and where, how safe the last kings are, the lead with the claim it is
// growing into, and who earns more with every move.
func (s *searcher) evaluate(n *node) int {
	p := &n.position
	sights := &s.sights
	sights[board.White].pawns, sights[board.Black].pawns = p.PawnReach(board.White), p.PawnReach(board.Black)
	frame := s.frame(p)
	middle, end := int(n.tally.middle)+int(frame.middle), int(n.tally.end)+int(frame.end)
	m, e := s.survey(p, board.White)
	middle, end = middle+m, end+e
	m, e = s.survey(p, board.Black)
	middle, end = middle-m, end-e
	m, e = s.threats(p, board.White, frame.passed)
	middle, end = middle+m, end+e
	m, e = s.threats(p, board.Black, frame.passed)
	middle, end = middle-m, end-e
	if s.hasGoals {
		white, black := s.way(p, board.White), s.way(p, board.Black)
		middle, end = middle+white[0]-black[0], end+white[1]-black[1]
	}
	phase := min(fullPhase, int(n.tally.phase))
	score := (middle*phase + end*(fullPhase-phase)) / fullPhase
	score = s.points(n, [2]int{s.rate(p, board.White), s.rate(p, board.Black)}, score)
	if p.Turn() == board.Black {
		score = -score
	}
	return bounded(score + s.knows.Tempo + s.whim(p))
}

func bounded(score int) int { return max(-decided+1, min(decided-1, score)) }

// whim is how a bot misjudges a position: a little, so that it does not play
// every game alike, or as much as its level errs.
func (s *searcher) whim(p *board.Position) int {
	if s.seed == 0 {
		return 0
	}
	h := mix(p.Key() ^ s.seed)
	return (int(h&255) + int(h>>8&255) - 255) * (4 + s.error) / 255
}

// points adds what the lead, the claims and the rate of scoring are worth.
func (s *searcher) points(n *node, rates [2]int, score int) int {
	p := &n.position
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
func (s *searcher) rate(p *board.Position, c board.Color) int {
	scorers := p.Side(c).Without(p.Pieces(c, board.Pawn)).Without(s.sights[c^1].all)
	if kings := p.Pieces(c, board.King); kings.IsEmpty() || kings.Rest().IsEmpty() {
		scorers = scorers.Without(kings)
	}
	switch {
	case scorers.IsEmpty():
		return 0
	case c == board.White:
		return scores(c, scorers.Last())
	}
	return scores(c, scorers.First())
}

// survey is what a side's pieces see: mobility, and pressure on the opponent's
// last king.
func (s *searcher) survey(p *board.Position, c board.Color) (middle, end int) {
	w := s.knows
	me := &s.sights[c]
	var ring board.Bitboard
	kings := p.Pieces(c^1, board.King)
	if !kings.IsEmpty() && kings.Rest().IsEmpty() {
		ring = p.Reach(board.King, kings.First(), board.Bitboard{}).Or(kings)
	}
	barred := s.sights[c^1].pawns.Or(p.Pieces(c, board.Pawn)).Or(p.Pieces(c, board.King))
	p.Survey(c, barred, ring, &me.Sight)
	me.all = me.All.Or(me.pawns)
	units := 0
	for k := board.Knight; k <= board.Dragon; k++ {
		free := int(me.Free[k])
		middle += free * w.Mobility[k][0]
		end += free * w.Mobility[k][1]
		units += int(me.Near[k]) * w.Ring[k]
	}
	if me.Watchers >= 2 {
		danger := min(400, units*units/64+units/2)
		if p.Pieces(c, board.Queen).IsEmpty() {
			danger /= 2
		}
		middle += danger
		end += danger / 3
	}
	return middle, end
}

// threats are a side's: pieces chased and left alone, and pawns that have passed
// all others.
func (s *searcher) threats(p *board.Position, c board.Color, passed board.Bitboard) (middle, end int) {
	w := s.knows
	me, them := &s.sights[c], &s.sights[c^1]
	theirs := p.Side(c ^ 1).Without(p.Pieces(c^1, board.Pawn))
	chased := theirs.And(me.pawns).Count()
	loose := theirs.Without(me.pawns).And(me.all).Without(them.all).Count()
	middle = chased*w.Chased[0] + loose*w.Hanging[0]
	end = chased*w.Chased[1] + loose*w.Hanging[1]
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
		middle += bonus[0]
		end += bonus[1]
	}
	return middle, end
}

// frame is what pawns and kings alone are worth, White's view, and which pawns
// have passed all others. It seldom changes, so it is remembered.
type frame struct {
	key         uint64
	passed      board.Bitboard
	middle, end int32
}

const frames = 1 << 11

func (s *searcher) frame(p *board.Position) *frame {
	key := p.Pieces(board.White, board.Pawn).Hash(s.salt)
	key = p.Pieces(board.Black, board.Pawn).Hash(key)
	key = p.Pieces(board.White, board.King).Hash(key)
	key = p.Pieces(board.Black, board.King).Hash(key)
	f := &s.frames[key%frames]
	if f.key == key {
		return f
	}
	white, black := s.pawns(p, board.White), s.pawns(p, board.Black)
	*f = frame{
		key: key, passed: white.passed.Or(black.passed),
		middle: white.middle - black.middle, end: white.end - black.end,
	}
	m, e := s.kings(p, board.White)
	f.middle, f.end = f.middle+int32(m), f.end+int32(e)
	m, e = s.kings(p, board.Black)
	f.middle, f.end = f.middle-int32(m), f.end-int32(e)
	return f
}

// kings is what is known of a side's kings by where they and the pawns stand.
func (s *searcher) kings(p *board.Position, c board.Color) (middle, end int) {
	w := s.knows
	kings := p.Pieces(c, board.King)
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
	return middle, end
}

// way is what a king's way to its goal is worth by its steps, none but the last onto a
// square that the opponent sees: who gets there has won.
func (s *searcher) way(p *board.Position, c board.Color) (worth [2]int) {
	goals := p.Goals(c).Without(p.Side(c))
	free := s.squares.Without(p.Side(c)).Without(s.sights[c^1].all)
	reached := p.Pieces(c, board.King)
	for step := 1; step < board.Ranks; step++ {
		reached = reached.Or(reached.Beside())
		reached = reached.Or(reached.Up(1)).Or(reached.Down(1))
		if !reached.And(goals).IsEmpty() {
			return s.knows.Way[step]
		}
		reached = reached.And(free)
	}
	return worth
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
func (s *searcher) pawns(p *board.Position, c board.Color) (f frame) {
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
	f.passed = own.Without(front).Without(front.Beside()).Without(ownFront)
	for set := own; !set.IsEmpty(); set = set.Rest() {
		square := set.First()
		if beside>>square.File()&1 == 0 {
			f.middle -= int32(w.Isolated[0])
			f.end -= int32(w.Isolated[1])
		}
		if ownFront.Has(square) {
			f.middle -= int32(w.Doubled[0])
			f.end -= int32(w.Doubled[1])
		}
	}
	return f
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
