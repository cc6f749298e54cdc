//go:build !race

package board_test

const raceEnabled = false
