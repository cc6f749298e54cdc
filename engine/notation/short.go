package notation

import (
	"strconv"
	"strings"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
)

// Short writes the board phase of a game as chess players do: 1. Nf3 e5 2. Nxe5. The start of a
// move is given only as far as it is ambiguous. What chess does not have is written as in
// Rules 9. Nothing reads this form back; ParseText reads the long one.
func Short(g match.Game) string {
	var b strings.Builder
	positions := g.Positions()
	for i, ply := range g.Plies() {
		if i > 0 {
			b.WriteByte(' ')
		}
		if ply.Color == board.White {
			b.WriteString(strconv.Itoa(ply.Move) + ". ")
		} else if i == 0 {
			b.WriteString(strconv.Itoa(ply.Move) + "… ")
		}
		b.WriteString(shortMove(positions[i], ply))
	}
	return b.String()
}

func shortMove(before board.Position, ply match.Ply) string {
	a := ply.Action
	if a.Kind() != board.Move {
		return a.String()
	}
	text, takes := "", !ply.Effect.Captured.IsEmpty()
	if ply.Piece.Kind() == board.Pawn {
		if takes {
			text = a.From().String()[:1]
		}
	} else {
		text = ply.Piece.Kind().String() + origin(before, a)
	}
	if takes {
		text += "x"
	}
	text += a.To().String()
	if k := a.Promotion(); k != board.NoKind {
		text += "=" + k.String()
	}
	return text
}

// origin returns what tells the piece from others that could make the move: its file, its rank,
// or both.
func origin(before board.Position, a board.Action) string {
	others, sameFile, sameRank := false, false, false
	for _, o := range before.Moves(nil) {
		if o.Kind() != board.Move || o.To() != a.To() || o.From() == a.From() || before.At(o.From()) != before.At(a.From()) {
			continue
		}
		others = true
		sameFile = sameFile || o.From().File() == a.From().File()
		sameRank = sameRank || o.From().Rank() == a.From().Rank()
	}
	switch from := a.From().String(); {
	case !others:
		return ""
	case !sameFile:
		return from[:1]
	case !sameRank:
		return from[1:]
	default:
		return from
	}
}
