package search

import (
	_ "embed"
	"encoding/json"
	"sync"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
)

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
	Streak   [match.ClaimSteps + 1]int // of the leader's streak
	Rate     [5]int                    // of the points the best safe piece earns with every move
	Late     int                       // of a point when the move limit is near
	Step     [board.Ranks]int          // by a king's steps to its goal
	Way      [board.Ranks][2]int       // by those that it can go unharmed
}

//go:embed weights.json
var weightsFile []byte

// phases are how much each type adds to how full a board is.
var phases = [8]int32{board.Knight: 3, board.Bishop: 3, board.Rook: 5, board.Queen: 9, board.Dragon: 2}

// usual are the squares a piece of a type sees in the middle of most games.
var usual = [8]int{board.Knight: 4, board.Bishop: 5, board.Rook: 6, board.Queen: 11, board.Dragon: 4}

// standard are the weights in force, set by hand (docs/engine.md); `chpok tune fit`
// begins with them.
var standard = sync.OnceValue(func() *weights {
	w := new(weights)
	if err := json.Unmarshal(weightsFile, w); err != nil {
		panic("search: weights.json: " + err.Error()) // it is part of the program
	}
	return w
})

// weigh works the weights out for features: what a piece is worth where.
func (s *searcher) weigh(f board.Features) {
	if s.knows == nil {
		s.knows = standard()
	}
	w := s.knows
	s.frames = [frames]frame{}
	s.hasGoals = f.KingOfTheHill || f.KingsRun
	s.salt = saltOf(f)
	s.squares = board.Bitboard{}
	for k := board.Pawn; k <= board.Dragon; k++ {
		value := w.Value[k]
		if k == board.Queen && f.MightyQueens {
			value[0] += w.Mighty
			value[1] += w.Mighty
		}
		s.values[k] = (value[0] + value[1]) / 2
		s.prices[k] = s.values[k]
		phase := phases[k]
		if k == board.Queen && f.MightyQueens {
			phase += 2
		}
		for square := range board.Squares {
			file, rank := square&15, square>>4
			if file >= f.Width || rank >= board.Ranks {
				continue
			}
			s.squares = s.squares.Or(board.SquareSet(board.Square(square)))
			center := min(file, f.Width-1-file)
			at := w.Rank[k][rank]
			t := tally{
				int32(value[0] + at[0] + center*w.Center[k][0] - usual[k]*w.Mobility[k][0]),
				int32(value[1] + at[1] + center*w.Center[k][1] - usual[k]*w.Mobility[k][1]), phase,
			}
			s.places[board.NewPiece(board.White, k)][square] = t
			mirror := (board.Ranks-1-rank)<<4 | file
			s.places[board.NewPiece(board.Black, k)][mirror] = tally{-t.middle, -t.end, phase}
		}
	}
	s.prices[board.King] = 3000
}

// saltOf tells features apart, but for what the keys of positions count already.
func saltOf(f board.Features) uint64 {
	salt := mix(0x5eed)
	for k, n := range f.MovePoints {
		salt = mix(salt ^ uint64(n)<<(k&7))
	}
	var switches uint64
	for i, key := range bidding.Switches {
		if bidding.SwitchOn(f, key) {
			switches |= 1 << i
		}
	}
	return mix(salt ^ uint64(f.Width)<<32 ^ uint64(f.Castlings)<<40 ^ switches<<48)
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
