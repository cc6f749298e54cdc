// Package rounds opens and closes the gates of a tournament, pairs its rounds, opens
// their matches and takes in results, with what follows from the last one. What was played
// is changed by package desk.
package rounds

import (
	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/ratings"
)

// Office runs rounds.
type Office struct {
	*kernel.Kernel
	assurance *assurance.Office
	ratings   *ratings.Office
	here      lookers
	known     arenasKnown
}

// New returns the office with the offices it needs.
func New(k *kernel.Kernel, ass *assurance.Office, rat *ratings.Office) *Office {
	return &Office{Kernel: k, assurance: ass, ratings: rat}
}
