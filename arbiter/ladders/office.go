// Package ladders runs ladders by their rulebook, opens their matches and records
// results. It refuses to judge: the rulebook does.
package ladders

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
}

// New opens it beside the offices that it asks.
func New(k *kernel.Kernel, ass *assurance.Office, rat *ratings.Office) *Office {
	return &Office{k, ass, rat}
}
