// Package seats decides whether a player may act in their match now and from here:
// check-in, signed pages, devices, checks during the match, telemetry. It records what
// stands out and draws no conclusions.
package seats

import (
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/persons"
)

// Office guards the seats of matches.
type Office struct {
	*kernel.Kernel
	persons *persons.Office
	gates   gates
}

// New returns the office with the offices it needs.
func New(k *kernel.Kernel, per *persons.Office) *Office {
	a := &Office{Kernel: k, persons: per}
	a.gates.listen(k)
	return a
}
