package board

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// CFEN returns the text of the position (Rules 10).
func (p Position) CFEN() string { return string(p.AppendCFEN(make([]byte, 0, 96))) }

// String returns the CFEN.
func (p Position) String() string { return p.CFEN() }

// AppendCFEN appends the text of the position (Rules 10) to b.
func (p Position) AppendCFEN(b []byte) []byte {
	for rank := Ranks - 1; rank >= 0; rank-- {
		empty := 0
		flush := func() {
			if empty > 0 {
				b = strconv.AppendInt(b, int64(empty), 10)
				empty = 0
			}
		}
		for file := range p.Width() {
			piece := p.At(Sq(file, rank))
			if piece == 0 {
				empty++
				continue
			}
			flush()
			b = append(b, piece.String()...)
		}
		flush()
		if rank > 0 {
			b = append(b, '/')
		}
	}
	b = append(b, ' ', "wb"[p.turn], ' ')
	if p.ep != 0 {
		b = p.ep.append(b)
	} else {
		b = append(b, '-')
	}
	for _, pair := range [3][2]int64{
		{int64(p.castlings[0]), int64(p.castlings[1])},
		{int64(p.births[0]), int64(p.births[1])},
		{int64(p.points[0]), int64(p.points[1])},
	} {
		b = strconv.AppendInt(append(b, ' '), pair[0], 10)
		b = strconv.AppendInt(append(b, '/'), pair[1], 10)
	}
	return strconv.AppendInt(append(b, ' '), int64(p.fullMove), 10)
}

// ParseCFEN reads a position (Rules 10) played with the given features. Its error is a
// *SetupError that lists every fault (Rules D29). Only the canonical text is accepted:
// CFEN writes back exactly what was read.
func ParseCFEN(f Features, text string) (Position, error) {
	problems := f.problems()
	fields := strings.Split(text, " ")
	if len(fields) != 7 {
		return Position{}, &SetupError{append(problems, problem("fields", "a CFEN has 7 fields, one space apart, not %d", "N", len(fields)))}
	}
	s := Setup{Features: f}
	reader := cfenReader{setup: &s}
	placed := len(problems) == 0 && reader.placement(fields[0])
	hasTurn := reader.turn(fields[1])
	reader.enPassant(fields[2], hasTurn)
	s.Castlings = reader.pair("castlings", "castlings left", fields[3])
	s.Births = reader.pair("births", "newborn pawns left", fields[4])
	s.Points = reader.pair("points", "points", fields[5])
	s.FullMove = reader.count("move", "the move number", fields[6], 1)
	if len(problems) == 0 {
		if placed {
			problems = append(problems, s.placementProblems()...)
		} else {
			problems = append(problems, misfitProblems(fields[0])...)
			problems = append(problems, s.enPassantProblems(reader.even)...)
		}
		problems = append(problems, s.stateProblems()...)
	}
	if problems = append(problems, reader.problems...); len(problems) > 0 {
		return Position{}, &SetupError{problems}
	}
	return s.position(), nil
}

// cfenReader fills a setup and collects the faults of the text. For a field it cannot
// read, it leaves a value the setup does not object to.
type cfenReader struct {
	setup    *Setup
	problems []Problem
	even     bool // every piece has a square, whatever the width
}

func (r *cfenReader) fault(code, format string, args ...any) {
	r.problems = append(r.problems, problem(code, format, args...))
}

// placement reports whether every piece found its square.
func (r *cfenReader) placement(text string) bool {
	before := len(r.problems)
	rows := strings.Split(text, "/")
	if len(rows) != Ranks {
		r.fault("ranks", "the placement has %d ranks, not %d", "N", len(rows), "Ranks", Ranks)
		return false
	}
	var widths [Ranks]int
	sameWidth := true
	for i, row := range rows {
		widths[i] = r.rank(Ranks-1-i, row)
		sameWidth = sameWidth && widths[i] == widths[0]
	}
	r.even = sameWidth && widths[0] <= MaxWidth && len(r.problems) == before
	if sameWidth && widths[0] != r.setup.Features.Width {
		r.fault("width", "the board has %d files, the features have width %d", "N", widths[0], "Width", r.setup.Features.Width)
	} else {
		for i, n := range widths {
			if n != r.setup.Features.Width {
				r.fault("files", "rank %d has %d files, not %d", "Rank", Ranks-i, "N", n, "Width", r.setup.Features.Width)
			}
		}
	}
	return len(r.problems) == before
}

// misfitProblems lists the faults that show even in a placement that leaves the pieces'
// squares open.
func misfitProblems(text string) (problems []Problem) {
	if rows := strings.Split(text, "/"); len(rows) == Ranks {
		if strings.Contains(rows[0], "P") {
			problems = append(problems, pawnOnRank(8, White))
		}
		if strings.Contains(rows[Ranks-1], "p") {
			problems = append(problems, pawnOnRank(1, Black))
		}
	}
	for c, king := range [2]string{"K", "k"} {
		if !strings.Contains(text, king) {
			problems = append(problems, noKing(Color(c)))
		}
	}
	return problems
}

func pawnOnRank(rank int, c Color) Problem {
	return problem("pawn-rank", "rank %d: a %s pawn cannot stand there", "Rank", rank, "Color", c)
}

// rank reads one rank and returns its number of files.
func (r *cfenReader) rank(rank int, text string) (files int) {
	for i := 0; i < len(text); {
		if text[i] >= '0' && text[i] <= '9' {
			end := i + 1
			for end < len(text) && text[end] >= '0' && text[end] <= '9' {
				end++
			}
			run, err := strconv.Atoi(text[i:end])
			if err != nil || run < 1 || run > MaxWidth || text[i] == '0' {
				r.fault("empty-run", "rank %d: there is no empty run of %s", "Rank", rank+1, "N", text[i:end])
				run = 0
			}
			files += run
			i = end
			continue
		}
		color := White
		kind, ok := ParseKind(text[i])
		if !ok {
			color = Black
			kind, ok = parseLower(text[i])
		}
		if !ok {
			letter, size := utf8.DecodeRuneInString(text[i:])
			r.fault("not-piece", "rank %d: %q is not a piece", "Rank", rank+1, "Letter", letter)
			i += size - 1
		} else if files < MaxWidth {
			r.setup.Pieces[Sq(files, rank)] = NewPiece(color, kind)
		}
		files++
		i++
	}
	return files
}

func (r *cfenReader) turn(text string) bool {
	switch text {
	case "w":
		r.setup.Turn = White
	case "b":
		r.setup.Turn = Black
	default:
		r.fault("turn", "the side to move is w or b, not %q", "Text", text)
		return false
	}
	return true
}

// enPassant keeps the square only if the side to move is known.
func (r *cfenReader) enPassant(text string, hasTurn bool) {
	if text == "-" {
		return
	}
	s, err := ParseSquare(text)
	if err != nil {
		r.fault("ep-square", "en passant: %q is not a square", "Text", text)
		return
	}
	if s == 0 { // which in a setup means none
		r.problems = append(r.problems, noDoubleStep(s))
	}
	if hasTurn {
		r.setup.EnPassant = s
	}
}

// pair reads a value for each side; name is its code.
func (r *cfenReader) pair(name, what, text string) (pair [2]int) {
	white, black, ok := strings.Cut(text, "/")
	if !ok {
		r.fault("pair-"+name, what+" are white/black, not %q", "Text", text)
		return pair
	}
	return [2]int{r.count(name, what, white, 0), r.count(name, what, black, 0)}
}

// count reads a whole number without sign or leading zeros, or returns fallback.
func (r *cfenReader) count(name, what, text string, fallback int) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || strconv.Itoa(n) != text {
		r.fault("number-"+name, what+": %q is not a number", "Text", text)
		return fallback
	}
	return n
}
