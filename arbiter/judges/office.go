// Package judges is where people judge: calls and rulings in matches (clocks, takebacks,
// results, a match played again), and fair play around them: who supervises whom, what results
// suggest, reviews and their decisions, what a finished match achieved. Nobody judges their own
// match, and nobody decides a review alone.
package judges

import (
	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/desk"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/ratings"
	"chpok.org/chpok/arbiter/rounds"
	"chpok.org/chpok/arbiter/seats"
)

// Office serves those who judge.
type Office struct {
	*kernel.Kernel
	assurance *assurance.Office
	ratings   *ratings.Office
	rounds    *rounds.Office
	desk      *desk.Office
	seats     *seats.Office
}

// New returns the office with the offices it needs.
func New(k *kernel.Kernel, ass *assurance.Office, rat *ratings.Office, rou *rounds.Office, des *desk.Office, sea *seats.Office) *Office {
	return &Office{k, ass, rat, rou, des, sea}
}
