package draw_test

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"chpok.org/chpok/tournament/draw"
)

// Each seed promises the next one, and only the holder of the secret knows it.
func TestEverySeedPromisesTheNextOne(t *testing.T) {
	t.Parallel()
	secret := sha256.Sum256([]byte("of the house"))
	given, seen := draw.FirstPromise(secret), map[string]bool{}
	for n := range 5 {
		seed, ok := draw.Promised(secret, given)
		shown := hex.EncodeToString(seed[:])
		if !ok || !draw.Keeps(given, shown) || seen[shown] {
			t.Fatalf("draw %d: %v, %s was promised as %s", n+1, ok, shown, given)
		}
		if draw.Keeps(given, given) {
			t.Error("a promise holds for itself")
		}
		seen[shown], given = true, shown
	}
	if _, ok := draw.Promised(sha256.Sum256([]byte("another")), given); ok {
		t.Error("somebody else's secret keeps the promise")
	}
}

// The last draw of a chain uses the secret itself.
func TestAChainHasAnEnd(t *testing.T) {
	t.Parallel()
	secret := [32]byte{1}
	of := sha256.Sum256(secret[:])
	if seed, ok := draw.Promised(secret, hex.EncodeToString(of[:])); !ok || seed != secret {
		t.Errorf("the last draw is from %x, %v", seed, ok)
	}
	if _, ok := draw.Promised(secret, hex.EncodeToString(secret[:])); ok {
		t.Error("the secret promises another draw")
	}
}
