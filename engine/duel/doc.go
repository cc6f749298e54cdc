// Package duel lets programs that play the board phase meet: it serves our
// engine over a text protocol, drives programs that speak it or UCI, and plays
// them against each other in pairs of games with the colors exchanged.
//
// It judges nothing itself: what is possible and how a game ends is asked of
// engine/board and engine/search, with automatic claims (Rules 4, D5).
package duel
