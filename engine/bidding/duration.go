package bidding

import "time"

// The bidding clock (Rules 5.2): what it starts with, what a bid adds, what a
// bid adds when the opponent has no chips left, and the most it ever holds.
const (
	ClockStart   = 100 * time.Second
	ClockBid     = 100 * time.Second
	ClockLastBid = 20 * time.Second
	ClockMax     = 200 * time.Second
)

// AfterBid is the bidding clock of a player after a bid, made with so much left on it.
func AfterBid(left time.Duration, opponentHasChips bool) time.Duration {
	add := ClockLastBid
	if opponentHasChips {
		add = ClockBid
	}
	return min(ClockMax, left+add)
}

// WorstBidding is the longest the bidding phase can last: chips × 100 s for
// each player. Each bids at most once a chip; the first bid may use the 100 s
// of the start, each other one the 100 s the bid before it added, the time
// added by the last is never used, and when both bid chip by chip no bid but
// the last two meets an empty purse. The cap of 200 s cannot lengthen this.
func (e Envelope) WorstBidding() time.Duration {
	return 2 * time.Duration(e.Chips) * ClockBid
}

// WorstBoard is the longest the board phase can last: for each player the
// highest minutes, and the highest increment for each of their moves but the
// last. Every undo, of either player, gives both one move more.
func (e Envelope) WorstBoard(startDelay time.Duration) time.Duration {
	moves := e.MoveLimit[1] - 1 + 2*e.Undos[1]
	each := time.Duration(e.Minutes[1])*time.Minute + time.Duration(e.Increment[1]*moves)*time.Second
	return startDelay + 2*each
}

// WorstCase is the longest a match can last from its first bid to its end,
// without the wait for the players to come: WorstBidding + WorstBoard. With 8
// chips, at most 10+3 and 60 moves, without undos, that is 26:40 + 25:54.
func (e Envelope) WorstCase(startDelay time.Duration) time.Duration {
	return e.WorstBidding() + e.WorstBoard(startDelay)
}
