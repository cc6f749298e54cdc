// Package clubs changes clubs: members, roles, requests, news. It refuses to hold their
// events.
package clubs

import "chpok.org/chpok/arbiter/kernel"

// Office is the arbiter's part that does it.
type Office struct {
	*kernel.Kernel
}

// New opens it beside the offices that it asks.
func New(k *kernel.Kernel) *Office {
	return &Office{k}
}
