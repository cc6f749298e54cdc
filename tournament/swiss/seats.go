package swiss

import (
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
)

// clash reports whether both prefer the same seat.
func clash(a, b *player) bool { return a.want != 0 && a.want == b.want }

// sameClaim reports whether both have an absolute claim to the same seat and neither is a
// topscorer (C3).
func sameClaim(a, b *player) bool {
	return a.strength == absolute && b.strength == absolute && a.want == b.want && !a.top && !b.top
}

// inForce reports whether a prohibition holds in the round after played rounds.
func inForce(x tournament.Forbidden, played int) bool {
	return x.From <= played+1 && (x.To <= 0 || x.To > played)
}

// seatOf returns the seat of a, who is ranked above b, and the key of the rule (FIDE
// C.04.3, 5.2).
func (r *round) seatOf(a, b *player) (match.Seat, string) {
	if !clash(a, b) {
		switch {
		case a.want != 0:
			return a.want, SeatBoth
		case b.want != 0:
			return b.want.Other(), SeatBoth
		}
	} else {
		switch {
		case a.strength > b.strength:
			return a.want, SeatStronger
		case a.strength < b.strength:
			return b.want.Other(), SeatStronger
		case a.strength == absolute && a.lead > b.lead:
			return a.want, SeatWider
		case a.strength == absolute && a.lead < b.lead:
			return b.want.Other(), SeatWider
		}
	}
	for i, j := len(a.seats)-1, len(b.seats)-1; i >= 0 && j >= 0; i, j = i-1, j-1 {
		if a.seats[i] != b.seats[j] {
			return b.seats[j], SeatAlternate
		}
	}
	if a.want != 0 {
		return a.want, SeatHigher
	}
	if a.rank%2 == 1 {
		return r.opening, SeatNumber
	}
	return r.opening.Other(), SeatNumber
}
