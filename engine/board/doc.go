// Package board is the board phase of Chpok (Rules 6, 7, 10): which positions are
// possible, which actions a player has, what each leads to and scores, and when the
// board itself ends the game.
//
// It refuses impossible positions, listing every fault, and actions the rules do not
// allow. It knows nothing of clocks, bids, undos, claims or the move limit, which belong
// to a match.
//
// A Position is a value: compare it with ==; Play returns a new one. What serves only
// search (Advance, Attacked, Survey and their like) works through pointers, to avoid
// copies.
package board
