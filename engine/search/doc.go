// Package search is the house bot: it chooses a player's commands in a match, bids
// included, by looking at a limited number of positions.
//
// It refuses to answer for a seat that has nothing to do, and sees no more than a player
// does: not the seed of the draws, not the future. The same state, bot and seat give the
// same command, unless the context ends first.
package search
