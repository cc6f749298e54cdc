// Package stewards handles fair play around matches: who supervises whom, what results
// suggest, reviews and their decisions, and what a finished match achieved. Nobody
// decides alone.
package stewards

import (
	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/desk"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/seats"
)

// Office runs supervision and reviews.
type Office struct {
	*kernel.Kernel
	assurance *assurance.Office
	desk      *desk.Office
	seats     *seats.Office
}

// New returns the office with the offices it needs.
func New(k *kernel.Kernel, ass *assurance.Office, des *desk.Office, sea *seats.Office) *Office {
	return &Office{k, ass, des, sea}
}
