package assurance

import (
	"slices"
	"time"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
)

// checkInGate is how long a match waits for its players if they have to check in and no
// lateness is set.
const checkInGate = 5 * time.Minute

// checkInTime is how long a match waits for its players: those who must check in need a
// moment.
func checkInTime(p fairplay.Policy, lateness time.Duration, in [2]Admitted) time.Duration {
	for _, x := range in {
		if p.CheckIn.Demanded && lateness == 0 && !slices.Contains(x.Waived, fairplay.DemandCheckIn) {
			return checkInGate
		}
	}
	return lateness
}

// boundKeys are the device-bound passkeys.
func boundKeys(keys []player.Passkey) []player.Passkey {
	return slices.DeleteFunc(slices.Clone(keys), func(k player.Passkey) bool { return k.Syncable })
}
