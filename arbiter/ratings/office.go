// Package ratings rates what is over and keeps the lists right: an event gets its ordinal
// once; lists are folded, corrected and published. It refuses to judge whether a result
// is right.
package ratings

import "chpok.org/chpok/arbiter/kernel"

// Office is the arbiter's part that does it.
type Office struct {
	*kernel.Kernel
}

// New opens it beside the offices that it asks.
func New(k *kernel.Kernel) *Office {
	return &Office{k}
}
