// Package rounds opens and closes the gates of a tournament, pairs its rounds, opens
// their matches and takes in results, with what follows from the last one. It refuses
// to change what was played: that is the desk's.
package rounds

import (
	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/ratings"
)

// Office is the arbiter's part that does it.
type Office struct {
	*kernel.Kernel
	assurance *assurance.Office
	ratings   *ratings.Office
	here      lookers
	known     arenasKnown
}

// New opens it beside the offices that it asks.
func New(k *kernel.Kernel, ass *assurance.Office, rat *ratings.Office) *Office {
	return &Office{Kernel: k, assurance: ass, ratings: rat}
}
