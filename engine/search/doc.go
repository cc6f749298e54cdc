// Package search is the house bot: which command a player gives in a match,
// bids included, thinking about a bounded number of positions.
//
// It refuses to answer for a seat that has nothing to do, and it never sees
// more than a player does: not the seed of the draws, not the future. The same
// state, bot and seat give the same command, unless the context ends first.
package search
