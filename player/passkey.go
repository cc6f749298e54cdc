package player

import (
	"time"
	"unicode/utf8"

	"chpok.org/chpok/refusal"
)

// Passkey is a key that a device keeps for an account and uses only when its holder
// unlocks it. The finger, face or PIN that unlocks it stays there.
type Passkey struct {
	ID         string
	Player     ID
	Credential []byte // how the device names it
	PublicKey  []byte // COSE
	AAGUID     []byte // the model of the device, as it claims
	SignCount  uint32 // 0: the device does not count
	Syncable   bool   // it may be copied to other devices of its owner (BE)
	Synced     bool   // it is (BS)
	Name       string
	Created    time.Time
	Used       time.Time // zero: never
}

// The bounds of an account's passkeys.
const (
	MostPasskeys    = 10
	passkeyNameMost = 40
)

// The refusals of passkeys.
var (
	ErrPasskeyName  = refusal.Invalid("passkey.error.name", "player: a passkey's name must be at most 40 characters on one line")
	ErrManyPasskeys = refusal.Conflict("passkey.error.many", "player: too many passkeys")
)

// ParsePasskeyName reads the name for a device; it may be empty.
func ParsePasskeyName(s string) (string, error) {
	s = Tidy(s)
	if utf8.RuneCountInString(s) > passkeyNameMost || !IsLine(s) {
		return "", ErrPasskeyName
	}
	return s, nil
}
