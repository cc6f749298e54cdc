// Package ladders runs ladders by their rulebook, opens their matches and records
// results.
package ladders

import (
	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/ratings"
)

// Office runs ladders.
type Office struct {
	*kernel.Kernel
	assurance *assurance.Office
	ratings   *ratings.Office
}

// New returns the office with the offices it needs.
func New(k *kernel.Kernel, ass *assurance.Office, rat *ratings.Office) *Office {
	return &Office{k, ass, rat}
}
