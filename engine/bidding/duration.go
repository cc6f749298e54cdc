package bidding

import "time"

// The bidding clock (Rules 5.2): what it starts with, what a bid adds, what a bid adds once
// the opponent has no chips left, and the most it ever holds.
const (
	ClockStart   = 100 * time.Second
	ClockBid     = 100 * time.Second
	ClockLastBid = 20 * time.Second
	ClockMax     = 200 * time.Second
)

// AfterBid returns a player's bidding clock after a bid made with left on it.
func AfterBid(left time.Duration, opponentHasChips bool) time.Duration {
	add := ClockLastBid
	if opponentHasChips {
		add = ClockBid
	}
	return min(ClockMax, left+add)
}

// WorstBidding returns the longest the bidding phase can last: chips × 100 s for each
// player. A player bids at most once a chip. The first bid can use the 100 s of the start,
// every other one the 100 s its predecessor added, and nobody uses what the last one adds.
// If both bid chip by chip, only the last two bids meet an empty purse. The cap of 200 s
// cannot prolong this.
func (e Envelope) WorstBidding() time.Duration {
	return 2 * time.Duration(e.Chips) * ClockBid
}

// WorstBoard returns the longest the board phase can last: for each player the most minutes,
// and the largest increment for every move but the last. An undo, by either player, gives
// both one more move.
func (e Envelope) WorstBoard(startDelay time.Duration) time.Duration {
	moves := e.MoveLimit[1] - 1 + 2*e.Undos[1]
	each := time.Duration(e.Minutes[1])*time.Minute + time.Duration(e.Increment[1]*moves)*time.Second
	return startDelay + 2*each
}

// WorstCase returns the longest a match can last from its first bid to its end, not counting
// the wait for the players: WorstBidding + WorstBoard. With 8 chips, at most 10+3 and 60
// moves, and no undos, that is 26:40 + 25:54.
func (e Envelope) WorstCase(startDelay time.Duration) time.Duration {
	return e.WorstBidding() + e.WorstBoard(startDelay)
}
