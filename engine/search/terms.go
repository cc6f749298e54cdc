package search

import (
	"strings"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
)

// Twists returns the features a bidder considers at a width: a few of the many possible,
// the usual ones first.
func Twists(usual board.Features, width int) []board.Features {
	usual.Width = width
	list := []board.Features{usual}
	with := func(change func(f *board.Features)) {
		f := usual
		change(&f)
		list = append(list, f)
	}
	for _, key := range bidding.Switches {
		with(func(f *board.Features) { *f.Switch(key) = true })
	}
	with(func(f *board.Features) { f.KingOfTheHill, f.KingsRun = true, true })
	with(func(f *board.Features) { f.KingOfTheHill, f.MightyQueens = true, true })
	with(func(f *board.Features) { f.KingOfTheHill, f.FierceKings = true, true })
	with(func(f *board.Features) { f.KingOfTheHill, f.RemoveOwn = true, true })
	with(func(f *board.Features) { f.KingsRun, f.NoKingPromotion = true, true })
	with(func(f *board.Features) { f.MightyQueens, f.FierceKings = true, true })
	with(func(f *board.Features) { f.MoveLimit = 10 })
	with(func(f *board.Features) { f.MoveLimit = 14 })
	with(func(f *board.Features) { f.MoveLimit = 20 })
	with(func(f *board.Features) { f.MoveLimit, f.MightyQueens = 10, true })
	with(func(f *board.Features) { f.MoveLimit, f.KingOfTheHill = 10, true })
	with(func(f *board.Features) { f.MoveLimit, f.SkipMoves = 10, true })
	with(func(f *board.Features) { f.MovePoints[board.Queen] = 9 })
	with(func(f *board.Features) { f.MovePoints[board.Knight] = 9 })
	with(func(f *board.Features) { f.MovePoints[board.Pawn] = 9 })
	with(func(f *board.Features) { f.MoveLimit, f.MovePoints[board.Pawn] = 10, 9 })
	with(func(f *board.Features) { f.MoveLimit, f.MovePoints[board.Knight] = 10, 9 })
	with(func(f *board.Features) { f.MoveLimit, f.MovePoints[board.Rook] = 10, 9 })
	with(func(f *board.Features) {
		f.MoveLimit, f.MovePoints[board.King] = 11, 9
		f.KingOfTheHill, f.KingsRun, f.FierceKings = true, true, true
	})
	return list
}

// Armies returns the home rows a bidder considers at a width.
func Armies(width int) []board.Row {
	standard := string(board.StandardRow(width))
	rows := []board.Row{
		board.Row(standard), board.Row(strings.Replace(standard, "Q", "K", 1)), board.Row(strings.Replace(standard, "Q", "D", 1)),
		board.Row(strings.ReplaceAll(standard, "N", "Q")), board.Row(strings.Repeat("K", width)),
	}
	for _, piece := range "QRNDBP" {
		rows = append(rows, board.Row(strings.Repeat(string(piece), width/2)+"K"+strings.Repeat(string(piece), width-width/2-1)))
	}
	return rows
}
