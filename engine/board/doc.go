// Package board is the board phase of Chpok (Rules 6, 7, 10): which position
// is possible, which actions a player has in it, what each of them leads to
// and how many points it brings, and when the board itself ends the game.
//
// It refuses impossible positions with every fault they have, and every action
// the rules do not allow. It knows neither clocks, nor bids, nor undos, nor
// claims, nor the move limit: those belong to a match.
//
// A Position is a value: it is compared with ==, and Play returns another one.
package board
