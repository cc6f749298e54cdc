package bidding

import "fmt"

// MaxExtra is the most chips one player may have more than the other: a handicap.
// The rules give both the same (Rules 5.1), and D6 counts on that: with equal
// purses some target always takes a bid. With d more for one seat, the gaps of
// the other add up to d + its purse − the opponent's purse, so all four can be
// out of its reach only if d ≥ 4·(purse + 1) − purse ≥ 7. Up to six a bid stays
// always possible.
const MaxExtra = 6

// ValidExtra tells what is wrong with chips that seats have more than the
// envelope gives, First's and Second's: at most one has any, at most MaxExtra.
func ValidExtra(extra [2]int) error {
	if extra[0] < 0 || extra[1] < 0 || extra[0] > MaxExtra || extra[1] > MaxExtra || extra[0] > 0 && extra[1] > 0 {
		return fmt.Errorf("a handicap is 1…%d chips more for one player, not %d and %d", MaxExtra, extra[0], extra[1])
	}
	return nil
}

// WithExtra is the phase before its first bid with a handicap; valid by ValidExtra.
func (s State) WithExtra(extra [2]int) State {
	s.extra = extra
	return s
}

// Extra is how many chips more than Chips a seat started with.
func (s State) Extra(by Seat) int { return s.extra[by.Index()] }
