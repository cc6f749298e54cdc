package board

import "math"

// Setup is a position anyone may fill in, possible or not. New turns it into a Position.
type Setup struct {
	Features  Features
	Pieces    [Squares]Piece // by Square
	Turn      Color
	EnPassant Square // the square just passed over; the zero value, a1, is none
	Castlings [2]int // left, by color
	Births    [2]int // left, by color
	Points    [2]int // by color, not negative
	FullMove  int    // from 1
}

// SetupError lists everything wrong with a position, a row, or the text of either.
type SetupError struct{ Problems []Problem }

func (e *SetupError) Error() string { return joinProblems(e.Problems) }

// New returns the position of a setup, or a *SetupError with every reason why there can
// be none (Rules D29).
func New(s Setup) (Position, error) {
	problems := s.Features.problems()
	if len(problems) == 0 {
		problems = append(s.placementProblems(), s.stateProblems()...)
	}
	if len(problems) > 0 {
		return Position{}, &SetupError{problems}
	}
	return s.position(), nil
}

// Start returns the position at the start of the board phase (Rules 6.1), or a
// *SetupError if the features or the row do not allow one.
func Start(f Features, row Row) (Position, error) {
	problems := f.problems()
	if f.Width >= MinWidth && f.Width <= MaxWidth {
		problems = append(problems, rowProblems(row, f.Width)...)
	}
	if len(problems) > 0 {
		return Position{}, &SetupError{problems}
	}
	s := Setup{Features: f, Castlings: [2]int{f.Castlings, f.Castlings}, FullMove: 1}
	if f.NewbornPawns {
		s.Births = [2]int{1, 1}
	}
	for file := range f.Width {
		kind, _ := ParseKind(row[file])
		s.Pieces[Sq(file, 0)] = NewPiece(White, kind)
		s.Pieces[Sq(file, 1)] = NewPiece(White, Pawn)
		s.Pieces[Sq(file, 6)] = NewPiece(Black, Pawn)
		s.Pieces[Sq(file, 7)] = NewPiece(Black, kind)
	}
	return s.position(), nil
}

// position takes a setup without faults.
func (s *Setup) position() Position {
	p := Position{
		rules: compile(s.Features), turn: s.Turn, ep: s.EnPassant, fullMove: int32(s.FullMove),
	}
	for c := range 2 {
		p.points[c] = int32(s.Points[c])
		p.castlings[c] = uint8(s.Castlings[c])
		p.births[c] = uint8(s.Births[c])
	}
	for sq, piece := range s.Pieces {
		if piece != 0 {
			p.put(Square(sq), piece)
		}
	}
	return p
}

func (s *Setup) placementProblems() (problems []Problem) {
	var kings [2]int
	for i, piece := range s.Pieces {
		if piece == 0 {
			continue
		}
		sq := Square(i)
		switch {
		case piece.IsEmpty() || piece > NewPiece(Black, Dragon):
			problems = append(problems, problem("no-piece", "%s: there is no piece %d", "Square", sq, "Piece", uint8(piece)))
		case !sq.onBoard(s.Features.Width):
			problems = append(problems, problem("off-board", "%s is off the board", "Square", sq))
		case piece.Kind() == King:
			kings[piece.Color()]++
		case piece.Kind() == Pawn && sq.relativeRank(piece.Color()) == Ranks-1:
			problems = append(problems, problem("pawn", "%s: a %s pawn cannot stand there", "Square", sq, "Color", piece.Color()))
		}
	}
	for c, n := range kings {
		if n == 0 {
			problems = append(problems, noKing(Color(c)))
		}
	}
	return append(problems, s.enPassantProblems(true)...)
}

func noKing(c Color) Problem { return problem("no-king", "%s has no king", "Color", c) }

// enPassantProblems checks that a double step can have passed over the square: if the
// pieces are known, the pawn must stand beyond it and the other two squares be empty.
func (s *Setup) enPassantProblems(pieces bool) []Problem {
	if s.EnPassant == 0 || s.Turn > Black {
		return nil
	}
	if s.Features.NoEnPassant {
		return []Problem{problem("ep-ruled-out", "en passant %s: the features rule it out", "Square", s.EnPassant)}
	}
	mover := s.Turn.Other()
	from, to := s.EnPassant-16, s.EnPassant+16
	if mover == Black {
		from, to = to, from
	}
	if !s.EnPassant.onBoard(s.Features.Width) || s.EnPassant.relativeRank(mover) != 2 ||
		pieces && (s.Pieces[from] != 0 || s.Pieces[s.EnPassant] != 0 || s.Pieces[to] != NewPiece(mover, Pawn)) {
		return []Problem{noDoubleStep(s.EnPassant)}
	}
	return nil
}

func noDoubleStep(s Square) Problem {
	return problem("ep-no-step", "en passant %s: no double step can have left it", "Square", s)
}

func (s *Setup) stateProblems() (problems []Problem) {
	if s.Turn > Black {
		problems = append(problems, problem("side", "the side to move is neither white nor black"))
	}
	births := 0
	if s.Features.NewbornPawns {
		births = 1
	}
	for c := White; c <= Black; c++ {
		if n := s.Castlings[c]; n < 0 || n > s.Features.Castlings {
			problems = append(problems, problem("castlings", "%s castlings left are 0…%d, not %d", "Color", c, "High", s.Features.Castlings,
				"N", n))
		}
		if n := s.Births[c]; n < 0 || n > births {
			problems = append(problems, problem("births", "%s newborn pawns left are 0…%d, not %d", "Color", c, "High", births, "N", n))
		}
		if n := s.Points[c]; n < 0 || n > maxCount {
			problems = append(problems, problem("points", "%s points are 0…%d, not %d", "Color", c, "High", maxCount, "N", n))
		}
	}
	if s.FullMove < 1 || s.FullMove > maxCount {
		problems = append(problems, problem("move-number", "the move number is 1…%d, not %d", "High", maxCount, "N", s.FullMove))
	}
	return problems
}

// maxCount bounds the points and move numbers of a setup, leaving room for play.
const maxCount = math.MaxInt32 / 2
