package search

import "chpok.org/chpok/engine/board"

// ByTraits returns White's share on some terms as their traits tell it, measured or not.
func ByTraits(f board.Features, row board.Row) float64 { return Estimate(worth().traits, f, row) }
