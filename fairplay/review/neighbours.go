package review

import (
	"slices"
	"time"
)

// NeighboursWithin is how far back before a round the browsers and networks of its
// players count.
const NeighboursWithin = 14 * 24 * time.Hour

// Seen lists the browsers and networks that a player used lately, as keyed hashes.
type Seen struct{ Devices, Networks []string }

// Neighbours returns what two opponents have in common before they play:
// SignalPairedDevice, SignalPairedNetwork, or the empty kind for nothing. The network of
// a venue does not count, nor does an unknown (empty) one.
func Neighbours(a, b Seen, venues []string) SignalKind {
	if common(a.Devices, b.Devices, nil) {
		return SignalPairedDevice
	}
	if common(a.Networks, b.Networks, venues) {
		return SignalPairedNetwork
	}
	return ""
}

func common(a, b, except []string) bool {
	return slices.ContainsFunc(a, func(x string) bool { return x != "" && slices.Contains(b, x) && !slices.Contains(except, x) })
}
