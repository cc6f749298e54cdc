// Package board draws a board: large to play on, small to look at. It knows no match.
package board
