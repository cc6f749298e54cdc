// Package entries takes players into tournaments, by themselves, by staff, from a list,
// at the door or in a line-up, and out again. It refuses to pair anybody.
package entries

import (
	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/kernel"
)

// Office is the arbiter's part that does it.
type Office struct {
	*kernel.Kernel
	assurance *assurance.Office
}

// New opens it beside the offices that it asks.
func New(k *kernel.Kernel, ass *assurance.Office) *Office {
	return &Office{k, ass}
}
