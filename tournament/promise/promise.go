// Package promise lets anybody check that chance was settled before anybody could know
// what it was for: before a draw the SHA-256 of its seed is shown, after it the seed,
// which in turn is the promise of the next draw. It refuses to promise anything where
// the secret that began the chain is not known.
package promise

import (
	"crypto/sha256"
	"encoding/hex"
)

// Version names the behavior.
const Version = "promise-1"

// Draw is what a draw is made from.
type Draw struct {
	Seed [32]byte
	Next string // what is promised of the draw after it; empty: nothing
}

// length is how many draws one secret is good for.
const length = 4096

// First is the promise of the first draw: the end of a chain in which every link is the
// SHA-256 of the one before it, and the first one the secret.
func First(secret [32]byte) string {
	link := secret
	for range length {
		link = sha256.Sum256(link[:])
	}
	return hex.EncodeToString(link[:])
}

// Kept is the seed that was promised; false: not by that secret, or it has none left.
func Kept(secret [32]byte, given string) (seed [32]byte, ok bool) {
	link := secret
	for range length {
		next := sha256.Sum256(link[:])
		if hex.EncodeToString(next[:]) == given {
			return link, true
		}
		link = next
	}
	return seed, false
}

// Holds tells whether a seed, as it is shown, is what was promised.
func Holds(given, seed string) bool {
	raw, err := hex.DecodeString(seed)
	return err == nil && Of(raw) == given
}

// Of is the promise of one seed.
func Of(seed []byte) string {
	sum := sha256.Sum256(seed)
	return hex.EncodeToString(sum[:])
}
