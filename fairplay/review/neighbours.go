package review

import (
	"slices"
	"time"
)

// NeighboursWithin is how long before a round it counts from where players acted.
const NeighboursWithin = 14 * 24 * time.Hour

// Seen is from which browsers and networks a player acted lately, as keyed hashes.
type Seen struct{ Devices, Networks []string }

// Neighbours is what two opponents have in common before they play:
// SignalPairedDevice, SignalPairedNetwork, or empty for nothing. The network of a
// venue is no news, and an unknown one (empty) is nobody's.
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
