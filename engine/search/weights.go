package search

import "chpok.org/chpok/engine/board"

// tally is a sum over pieces: for a board full of pieces and for an almost
// empty one, in hundredths of a pawn, White's view; and how full it is.
type tally struct{ middle, end, phase int32 }

// weights are what the evaluation knows, in hundredths of a pawn, each for a
// full board and for an empty one. The tuner changes them.
type weights struct {
	Value    [8][2]int // by type; a king counts only beyond the first
	Mighty   int       // a queen that leaps too
	Rank     [8][board.Ranks][2]int
	Center   [8][2]int // for each file nearer the middle
	Mobility [8][2]int // for each square seen
	Usual    [8]int    // squares a piece of the type usually sees
	Ring     [8]int    // for each square beside the opponent's last king
	Shelter  int       // a file before the last king without a pawn
	Exposed  [board.Ranks]int
	Passed   [board.Ranks][2]int
	Isolated [2]int
	Doubled  [2]int
	Chased   [2]int // a piece that a pawn attacks
	Hanging  [2]int // an attacked piece that nothing guards
	Tempo    int
	Point    int // of lead
	Many     int // lead beyond which a point is worth a quarter
	KingLead int
	Streak   int              // fifths, times the square of the leader's streak
	Rate     int              // of each point the best safe piece earns with every move
	Late     int              // of a point when the move limit is near
	Step     [board.Ranks]int // by a king's steps to its goal
}

var standard = weights{
	Value: [8][2]int{
		board.Pawn: {85, 110}, board.Knight: {320, 300}, board.Bishop: {330, 320}, board.Rook: {470, 530},
		board.Queen: {950, 970}, board.King: {500, 550}, board.Dragon: {300, 270},
	},
	Mighty: 200,
	Rank: [8][board.Ranks][2]int{
		board.Pawn:   {{0, 0}, {0, 0}, {2, 4}, {8, 12}, {14, 26}, {24, 46}, {40, 80}, {0, 0}},
		board.Knight: {{-18, -10}, {-4, 0}, {8, 4}, {14, 8}, {20, 12}, {20, 12}, {12, 8}, {4, 6}},
		board.Bishop: {{-12, -4}, {2, 0}, {6, 2}, {8, 4}, {10, 6}, {10, 6}, {8, 6}, {4, 6}},
		board.Rook:   {{0, 0}, {-2, 0}, {0, 2}, {2, 4}, {6, 6}, {8, 8}, {16, 14}, {12, 12}},
		board.Queen:  {{0, -6}, {2, 0}, {4, 4}, {4, 8}, {4, 10}, {6, 12}, {8, 14}, {6, 12}},
		board.King:   {{0, -8}, {-6, 0}, {-20, 4}, {-30, 8}, {-34, 12}, {-34, 14}, {-30, 14}, {-26, 14}},
		board.Dragon: {{-14, -8}, {0, 0}, {8, 4}, {12, 8}, {16, 10}, {16, 10}, {12, 10}, {6, 8}},
	},
	Center: [8][2]int{
		board.Pawn: {5, 0}, board.Knight: {7, 5}, board.Bishop: {3, 3}, board.Rook: {2, 0}, board.Queen: {1, 4},
		board.King: {-7, 5}, board.Dragon: {6, 5},
	},
	Mobility: [8][2]int{
		board.Knight: {5, 4}, board.Bishop: {5, 5}, board.Rook: {3, 5}, board.Queen: {2, 4}, board.Dragon: {5, 4},
	},
	Usual:    [8]int{board.Knight: 4, board.Bishop: 5, board.Rook: 6, board.Queen: 11, board.Dragon: 4},
	Ring:     [8]int{board.Knight: 8, board.Bishop: 8, board.Rook: 11, board.Queen: 15, board.Dragon: 8, board.King: 2},
	Shelter:  14,
	Exposed:  [board.Ranks]int{0, 10, 30, 45, 50, 50, 45, 45},
	Passed:   [board.Ranks][2]int{{0, 0}, {2, 6}, {4, 12}, {10, 24}, {22, 48}, {45, 85}, {80, 140}, {0, 0}},
	Isolated: [2]int{8, 10}, Doubled: [2]int{6, 12},
	Chased: [2]int{45, 40}, Hanging: [2]int{30, 30},
	Tempo: 14, Point: 7, Many: 40, KingLead: 900, Streak: 6, Rate: 10, Late: 30,
	Step: [board.Ranks]int{0, 250, 130, 70, 40, 20, 8, 0},
}

// weigh works the weights out for features: what a piece is worth where.
func (s *searcher) weigh(f board.Features) {
	if s.knows == nil {
		s.knows = &standard
	}
	w := s.knows
	s.hasGoals = f.KingOfTheHill || f.KingsRun
	s.salt = mix(0x5eed)
	for k, n := range f.MovePoints {
		s.salt = mix(s.salt ^ uint64(n)<<(k&7))
	}
	s.salt = mix(s.salt ^ uint64(f.Width)<<32 ^ uint64(f.Castlings)<<40 ^ switches(f)<<48)
	for k := board.Pawn; k <= board.Dragon; k++ {
		value := w.Value[k]
		if k == board.Queen && f.MightyQueens {
			value[0] += w.Mighty
			value[1] += w.Mighty
		}
		s.values[k] = (value[0] + value[1]) / 2
		s.prices[k] = s.values[k]
		phase := int32(0)
		if k != board.Pawn && k != board.King {
			phase = int32(s.values[k]) / 100
		}
		for square := range board.Squares {
			file, rank := square&15, square>>4
			if file >= f.Width || rank >= board.Ranks {
				continue
			}
			center := min(file, f.Width-1-file)
			at := w.Rank[k][rank]
			t := tally{
				int32(value[0] + at[0] + center*w.Center[k][0] - w.Usual[k]*w.Mobility[k][0]),
				int32(value[1] + at[1] + center*w.Center[k][1] - w.Usual[k]*w.Mobility[k][1]), phase,
			}
			s.places[board.NewPiece(board.White, k)][square] = t
			mirror := (board.Ranks-1-rank)<<4 | file
			s.places[board.NewPiece(board.Black, k)][mirror] = tally{-t.middle, -t.end, phase}
		}
	}
	s.prices[board.King] = 3000
}

func switches(f board.Features) (bits uint64) {
	for i, on := range []bool{
		f.KingOfTheHill, f.KingsRun, f.FierceKings, f.MightyQueens, f.CornerBishops, f.PawnsBack, f.NewbornPawns,
		f.RemoveOwn, f.SkipMoves, f.NoKingPromotion, f.NoEnPassant,
	} {
		if on {
			bits |= 1 << i
		}
	}
	return bits
}

// count is the tally of a position.
func (s *searcher) count(p *board.Position) (t tally) {
	for c := board.White; c <= board.Black; c++ {
		for set := p.Side(c); !set.IsEmpty(); set = set.Rest() {
			square := set.First()
			t.put(&s.places[p.At(square)][square])
		}
	}
	return t
}

func (t *tally) put(o *tally) {
	t.middle += o.middle
	t.end += o.end
	t.phase += o.phase
}

func (t *tally) take(o *tally) {
	t.middle -= o.middle
	t.end -= o.end
	t.phase -= o.phase
}

// recount brings a tally to the position after an action of the mover.
func (s *searcher) recount(n *node, a board.Action, effect *board.Effect, mover board.Color) {
	t := &n.tally
	if effect.Captured != 0 {
		t.take(&s.places[effect.Captured][effect.CapturedAt])
	}
	switch a.Kind() {
	case board.Move:
		t.take(&s.places[n.moved][a.From()])
		piece := n.moved
		if promotion := a.Promotion(); promotion != board.NoKind {
			piece = board.NewPiece(mover, promotion)
		}
		t.put(&s.places[piece][a.To()])
	case board.Castling:
		*t = s.count(&n.position)
	case board.Birth:
		t.put(&s.places[board.NewPiece(mover, board.Pawn)][a.To()])
	}
}
