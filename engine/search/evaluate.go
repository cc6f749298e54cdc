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
	all, pawns board.Bitboard
	middle     int
	end        int
	danger     int // to the opponent's last king
}

// evaluate is how well the side to move stands, in hundredths of a pawn: what it
// has and where, how safe the last kings are, the lead with the claim it is
// growing into, and who earns more with every move.
func (s *searcher) evaluate(n *node) int {
	p := &n.position
	var sights [2]sight
	s.survey(p, board.White, &sights)
	s.survey(p, board.Black, &sights)
	middle, end := int(n.tally.middle), int(n.tally.end)
	for c := board.White; c <= board.Black; c++ {
		m, e := s.judge(p, c, &sights)
		m += sights[c].middle
		e += sights[c].end
		if c == board.Black {
			m, e = -m, -e
		}
		middle += m
		end += e
	}
	phase := min(fullPhase, int(n.tally.phase))
	score := (middle*phase + end*(fullPhase-phase)) / fullPhase
	score = s.points(n, s.rate(p, board.White, &sights)-s.rate(p, board.Black, &sights), score)
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
func (s *searcher) points(n *node, rate, score int) int {
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
		score += w.Late * rate * left * (30 - left) / 300
		if left < 10 {
			score = score * (left + 2) / 12
		}
	}
	score += perPoint*near + perPoint*far/4 + w.Rate*rate
	switch up, down := min(n.claims.up, match.ClaimSteps), min(n.claims.down, match.ClaimSteps); {
	case d > 0 && n.claims.margin > 0:
		score += w.Streak * up * up / 5
	case d < 0 && n.claims.margin < 0:
		score -= w.Streak * down * down / 5
	}
	return score
}

// rate is the points of each move by a side's best piece that nothing drives
// away.
func (s *searcher) rate(p *board.Position, c board.Color, sights *[2]sight) int {
	them := &sights[c^1]
	scorers := p.Side(c).Without(p.Pieces(c, board.Pawn)).Without(them.all)
	if p.Kings(c) == 1 {
		scorers = scorers.Without(p.Pieces(c, board.King))
	}
	for r := board.Ranks - 1; r >= 4; r-- {
		at := r
		if c == board.Black {
			at = board.Ranks - 1 - r
		}
		if scorers.Rank(at) != 0 {
			return r - 3
		}
	}
	return 0
}

// survey is what a side's pieces see: mobility, and pressure on the opponent's
// last king.
func (s *searcher) survey(p *board.Position, c board.Color, sights *[2]sight) {
	w := s.knows
	me := &sights[c]
	me.pawns = p.PawnReach(c)
	me.all = me.pawns
	theirPawns := p.PawnReach(c ^ 1)
	occupied := p.Side(board.White).Or(p.Side(board.Black))
	free := theirPawns.Or(p.Pieces(c, board.Pawn)).Or(p.Pieces(c, board.King))
	var ring board.Bitboard
	if kings := p.Pieces(c^1, board.King); !kings.IsEmpty() && kings.Rest().IsEmpty() {
		ring = p.Reach(board.King, kings.First(), occupied).Or(kings)
	}
	attackers, units := 0, 0
	for k := board.Knight; k <= board.Dragon; k++ {
		for set := p.Pieces(c, k); !set.IsEmpty(); set = set.Rest() {
			seen := p.Reach(k, set.First(), occupied)
			me.all = me.all.Or(seen)
			if k != board.King {
				free := seen.Without(free).Count() - w.Usual[k]
				me.middle += free * w.Mobility[k][0]
				me.end += free * w.Mobility[k][1]
			}
			if near := seen.And(ring); !near.IsEmpty() {
				attackers++
				units += w.Ring[k] * near.Count()
			}
		}
	}
	if attackers >= 2 {
		me.danger = min(400, units*units/64+units/2)
		if p.Pieces(c, board.Queen).IsEmpty() {
			me.danger /= 2
		}
	}
}

// judge is a side's pawns, threats and king.
func (s *searcher) judge(p *board.Position, c board.Color, sights *[2]sight) (middle, end int) {
	w := s.knows
	me, them := &sights[c], &sights[c^1]
	middle, end = s.pawns(p, c, them)
	middle += me.danger
	end += me.danger / 3
	theirs := p.Side(c ^ 1).Without(p.Pieces(c^1, board.Pawn))
	chased := theirs.And(me.pawns).Count()
	loose := theirs.Without(me.pawns).And(me.all).Without(them.all).Count()
	middle += chased*w.Chased[0] + loose*w.Hanging[0]
	end += chased*w.Chased[1] + loose*w.Hanging[1]
	kings := p.Pieces(c, board.King)
	switch {
	case s.hasGoals:
		best := 0
		goals := p.Goals(c)
		for set := kings; !set.IsEmpty(); set = set.Rest() {
			best = max(best, w.Step[steps(set.First(), goals)])
		}
		middle += best
		end += best
	case !kings.IsEmpty() && kings.Rest().IsEmpty():
		king := kings.First()
		rank := king.Rank()
		if c == board.Black {
			rank = board.Ranks - 1 - rank
		}
		middle -= w.Exposed[rank]
		middle -= w.Shelter * s.openFiles(p, c, king)
	}
	// The first of several kings is no more than the rest; only the last is
	// what the game is about, so all but one count.
	if !kings.IsEmpty() {
		middle -= w.Value[board.King][0]
		end -= w.Value[board.King][1]
	}
	return middle, end
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

// pawns is the structure of a side's pawns.
func (s *searcher) pawns(p *board.Position, c board.Color, them *sight) (middle, end int) {
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
	blocked := front.Or(front.Beside()).Or(ownFront)
	for set := own; !set.IsEmpty(); set = set.Rest() {
		square := set.First()
		if beside>>square.File()&1 == 0 {
			middle -= w.Isolated[0]
			end -= w.Isolated[1]
		}
		if ownFront.Has(square) {
			middle -= w.Doubled[0]
			end -= w.Doubled[1]
			continue
		}
		if blocked.Has(square) {
			continue
		}
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
