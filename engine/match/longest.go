package match

import (
	"slices"
	"time"

	"chpok.org/chpok/engine/bidding"
)

// Longest returns how long the match can still last, whatever the players do: what the clocks
// show and all that can be added to them. It ignores what arbiters or outages may add, and
// counts a match that stands still as resumed now.
func (s State) Longest(now time.Time) time.Duration {
	if s.seq == 0 || s.status == Over {
		return 0
	}
	envelope, delay := s.options.Envelope, s.options.StartDelay
	switch {
	case s.IsMeeting():
		return s.waitLeft(now) + delay + s.onBoard(now)
	case s.status == Waiting:
		wait := s.waitLeft(now)
		if s.options.OnClaim && !s.isAlone() {
			wait += s.options.Lateness // one player may come at the last moment
		}
		return wait + s.options.firstBidWait() + s.bidding(envelope.WorstBidding(), 2*envelope.Chips) + s.options.Meet + s.options.WorstBoard()
	case s.status == Bidding:
		wait := time.Duration(0)
		if s.IsFirstBidAwaited(First) || s.IsFirstBidAwaited(Second) {
			wait = max(0, s.started.Add(s.options.firstBidWait()).Sub(now))
		}
		return wait + s.bidsLeft(now) + s.options.Meet + s.options.WorstBoard()
	}
	return max(0, s.clock.since.Sub(now)) + s.onBoard(now)
}

// Longest returns the longest a match can last from its opening, with the wait for its players.
func (o Options) Longest() time.Duration {
	wait := o.Lateness
	if o.OnClaim {
		wait *= 2
	}
	bids := 2*o.Envelope.Chips + o.Extra[0] + o.Extra[1]
	if o.BidTime > 0 {
		return wait + time.Duration(bids)*o.BidTime + o.Meet + o.WorstBoard()
	}
	return wait + o.firstBidWait() + time.Duration(bids)*bidding.ClockBid + o.Meet + o.WorstBoard()
}

// A usual match has usualMoves moves per player, and takes usualBid for each chip.
const (
	usualMoves = 40
	usualBid   = 15 * time.Second
)

// Usual estimates how long a match lasts from its opening: a fifth of the wait for the players, 15 s
// for each chip, and all the time that the median of the drawn time controls gives for 40 moves. It
// never exceeds Longest.
func (o Options) Usual() time.Duration {
	e := o.Envelope
	time40 := func(c bidding.TimeControl) time.Duration {
		moves := min(usualMoves, e.MoveLimit[1])
		return 2 * (time.Duration(c.Minutes)*time.Minute + time.Duration(c.Increment*moves)*time.Second)
	}
	board := time40(bidding.TimeControl{Minutes: e.Minutes[0], Increment: e.Increment[0]})
	if n := len(e.Presets); n > 0 {
		lengths := make([]time.Duration, n)
		for i, c := range e.Presets {
			lengths[i] = time40(c)
		}
		slices.Sort(lengths)
		board = lengths[n/2]
	}
	return min(o.Longest(), o.Lateness/5+time.Duration(2*e.Chips)*usualBid+board)
}

// WorstBoard returns the longest the board phase can last.
func (o Options) WorstBoard() time.Duration {
	if o.hasMoveTime() {
		return o.StartDelay + time.Duration(2*(o.Envelope.MoveLimit[1]+2*o.Envelope.Undos[1]))*o.BidTime
	}
	return o.Envelope.WorstBoard(o.StartDelay)
}

// bidsLeft returns the longest the bidding can still last: players with chips use up their
// clocks and what each of their bids but the last adds.
func (s State) bidsLeft(now time.Time) time.Duration {
	first, second, _ := s.Clocks(now)
	var byClock time.Duration
	bids := 0
	for i, left := range []time.Duration{first, second} {
		if chips := s.game.bids.Purse(Seats[i]); chips > 0 {
			byClock += left + time.Duration(chips-1)*bidding.ClockBid
			bids += chips
		}
	}
	return s.bidding(byClock, bids)
}

// bidding returns the longest that a number of bids can take, by the bidding clock or by
// correspondence.
func (s State) bidding(byClock time.Duration, bids int) time.Duration {
	if s.options.BidTime > 0 {
		return time.Duration(bids) * s.options.BidTime
	}
	return byClock
}

// waitLeft returns how long the match will still wait for its players.
func (s State) waitLeft(now time.Time) time.Duration {
	return max(0, s.clock.wait-max(0, s.At(now).Sub(s.clock.since)))
}

// onBoard returns what both clocks show and all increments to come, except for each player's
// last move. Every undo by either player gives both one more move.
func (s State) onBoard(now time.Time) time.Duration {
	f := s.game.terms.Features
	moves := max(0, f.MoveLimit-s.game.pos.FullMove()) + s.game.UndosLeft(First) + s.game.UndosLeft(Second)
	if s.options.hasMoveTime() {
		return time.Duration(2*(moves+1)) * s.options.BidTime
	}
	first, second, _ := s.Clocks(now)
	return first + second + time.Duration(2*moves*s.game.terms.Time.Increment)*time.Second
}
