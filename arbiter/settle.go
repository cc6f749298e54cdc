package arbiter

import (
	"context"
	"errors"
	"strconv"
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
)

// bidsRead is the setting that holds the end of the last match whose bids were
// read, in UTC milliseconds; matches that ended a little before it are looked
// for again, as nodes do not end them in order.
const (
	bidsRead   = "bids.read"
	bidsBehind = 10 * time.Minute
)

// settle reads what was paid in a match that is over, for the bidding profiles;
// a second time changes nothing.
func (a *Arbiter) settle(ctx context.Context, id match.ID) error {
	state, head, err := a.live.State(ctx, id)
	if err != nil || head.Status != match.Over {
		return err
	}
	var lines []store.BidLine
	if isPlayed(head) {
		lines = bidLines(state, head)
	}
	err = a.store.Write(ctx, func(tx *store.Tx) error { return tx.AddBids(id, lines) })
	if errors.Is(err, store.ErrTaken) {
		return nil
	}
	return err
}

// bidLines are what each player paid for each target. Who raised last had the
// last word; after a call it was chance, or the default.
func bidLines(s match.State, h store.Head) []store.BidLine {
	steps := s.BidSteps()
	if len(steps) == 0 {
		return nil
	}
	var paid [bidding.Targets + 1][2]int
	var last [bidding.Targets + 1]match.Seat
	for _, step := range steps {
		if !step.Seat.Valid() {
			continue
		}
		paid[step.Bid.Target][step.Seat.Index()] += step.Bid.Chips
		last[step.Bid.Target] = step.Seat
		if step.IsCall {
			last[step.Bid.Target] = 0
		}
	}
	var lines []store.BidLine
	o := s.Options()
	for _, seat := range []match.Seat{match.First, match.Second} {
		score := rating.Draw
		if winner, won := h.Result.Outcome.Winner(); won {
			score = rating.Loss
			if winner == seat {
				score = rating.Win
			}
		}
		for t := bidding.White; t <= bidding.Features; t++ {
			line := store.BidLine{
				Player: h.Players[seat.Index()], Target: int(t), Chips: paid[t][seat.Index()],
				Purse: o.Envelope.Chips + o.Extra[seat.Index()], Score: score, Won: 2,
			}
			if last[t].Valid() {
				line.Won = 0
				if last[t] == seat {
					line.Won = 1
				}
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// SettleMatches settles the matches that a crash has left.
func (a *Arbiter) SettleMatches(ctx context.Context) error {
	var left []match.ID
	var last int64
	err := a.store.Read(ctx, func(tx *store.Tx) error {
		text, err := tx.Setting(bidsRead, "0")
		if err != nil {
			return err
		}
		from, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			from = 0
		}
		left, last, err = tx.Unsettled(from-bidsBehind.Milliseconds(), sweepSize)
		return err
	})
	if err != nil || len(left) == 0 {
		return err
	}
	if err := forEach(ctx, a, "match", "bids not read", left, a.settle); err != nil {
		return err
	}
	return a.store.Write(ctx, func(tx *store.Tx) error { return tx.SetSetting(bidsRead, strconv.FormatInt(last, 10)) })
}

// ReadBidsAnew makes the bidding profiles anew from the logs of all matches.
func (a *Arbiter) ReadBidsAnew(ctx context.Context) error {
	err := a.store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.SetSetting(bidsRead, "0"); err != nil {
			return err
		}
		return tx.ForgetBids()
	})
	for from := int64(0); err == nil; {
		var left []match.ID
		var last int64
		err = a.store.Read(ctx, func(tx *store.Tx) (err error) {
			left, last, err = tx.Unsettled(from, sweepSize)
			return err
		})
		if err != nil || len(left) == 0 {
			break
		}
		err = forEach(ctx, a, "match", "bids not read", left, a.settle)
		from = max(last, from+1) // a broken match does not hold up the others
	}
	return err
}
