// Package duel lets programs that play the board phase meet. It serves our engine over a
// text protocol, drives programs that speak it or UCI, and plays them against each other
// in pairs of games with the colors exchanged.
//
// It leaves the rules to engine/board, and the end of a game, with automatic claims (Rules
// 4, D5), to engine/search.
package duel
