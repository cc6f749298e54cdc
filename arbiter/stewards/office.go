// Package stewards is fair play after the fact and beside the board: who watches whom,
// what results suggest, reviews and their decisions, and what a finished match achieved.
// It refuses to let one person decide alone.
package stewards

import (
	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/desk"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/seats"
)

// Office is the arbiter's part that does it.
type Office struct {
	*kernel.Kernel
	assurance *assurance.Office
	desk      *desk.Office
	seats     *seats.Office
}

// New opens it beside the offices that it asks.
func New(k *kernel.Kernel, ass *assurance.Office, des *desk.Office, sea *seats.Office) *Office {
	return &Office{k, ass, des, sea}
}
