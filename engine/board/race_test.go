//go:build race

package board_test

const raceEnabled = true
