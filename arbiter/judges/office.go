// Package judges answers calls and rules in matches: clocks, takebacks, results, a match
// played again. Nobody judges their own match.
package judges

import (
	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/ratings"
	"chpok.org/chpok/arbiter/rounds"
	"chpok.org/chpok/arbiter/seats"
)

// Office serves arbiters at matches.
type Office struct {
	*kernel.Kernel
	assurance *assurance.Office
	ratings   *ratings.Office
	rounds    *rounds.Office
	seats     *seats.Office
}

// New returns the office with the offices it needs.
func New(k *kernel.Kernel, ass *assurance.Office, rat *ratings.Office, rou *rounds.Office, sea *seats.Office) *Office {
	return &Office{k, ass, rat, rou, sea}
}
