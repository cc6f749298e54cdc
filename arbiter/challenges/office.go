// Package challenges brings two players together: by a challenge, by a rematch, or
// because both wait for the same kind of match. It refuses players who may not meet.
package challenges

import (
	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/ratings"
	"chpok.org/chpok/arbiter/seats"
)

// Office is the arbiter's part that does it.
type Office struct {
	*kernel.Kernel
	assurance *assurance.Office
	ratings   *ratings.Office
	seats     *seats.Office
}

// New opens it beside the offices that it asks.
func New(k *kernel.Kernel, ass *assurance.Office, rat *ratings.Office, sea *seats.Office) *Office {
	return &Office{k, ass, rat, sea}
}
