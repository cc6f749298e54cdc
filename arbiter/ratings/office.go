// Package ratings rates finished events and maintains the lists: each event gets its
// ordinal once; lists are folded, corrected and published.
package ratings

import "chpok.org/chpok/arbiter/kernel"

// Office maintains ratings.
type Office struct {
	*kernel.Kernel
}

// New returns the office.
func New(k *kernel.Kernel) *Office {
	return &Office{k}
}
