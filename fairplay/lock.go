package fairplay

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
)

// lockFrom is the ply from which on positions of a running match are locked:
// the first ones of many matches are alike.
const lockFrom = 6

// PositionKey is a position as it is known again in another match: where the
// pieces stand, whose turn it is and the features, without the counters.
type PositionKey string

// KeyOf is the key of a position.
func KeyOf(p board.Position) PositionKey {
	return PositionKey(onBoard(p) + " " + p.Features().String())
}

// onBoard is where the pieces stand and whose turn it is.
func onBoard(p board.Position) string {
	placement, rest, _ := strings.Cut(p.CFEN(), " ")
	turn, _, _ := strings.Cut(rest, " ")
	return placement + " " + turn
}

// Locked tells whether our analysis must not answer for a position while this
// game is played: it stands on the board, stood there one or two plies before,
// or comes of one action. The features that the question names do not matter, or
// others would get an answer. key is of the position as it stands in this game.
func Locked(g match.Game, asked board.Position) (key PositionKey, locked bool) {
	if !g.OnBoard() || g.PlyCount() < lockFrom {
		return "", false
	}
	want, positions := onBoard(asked), g.Positions()
	for _, p := range positions[len(positions)-3:] {
		if onBoard(p) == want {
			return KeyOf(p), true
		}
	}
	now := g.Position()
	for _, a := range now.Moves(nil) {
		if next, _ := now.PlayUnchecked(a); onBoard(next) == want {
			return KeyOf(next), true
		}
	}
	return "", false
}

// Plies whose positions are remembered of finished matches: before the first no
// position is locked, and after the last hardly one comes up a second time.
const (
	knownFrom = lockFrom - 2
	knownTo   = 60
)

// Mark is a position as it is remembered: eight bytes of a hash of its key.
type Mark int64

// Mark is the mark of the key.
func (k PositionKey) Mark() Mark {
	sum := sha256.Sum256([]byte(k))
	return Mark(binary.BigEndian.Uint64(sum[:]))
}

// Marks are those of a finished game's positions, each once, that make a
// position known when it comes up in another match: of plies 4 to 60.
func Marks(g match.Game) []Mark {
	positions := g.Positions()
	if len(positions) <= knownFrom {
		return nil
	}
	var marks []Mark
	for _, p := range positions[knownFrom:min(len(positions), knownTo+1)] {
		marks = append(marks, KeyOf(p).Mark())
	}
	slices.Sort(marks)
	return slices.Compact(marks)
}

// KnownBy is in how many earlier public matches a position has to have stood to
// be known: what everybody may have prepared is not locked.
const KnownBy = 2
