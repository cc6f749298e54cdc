package search

import (
	_ "embed"
	"encoding/json"
	"sync"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
)

// tally is what something is worth on a full board and on an almost empty one, in
// hundredths of a pawn, and by how much it fills the board. The three are signed fields of
// 24, 24 and 16 bits, so that one addition adds them all, and one multiplication scales
// them by a count.
type tally int64

func newTally(middle, end, phase int) tally { return tally(middle + end<<24 + phase<<48) }

func (t tally) middle() int { return int(t << 40 >> 40) }
func (t tally) end() int    { return int((t + 1<<23) << 16 >> 40) }
func (t tally) phase() int  { return int((t + 1<<47) >> 48) }

// weights are what the evaluation knows, in hundredths of a pawn; pairs are for a full
// board and for an empty one. The tuner changes them.
type weights struct {
	Value    [8][2]int // by type; of kings, only those beyond the first
	Mighty   int       // extra for a mighty queen
	Rank     [8][board.Ranks][2]int
	Center   [8][2]int // for each file nearer the middle
	Mobility [8][2]int // for each square seen
	Ring     [8]int    // for each square seen beside the opponent's last king
	Shelter  int       // for each file at or beside the last king without a pawn in front of it
	Exposed  [board.Ranks]int
	Passed   [board.Ranks][2]int
	Isolated [2]int
	Doubled  [2]int
	Chased   [2]int // for each piece attacked by a pawn
	Hanging  [2]int // for each attacked piece that nothing guards
	Tempo    int
	Point    int                       // of lead
	Many     int                       // lead beyond which a point is worth a quarter
	KingLate int                       // of a lead by a king taken, at the move limit
	Streak   [match.ClaimSteps + 1]int // by the length of the leader's streak
	Rate     [5]int                    // by the points the best safe piece earns a move
	Late     int                       // of a point near the move limit
	Step     [board.Ranks]int          // by a king's distance from its goal
	Way      [board.Ranks][2]int       // by the number of safe steps it takes
}

//go:embed weights.json
var weightsFile []byte

// phases are by how much each type fills the board.
var phases = [8]int{board.Knight: 3, board.Bishop: 3, board.Rook: 5, board.Queen: 9, board.Dragon: 2}

// usual is how many squares a piece of a type sees in the middle of most games.
var usual = [8]int{board.Knight: 4, board.Bishop: 5, board.Rook: 6, board.Queen: 11, board.Dragon: 4}

// standard returns the weights in force, set by hand (docs/engine.md). `chpok-lab tune fit`
// starts from them.
var standard = sync.OnceValue(func() *weights {
	w := new(weights)
	if err := json.Unmarshal(weightsFile, w); err != nil {
		panic("search: weights.json: " + err.Error()) // it is part of the program
	}
	return w
})

// weigh derives tables from the weights for features: what each piece is worth on each
// square, and more.
func (s *searcher) weigh(f board.Features) {
	if s.knows == nil {
		s.knows = standard()
	}
	w := s.knows
	clear(s.frames[:])
	clear(s.judged[:])
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
			middle := value[0] + at[0] + center*w.Center[k][0] - usual[k]*w.Mobility[k][0]
			end := value[1] + at[1] + center*w.Center[k][1] - usual[k]*w.Mobility[k][1]
			s.places[board.NewPiece(board.White, k)][square] = newTally(middle, end, phase)
			mirror := (board.Ranks-1-rank)<<4 | file
			s.places[board.NewPiece(board.Black, k)][mirror] = newTally(-middle, -end, phase)
		}
		s.view.Mobility[k] = int64(newTally(w.Mobility[k][0], w.Mobility[k][1], 0))
		s.view.Pressure[k] = int64(w.Ring[k])
	}
	s.prices[board.King] = 3000
	for taken := board.Pawn; taken <= board.Dragon; taken++ {
		for by := board.Pawn; by <= board.Dragon; by++ {
			s.captures[taken][by] = s.captureWeight(taken, by)
		}
	}
}

// saltOf tells features apart, except for what the keys of positions already cover.
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

// count returns the tally of a position's pieces, from White's view.
func (s *searcher) count(p *board.Position) (t tally) {
	for c := board.White; c <= board.Black; c++ {
		for set := p.Side(c); !set.IsEmpty(); set = set.Rest() {
			square := set.First()
			t += s.places[p.At(square)][square]
		}
	}
	return t
}

// recount updates a node's tally after an action of the mover.
func (s *searcher) recount(n *node, a board.Action, effect *board.Effect, mover board.Color) {
	t := &n.tally
	if effect.Captured != 0 {
		*t -= s.places[effect.Captured][effect.CapturedAt]
	}
	switch a.Kind() {
	case board.Move:
		*t -= s.places[n.moved][a.From()]
		piece := n.moved
		if promotion := a.Promotion(); promotion != board.NoKind {
			piece = board.NewPiece(mover, promotion)
		}
		*t += s.places[piece][a.To()]
	case board.Castling:
		*t = s.count(&n.position)
	case board.Birth:
		*t += s.places[board.NewPiece(mover, board.Pawn)][a.To()]
	}
}
