// Package persons looks after accounts: passkeys, attestations, follows, guests, the bots
// of the house, erasure.
package persons

import "chpok.org/chpok/arbiter/kernel"

// Office looks after accounts.
type Office struct {
	*kernel.Kernel
}

// New returns the office.
func New(k *kernel.Kernel) *Office {
	return &Office{k}
}
