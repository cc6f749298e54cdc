// Package events creates tournaments and what surrounds them: settings, series, staff,
// posts, screens, dry runs, forecasts, bundles.
package events

import (
	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/rounds"
)

// Office runs events outside of their rounds.
type Office struct {
	*kernel.Kernel
	assurance *assurance.Office
	rounds    *rounds.Office
}

// New returns the office with the offices it needs.
func New(k *kernel.Kernel, ass *assurance.Office, rou *rounds.Office) *Office {
	return &Office{k, ass, rou}
}
