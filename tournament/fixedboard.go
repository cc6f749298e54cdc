package tournament

import (
	"cmp"
	"slices"

	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
)

// ErrFixedBoard is returned when a board number is invalid or taken.
var ErrFixedBoard = refusal.Invalid("entry.error.fixed-board",
	"tournament: the fixed board is invalid or taken")

// FixBoard gives an entry a fixed board in all rounds to come, for players who cannot change
// places; 0: any. Whom they meet does not depend on it.
func (t *Tournament) FixBoard(by player.Viewer, id EntryID, board int) error {
	i := t.index(id)
	switch {
	case i < 0:
		return ErrNoEntry
	case !t.May(by, ActFixBoard):
		return ErrNotAllowed
	case t.Status.IsOver():
		return ErrFinished
	case !t.Entries[i].isIn():
		return ErrWithdrawn
	case board < 0, board > MaxPlayers, board > 0 && t.hasFixed(id, board):
		return ErrFixedBoard
	}
	t.Entries[i].FixedBoard = board
	if t.Draft != nil {
		t.Draft.Boards = slices.Clone(t.Draft.Boards)
		t.seatFixed(t.Draft.Boards)
	}
	return nil
}

// hasFixed reports whether another entry has a fixed board.
func (l Entries) hasFixed(but EntryID, board int) bool {
	return slices.ContainsFunc(l, func(e Entry) bool { return e.ID != but && e.FixedBoard == board && e.isIn() })
}

// seatFixed orders boards so that players with a fixed one sit there: two of them at the lower
// one, and beyond the last board as far down as possible. The others keep their order.
func (l Entries) seatFixed(boards []DraftBoard) {
	fixed, rest := []DraftBoard{}, []DraftBoard{}
	for _, b := range boards {
		if l.fixedBoard(b) > 0 {
			fixed = append(fixed, b)
		} else {
			rest = append(rest, b)
		}
	}
	slices.SortStableFunc(fixed, func(a, b DraftBoard) int { return cmp.Compare(l.fixedBoard(a), l.fixedBoard(b)) })
	for i := range boards {
		if len(fixed) > 0 && (len(rest) == 0 || l.fixedBoard(fixed[0]) <= i+1) {
			boards[i], fixed = fixed[0], fixed[1:]
		} else {
			boards[i], rest = rest[0], rest[1:]
		}
	}
}

// fixedBoard returns the fixed board of two players who meet; 0: any.
func (l Entries) fixedBoard(b DraftBoard) int {
	first, second := l[l.index(b.First)].FixedBoard, l[l.index(b.Second)].FixedBoard
	if first == 0 || second == 0 {
		return first + second
	}
	return min(first, second)
}
