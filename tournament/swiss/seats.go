package swiss

import "chpok.org/chpok/engine/match"

// seatRule is the rule of FIDE C.04.3 5.2 that decided a pair's seats.
type seatRule string

const (
	bothGranted   seatRule = "both"      // 5.2.1
	strongerWish  seatRule = "stronger"  // 5.2.2
	widerLead     seatRule = "wider"     // 5.2.2, both absolute
	lastDifferent seatRule = "alternate" // 5.2.3
	higherRanked  seatRule = "higher"    // 5.2.4
	byNumberDrawn seatRule = "number"    // 5.2.5
)

// clash tells whether both wish for the same seat.
func clash(a, b *player) bool { return a.want != 0 && a.want == b.want }

// seatOf is the seat of a, who is ranked above b, and the rule that gives it.
func (r *round) seatOf(a, b *player) (match.Seat, seatRule) {
	if !clash(a, b) {
		switch {
		case a.want != 0:
			return a.want, bothGranted
		case b.want != 0:
			return b.want.Other(), bothGranted
		}
	} else {
		switch {
		case a.strength > b.strength:
			return a.want, strongerWish
		case a.strength < b.strength:
			return b.want.Other(), strongerWish
		case a.strength == absolute && a.lead > b.lead:
			return a.want, widerLead
		case a.strength == absolute && a.lead < b.lead:
			return b.want.Other(), widerLead
		}
	}
	for i, j := len(a.seats)-1, len(b.seats)-1; i >= 0 && j >= 0; i, j = i-1, j-1 {
		if a.seats[i] != b.seats[j] {
			return b.seats[j], lastDifferent
		}
	}
	if a.want != 0 {
		return a.want, higherRanked
	}
	if a.rank%2 == 1 {
		return r.opening, byNumberDrawn
	}
	return r.opening.Other(), byNumberDrawn
}
