package search

import (
	"cmp"
	"slices"
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

// Extremes returns, of all features at a width, those that by their traits are worth most to Black and to White on any of the
// rows a bidder considers: what somebody could ask for whom nothing but the rules binds. Hardly any of them was ever played.
// Other rows than these are worth no more to either, as traits count pieces and no more (TestNoRowIsWorthMoreThanTheArmies).
func Extremes(usual board.Features, width int) (list []board.Features) {
	for _, row := range Armies(width) {
		for _, sign := range [...]float64{-1, 1} {
			gain := func(f board.Features) float64 { return sign * Estimate(worth().traits, f, row) }
			best := slices.MaxFunc(Twists(usual, width), func(a, b board.Features) int { return cmp.Compare(gain(a), gain(b)) })
			if f := climb(best, gain); !slices.Contains(list, f) {
				list = append(list, f)
			}
		}
	}
	return list
}

// climb changes one feature after another for as long as that is worth more.
func climb(f board.Features, gain func(board.Features) float64) board.Features {
	for {
		best := f
		for _, other := range changed(f) {
			if gain(other) > gain(best)+tie {
				best = other
			}
		}
		if best == f {
			return f
		}
		f = best
	}
}

// changed returns features with one switch turned over, or one number at its other end. Nothing between its ends is worth
// more than both, as each trait grows with its number or falls.
func changed(f board.Features) (list []board.Features) {
	with := func(change func(f *board.Features)) {
		g := f
		change(&g)
		list = append(list, g)
	}
	for _, key := range bidding.Switches {
		with(func(f *board.Features) { on := f.Switch(key); *on = !*on })
	}
	for kind := board.Pawn; kind <= board.Dragon; kind++ {
		with(func(f *board.Features) { f.MovePoints[kind] = 9 - f.MovePoints[kind] })
	}
	with(func(f *board.Features) {
		if f.MoveLimit > 10 {
			f.MoveLimit = 10
		} else {
			f.MoveLimit = board.DefaultFeatures().MoveLimit
		}
	})
	return list
}
