// Package persons looks after accounts beside the board: passkeys, attestations, follows,
// guests, the house's bots, erasure. It refuses to know what they play.
package persons

import "chpok.org/chpok/arbiter/kernel"

// Office is the arbiter's part that does it.
type Office struct {
	*kernel.Kernel
}

// New opens it beside the offices that it asks.
func New(k *kernel.Kernel) *Office {
	return &Office{k}
}
