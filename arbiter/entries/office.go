// Package entries takes players into tournaments, by themselves, by staff, from a list,
// at the door or in a line-up, and out again.
package entries

import (
	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/kernel"
)

// Office handles entries.
type Office struct {
	*kernel.Kernel
	assurance *assurance.Office
}

// New returns the office with the offices it needs.
func New(k *kernel.Kernel, ass *assurance.Office) *Office {
	a := &Office{k, ass}
	k.Anew = a.Anew
	return a
}
