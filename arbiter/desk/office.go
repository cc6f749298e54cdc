// Package desk lets staff change a running tournament: drafts, corrections, expulsions,
// times, pauses, undoing.
package desk

import (
	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/ratings"
	"chpok.org/chpok/arbiter/rounds"
)

// Office serves the desk of a tournament.
type Office struct {
	*kernel.Kernel
	assurance *assurance.Office
	ratings   *ratings.Office
	rounds    *rounds.Office
}

// New returns the office with the offices it needs.
func New(k *kernel.Kernel, ass *assurance.Office, rat *ratings.Office, rou *rounds.Office) *Office {
	return &Office{k, ass, rat, rou}
}
