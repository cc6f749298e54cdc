// Package events makes tournaments and what surrounds them: settings, series, staff,
// posts, screens, dry runs, forecasts, bundles. It refuses to pair.
package events

import (
	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/rounds"
)

// Office is the arbiter's part that does it.
type Office struct {
	*kernel.Kernel
	assurance *assurance.Office
	rounds    *rounds.Office
}

// New opens it beside the offices that it asks.
func New(k *kernel.Kernel, ass *assurance.Office, rou *rounds.Office) *Office {
	return &Office{k, ass, rou}
}
