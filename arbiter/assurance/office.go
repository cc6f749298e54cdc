// Package assurance knows the players as they enter, the policy of a match and what it
// achieved, in what capacity a viewer sees a match, and whom reviews keep out. It opens
// matches with what it knows about their players.
package assurance

import "chpok.org/chpok/arbiter/kernel"

// Office answers these questions for the other offices.
type Office struct {
	*kernel.Kernel
}

// New returns the office.
func New(k *kernel.Kernel) *Office {
	return &Office{k}
}
