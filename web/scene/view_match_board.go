package scene

import (
	"encoding/json"
	"strconv"
	"strings"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	boardview "chpok.org/chpok/templates/board"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/words"
)

func colourLetter(c board.Color) string {
	if c == board.White {
		return "w"
	}
	return "b"
}

// PieceCode returns the name of a piece's drawing: "wK".
func PieceCode(p board.Piece) string { return colourLetter(p.Color()) + p.Kind().String() }

// pieceNames returns the names of pieces by PieceCode.
func pieceNames(p lang.Printer) map[string]string {
	names := map[string]string{}
	for _, c := range [...]board.Color{board.White, board.Black} {
		for _, k := range words.Kinds {
			code := PieceCode(board.NewPiece(c, k))
			names[code] = p.T("match.piece." + code)
		}
	}
	return names
}

// boardWords returns the texts of the board's script as JSON.
func boardWords(p lang.Printer) string {
	words := pieceNames(p)
	words["choose"] = p.T("match.board.choose")
	words["cancel"] = p.T("match.board.cancel")
	words["selected"] = p.T("match.board.selected")
	words["pre-dropped"] = p.T("match.pre.dropped")
	words["mode-birth"] = p.T("match.board.mode-birth")
	words["mode-remove"] = p.T("match.board.mode-remove")
	words["do-move"] = p.T("match.board.do-move")
	words["do-castle"] = p.T("match.board.do-castle")
	words["do-remove"] = p.T("match.board.do-remove")
	text, err := json.Marshal(words)
	if err != nil {
		panic(err) // strings always marshal
	}
	return string(text)
}

// board returns the view of the present position.
func (m MatchViewer) board() *boardview.BoardView {
	last, _ := m.Game.LastPly()
	v := ViewBoard(m.Printer, m.Game.Position(), last.Action, m.asBlack())
	v.N = strconv.FormatInt(m.State.Seq(), 10)
	if m.you.Valid() {
		v.Side = colourLetter(m.Game.Color(m.you))
		v.Legal = m.legal()
	}
	return &v
}

func (m MatchViewer) asBlack() bool { return m.Game.Color(m.Us) == board.Black }

// legal returns the actions that the viewer may play now.
func (m MatchViewer) legal() string {
	if turn, live := m.State.ToAct(); !live || turn != m.you || m.State.Status() != match.Playing {
		return ""
	}
	return LegalText(m.Game.Position())
}

// LegalText returns the legal actions of a position for the board's script.
func LegalText(p board.Position) string {
	var texts []string
	for _, a := range p.Moves(nil) {
		texts = append(texts, a.String())
	}
	return strings.Join(texts, " ")
}

// ViewBoard returns the view of a position; last is the action before it, 0 at the start.
func ViewBoard(p lang.Printer, pos board.Position, last board.Action, asBlack bool) boardview.BoardView {
	names := pieceNames(p)
	v := boardview.BoardView{Width: pos.Width(), AsBlack: asBlack, Label: p.T("match.board"), Words: boardWords(p)}
	from, to := LastSquares(pos, last)
	v.Last = from + to
	for rank := board.Ranks - 1; rank >= 0; rank-- {
		for file := range pos.Width() {
			sq := board.Sq(file, rank)
			s := boardview.SquareView{Name: sq.String(), Goal: isGoal(pos, sq)}
			s.TheirGoal = s.Goal && (rank == 3) != asBlack // White reaches the hill on the fifth rank, Black on the fourth
			s.Label = s.Name
			if piece := pos.At(sq); !piece.IsEmpty() {
				s.Piece = PieceCode(piece)
				s.Label += ", " + names[s.Piece]
			}
			s.Last = s.Name == from || s.Name == to
			v.Squares = append(v.Squares, s)
		}
	}
	return v
}

// LastSquares returns the squares to mark for an action; for castling those of the king.
func LastSquares(pos board.Position, a board.Action) (from, to string) {
	switch a.Kind() {
	case board.Move:
		return a.From().String(), a.To().String()
	case board.Castling:
		king, rook := a.From(), a.To()
		step := 1
		if rook < king {
			step = -1
		}
		if d := rook.File() - king.File(); d == 1 || d == -1 {
			return king.String(), rook.String()
		}
		return king.String(), board.Sq(king.File()+2*step, king.Rank()).String()
	case board.Birth, board.Removal:
		return a.To().String(), a.To().String()
	}
	return "", ""
}

// isGoal reports whether a square is in the center by Rules 7.6; nothing else on a board shows that.
func isGoal(pos board.Position, sq board.Square) bool {
	if !pos.Features().KingOfTheHill || sq.Rank() != 3 && sq.Rank() != 4 {
		return false
	}
	w := pos.Width()
	return sq.File() == w/2 || w%2 == 0 && sq.File() == w/2-1
}

// Placement returns the pieces of a position as in CFEN.
func Placement(pos board.Position) string {
	text, _, _ := strings.Cut(pos.CFEN(), " ")
	return text
}

// MiniBoard returns the small view of a position.
func MiniBoard(p lang.Printer, pos board.Position, last board.Action, asBlack bool) boardview.MiniBoardView {
	v := boardview.MiniBoardView{Width: pos.Width(), AsBlack: asBlack, Label: p.T("match.board.mini")}
	for rank := range board.Ranks {
		for file := range pos.Width() {
			if piece := pos.At(board.Sq(file, rank)); !piece.IsEmpty() {
				v.Pieces = append(v.Pieces, boardview.MiniPiece{Code: PieceCode(piece), File: file, Rank: rank})
			}
		}
	}
	v.Last = miniSquares(LastSquares(pos, last))
	return v
}

// ComparedBoard returns the small view of a position with the action that was taken, and an arrow for a better one, if there is
// one.
func ComparedBoard(p lang.Printer, pos board.Position, taken, better board.Action, asBlack bool) boardview.MiniBoardView {
	v := MiniBoard(p, pos, taken, asBlack)
	if better != 0 {
		v.Arrow = miniSquares(LastSquares(pos, better))
	}
	return v
}

// miniSquares are the squares of those names that name one.
func miniSquares(names ...string) (list []boardview.MiniSquare) {
	for _, name := range names {
		if sq, err := board.ParseSquare(name); err == nil {
			list = append(list, boardview.MiniSquare{File: sq.File(), Rank: sq.Rank()})
		}
	}
	return list
}

// MatchMini returns the small board of a match; during the bidding, the start position if it ended now.
func MatchMini(p lang.Printer, g match.Game) boardview.MiniBoardView {
	if g.OnBoard() {
		last, _ := g.LastPly()
		return MiniBoard(p, g.Position(), last.Action, false)
	}
	return StartBoard(p, g.Bids().Features(), g.Bids().Row(), false)
}

// StartBoard returns the small board of a start position.
func StartBoard(p lang.Printer, f board.Features, row board.Row, asBlack bool) boardview.MiniBoardView {
	return MiniBoard(p, startPosition(f, row), 0, asBlack)
}

func startPosition(f board.Features, row board.Row) board.Position {
	pos, err := board.Start(f, row)
	if err != nil {
		panic(err) // the bidding keeps the width of the row (Rules D10)
	}
	return pos
}
