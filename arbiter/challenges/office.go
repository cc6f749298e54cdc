// Package challenges brings two players together: by a challenge, by a rematch, or
// because both wait for the same kind of match.
package challenges

import (
	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/ratings"
	"chpok.org/chpok/arbiter/seats"
)

// Office runs challenges and the lobby.
type Office struct {
	*kernel.Kernel
	assurance *assurance.Office
	ratings   *ratings.Office
	seats     *seats.Office
}

// New returns the office with the offices it needs.
func New(k *kernel.Kernel, ass *assurance.Office, rat *ratings.Office, sea *seats.Office) *Office {
	return &Office{k, ass, rat, sea}
}
