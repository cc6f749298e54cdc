package teamswiss

import (
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament/swiss"
)

// firstTeam returns two teams, the first team (4.2) first.
func (r *round) firstTeam(a, b *team) (first, other *team) {
	switch {
	case a.score != b.score:
		if a.score < b.score {
			return b, a
		}
	case a.other != b.other && !r.rules.OneScore:
		if a.other < b.other {
			return b, a
		}
	case a.number > b.number:
		return b, a
	}
	return a, b
}

// clash reports whether both prefer the same seat: one of them will not have it.
func clash(a, b *team) bool { return a.want != 0 && a.want == b.want }

// clashStrongly reports whether one of two strong preferences will not be met.
func clashStrongly(a, b *team) bool { return clash(a, b) && a.strong && b.strong }

// seatOf returns the seat of a, the first team, against b, and the key of the rule (4.3).
func (r *round) seatOf(a, b *team) (match.Seat, string) {
	switch {
	case len(a.seats) == 0 && len(b.seats) == 0:
		if a.rank%2 == 1 {
			return r.opening, swiss.SeatNumber
		}
		return r.opening.Other(), swiss.SeatNumber
	case a.want != 0 && !clash(a, b):
		return a.want, swiss.SeatBoth
	case b.want != 0 && !clash(a, b):
		return b.want.Other(), swiss.SeatBoth
	case clash(a, b) && a.strong && !b.strong:
		return a.want, swiss.SeatStronger
	case clash(a, b) && b.strong && !a.strong:
		return b.want.Other(), swiss.SeatStronger
	case a.difference < b.difference:
		return match.First, SeatBalance
	case a.difference > b.difference:
		return match.Second, SeatBalance
	}
	for i, j := len(a.seats)-1, len(b.seats)-1; i >= 0 && j >= 0; i, j = i-1, j-1 {
		if a.seats[i] != b.seats[j] {
			return b.seats[j], SeatDiffered
		}
	}
	switch {
	case a.want != 0:
		return a.want, swiss.SeatHigher
	case len(a.seats) > 0:
		return a.seats[len(a.seats)-1].Other(), SeatFirstTeam
	}
	return b.seats[len(b.seats)-1], SeatOtherTeam
}
