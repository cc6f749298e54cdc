// Package judges answers calls and rules in matches: clocks, takebacks, results, a match
// played again. It refuses to let anybody judge their own match.
package judges

import (
	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/ratings"
	"chpok.org/chpok/arbiter/rounds"
	"chpok.org/chpok/arbiter/seats"
)

// Office is the arbiter's part that does it.
type Office struct {
	*kernel.Kernel
	assurance *assurance.Office
	ratings   *ratings.Office
	rounds    *rounds.Office
	seats     *seats.Office
}

// New opens it beside the offices that it asks.
func New(k *kernel.Kernel, ass *assurance.Office, rat *ratings.Office, rou *rounds.Office, sea *seats.Office) *Office {
	return &Office{k, ass, rat, rou, sea}
}
