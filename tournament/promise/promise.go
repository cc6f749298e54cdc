// Package promise lets anyone check that a draw was settled before anyone knew what it
// would decide. Seeds form a hash chain: the SHA-256 of a seed is published before the
// draw, the seed after it, and that seed is in turn the promise of the next draw. The
// package makes no promise without the secret that the chain started from.
package promise

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
)

// Version names the behavior.
const Version = "promise-1"

// Draw holds what a draw is made from.
type Draw struct {
	Seed [32]byte
	Next string // promise of the next draw; empty: none
}

// length is the number of draws that one secret allows.
const length = 4096

// First returns the promise of the first draw: the secret, hashed length times.
func First(secret [32]byte) string {
	link := secret
	for range length {
		link = sha256.Sum256(link[:])
	}
	return hex.EncodeToString(link[:])
}

// Kept returns the seed whose promise was given. It reports false if the promise does not
// come from the secret, or if the chain is used up.
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

// Holds reports whether a seed, in hexadecimal digits, is the one that was promised.
func Holds(given, seed string) bool { return given != "" && Of(seed) == given }

// Of returns the promise of a seed in hexadecimal digits; empty if it is not one.
func Of(seed string) string {
	raw, err := hex.DecodeString(seed)
	if err != nil || seed == "" {
		return ""
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}
