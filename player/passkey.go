package player

import (
	"strings"
	"time"
	"unicode/utf8"

	"chpok.org/chpok/refusal"
)

// Passkey is a key that a device keeps for an account and uses only when its
// holder unlocks it. What unlocks it, a finger, a face or a PIN, stays there.
type Passkey struct {
	ID         string
	Player     ID
	Credential []byte // how the device names it
	PublicKey  []byte // COSE
	AAGUID     []byte // the make of the device, as it says itself
	SignCount  uint32 // 0: the device does not count
	Syncable   bool   // it may be copied to other devices of its owner (BE)
	Synced     bool   // it is (BS)
	Name       string
	Created    time.Time
	Used       time.Time // zero: never
}

// Bounds of an account's passkeys.
const (
	MostPasskeys    = 10
	passkeyNameMost = 40
)

// What is wrong with a passkey.
var (
	ErrPasskeyName  = refusal.Invalid("passkey.error.name", "player: a passkey's name must be at most 40 characters on one line")
	ErrManyPasskeys = refusal.Conflict("passkey.error.many", "player: too many passkeys")
)

// ParsePasskeyName is what an account's owner calls a device; empty is allowed.
func ParsePasskeyName(s string) (string, error) {
	s = strings.TrimSpace(s)
	if utf8.RuneCountInString(s) > passkeyNameMost || !IsLine(s) {
		return "", ErrPasskeyName
	}
	return s, nil
}
