// Package clubs changes clubs: members, roles, requests, news. Their events are held
// elsewhere.
package clubs

import "chpok.org/chpok/arbiter/kernel"

// Office runs clubs.
type Office struct {
	*kernel.Kernel
}

// New returns the office.
func New(k *kernel.Kernel) *Office {
	return &Office{k}
}
