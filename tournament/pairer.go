package tournament

import "chpok.org/chpok/refusal"

// Pairer is a pairing system: a field in which Played rounds are known in, the
// pairing of the next round out. The same field always gives the same pairing.
type Pairer interface {
	Pair(Field) (RoundPairing, error)
}

// ErrNoPairing says that no pairing of the next round is legal: an answer
// about the field, neither bad input nor a bug.
var ErrNoPairing = refusal.Conflict("tournament.error.no-pairing", "no legal pairing")
