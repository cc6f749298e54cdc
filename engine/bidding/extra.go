package bidding

import "fmt"

// MaxExtra is the largest handicap: chips one player has more than the other. The rules give
// both the same (Rules 5.1), and D6 relies on it: with equal purses, some target always
// takes a bid. If one seat has d more, the other's gaps add up to d + its purse − the
// opponent's purse, so all four can be out of its reach only if d ≥ 4·(purse + 1) − purse ≥ 7.
// With up to six, a bid always stays possible.
const MaxExtra = 6

// ValidExtra checks the chips First and Second have beyond what the envelope gives: at most
// one seat has any, and at most MaxExtra.
func ValidExtra(extra [2]int) error {
	if extra[0] < 0 || extra[1] < 0 || extra[0] > MaxExtra || extra[1] > MaxExtra || extra[0] > 0 && extra[1] > 0 {
		return fmt.Errorf("a handicap is 1…%d chips more for one player, not %d and %d", MaxExtra, extra[0], extra[1])
	}
	return nil
}

// WithExtra returns the phase before its first bid with a handicap valid by ValidExtra.
func (s State) WithExtra(extra [2]int) State {
	s.extra = extra
	return s
}

// Extra returns how many chips beyond Chips a seat started with.
func (s State) Extra(by Seat) int { return s.extra[by.Index()] }
