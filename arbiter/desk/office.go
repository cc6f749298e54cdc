// Package desk is where staff change a tournament under way: drafts, corrections,
// expulsions, times, pauses, and what is undone. It refuses to decide a match.
package desk

import (
	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/ratings"
	"chpok.org/chpok/arbiter/rounds"
)

// Office is the arbiter's part that does it.
type Office struct {
	*kernel.Kernel
	assurance *assurance.Office
	ratings   *ratings.Office
	rounds    *rounds.Office
}

// New opens it beside the offices that it asks.
func New(k *kernel.Kernel, ass *assurance.Office, rat *ratings.Office, rou *rounds.Office) *Office {
	return &Office{k, ass, rat, rou}
}
