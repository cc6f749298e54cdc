package draw

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
)

// Chance is what a draw is made from.
type Chance struct {
	Seed [32]byte
	Next string // promise of the next draw; empty: none
}

// chainLength is the number of draws that one secret allows.
const chainLength = 4096

// FirstPromise returns the promise of the first draw: the secret, hashed chainLength times.
func FirstPromise(secret [32]byte) string {
	link := secret
	for range chainLength {
		link = sha256.Sum256(link[:])
	}
	return hex.EncodeToString(link[:])
}

// Promised returns the seed whose promise was given. It reports false if the promise does not
// come from the secret, or if the chain is used up.
func Promised(secret [32]byte, given string) (seed [32]byte, ok bool) {
	promised, err := hex.DecodeString(given)
	if err != nil {
		return seed, false
	}
	link := secret
	for range chainLength {
		next := sha256.Sum256(link[:])
		if bytes.Equal(next[:], promised) {
			return link, true
		}
		link = next
	}
	return seed, false
}

// Keeps reports whether a seed, in hexadecimal digits, is the one that was promised.
func Keeps(given, seed string) bool { return given != "" && PromiseOf(seed) == given }

// PromiseOf returns the promise of a seed in hexadecimal digits; empty if it is not one.
func PromiseOf(seed string) string {
	raw, err := hex.DecodeString(seed)
	if err != nil || seed == "" {
		return ""
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}
