// Package promise lets anybody check that chance was settled before anybody could know
// what it was for: before a draw the SHA-256 of its seed is shown, after it the seed,
// which in turn is the promise of the next draw. It refuses to promise anything where
// the secret that began the chain is not known.
package promise

import (
	"bytes"
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
	promised, err := hex.DecodeString(given)
	if err != nil {
		return seed, false
	}
	link := secret
	for range length {
		next := sha256.Sum256(link[:])
		if bytes.Equal(next[:], promised) {
			return link, true
		}
		link = next
	}
	return seed, false
}

// Holds tells whether a seed, as it is shown, is what was promised.
func Holds(given, seed string) bool { return given != "" && Of(seed) == given }

// Of is the promise of one seed, as it is shown; empty for what is no seed.
func Of(seed string) string {
	raw, err := hex.DecodeString(seed)
	if err != nil || seed == "" {
		return ""
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}
