// Package seats decides whether a player may act in their match now and from here:
// check-in, signed pages, devices, the check during the match, telemetry. It notes what
// stands out and refuses to draw conclusions from it.
package seats

import (
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/persons"
)

// Office is the arbiter's part that does it.
type Office struct {
	*kernel.Kernel
	persons *persons.Office
	gates   gates
}

// New opens it beside the offices that it asks.
func New(k *kernel.Kernel, per *persons.Office) *Office {
	a := &Office{Kernel: k, persons: per}
	a.gates.listen(k)
	return a
}
