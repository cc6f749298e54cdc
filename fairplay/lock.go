package fairplay

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"
	"unicode"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
)

// lockFrom is the first ply whose position is locked in a running match: the first plies
// of many matches are alike.
const lockFrom = 6

// PositionKey identifies a position across matches: where the pieces stand and the
// features, without counters and side to move. Asking for it with the colors swapped, the
// files mirrored or the other side to move would reveal as much, so all of these share
// one key.
type PositionKey string

// KeyOf is the key of a position.
func KeyOf(p board.Position) PositionKey {
	return PositionKey(onBoard(p) + " " + p.Features().String())
}

// onBoard is where the pieces stand, as the least of its images.
func onBoard(p board.Position) string {
	placement, _, _ := strings.Cut(p.CFEN(), " ")
	swapped := colorsSwapped(placement)
	return min(placement, swapped, filesMirrored(placement), filesMirrored(swapped))
}

// colorsSwapped is a placement seen from the other side.
func colorsSwapped(placement string) string {
	ranks := strings.Split(placement, "/")
	slices.Reverse(ranks)
	return strings.Map(func(r rune) rune {
		if unicode.IsLower(r) {
			return unicode.ToUpper(r)
		}
		return unicode.ToLower(r)
	}, strings.Join(ranks, "/"))
}

// filesMirrored is a placement with its files mirrored.
func filesMirrored(placement string) string {
	ranks := strings.Split(placement, "/")
	for i, rank := range ranks {
		var mirrored strings.Builder
		for rest := rank; rest != ""; {
			at := len(rest) - 1 // a piece, or a number of empty squares
			for at > 0 && isDigit(rest[at]) && isDigit(rest[at-1]) {
				at--
			}
			mirrored.WriteString(rest[at:])
			rest = rest[:at]
		}
		ranks[i] = mirrored.String()
	}
	return strings.Join(ranks, "/")
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// Placements are where pieces stand in some positions, each as the least of its images.
type Placements map[string]bool

// PlacementsOf are the placements of positions.
func PlacementsOf(positions []board.Position) Placements {
	asked := make(Placements, len(positions))
	for _, p := range positions {
		asked[onBoard(p)] = true
	}
	return asked
}

// LockedOf are those of the placements for which our analysis must not answer while this game is
// played, as they stand in it: on the board, one or two plies before, or by one action. The features
// in the question do not matter, or else others would get an answer, nor does the image of the position.
func LockedOf(g match.Game, asked Placements) (keys []PositionKey) {
	if !g.OnBoard() || g.PlyCount() < lockFrom {
		return nil
	}
	positions := g.Positions()
	for _, p := range positions[len(positions)-3:] {
		if asked[onBoard(p)] {
			keys = append(keys, KeyOf(p))
		}
	}
	now := g.Position()
	for _, a := range now.Moves(nil) {
		if next, _ := now.PlayUnchecked(a); asked[onBoard(next)] {
			keys = append(keys, KeyOf(next))
		}
	}
	return keys
}

// bidsLockedFrom is the number of bids and draws from which a bidding is a match's own.
const bidsLockedFrom = 2

// BidsLocked reports whether a bidding stands as that of a running game does, so that our analysis
// must not tell what to bid there. The minutes that were named do not matter to it.
func BidsLocked(g match.Game, asked bidding.State) bool {
	if g.OnBoard() || g.Acts() < bidsLockedFrom {
		return false
	}
	own := g.Bids()
	for t := bidding.White; t <= bidding.Features; t++ {
		for _, seat := range [...]match.Seat{match.First, match.Second} {
			if own.Stake(t, seat) != asked.Stake(t, seat) {
				return false
			}
		}
	}
	white, _ := own.White()
	askedWhite, _ := asked.White()
	return white == askedWhite && own.Row() == asked.Row() && own.Features() == asked.Features()
}

// The plies whose positions are remembered of finished matches: before the first no
// position is locked, and after the last hardly one occurs again.
const (
	knownFrom = lockFrom - 2
	knownTo   = 60
)

// Mark is the stored form of a position: eight bytes of a hash of its key.
type Mark int64

// Mark is the mark of the key.
func (k PositionKey) Mark() Mark {
	sum := sha256.Sum256([]byte(k))
	return Mark(binary.BigEndian.Uint64(sum[:]))
}

// Marks are the marks of a finished game's positions, each once, of plies 4 to 60: those
// that make a position known in later matches.
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

// KnownBy is in how many earlier public matches a position must have stood to be known:
// what everybody may have prepared is not locked.
const KnownBy = 2
