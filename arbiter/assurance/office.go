// Package assurance knows: players as they enter, a match's policy and what was achieved,
// in what capacity a viewer looks at a match, whom reviews hold. It opens matches with
// what it knows of their players. It refuses to decide what follows.
package assurance

import "chpok.org/chpok/arbiter/kernel"

// Office is the arbiter's part that does it.
type Office struct {
	*kernel.Kernel
}

// New opens it beside the offices that it asks.
func New(k *kernel.Kernel) *Office {
	return &Office{k}
}
