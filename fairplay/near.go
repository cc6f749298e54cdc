package fairplay

import (
	"slices"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
)

// NearBy is the number of squares up to which a position nearly is another. Farther away the best
// move of one is hardly ever as good in the other (docs/inside.md has the measurements).
const NearBy = 8

// NearOf are the positions of a running game, the one on the board and the two before, that some
// position nearly is, as they stand in it. Whoever plays the game must not ask our analysis for
// such a position: a pawn less in a far corner hardly changes what is best.
func NearOf(g match.Game, asked []board.Position) (keys []PositionKey) {
	if !g.OnBoard() || g.PlyCount() < lockFrom {
		return nil
	}
	positions := g.Positions()
	for _, p := range positions[len(positions)-3:] {
		if slices.ContainsFunc(asked, func(other board.Position) bool { return Distance(p, other) <= NearBy }) {
			keys = append(keys, KeyOf(p))
		}
	}
	return keys
}

// IsOpening reports whether a position nearly is the start position of its width's standard row:
// anybody may ask for one.
func IsOpening(p board.Position) bool {
	start, err := board.Start(p.Features(), board.StandardRow(p.Width()))
	return err == nil && Distance(p, start) <= NearBy
}

// Distance is on how many squares two positions differ, in the nearest of their images: with colors
// swapped, with files mirrored, moved up or down by up to two ranks, and with whole files taken out or put in anywhere;
// of ranks and files that only one of them has, the pieces count. It does not look at features, counters or the side to
// move.
func Distance(a, b board.Position) int {
	from, to := filesOf(a), filesOf(b)
	swapped := make([]file, len(to))
	for i, f := range to {
		swapped[i] = f.colorsSwapped()
	}
	least := board.Ranks * (len(from) + len(to))
	for range 2 {
		for up := -2; up <= 2; up++ {
			if moved, lost := movedUp(from, up); lost <= 2 { // of a full board too much leaves for it to stay the same
				least = min(least, lost+apart(moved, to), lost+apart(moved, swapped))
			}
		}
		slices.Reverse(to)
		slices.Reverse(swapped)
	}
	return least
}

// file is what stands on the squares of a file.
type file [board.Ranks]board.Piece

func filesOf(p board.Position) []file {
	files := make([]file, p.Width())
	for i := range files {
		for rank := range files[i] {
			files[i][rank] = p.At(board.Sq(i, rank))
		}
	}
	return files
}

// movedUp are files with what stands there moved up by some ranks, or down, and how many pieces have left the board.
func movedUp(files []file, by int) (moved []file, lost int) {
	moved = make([]file, len(files))
	for i, f := range files {
		for rank, piece := range f {
			switch to := rank + by; {
			case piece.IsEmpty():
			case 0 <= to && to < board.Ranks:
				moved[i][to] = piece
			default:
				lost++
			}
		}
	}
	return moved, lost
}

// colorsSwapped is a file seen from the other side.
func (f file) colorsSwapped() (swapped file) {
	for rank, piece := range f {
		if !piece.IsEmpty() {
			swapped[board.Ranks-1-rank] = board.NewPiece(piece.Color().Other(), piece.Kind())
		}
	}
	return swapped
}

// differs counts the squares on which two files differ.
func (f file) differs(other file) (n int) {
	for rank, piece := range f {
		if piece != other[rank] {
			n++
		}
	}
	return n
}

// apart is the edit distance of two boards by files: a file that only one of them has counts its pieces.
func apart(from, to []file) int {
	var empty file
	row := make([]int, len(to)+1) // of the files of from so far, by files of to
	for i, f := range to {
		row[i+1] = row[i] + f.differs(empty)
	}
	for _, f := range from {
		before := row[0]
		row[0] += f.differs(empty)
		for i, other := range to {
			changed := before + f.differs(other)
			before = row[i+1]
			row[i+1] = min(changed, row[i+1]+f.differs(empty), row[i]+other.differs(empty))
		}
	}
	return row[len(to)]
}
