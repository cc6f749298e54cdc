package tournament

import "chpok.org/chpok/refusal"

// Pairer is a pairing system. Pair returns the pairing of the round after Field.Played, and
// always the same one for the same field.
type Pairer interface {
	Pair(Field) (RoundPairing, error)
}

// ErrNoPairing is returned when the field has no legal pairing. It is an answer, not a fault.
var ErrNoPairing = refusal.Conflict("tournament.error.no-pairing", "no legal pairing")
